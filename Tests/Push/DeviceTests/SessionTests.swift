import Device
import Testing
import Wire

/// A session with what it did, and the record as it would stand on the disk.
struct Bench {
  var session: DeviceSession
  var record: DeviceRecord
  var now = 1_795_200_000.0
  var uptime = 0.0
  var sent: [JSON] = []
  var prepared: [Showing] = []
  var presented: [Showing] = []
  var taken: [Showing] = []
  var stopped: [String] = []
  var news: [DeviceSession.News] = []
  var ended: DeviceSession.EndReason?
  var connects = 0
  var disconnects = 0
  /// True: what is presented is shown and finished at once, as without a command.
  var showsAtOnce = true

  init(
    _ record: DeviceRecord = DeviceRecord(), chance: Double = 1,
    prepares: @escaping @Sendable (Showing) -> Bool = { _ in false }
  ) {
    self.record = record
    session = DeviceSession(
      secret: "secret", zone: { "Europe/Berlin" }, record: record, prepares: prepares,
      isMessage: { $0.content["message"] != nil }, chance: { chance })
  }

  var moment: DeviceSession.Moment { DeviceSession.Moment(now: now, uptime: uptime) }

  mutating func perform(_ effects: [DeviceSession.Effect]) {
    var work = effects
    while !work.isEmpty {
      switch work.removeFirst() {
      case .connect: connects += 1
      case .send(let message): sent.append(message)
      case .disconnect: disconnects += 1
      case .record(let entries, _): for entry in entries { record.apply(entry) }
      case .prepare(let one): prepared.append(one)
      case .take(let one):
        taken.append(one)
        work += session.taken(one, note: "new_data", moment)
      case .present(let one):
        presented.append(one)
        if showsAtOnce {
          work += session.shown(moment)
          work += session.finished(moment)
        }
      case .stop(let id): stopped.append(id)
      case .tell(let one): news.append(one)
      case .end(let reason): ended = reason
      }
    }
  }

  mutating func receive(_ message: JSON) { perform(session.received(message.text, moment)) }

  mutating func connect() {
    perform(session.start())
    perform(session.opened(moment))
    receive(["do": "welcome", "device": "7", "name": "Boat"])
    sent = []
  }

  mutating func wait(_ seconds: Double) {
    let end = uptime + seconds
    while let deadline = session.deadline(moment), deadline <= end {
      now += max(0, deadline - uptime)
      uptime = max(uptime, deadline)
      perform(session.tick(moment))
    }
    now += end - uptime
    uptime = end
  }

  mutating func show(
    _ id: String, _ version: Int = 1, collapse: String? = nil, expires: String? = nil, stays: Bool = false
  ) {
    var members: [JSON.Member] = [
      .init("do", "show"), .init("id", .string(id)), .init("version", .int(version)),
      .init("content", .object([.init("title", .string("title \(version)"))])),
    ]
    if let collapse { members.append(.init("collapse_id", .string(collapse))) }
    if let expires { members.append(.init("expires_at", .string(expires))) }
    if stays { members.append(.init("stays", true)) }
    receive(.object(members))
  }

  var acknowledged: [String] {
    let shown = sent.filter { $0["do"] == "ack" && $0["what"] != "delivered" }
    return shown.map { "\($0["id"]!.string!) \($0["version"]!.int!) \($0["what"]!.string!)" }
  }
}

extension JSON {
  init(_ members: [(String, JSON)]) { self = .object(members.map { Member($0.0, $0.1) }) }
}

struct SessionTests {
  @Test func `it says hello with its secret, and nothing before the welcome`() {
    var record = DeviceRecord()
    record.apply(.run("n", 3))
    var bench = Bench(record)
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    let hello: JSON = [
      "do": "hello", "secret": "secret", "zone": "Europe/Berlin", "v": 1, "state": "n", "number": 3_000_001,
    ]
    #expect(bench.sent == [hello])
    bench.show("1")
    #expect(bench.presented.isEmpty)
  }

