import Realtime
import Testing
import Wire
import World

struct PusherSessionTests {
  static func message(_ action: PusherSession.Action?) -> JSON? {
    if case .send(let json) = action { json } else { nil }
  }

  @Test(arguments: ["5", "6", "7"])
  func `a client of protocol 5 to 7 is welcome`(version: String) throws {
    let session = PusherSession(socketID: "1.2")
    let actions = session.open(appKey: "k", expectedKey: "k", version: version)
    let message = try #require(Self.message(actions.first))
    #expect(message["event"] == "pusher:connection_established")
    // The data is JSON within a string.
    let data = try JSON(parsing: try #require(message["data"]?.string))
    #expect(data == ["socket_id": "1.2", "activity_timeout": 120])
    #expect(actions.count == 1)
  }

  @Test(arguments: [("x", "7", 4001), ("k", nil, 4008), ("k", "4", 4007), ("k", "8", 4007), ("k", "seven", 4007)])
  func `others are told why and not to come back`(key: String, version: String?, code: Int) {
    let actions = PusherSession(socketID: "1.2").open(appKey: key, expectedKey: "k", version: version)
    #expect(Self.message(actions.first)?["data"]?["code"] == .int(code))
    guard case .close(let closed, _) = actions.last else {
      Issue.record("the connection stays open")
      return
    }
    #expect(closed == code)
  }

  @Test(arguments: [
    #"{"event":"pusher:subscribe","data":{"channel":"space"}}"#,
    #"{"event":"pusher:subscribe","data":"{\"channel\":\"space\"}"}"#,
  ])
  func `a channel is subscribed to once, and left`(text: String) {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(text)
    #expect(actions.first == .subscribe("space"))
    #expect(Self.message(actions.last)?["event"] == "pusher_internal:subscription_succeeded")
    #expect(Self.message(session.receive(text).first)?["event"] == "pusher:error")
    #expect(
      session.receive(#"{"event":"pusher:unsubscribe","data":{"channel":"space"}}"#) == [.unsubscribe("space")])
    #expect(session.subscribed.isEmpty)
    #expect(session.receive(#"{"event":"pusher:unsubscribe","data":{"channel":"space"}}"#) == [])
  }

  @Test func `presence channels are refused`() {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(#"{"event":"pusher:subscribe","data":{"channel":"presence-a"}}"#)
    #expect(Self.message(actions.first)?["event"] == "pusher:subscription_error")
    #expect(session.subscribed.isEmpty)
  }

  @Test func `a private channel is subscribed to once its signature is known to be right, and can be ended`() {
    var session = PusherSession(socketID: "1.2")
    let wish = #"{"event":"pusher:subscribe","data":{"channel":"private-a","auth":"k:0f"}}"#
    #expect(session.receive(wish) == [.authenticate("private-a", "k:0f")])
    #expect(session.subscribed.isEmpty)
    let refused = session.authenticated("private-a", isRight: false)
    #expect(Self.message(refused.first)?["event"] == "pusher:subscription_error")
    #expect(refused.count == 1 && session.subscribed.isEmpty)
    let accepted = session.authenticated("private-a", isRight: true)
    #expect(accepted.first == .subscribe("private-a"))
    #expect(Self.message(accepted.last)?["event"] == "pusher_internal:subscription_succeeded")
    #expect(Self.message(session.receive(wish).first)?["event"] == "pusher:error")
    let ended = session.end("private-a")
    #expect(ended.first == .unsubscribe("private-a"))
    #expect(Self.message(ended.last)?["event"] == "pusher:subscription_error")
    #expect(session.end("private-a") == [])
    #expect(session.receive(wish) == [.authenticate("private-a", "k:0f")])
  }

  @Test func `a private channel without a signature has an empty one, which is never right`() {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(#"{"event":"pusher:subscribe","data":{"channel":"private-a"}}"#)
    #expect(actions == [.authenticate("private-a", "")])
  }

  @Test(arguments: [
    "", "[]", "{}", "nonsense", #"{"event":1}"#, #"{"event":"pusher:subscribe"}"#,
    #"{"event":"pusher:subscribe","data":{"channel":"a b"}}"#, #"{"event":"pusher:subscribe","data":{"channel":""}}"#,
    #"{"event":"client-typing","channel":"space","data":{}}"#, #"{"event":"pusher:nonsense"}"#,
  ])
  func `nonsense gets an error and the connection stays`(text: String) {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(text)
    #expect(actions.count == 1)
    #expect(Self.message(actions.first)?["event"] == "pusher:error")
  }

  @Test func `a ping is answered`() {
    var session = PusherSession(socketID: "1.2")
    #expect(session.receive(#"{"event":"pusher:ping","data":{}}"#) == [.send(["event": "pusher:pong", "data": [:]])])
    #expect(session.receive(#"{"event":"pusher:pong","data":{}}"#) == [])
  }

  @Test func `a connection has at most a hundred channels`() {
    var session = PusherSession(socketID: "1.2")
    for number in 0..<PusherSession.channels {
      #expect(session.receive(#"{"event":"pusher:subscribe","data":{"channel":"c\#(number)"}}"#).count == 2)
    }
    #expect(session.receive(#"{"event":"pusher:subscribe","data":{"channel":"more"}}"#).count == 1)
    #expect(session.subscribed.count == PusherSession.channels)
  }
}
