import Device
import Testing
import Wire

/// Answers: they are repeated until the hub has taken them, and bounded.
extension SessionTests {
  @Test func `a response is repeated until the hub has taken it`() {
    var bench = Bench()
    bench.connect()
    bench.show("12")
    bench.perform(bench.session.respond(id: "12", action: "open", text: "at seven", bench.moment))
    let response = bench.sent.last { $0["do"] == "respond" }
    #expect(response?["do"] == "respond" && response?["text"] == "at seven")
    var again = Bench(bench.record)
    again.perform(again.session.start())
    again.perform(again.session.opened(again.moment))
    again.receive(["do": "welcome", "device": "7", "name": "Boat"])
    #expect(again.sent.last == response)
    again.receive(["do": "taken", "id": "12", "action": "close"])
    #expect(again.news.last == .taken(id: "12", action: "close"))
    again.connect()
    #expect(again.record.responses.isEmpty)
  }

  @Test func `a connection that died without a word is left soon after an answer, and the answer comes again`() {
    var bench = Bench()
    bench.connect()
    while let deadline = bench.session.deadline(bench.moment), deadline - bench.uptime < 900 {
      bench.wait(deadline - bench.uptime)
      bench.receive(["do": "pong"])
    }
    func respond(_ id: String) {
      bench.sent = []
      bench.perform(bench.session.respond(id: id, action: "open", text: nil, bench.moment))
      #expect(bench.sent.map { $0["do"] } == ["respond", "ping"])
    }
    // Neither says anything of how long a connection lasts on this network.
    respond("12")
    bench.receive(["do": "pong"])
    respond("13")
    bench.wait(15)
    #expect(bench.disconnects == 1 && bench.record.heartbeat.interval == 900)
    bench.perform(bench.session.start())
    bench.perform(bench.session.opened(bench.moment))
    bench.receive(["do": "welcome", "device": "7", "name": "Boat"])
    #expect(bench.sent.last?["id"] == "13")
  }

  @Test func `an answer that is too long is refused and told, not cut`() {
    var bench = Bench()
    bench.connect()
    for (text, action, isTaken) in [
      (String(repeating: "x", count: 4_000), "reply", true), (String(repeating: "x", count: 4_001), "reply", false),
      ("x", String(repeating: "a", count: 64), true), ("x", String(repeating: "a", count: 65), false), ("x", "", false),
    ] {
      (bench.sent, bench.news) = ([], [])
      bench.perform(bench.session.respond(id: "12", action: action, text: text, bench.moment))
      #expect(bench.sent.first?["text"]?.string == (isTaken ? text : nil))
      let isTold = bench.news.contains { if case .ignored(_, "12") = $0 { true } else { false } }
      #expect(isTold == !isTaken)
    }
  }

  @Test func `beyond 64 responses the oldest goes, and that is told`() {
    var bench = Bench()
    for number in 0...64 {
      bench.perform(bench.session.respond(id: "\(number)", action: "open", text: nil, bench.moment))
    }
    #expect(bench.record.responses.count == 64 && bench.record.responses.first?.id == "1")
    #expect(bench.news.contains { if case .dropped(let one) = $0 { one.id == "0" } else { false } })
  }
}