  @Test func `a hub that does not greet is left, and asked again`() {
    var bench = Bench()
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.wait(9.9)
    #expect(bench.disconnects == 0)
    bench.wait(0.2)
    #expect(bench.disconnects == 1 && bench.connects == 1)
    bench.wait(2)
    #expect(bench.connects == 2)
  }

  @Test func `pauses between attempts grow to a minute, with a part by chance`() {
    for chance in [0.0, 1.0] {
      var bench = Bench(chance: chance)
      bench.perform(bench.session.start())
      var pauses: [Double] = []
      for _ in 0..<9 {
        bench.perform(bench.session.lost("refused", at: bench.moment))
        guard let deadline = bench.session.deadline(bench.moment) else { return #expect(Bool(false)) }
        pauses.append(deadline - bench.uptime)
        bench.wait(deadline - bench.uptime)
      }
      #expect(pauses == [1, 2, 4, 8, 16, 32, 60, 60, 60].map { $0 * (0.5 + chance / 2) })
    }
  }

  @Test func `a connection that was steady or at work makes the next pause short again, another does not`() {
    var bench = Bench()
    for _ in 0..<4 {
      bench.perform(bench.session.start())
      bench.perform(bench.session.lost("refused", at: bench.moment))
    }
    bench.connect()
    bench.perform(bench.session.lost("cut", at: bench.moment))
    #expect(bench.session.deadline(bench.moment) == bench.uptime + 16)
    bench.connect()
    bench.wait(1)
    bench.show("1")
    bench.receive(["do": "bye", "reason": "busy"])
    #expect(bench.session.deadline(bench.moment) == bench.uptime + 32, "it can do nothing with it now")
    bench.connect()
    bench.wait(1)
    bench.show("2")
    bench.perform(bench.session.lost("too many", code: .policy, at: bench.moment))
    #expect(bench.session.deadline(bench.moment) == bench.uptime + 60, "it may be closed again")
    bench.connect()
    bench.wait(1)
    bench.show("3")
    bench.perform(bench.session.lost("cut", at: bench.moment))
    #expect(bench.session.deadline(bench.moment) == bench.uptime + 1, "it was at work")
    bench.perform(bench.session.start())
    bench.perform(bench.session.lost("refused", at: bench.moment))
    bench.connect()
    for _ in 0..<4 {
      bench.wait(30)
      bench.receive(["do": "pong"])
    }
    bench.receive(["do": "bye", "reason": "busy"])
    #expect(bench.session.deadline(bench.moment) == bench.uptime + 1)
  }

  // MARK: Heartbeat

  @Test func `the heartbeat grows while pongs come, is halved by a loss, and is remembered`() {
    var bench = Bench()
    bench.connect()
    var intervals: [Double] = []
    for _ in 0..<10 {
      guard let deadline = bench.session.deadline(bench.moment) else { return #expect(Bool(false)) }
      intervals.append((deadline - bench.uptime).rounded())
      bench.wait(deadline - bench.uptime)
      #expect(bench.sent.last == ["do": "ping"])
      bench.receive(["do": "pong"])
    }
    #expect(intervals == [30, 45, 68, 101, 152, 228, 342, 513, 769, 900])
    // No answer: the connection is left, and half of the interval is next.
    bench.wait(900)
    bench.wait(15)
    #expect(bench.disconnects == 1)
    #expect(bench.record.heartbeat.interval == 450)
    // After a restart of the process as well.
    var again = Bench(bench.record)
    again.connect()
    #expect(again.session.deadline(again.moment) == 450)
  }

  @Test func `an interval that broke once is kept away from, and tried again after a day of pongs`() {
    var bench = Bench()
    bench.connect()
    // A network that forgets connections after 100 s.
    var losses = 0
    var longest = 0.0
    for _ in 0..<200 {
      guard let deadline = bench.session.deadline(bench.moment) else { return #expect(Bool(false)) }
      let interval = deadline - bench.uptime
      bench.wait(interval)
      if interval < 100 {
        longest = max(longest, interval)
        bench.receive(["do": "pong"])
      } else {
        losses += 1
        bench.wait(15)
        bench.wait(60)
        bench.connect()
      }
    }
    #expect(longest > 60 && losses >= 2 && losses < 20, "\(losses) losses, at most \(longest) s")
  }

  // MARK: Showing

  @Test func `what is sent twice is shown once, and acknowledged twice`() {
    var bench = Bench()
    bench.connect()
    bench.show("12")
    bench.show("12")
    #expect(bench.presented.map(\.id) == ["12"])
    #expect(bench.acknowledged == ["12 1 shown", "12 1 shown"])
  }

  @Test func `it says that it has a notification before it shows it, and once`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("12")
    #expect(bench.record.entries.contains(.showing("12", version: 1)))
    #expect(bench.sent.map { $0["what"] } == ["delivered"])
    // One that waits is not on the disk yet.
    bench.show("13")
    #expect(bench.sent.count == 1)
    bench.perform(bench.session.shown(bench.moment))
    #expect(bench.sent.map { $0["what"] } == ["delivered", "shown"])
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.sent.last?["id"] == "13" && bench.sent.last?["what"] == "delivered")
    // A request of the device's own is no business of the hub's.
    bench.showsAtOnce = true
    bench.perform(bench.session.finished(bench.moment))
    bench.sent = []
    bench.perform(bench.session.fire(id: "tea", content: ["title": "Tea"], due: 5, bench.moment).effects)
    #expect(bench.presented.last?.id == "tea" && bench.sent.isEmpty)
  }

  @Test func `what is being shown is acknowledged once it was seen, however often it is sent`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("12")
    bench.show("12")
    #expect(bench.acknowledged.isEmpty)
    bench.perform(bench.session.shown(bench.moment))
    // The acknowledgement is lost with the connection, while the command still runs.
    bench.perform(bench.session.lost("cut", at: bench.moment))
    bench.connect()
    bench.show("12")
    #expect(bench.acknowledged == ["12 1 shown"] && bench.presented.count == 1)
    // A new version waits.
    bench.show("12", 2)
    #expect(bench.acknowledged.count == 1 && bench.session.waitingCount == 1)
  }

