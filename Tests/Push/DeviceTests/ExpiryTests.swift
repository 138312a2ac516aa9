import Device
import Testing
import Wire
import World

/// A device takes what has expired from its screen by itself, with a hub or without.
struct ExpiryTests {
  private static let end = 1_795_200_020.0
  private static let expires = instant(end)

  private static func isExpired(_ one: Showing?, _ id: String) -> Bool {
    one?.kind == .withdraw("expired") && one?.id == id
  }

  @Test(arguments: [true, false]) func `what has expired goes from the screen, once`(isConnected: Bool) {
    var bench = Bench()
    bench.connect()
    bench.show("1", expires: Self.expires)
    bench.show("2")
    if !isConnected { bench.perform(bench.session.lost("no network", at: bench.moment)) }
    bench.wait(19.9)
    #expect(bench.presented.count == 2)
    bench.wait(0.2)
    #expect(bench.presented.count == 3 && Self.isExpired(bench.presented.last, "1"))
    if !isConnected {
      bench.perform(bench.session.opened(bench.moment))
      bench.receive(["do": "welcome", "device": "7", "name": "Boat"])
    }
    bench.sent = []
    bench.receive(["do": "withdraw", "id": "1", "version": 2, "reason": "expired"])
    #expect(bench.acknowledged == ["1 2 withdrawn"] && bench.presented.count == 3, "it has gone already")
    bench.wait(1_000)
    #expect(bench.presented.count == 3)
  }

  @Test func `what stays is left on the screen at its end, and does not come to it after that`() {
    var bench = Bench()
    bench.connect()
    bench.show("1", expires: Self.expires, stays: true)
    bench.wait(30)
    #expect(bench.presented.map(\.id) == ["1"])
    bench.show("2", expires: Self.expires, stays: true)
    #expect(bench.presented.map(\.id) == ["1"])
  }

  @Test func `one that expired while the device was off goes when it starts, also without a network`() throws {
    let home = TemporaryFolder()
    do {
      let journal = try DeviceJournal(StateFolder("\(home.path)/state"))
      let entries: [DeviceRecord.Entry] = [
        .showing("1", version: 1), .shown("1", version: 1, collapse: "sign", expires: Self.end),
        .shown("2", version: 1, collapse: nil),
      ]
      try journal.write(entries, sync: true)
    }
    let record = try DeviceJournal(StateFolder("\(home.path)/state")).record
    for now in [Self.end - 1, Self.end + 86_400] {
      var bench = Bench(record)
      bench.now = now
      bench.wait(0.5)
      #expect(bench.presented.count == (now < Self.end ? 0 : 1))
      bench.wait(1)
      #expect(bench.presented.count == 1 && Self.isExpired(bench.presented.last, "1"))
      // The record is whole without it.
      var again = Bench(bench.record)
      again.now = bench.now
      again.wait(10)
      #expect(again.presented.isEmpty)
    }
  }

  @Test func `what waits behind another one is not shown any more`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("1")
    bench.show("2", expires: Self.expires)
    bench.perform(bench.session.lost("no network", at: bench.moment))
    bench.wait(21)
    bench.perform(bench.session.shown(bench.moment))
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.map(\.id) == ["1"] && bench.news.contains(.failed(id: "2", reason: "expired")))
  }

  @Test func `a command that is still at work is ended, and the hub hears of it when it asks`() {
    var bench = Bench()
    bench.showsAtOnce = false
    bench.connect()
    bench.show("1", expires: Self.expires)
    bench.perform(bench.session.shown(bench.moment))
    bench.wait(21)
    #expect(bench.stopped == ["1"] && bench.presented.count == 1)
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.presented.count == 2 && Self.isExpired(bench.presented.last, "1"))
    bench.sent = []
    bench.receive(["do": "withdraw", "id": "1", "version": 2, "reason": "expired"])
    bench.perform(bench.session.shown(bench.moment))
    bench.perform(bench.session.finished(bench.moment))
    #expect(bench.acknowledged == ["1 2 withdrawn"] && bench.presented.count == 2)
  }

  @Test func `what was replaced, answered, taken back or silent is not there to be taken away`() {
    var bench = Bench()
    bench.connect()
    bench.show("1", collapse: "sign", expires: Self.expires)
    bench.show("2", collapse: "sign")
    bench.show("3", expires: Self.expires)
    bench.perform(bench.session.respond(id: "3", action: "open", text: nil, bench.moment))
    bench.show("4", expires: Self.expires)
    bench.receive(["do": "withdraw", "id": "4", "version": 2, "reason": "taken_back"])
    bench.receive([
      "do": "show", "id": "5", "version": 1, "content": ["silent": true], "expires_at": .string(Self.expires),
    ])
    let count = bench.presented.count
    bench.wait(100)
    #expect(bench.presented.count == count)
  }

  @Test func `the hub's time counts where the device's clock is wrong`() {
    var bench = Bench()
    bench.now -= 40_000
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat", "now": .string(instant(Self.end - 20))])
    bench.show("1", expires: Self.expires)
    bench.wait(19)
    #expect(bench.presented.count == 1)
    bench.wait(2)
    #expect(bench.presented.count == 2 && Self.isExpired(bench.presented.last, "1"))
  }

  @Test func `a hub whose clock was ahead and is put back says so with its next pong`() {
    var bench = Bench()
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat", "now": .string(instant(bench.now + 86_400))])
    bench.wait(DeviceLimits.firstPing)
    bench.receive(["do": "pong", "now": .string(instant(bench.now))])
    bench.show("1", expires: instant(bench.now + 600))
    #expect(bench.presented.map(\.id) == ["1"], "it is not over")
  }

  @Test(arguments: [-7_200.0, -5, 0, 5, 7_200])
  func `a message is as old as it is for the hub, whatever the device's clock shows`(ahead: Double) throws {
    var bench = Bench()
    let hub = bench.now
    bench.now += ahead
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat", "now": .string(instant(hub))])
    bench.now += 60
    bench.uptime += 60
    bench.receive([
      "do": "show", "id": "1", "version": 1, "content": ["message": 1], "sent_at": .string(instant(hub + 60)),
    ])
    let message = try #require(bench.taken.first)
    #expect(abs(bench.session.age(of: message, bench.moment)) < 6)
    bench.now += 40
    bench.uptime += 40
    #expect(abs(bench.session.age(of: message, bench.moment) - 40) < 6)
  }
}
