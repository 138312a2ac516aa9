import Realtime
import Testing
import Wire

struct PusherSessionTests {
  static func message(_ action: PusherSession.Action?) -> JSON? {
    switch action {
    case .send(let json), .refuse(let json, _, _): json
    default: nil
    }
  }

  private static let app = RealtimeOptions()

  private static func subscribing(_ channel: String, _ more: String = "") -> String {
    #"{"event":"pusher:subscribe","data":{"channel":"\#(channel)"\#(more)}}"#
  }

  @Test func `a client is told its id and when to ping`() throws {
    let actions = PusherSession(socketID: "1.2").open()
    let message = try #require(Self.message(actions.first))
    #expect(message["event"] == "pusher:connection_established")
    // The data is JSON within a string.
    let data = try JSON(parsing: try #require(message["data"]?.string))
    #expect(data == ["socket_id": "1.2", "activity_timeout": 120])
    #expect(actions.count == 1)
  }

  @Test(
    arguments: [
      ("5", nil), ("6", nil), ("7", nil), (nil, 4008), ("4", 4007), ("8", 4007), ("seven", 4006), ("", 4006),
    ] as [(String?, Int?)])
  func `a client of protocol 5 to 7 is welcome, others are told why not`(version: String?, code: Int?) {
    let actions = PusherSession.refusal(ofVersion: version)
    #expect(Self.message(actions?.first)?["data"]?["code"] == code.map { .int($0) })
    guard let code else {
      #expect(actions == nil)
      return
    }
    guard case .close(code, _)? = actions?.last else {
      Issue.record("the connection stays open")
      return
    }
  }

  @Test(arguments: [
    #"{"event":"pusher:subscribe","data":{"channel":"space"}}"#,
    #"{"event":"pusher:subscribe","data":"{\"channel\":\"space\"}"}"#,
  ])
  func `a channel is subscribed to once, and left`(text: String) {
    var session = PusherSession(socketID: "1.2")
    #expect(session.receive(text, options: nil, uptime: 0) == [.join(Subscription("space"))])
    #expect(Self.message(session.receive(text, options: nil, uptime: 0).first)?["event"] == "pusher:error")
    let left = #"{"event":"pusher:unsubscribe","data":{"channel":"space"}}"#
    #expect(session.receive(left, options: nil, uptime: 0) == [.leave("space")])
    #expect(session.subscribed.isEmpty)
    #expect(session.receive(left, options: nil, uptime: 0) == [])
  }

  @Test(
    arguments: [
      ("1796047119869422", 1_796_047_119_869_422), (#""1796047119869422""#, 1_796_047_119_869_422),
      ("1796047119869422.0", 1_796_047_119_869_422), ("null", nil), ("1.5", 0), ("true", 0), (#""x""#, 0), ("1e99", 0),
    ] as [(String, Int?)])
  func `the last event that a client has got is a number, however it is spelt`(since: String, serial: Int?) {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(Self.subscribing("space", #","since":\#(since)"#), options: Self.app, uptime: 0)
    #expect(actions == [.join(Subscription("space", since: serial))])
  }

  @Test func `the hub's own app has no members, users or client events`() {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(Self.subscribing("presence-a"), options: nil, uptime: 0)
    #expect(Self.message(actions.first)?["event"] == "pusher:subscription_error")
    for text in [
      #"{"event":"pusher:signin","data":{"auth":"a","user_data":"{}"}}"#,
      #"{"event":"client-a","channel":"private-a","data":{}}"#, Self.subscribing("#server-to-user-1"),
    ] {
      #expect(Self.message(session.receive(text, options: nil, uptime: 0).first)?["event"] == "pusher:error")
    }
    #expect(session.subscribed.isEmpty)
  }

  @Test func `a private channel is subscribed to once its signature is known to be right, and can be ended`() {
    var session = PusherSession(socketID: "1.2")
    let wish = Self.subscribing("private-a", #","auth":"k:0f""#)
    let subscription = Subscription("private-a", auth: "k:0f")
    #expect(session.receive(wish, options: nil, uptime: 0) == [.authenticate(subscription)])
    #expect(session.subscribed.isEmpty)
    let refused = session.authenticated(subscription, isRight: false, help: "no")
    #expect(Self.message(refused.first)?["event"] == "pusher:subscription_error")
    #expect(refused.count == 1 && session.subscribed.isEmpty)
    #expect(session.authenticated(subscription, isRight: true, help: "") == [.join(subscription)])
    #expect(Self.message(session.receive(wish, options: nil, uptime: 0).first)?["event"] == "pusher:error")
    let ended = session.end("private-a")
    #expect(ended.first == .leave("private-a"))
    #expect(Self.message(ended.last)?["event"] == "pusher:subscription_error")
    #expect(session.end("private-a") == [])
    #expect(session.receive(wish, options: nil, uptime: 0) == [.authenticate(subscription)])
  }

  @Test func `a private channel without a signature has an empty one, which is never right`() {
    var session = PusherSession(socketID: "1.2")
    let actions = session.receive(Self.subscribing("private-a"), options: nil, uptime: 0)
    #expect(actions == [.authenticate(Subscription("private-a"))])
  }

  @Test(arguments: [
    "", "[]", "{}", "nonsense", #"{"event":1}"#, #"{"event":"pusher:subscribe"}"#,
    #"{"event":"pusher:subscribe","data":{"channel":"a b"}}"#, #"{"event":"pusher:subscribe","data":{"channel":""}}"#,
    #"{"event":"client-typing","channel":"space","data":{}}"#, #"{"event":"pusher:nonsense"}"#,
  ])
  func `nonsense gets an error and the connection stays`(text: String) {
    for options in [nil, Self.app] {
      var session = PusherSession(socketID: "1.2")
      let actions = session.receive(text, options: options, uptime: 0)
      #expect(actions.count == 1)
      #expect(Self.message(actions.first)?["event"] == "pusher:error")
    }
  }

  @Test(arguments: [#"{"event":"pusher:ping","data":{}}"#, #"{"event":"pusher:ping","data":""}"#])
  func `a ping is answered`(text: String) {
    var session = PusherSession(socketID: "1.2")
    #expect(session.receive(text, options: nil, uptime: 0) == [.send(["event": "pusher:pong", "data": [:]])])
    #expect(session.receive(#"{"event":"pusher:pong","data":{}}"#, options: nil, uptime: 0) == [])
  }

  @Test func `a connection has at most a hundred channels`() {
    var session = PusherSession(socketID: "1.2")
    for number in 0..<RealtimeLimits.channelsOfConnection {
      let actions = session.receive(Self.subscribing("c\(number)"), options: nil, uptime: 0)
      #expect(actions == [.join(Subscription("c\(number)"))])
    }
    #expect(Self.message(session.receive(Self.subscribing("more"), options: nil, uptime: 0).first) != nil)
    #expect(session.subscribed.count == RealtimeLimits.channelsOfConnection)
  }

  @Test func `an app's client may send 16 KB a message, and 20 KB once, to sign in`() {
    func text(_ event: String, _ bytes: Int) -> String {
      let frame = #"{"event":"\#(event)","data":{"user_data":""}}"#
      return frame.replacing(#""""#, with: "\"\(String(repeating: "a", count: bytes - frame.utf8.count))\"")
    }
    func isClosed(_ session: inout PusherSession, _ text: String) -> Bool {
      if case .close(1009, _)? = session.receive(text, options: Self.app, uptime: 0).last { true } else { false }
    }
    var session = PusherSession(socketID: "1.2")
    #expect(!isClosed(&session, text("pusher:ping", RealtimeLimits.messageBytes)))
    #expect(isClosed(&session, text("pusher:ping", RealtimeLimits.messageBytes + 1)))
    #expect(!isClosed(&session, text("pusher:signin", RealtimeLimits.signInBytes)))
    _ = session.userAuthenticated(#"{"id":"1"}"#, isRight: true, help: "")
    #expect(isClosed(&session, text("pusher:signin", RealtimeLimits.messageBytes + 1)))
  }

  // MARK: Client events

  private static func onPrivate() -> PusherSession {
    var session = PusherSession(socketID: "1.2")
    _ = session.authenticated(Subscription("private-a"), isRight: true, help: "")
    return session
  }

  @Test func `ten client events a second are accepted`() {
    var session = Self.onPrivate()
    let text = #"{"event":"client-a","channel":"private-a","data":{"x":1}}"#
    let event = PusherSession.Action.tell(ClientEvent(event: "client-a", channel: "private-a", data: #"{"x":1}"#))
    for _ in 0..<10 { #expect(session.receive(text, options: Self.app, uptime: 5) == [event]) }
    let refused = session.receive(text, options: Self.app, uptime: 5)
    #expect(Self.message(refused.first)?["data"]?["code"] == 4301)
    #expect(session.receive(text, options: Self.app, uptime: 5.1) == [event])
  }

  @Test(arguments: [
    ("client-a", "private-b"), ("client-a", "space"), ("client-a", "private-encrypted-a"),
    ("client-" + String(repeating: "a", count: 194), "private-a"),
  ])
  func `a client event is refused where it may not be sent`(event: String, channel: String) {
    var session = Self.onPrivate()
    _ = session.authenticated(Subscription("private-encrypted-a"), isRight: true, help: "")
    let text = #"{"event":"\#(event)","channel":"\#(channel)","data":{}}"#
    #expect(Self.message(session.receive(text, options: Self.app, uptime: 0).first)?["data"]?["code"] == 4301)
  }

  @Test func `a client event is refused where the app wants none, and one with too much data`() {
    var session = Self.onPrivate()
    func code(_ bytes: Int, _ options: RealtimeOptions) -> JSON? {
      let data = String(repeating: "x", count: bytes)
      let text = #"{"event":"client-a","channel":"private-a","data":"\#(data)"}"#
      return Self.message(session.receive(text, options: options, uptime: 0).first)?["data"]?["code"]
    }
    #expect(code(RealtimeLimits.clientEventBytes, Self.app) == nil)
    #expect(code(RealtimeLimits.clientEventBytes + 1, Self.app) == 4301)
    var without = Self.app
    without.clientEvents = false
    #expect(code(1, without) == 4301)
  }

  @Test func `in a presence channel the member who speaks is named`() {
    var session = PusherSession(socketID: "1.2")
    _ = session.authenticated(
      Subscription("presence-a", channelData: #"{"user_id":10}"#), isRight: true, help: "")
    let text = #"{"event":"client-a","channel":"presence-a","data":"hello"}"#
    let said = ClientEvent(event: "client-a", channel: "presence-a", data: "hello", userID: "10")
    #expect(session.receive(text, options: Self.app, uptime: 0) == [.tell(said)])
  }

  // MARK: Users

  @Test(
    arguments: [
      (#"{"user_id":"ada"}"#, "ada"), (#"{"user_id":10}"#, "10"), (#"{"user_id":""}"#, nil), ("{}", nil), ("", nil),
      ("[]", nil), (#"{"user_id":null}"#, nil),
      (#"{"user_id":"\#(String(repeating: "a", count: 128))"}"#, String(repeating: "a", count: 128)),
      (#"{"user_id":"\#(String(repeating: "a", count: 129))"}"#, nil),
      (#"{"user_id":"a\#(String(repeating: "\u{301}", count: 128))"}"#, nil),
    ] as [(String, String?)])
  func `a member has an id, of at most 128 characters`(data: String, id: String?) {
    #expect((try? User(channelData: data))?.id == id)
  }

  @Test func `a member's info has at most 1 KB`() {
    func user(_ bytes: Int) -> User? {
      try? User(channelData: #"{"user_id":"a","user_info":"\#(String(repeating: "x", count: bytes - 2))"}"#)
    }
    #expect(user(1_024) != nil)
    #expect(user(1_025) == nil)
  }

  @Test func `a presence channel without signed data gets the user who is signed in`() {
    var session = PusherSession(socketID: "1.2")
    let wish = Subscription("presence-a", auth: "k:0")
    let before = session.authenticated(wish, isRight: true, help: "")
    #expect(Self.message(before.first)?["event"] == "pusher:subscription_error")
    _ = session.userAuthenticated(#"{"id":"ada","user_info":{"name":"Ada"}}"#, isRight: true, help: "")
    var member = wish
    member.member = User(id: "ada", info: ["name": "Ada"])
    #expect(session.authenticated(wish, isRight: true, help: "") == [.join(member)])
  }

  @Test func `somebody signs in once, and hears of it`() throws {
    var session = PusherSession(socketID: "1.2")
    let data = #"{"id":"ada"}"#
    let text = #"{"event":"pusher:signin","data":{"auth":"k:0","user_data":"{\"id\":\"ada\"}"}}"#
    let asked = session.receive(text, options: Self.app, uptime: 0)
    #expect(asked == [.authenticateUser(auth: "k:0", userData: data)])
    let actions = session.userAuthenticated(data, isRight: true, help: "")
    let message = try #require(Self.message(actions.first))
    #expect(message["event"] == "pusher:signin_success")
    #expect(try JSON(parsing: message["data"]?.string ?? "") == ["user_data": .string(data)])
    #expect(actions.dropFirst() == [.signedIn(User(id: "ada"))])
    #expect(session.userAuthenticated(data, isRight: true, help: "").count == 1, "as the same user again")
    let other = session.userAuthenticated(#"{"id":"ben"}"#, isRight: true, help: "")
    #expect(Self.message(other.first)?["event"] == "pusher:error")
    #expect(session.user?.id == "ada")
  }

  @Test(arguments: [(#"{"id":"ada"}"#, false), ("{}", true), (#"{"id":""}"#, true), (#"{"id":7}"#, true), ("", true)])
  func `a sign-in that is not right ends the connection`(data: String, isRight: Bool) {
    var session = PusherSession(socketID: "1.2")
    guard case .close(4009, _)? = session.userAuthenticated(data, isRight: isRight, help: "no").last else {
      Issue.record("the connection stays open")
      return
    }
    #expect(session.user == nil)
  }

  @Test func `of a watchlist a hundred users count, and more are an error`() {
    func warning(_ count: Int) -> JSON? {
      var session = PusherSession(socketID: "1.2")
      let list = (0..<count).map { "\"u\($0)\"" }.joined(separator: ",")
      let actions = session.userAuthenticated(#"{"id":"ada","watchlist":[\#(list)]}"#, isRight: true, help: "")
      #expect(session.user?.watchlist.count == min(count, 100))
      return Self.message(actions.last)?["data"]?["code"]
    }
    #expect(warning(100) == nil)
    #expect(warning(101) == 4302)
  }

  @Test func `a user's own channel is for that user`() {
    var session = PusherSession(socketID: "1.2")
    let wish = Self.subscribing("#server-to-user-ada", #","auth":"""#)
    #expect(
      Self.message(session.receive(wish, options: Self.app, uptime: 0).first)?["event"] == "pusher:subscription_error")
    _ = session.userAuthenticated(#"{"id":"ada"}"#, isRight: true, help: "")
    #expect(session.receive(wish, options: Self.app, uptime: 0) == [.join(Subscription("#server-to-user-ada"))])
    let other = session.receive(Self.subscribing("#server-to-user-ben"), options: Self.app, uptime: 0)
    #expect(Self.message(other.first)?["event"] == "pusher:subscription_error")
  }
}