  @Test func `an update is shown as one, an older version is not`() {
    var bench = Bench()
    bench.connect()
    bench.show("12")
    bench.show("12", 2)
    bench.show("12", 1)
    #expect(bench.presented.map(\.isUpdate) == [false, true])
    #expect(bench.acknowledged == ["12 1 shown", "12 2 shown", "12 1 shown"])
  }

  @Test func `what rings until somebody acts rings again where it is shown, and once where it is not`() {
    var bench = Bench()
    bench.connect()
    bench.show("12")
    for (id, version) in [("12", 2), ("12", 2), ("13", 2)] {
      bench.receive([
        "do": "show", "id": .string(id), "version": .int(version), "content": ["title": "Leak"], "again": true,
      ])
    }
    bench.show("12", 3)
    #expect(bench.presented.map(\.isAgain) == [false, true, true, false])
    #expect(bench.presented.map(\.isUpdate) == [false, false, false, true])
  }

  @Test func `what was about to be shown when the process ended is shown again, marked`() {
    var bench = Bench()
    bench.connect()
    bench.showsAtOnce = false
    bench.show("12")
    // The process ends here; the record says that it was about to be shown.
    var again = Bench(bench.record)
    again.connect()
    again.show("12")
    #expect(again.presented.map(\.isRepeat) == [true])
    #expect(again.sent.last?["repeat"] == true)
    again.show("12")
    #expect(again.presented.count == 1)
  }

