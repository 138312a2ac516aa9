import Crypto
import Delivery
import Gateway
import Server
import Testing
import Wire

struct SessionTests {
  static let device = PushDevice(id: 7, name: "boat", kind: .agent, channels: [.gateway], createdAt: 0)

  static func message(_ id: Int, version: Int = 1, work: Outgoing.Work = .show(content: "{}")) -> Outgoing {
    Outgoing(id: id, version: version, work: work, sentAt: 0)
  }

  /// A session whose device is known and has nothing pending.
  static func open() -> GatewaySession {
    var session = GatewaySession()
    _ = session.received(#"{"do":"hello","secret":"s"}"#)
    _ = session.authenticated(device)
    _ = session.fetched([], isAll: true, now: 0)
    return session
  }

  /// The receipt that a message of the device becomes.
  static func receipt(_ session: inout GatewaySession, _ text: String) -> Receipt? {
    if case .record(let receipt) = session.received(text).first { receipt } else { nil }
  }

  static func shown(
    _ session: inout GatewaySession, _ id: Int, version: Int = 1, _ what: String = "shown"
  ) -> [GatewaySession.Action] {
    let text = #"{"do":"ack","id":"\#(id)","version":\#(version),"what":"\#(what)"}"#
    return receipt(&session, text).map { session.recorded($0, taken: nil) } ?? []
  }

  @Test func `hello is looked up by its digest, and welcomed with what is pending`() {
    var session = GatewaySession()
    #expect(
      session.received(#"{"do":"hello","secret":"s","zone":"Europe/Berlin","v":1}"#)
        == [.look(secretDigest: Digest.sha256("s".utf8), zone: "Europe/Berlin")])
    #expect(
      session.authenticated(Self.device) == [.send(.welcome(device: 7, name: "boat")), .fetch(limit: 64)])
    let messages = [Self.message(1), Self.message(2)]
    #expect(session.fetched(messages, isAll: true, now: 0) == messages.map { .deliver($0) })
  }

  @Test(arguments: [
    "", "[]", "{}", "hello", #"{"do":1}"#, #"{"do":"hello"}"#, #"{"do":"ping"}"#, #"{"do":"later"}"#,
    #"{"do":"ack","id":"1","version":1,"what":"shown"}"#,
    #"{"do":"hello","secret":"\#(String(repeating: "s", count: 129))"}"#,
  ])
  func `whoever does not begin with hello is sent away`(text: String) {
    var session = GatewaySession()
    #expect(session.received(text) == [.send(.bye(.malformed)), .close(.malformed, "")])
    #expect(session.received(#"{"do":"hello","secret":"s"}"#).isEmpty)
  }

