import Objects
import Testing
import Wire

struct LiveQuerySessionTests {
  private func connected() -> LiveQuerySession {
    var session = LiveQuerySession(clientID: "c1")
    _ = session.connected()
    return session
  }

  private func error(_ actions: [LiveQuerySession.Action]) -> Int? {
    guard case .send(let json)? = actions.first, json["op"] == "error", json["reconnect"] == false else { return nil }
    return json["code"]?.int
  }

  @Test func `a client connects, subscribes and unsubscribes`() throws {
    var session = LiveQuerySession(clientID: "c1")
    let connect = #"{"op":"connect","applicationId":"a","javascriptKey":"k","sessionToken":"r:1","masterKey":null}"#
    let wish = LiveMessage.Connect(applicationID: "a", keys: ["k"], sessionToken: "r:1")
    #expect(session.receive(connect) == [.connect(wish)])
    let signedOut = #"{"op":"connect","applicationId":"a","clientKey":"k","sessionToken":""}"#
    #expect(session.receive(signedOut) == [.connect(.init(applicationID: "a", keys: ["k"]))])
    #expect(session.connected() == ["op": "connected", "clientId": "c1"])
    let subscribe = #"{"op":"subscribe","requestId":4,"query":{"className":"Photo","where":{"n":1},"keys":["n"]}}"#
    let subscription = LiveMessage.Subscribe(requestID: 4, className: "Photo", condition: ["n": 1], keys: ["n"])
    #expect(session.receive(subscribe) == [.subscribe(subscription)])
    #expect(session.subscribed(4) == ["op": "subscribed", "clientId": "c1", "requestId": 4])
    let unsubscribed: JSON = ["op": "unsubscribed", "clientId": "c1", "requestId": 4]
    #expect(session.receive(#"{"op":"unsubscribe","requestId":4}"#) == [.unsubscribe(4), .send(unsubscribed)])
    #expect(error(session.receive(#"{"op":"unsubscribe","requestId":4}"#)) == 2)
  }

  @Test(arguments: [
    ("", 1), ("[]", 1), ("{", 1), ("{}", 3), (#"{"op":"shout"}"#, 3), (#"{"op":"connect"}"#, 1),
    (#"{"op":"connect","applicationId":5}"#, 1), (#"{"op":"connect","applicationId":"a","color":"red"}"#, 1),
    (#"{"op":"subscribe","requestId":1}"#, 1), (#"{"op":"subscribe","query":{"className":"A","where":{}}}"#, 1),
    (#"{"op":"subscribe","requestId":1.5,"query":{"className":"A","where":{}}}"#, 1),
    (#"{"op":"subscribe","requestId":1,"query":{"className":"A"}}"#, 1),
    (#"{"op":"subscribe","requestId":1,"query":{"where":{}}}"#, 1),
    (#"{"op":"subscribe","requestId":1,"query":{"className":"A","where":{},"limit":3}}"#, 1),
    (#"{"op":"subscribe","requestId":1,"query":{"className":"A","where":{},"keys":[1]}}"#, 1),
    (#"{"op":"subscribe","requestId":1,"query":{"className":"A","where":{}}}"#, 2),
    (#"{"op":"unsubscribe","requestId":1}"#, 2), (#"{"op":"unsubscribe","requestId":1,"query":{}}"#, 1),
  ])
  func `a message out of place is an error, and no reason to connect again`(text: String, code: Int) {
    var session = LiveQuerySession(clientID: "c1")
    #expect(error(session.receive(text)) == code)
  }

  @Test func `only what is there can be updated, and a connection has so many subscriptions`() {
    var session = connected()
    func message(_ op: String, _ id: Int) -> String {
      #"{"op":"\#(op)","requestId":\#(id),"query":{"className":"A","where":{}}}"#
    }
    #expect(error(session.receive(message("update", 0))) == 2)
    for id in 0..<LiveQueryLimits.subscriptions { _ = session.subscribed(id) }
    #expect(error(session.receive(message("update", 0))) == nil)
    #expect(error(session.receive(message("subscribe", 0))) == nil, "one takes the place of another")
    #expect(error(session.receive(message("subscribe", LiveQueryLimits.subscriptions))) == 155)
    #expect(session.ended(0, .invalidSession)["code"] == 209)
    #expect(error(session.receive(message("subscribe", LiveQueryLimits.subscriptions))) == nil)
  }
}