  @Test func `what was shown is not shown again after a restart, also when nobody acknowledged it`() {
    var bench = Bench()
    bench.connect()
    bench.show("12")
    var again = Bench(bench.record)
    again.connect()
    again.show("12")
    #expect(again.presented.isEmpty && again.acknowledged == ["12 1 shown"])
  }

  @Test func `the next waits until the command of the one before has ended`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("1")
    bench.show("2")
    #expect(bench.presented.map(\.id) == ["1"])
    bench.perform(bench.session.shown(bench.moment))
    #expect(bench.presented.count == 1 && bench.acknowledged == ["1 1 shown"])
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.map(\.id) == ["1", "2"])
  }

  @Test func `a withdrawal takes away what was shown, and what waits is never shown`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("1")
    bench.show("2")
    bench.receive(["do": "withdraw", "id": "2", "version": 2, "reason": "answered_elsewhere"])
    #expect(bench.acknowledged == ["2 2 withdrawn"])
    bench.perform(bench.session.shown(bench.moment))
    // The notification that is being shown is stopped first.
    let effects = bench.session.received(
      JSON([("do", "withdraw"), ("id", "1"), ("version", 2), ("reason", "taken_back")]).text, bench.moment)
    #expect(effects == [.stop(id: "1")])
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.last?.kind == .withdraw("taken_back"))
    bench.perform(bench.session.shown(bench.moment))
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.acknowledged.last == "1 2 withdrawn" && bench.presented.count == 2)
  }

  @Test func `a withdrawal of something unknown is acknowledged, and what comes late is not shown`() {
    var bench = Bench()
    bench.connect()
    bench.receive(["do": "withdraw", "id": "3", "version": 2, "reason": "expired"])
    bench.show("3", 1)
    #expect(bench.presented.isEmpty && bench.acknowledged == ["3 2 withdrawn", "3 1 withdrawn"])
  }

  @Test func `a newer one of the same collapse id names the one that it replaces`() {
    var bench = Bench()
    bench.connect()
    bench.show("1", collapse: "sign")
    bench.show("2", collapse: "sign")
    #expect(bench.presented.map(\.replaces) == [nil, "1"])
    // One that still waits is not shown at all.
    bench.showsAtOnce = false
    bench.show("3")
    bench.show("4", collapse: "sign")
    bench.show("5", collapse: "sign")
    #expect(bench.acknowledged.last == "4 1 failed")
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.last?.id == "5")
  }

  @Test func `taking back what never came takes away the older one whose place it was to take`() {
    var bench = Bench()
    bench.connect()
    bench.show("1", collapse: "sign")
    bench.show("5", collapse: "other")
    bench.receive(["do": "withdraw", "id": "2", "version": 2, "reason": "taken_back", "collapse_id": "sign"])
    #expect(bench.presented.last?.kind == .withdraw("taken_back") && bench.presented.last?.id == "1")
    #expect(bench.acknowledged.suffix(2) == ["5 1 shown", "2 2 withdrawn"])
    // What is newer, or has another collapse id, stays.
    bench.receive(["do": "withdraw", "id": "4", "version": 2, "reason": "taken_back", "collapse_id": "other"])
    bench.receive(["do": "withdraw", "id": "6", "version": 2, "reason": "taken_back", "collapse_id": "sign"])
    #expect(bench.presented.count == 3)
    #expect(bench.acknowledged.suffix(2) == ["4 2 withdrawn", "6 2 withdrawn"])
    // One that was scheduled before has a smaller id, and is the newer one.
    bench.receive([
      "do": "withdraw", "id": "3", "version": 2, "reason": "taken_back", "collapse_id": "other", "sequence": 7,
    ])
    #expect(bench.presented.last?.kind == .withdraw("taken_back") && bench.presented.last?.id == "5")
  }

  @Test func `what expires while it waits is not shown, by the hub's clock`() {
    var bench = Bench()
    bench.showsAtOnce = false
    // A small computer that knows no time yet.
    bench.now = 0
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat", "now": "2026-11-21T19:00:00Z"])
    bench.show("1")
    bench.show("2", expires: "2026-11-21T19:01:00Z")
    bench.show("3", expires: "2026-11-21T19:01:01Z")
    bench.now += 60
    bench.uptime += 60
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.map(\.id) == ["1", "3"])
    #expect(bench.acknowledged.contains("2 1 failed"))
    #expect(bench.sent.last?["at"] == "2026-11-21T19:01:00.000Z")
  }

  @Test(arguments: [-400.0, 0, 400])
  func `the hub's time goes on when the device's clock is set meanwhile`(days: Double) {
    var bench = Bench()
    bench.now = 1_795_287_600 + days * 86_400
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat", "now": "2026-11-21T19:00:00Z"])
    // A network tells it the time; or somebody sets a clock wrong that was right.
    bench.now = days == 0 ? 5_000 : 1_795_287_600
    bench.now += 60
    bench.uptime += 60
    bench.show("1", expires: "2026-11-21T19:01:01Z")
    bench.show("2", expires: "2026-11-21T19:01:00Z")
    #expect(bench.presented.map(\.id) == ["1"])
    #expect(bench.acknowledged == ["1 1 shown", "2 1 failed"])
    bench.perform(bench.session.respond(id: "1", action: "default", text: nil, bench.moment))
    #expect(bench.sent.allSatisfy { $0["at"] == nil || $0["at"] == "2026-11-21T19:01:00.000Z" })
    #expect(bench.record.responses.last?.at == 1_795_287_660)
  }

  @Test func `a hub that floods is left`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    for number in 1...257 { bench.show("\(number)") }
    #expect(bench.disconnects == 0 && bench.session.waitingCount == 256)
    bench.show("258")
    #expect(bench.disconnects == 1)
  }

  // MARK: Ends

  @Test(arguments: [
    ("replaced", DeviceSession.EndReason.replaced), ("removed", .removed), ("unknown_secret", .unknownSecret),
  ])
  func `a goodbye for good ends it`(reason: String, expected: DeviceSession.EndReason) {
    var bench = Bench()
    bench.connect()
    bench.receive(["do": "bye", "reason": .string(reason)])
    #expect(bench.ended == expected && bench.session.deadline(bench.moment) == nil)
  }

  @Test func `the close codes say the same as the goodbye, in case that one was lost`() {
    for (code, reason) in [(4000, DeviceSession.EndReason.replaced), (4001, .removed)] {
      var bench = Bench()
      bench.connect()
      bench.perform(bench.session.lost("closed", code: CloseCode(rawValue: UInt16(code)), at: bench.moment))
      #expect(bench.ended == reason)
    }
  }

  @Test func `a hub that restarts is visited again at once`() {
    var bench = Bench()
    bench.connect()
    bench.receive(["do": "bye", "reason": "restart"])
    #expect(bench.ended == nil && bench.session.deadline(bench.moment) == bench.uptime + 1)
  }

  @Test(arguments: [
    "", "[]", "{}", "{\"do\":\"show\"}", "{\"do\":\"show\",\"id\":\"\",\"version\":1,\"content\":{}}",
    "{\"do\":\"show\",\"id\":\"1\",\"version\":0,\"content\":{}}", "{\"do\":\"show\",\"id\":\"1\",\"version\":1}",
    "{\"do\":\"show\",\"id\":1,\"version\":1,\"content\":{}}", "{\"do\":\"dance\"}", "{\"do\":\"taken\"}",
  ])
  func `a message that makes no sense is ignored, and told`(text: String) {
    var bench = Bench()
    bench.connect()
    bench.perform(bench.session.received(text, bench.moment))
    #expect(bench.presented.isEmpty && bench.sent.isEmpty)
    #expect(bench.news.contains { if case .ignored = $0 { true } else { false } })
  }
}
