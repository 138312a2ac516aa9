import Device
import Testing
import Wire

/// The steps between the arrival of a notification and its display.
struct PreparingTests {
  static func bench(_ record: DeviceRecord = DeviceRecord()) -> Bench {
    Bench(record) { $0.content["mutable"]?.bool == true }
  }

  static func message(_ id: String, _ version: Int = 1, expires: String? = nil, collapse: String? = nil) -> JSON {
    var members: [JSON.Member] = [
      .init("do", "show"), .init("id", .string(id)), .init("version", .int(version)),
      .init("content", ["title": "sent", "mutable": true]),
    ]
    if let expires { members.append(.init("expires_at", .string(expires))) }
    if let collapse { members.append(.init("collapse_id", .string(collapse))) }
    return .object(members)
  }

  @Test func `the changed content is shown, and nothing is recorded or told before`() {
    var bench = Self.bench()
    bench.connect()
    bench.receive(Self.message("12"))
    #expect(bench.prepared.map(\.id) == ["12"] && bench.presented.isEmpty && bench.sent.isEmpty)
    #expect(bench.record.entries.isEmpty == false && !bench.record.entries.contains(.showing("12", version: 1)))
    // The hub repeats it meanwhile, and another one comes.
    bench.receive(Self.message("12"))
    bench.show("13")
    bench.perform(bench.session.prepared(["title": "changed"], bench.moment))
    #expect(bench.presented.map { $0.content["title"] } == ["changed", "title 1"])
    #expect(bench.prepared.count == 1)
    #expect(bench.sent.map { $0["what"] } == ["delivered", "shown", "delivered", "shown"])
    // A second answer changes nothing.
    bench.perform(bench.session.prepared(["title": "again"], bench.moment))
    #expect(bench.presented.count == 2)
  }

  @Test func `without an answer the original is shown, and its note goes with each acknowledgement`() {
    var bench = Self.bench()
    bench.connect()
    bench.receive(Self.message("12"))
    bench.perform(bench.session.prepared(nil, note: "extension_failed:late", bench.moment))
    #expect(bench.presented.map { $0.content["title"] } == ["sent"])
    #expect(bench.sent.map { $0["note"] } == [nil, "extension_failed:late"])
    // Also after a restart.
    var later = Self.bench(bench.record)
    later.connect()
    later.receive(Self.message("12"))
    #expect(later.presented.isEmpty && later.sent.map { $0["note"] } == ["extension_failed:late"])
    // A new version has a note of its own.
    later.receive(Self.message("12", 2))
    later.perform(later.session.prepared(nil, later.moment))
    #expect(later.sent.last?["what"] == "shown" && later.sent.last?["note"] == nil)
  }

  @Test func `a sender does not choose the file of an attachment`() {
    var bench = Self.bench()
    bench.connect()
    bench.receive([
      "do": "show", "id": "12", "version": 1,
      "content": [
        "title": "sent", "attachments": [["id": "p", "url": "https://example.org/a.png", "file": "/etc/passwd"]],
      ],
    ])
    let shown: JSON = ["title": "sent", "attachments": [["id": "p", "url": "https://example.org/a.png"]]]
    #expect(bench.presented.map(\.content) == [shown])
  }

  @Test func `a message to the device itself does not wait for what is being shown`() {
    var bench = Self.bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("12")
    func message(_ id: String, expires: String? = nil) -> JSON {
      [
        "do": "show", "id": .string(id), "version": 1, "content": ["silent": true, "message": 1],
        "expires_at": JSON(expires),
      ]
    }
    for id in ["13", "14", "13"] { bench.receive(message(id)) }
    bench.receive(message("15", expires: "2020-01-01T00:00:00Z"))
    #expect(bench.presented.map(\.id) == ["12"] && bench.taken.map(\.id) == ["13", "14"])
    #expect(bench.acknowledged == ["13 1 shown", "14 1 shown", "13 1 shown", "15 1 failed"])
    #expect(bench.sent.map { $0["what"] }.prefix(3) == ["delivered", "delivered", "shown"])
    #expect(bench.sent[2]["note"] == "new_data")
    #expect(bench.session.waitingCount == 0)
  }

  @Test func `what is taken back meanwhile is never shown, and the next one has its turn`() {
    var bench = Self.bench()
    bench.connect()
    bench.receive(Self.message("12"))
    bench.show("13")
    bench.receive(["do": "withdraw", "id": "12", "version": 2, "reason": "answered_elsewhere"])
    #expect(bench.stopped == ["12"] && bench.acknowledged == ["12 2 withdrawn"])
    bench.perform(bench.session.prepared(["title": "changed"], bench.moment))
    #expect(bench.presented.map(\.id) == ["13"])
  }

  @Test func `an update that is taken back meanwhile takes the shown version away`() {
    var bench = Self.bench()
    bench.connect()
    bench.show("12")
    bench.receive(Self.message("12", 2))
    // The hub repeats what is being prepared.
    bench.receive(Self.message("12", 2))
    bench.receive(["do": "withdraw", "id": "12", "version": 3, "reason": "taken_back"])
    bench.perform(bench.session.prepared(["title": "changed"], bench.moment))
    #expect(bench.presented.map { $0.kind == .show } == [true, false])
    #expect(bench.prepared.count == 1)
  }

  @Test func `an update that the hub repeats meanwhile is shown once`() {
    var bench = Self.bench()
    bench.connect()
    bench.show("12")
    bench.receive(Self.message("12", 2))
    bench.receive(Self.message("12", 2))
    bench.perform(bench.session.prepared(["title": "changed"], bench.moment))
    bench.perform(bench.session.prepared(["title": "again"], bench.moment))
    #expect(bench.presented.map { $0.content["title"] } == ["title 1", "changed"])
  }

  @Test func `a change to what waits to ring again rings`() {
    var bench = Bench()
    bench.connect()
    bench.show("1")
    bench.showsAtOnce = false
    bench.show("2")
    bench.receive(["do": "show", "id": "1", "version": 2, "again": true, "content": ["title": "2"]])
    bench.show("1", 3)
    bench.perform(bench.session.shown(bench.moment))
    bench.perform(bench.session.finished(bench.moment))
    let last = bench.presented.last
    #expect(last?.id == "1" && last?.version == 3 && last?.isAgain == true && last?.isUpdate == false)
  }

  @Test func `what expires meanwhile is not shown`() {
    var bench = Self.bench()
    bench.connect()
    bench.receive(Self.message("12", expires: instant(bench.now + 10)))
    bench.wait(11)
    bench.perform(bench.session.prepared(["title": "changed"], bench.moment))
    #expect(bench.presented.isEmpty && bench.acknowledged.last == "12 1 failed")
    bench.show("13")
    #expect(bench.presented.map(\.id) == ["13"])
  }
}