  @Test func `an unknown secret, and a device without this channel, are sent away`() {
    var silent = Self.device
    silent.channels = []
    for device in [nil, silent] {
      var session = GatewaySession()
      _ = session.received(#"{"do":"hello","secret":"s"}"#)
      #expect(session.authenticated(device) == [.send(.bye(.unknownSecret)), .close(.unknownSecret, "")])
      #expect(Farewell.unknownSecret.closeCode == 4001)
    }
  }

  @Test(arguments: [
    #"{"do":"ack","id":1,"version":1,"what":"shown"}"#, #"{"do":"ack","id":"1","what":"shown"}"#,
    #"{"do":"ack","id":"1","version":1,"what":"eaten"}"#, #"{"do":"respond","id":"1"}"#,
    #"{"do":"respond","id":"1","action":""}"#, #"{"do":"hello","secret":"s"}"#,
    #"{"do":"respond","id":"1","action":"\#(String(repeating: "a", count: 65))"}"#,
    #"{"do":"respond","id":"1","action":"a","text":"\#(String(repeating: "a", count: 4_097))"}"#,
  ])
  func `what a device of ours does not send ends the connection`(text: String) {
    var session = Self.open()
    #expect(session.received(text).last == .close(.malformed, ""))
  }

  @Test func `a message of a later version is ignored, and unknown members too`() {
    var session = Self.open()
    #expect(session.received(#"{"do":"dance"}"#).isEmpty)
    #expect(session.received(#"{"do":"ping","loud":true}"#) == [.send(.pong)])
  }

  @Test func `receipts carry what the device tells`() {
    var session = Self.open()
    _ = session.woken(Self.message(12), now: 50)
    let shown = Self.receipt(
      &session, #"{"do":"ack","id":"12","version":1,"what":"shown","at":"1970-01-01T00:01:40.819Z","repeat":true}"#)
    #expect(
      shown == Receipt(notification: 12, version: 1, what: .shown, at: 100.819, sentAt: 50, isRepeat: true))
    let failed = Self.receipt(
      &session, #"{"do":"ack","id":"12","version":1,"what":"failed","at":100.5,"reason":"no screen"}"#)
    #expect(
      failed == Receipt(notification: 12, version: 1, what: .failed, at: 100.5, sentAt: 50, detail: "no screen"))
    let acted = Self.receipt(&session, #"{"do":"respond","id":"12","action":"open","text":"soon"}"#)
    #expect(acted?.what == .acted(action: "open", text: "soon"))
    #expect(
      session.recorded(acted!, taken: Recorded.Taken(action: "no", counts: false)) == [
        .send(.taken(id: 12, Recorded.Taken(action: "no", counts: false)))
      ])
  }

  @Test func `at most 64 messages are in flight, and the rest follows the receipts`() {
    var session = Self.open()
    for id in 1...GatewayLimits.inFlight { #expect(session.woken(Self.message(id), now: 0).count == 1) }
    #expect(session.woken(Self.message(65), now: 0).isEmpty)
    #expect(session.inFlight == 64)
    for id in 1...31 { #expect(Self.shown(&session, id).isEmpty) }
    // 32 are left: the next are fetched, with those that are still in flight.
    #expect(Self.shown(&session, 32) == [.fetch(limit: 64 + 32)])
    // Until the answer is there, nothing overtakes what waits.
    #expect(session.woken(Self.message(66), now: 0).isEmpty)
    let pending = (33...66).map { Self.message($0) }
    #expect(session.fetched(pending, isAll: true, now: 0).count == 2)
  }

  @Test func `long messages never fill the socket's queue, and all of them follow the receipts`() {
    var session = Self.open()
    let long = Outgoing.Work.show(content: String(repeating: "a", count: 16 << 10))
    var pending = (1...64).map { Self.message($0, work: long) }
    var flying: [Outgoing] = []
    var actions = session.lookAgain()
    for _ in 1...1_000 {
      guard let next = actions.popLast() else {
        // Nothing is under way but what the device is to acknowledge.
        guard let shown = flying.popLast() else { break }
        pending.removeAll { $0 === shown }
        actions = Self.shown(&session, shown.id)
        continue
      }
      switch next {
      case .fetch(let limit):
        actions += session.fetched(Array(pending.prefix(limit)), isAll: pending.count < limit, now: 0)
      case .deliver(let message): flying.append(message)
      default: Issue.record("\(next)")
      }
      #expect(flying.reduce(0) { $0 + $1.gatewayText.count } < ServerLimits.socketQueueBytes)
    }
    #expect(pending.isEmpty, "each one arrives, and the last receipt is not waited for in vain")
    let woken = (65...128).flatMap { session.woken(Self.message($0, work: long), now: 0) }
    #expect((1..<16).contains(woken.count))
  }

  @Test func `a receipt counts when it is on the disk, and not before`() {
    var session = Self.open()
    _ = session.woken(Self.message(1), now: 0)
    let receipt = Self.receipt(&session, #"{"do":"ack","id":"1","version":1,"what":"shown"}"#)
    #expect(session.inFlight == 1)
    _ = session.recorded(receipt!, taken: nil)
    #expect(session.inFlight == 0)
  }

  @Test func `what is delivered makes room in the window, and is not sent again before it is shown`() {
    var session = Self.open()
    for id in 1...64 { _ = session.woken(Self.message(id), now: 0) }
    _ = session.woken(Self.message(65), now: 0)
    for id in 1...31 { #expect(Self.shown(&session, id, "delivered").isEmpty) }
    #expect(Self.shown(&session, 32, "delivered") == [.fetch(limit: 64 + 64)])
    let pending = (1...65).map { Self.message($0) }
    #expect(session.fetched(pending, isAll: true, now: 0) == [.deliver(pending[64])])
    #expect(session.inFlight == 33)
  }

  @Test func `a pong comes when all receipts before the ping are on the disk`() {
    var session = Self.open()
    let first = Self.receipt(&session, #"{"do":"ack","id":"1","version":1,"what":"shown"}"#)!
    let second = Self.receipt(&session, #"{"do":"ack","id":"2","version":1,"what":"shown"}"#)!
    #expect(session.received(#"{"do":"ping"}"#).isEmpty)
    let third = Self.receipt(&session, #"{"do":"ack","id":"3","version":1,"what":"shown"}"#)!
    #expect(session.recorded(first, taken: nil).isEmpty)
    #expect(session.recorded(second, taken: nil) == [.send(.pong)])
    #expect(session.recorded(third, taken: nil).isEmpty)
    #expect(session.received(#"{"do":"ping"}"#) == [.send(.pong)])
  }

  @Test func `what was acknowledged during a fetch is not sent again by its older answer`() {
    var session = GatewaySession()
    _ = session.received(#"{"do":"hello","secret":"s"}"#)
    _ = session.authenticated(Self.device)
    _ = session.fetched((1...64).map { Self.message($0) }, isAll: false, now: 0)
    for id in 1...32 { _ = Self.shown(&session, id) }
    // A fetch is under way since the 32nd.
    _ = Self.shown(&session, 33)
    let pending = (33...70).map { Self.message($0) }
    #expect(session.fetched(pending, isAll: true, now: 0) == pending.filter { $0.id > 64 }.map { .deliver($0) })
  }

  @Test func `an update in flight replaces the older version, whose receipt does not settle it`() {
    var session = Self.open()
    _ = session.woken(Self.message(1), now: 0)
    let update = Self.message(1, version: 2)
    #expect(session.woken(update, now: 0) == [.deliver(update)])
    #expect(session.woken(Self.message(1), now: 0).isEmpty)
    _ = Self.shown(&session, 1)
    #expect(session.inFlight == 1)
    _ = Self.shown(&session, 1, version: 2)
    #expect(session.inFlight == 0)
  }

  @Test func `a withdrawal passes a full window when its notification is in it`() {
    var session = Self.open()
    for id in 1...65 { _ = session.woken(Self.message(id), now: 0) }
    #expect(session.woken(Self.message(65, version: 2, work: .withdraw(.takenBack)), now: 0).isEmpty)
    let withdrawal = Self.message(40, version: 2, work: .withdraw(.takenBack))
    #expect(session.woken(withdrawal, now: 0) == [.deliver(withdrawal)])
  }

  @Test func `a device that sends too many receipts at once is sent away`() {
    var session = Self.open()
    for _ in 0..<GatewayLimits.receipts {
      #expect(Self.receipt(&session, #"{"do":"ack","id":"1","version":1,"what":"shown"}"#) != nil)
    }
    #expect(
      session.received(#"{"do":"ack","id":"1","version":1,"what":"shown"}"#).last == .close(.malformed, ""))
  }

  @Test func `an idle session is small, and holds no memory for messages`() {
    var session = Self.open()
    for id in 1...64 { _ = session.woken(Self.message(id), now: 0) }
    for id in 1...64 { _ = Self.shown(&session, id) }
    #expect(session.inFlight == 0)
    #expect(MemoryLayout<GatewaySession>.size <= 128)
  }

  @Test func `messages have the form of the protocol`() throws {
    let show = Outgoing(
      id: 12, version: 3, work: .show(content: #"{"title":"Open","x":[1]}"#), collapseID: "sign", expiresAt: 60,
      priority: .normal, sentAt: 1.5, topic: "space")
    #expect(
      try JSON(parsing: show.gatewayText) == [
        "do": "show", "id": "12", "version": 3, "priority": "normal", "sent_at": "1970-01-01T00:00:01Z",
        "collapse_id": "sign", "expires_at": "1970-01-01T00:01:00Z", "topic": "space",
        "content": ["title": "Open", "x": [1]],
      ])
    let staying = Outgoing(id: 12, version: 4, work: .show(content: "{}"), expiresAt: 60, stays: true, sentAt: 1.5)
    #expect(try JSON(parsing: staying.gatewayText)["stays"] == true, "a device leaves it on its screen")
    let again = Outgoing(id: 12, version: 4, work: .show(content: "{}"), sentAt: 1.5, ringsAgain: true)
    #expect(try JSON(parsing: again.gatewayText)["again"] == true)
    let withdraw = Self.message(12, version: 4, work: .withdraw(.answeredElsewhere))
    #expect(
      try JSON(parsing: withdraw.gatewayText) == [
        "do": "withdraw", "id": "12", "version": 4, "reason": "answered_elsewhere",
      ])
    let scheduled = Outgoing(
      id: 12, version: 4, work: .withdraw(.takenBack), collapseID: "sign", sequence: 15, sentAt: 1.5)
    #expect(try JSON(parsing: scheduled.gatewayText)["sequence"] == 15)
    #expect(HubMessage.bye(.replaced).json(now: 0) == ["do": "bye", "reason": "replaced"])
    #expect(
      HubMessage.taken(id: 12, Recorded.Taken(action: "open", counts: true)).json(now: 0) == [
        "do": "taken", "id": "12", "action": "open", "counts": true,
      ])
    #expect(Farewell.replaced.closeCode == 4000 && Farewell.restart.closeCode == 1012)
  }
}
