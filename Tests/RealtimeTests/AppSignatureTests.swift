import Realtime
import Testing

/// The key, the secret and the socket are those of Pusher's references; the signatures were computed with PyPI's
/// `pusher`.
struct AppSignatureTests {
  private static let key = "278d425bdf160c739803"
  private static let secret = "7ad3773142a6692b25b8"
  private static let member = #"{"user_id":10,"user_info":{"name":"Mr. Channels"}}"#

  private static func isRight(_ auth: String, _ subscription: Subscription, secrets: [String] = [secret]) -> Bool {
    let app = RealtimeApp(id: "1", key: key, secrets: secrets)
    return AppSignature.isRight(auth, of: AppSignature.texts("1234.1234", subscription), app)
  }

  private static func sign(_ text: String, _ secret: String = secret) -> String {
    AppSignature.make(text, key: key, secret: secret)
  }

  @Test func `signatures are those that Pusher defines`() {
    #expect(
      Self.sign("1234.1234:private-foobar")
        == "\(Self.key):58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4")
    let presence = Self.sign("1234.1234:presence-foobar:\(Self.member)")
    #expect(presence.hasPrefix("\(Self.key):31935e7d86db") && presence.hasSuffix("bc80"))
    let user = Self.sign(AppSignature.text("1234.1234", userData: #"{"id":"12345"}"#))
    #expect(user.hasPrefix("\(Self.key):4708d583dada") && user.hasSuffix("36ba"))
  }

  @Test func `a presence channel's data is signed exactly as it was sent`() {
    let auth = Self.sign("1234.1234:presence-foobar:\(Self.member)")
    #expect(Self.isRight(auth, Subscription("presence-foobar", channelData: Self.member)))
    let spaced = Self.member.replacing(":", with: ": ")
    #expect(!Self.isRight(auth, Subscription("presence-foobar", channelData: spaced)))
    #expect(!Self.isRight(auth, Subscription("presence-foobar")))
    let plain = Self.sign("1234.1234:presence-foobar")
    #expect(!Self.isRight(plain, Subscription("presence-foobar", channelData: Self.member)), "nobody vouches for it")
    #expect(Self.isRight(plain, Subscription("presence-foobar")), "for a user who is signed in")
  }

  @Test func `a private channel's data may be signed or not`() {
    let subscription = Subscription("private-a", channelData: "{}")
    #expect(Self.isRight(Self.sign("1234.1234:private-a"), subscription))
    #expect(Self.isRight(Self.sign("1234.1234:private-a:{}"), subscription))
    #expect(!Self.isRight(Self.sign("1234.1234:private-a:[]"), subscription))
  }

  @Test func `a signature for a user's session is for that session alone, and no one of the app's server`() throws {
    func isRight(_ auth: String, _ channel: String, _ data: String? = nil) -> Bool {
      var subscription = Subscription(channel, auth: auth, channelData: data)
      subscription.takeSession()
      return Self.isRight(subscription.auth, subscription)
    }
    func sign(_ session: String, _ channel: String, _ data: String? = nil) -> String {
      AppSignature.make(
        for: session, socketID: "1234.1234", channel: channel, channelData: data, key: Self.key, secret: Self.secret)
    }
    let auth = sign("Session123", "private-a")
    #expect(isRight(auth, "private-a") && !isRight(auth, "private-b"))
    #expect(isRight(sign("Session123", "presence-a", Self.member), "presence-a", Self.member))
    let plain = try #require(auth.split(separator: ".").first)
    for other in [String(plain), "\(plain).Session124", "\(plain).", "\(auth).x", auth + ":"] {
      #expect(!isRight(other, "private-a"), "\(other)")
    }
    // A channel's name may have a point, and what stands behind it is no session.
    let servers = Self.sign("1234.1234:private-a.b")
    #expect(isRight(servers, "private-a.b") && !isRight("\(servers).b", "private-a"))
  }

  @Test(arguments: [
    "", ":", "278d425bdf160c739803:", "58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4",
    "other:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a4",
    "278d425bdf160c739803:58df8b0c36d6982b82c3ecf6b4662e34fe8c25bba48f5369f135bf843651c3a5",
  ])
  func `what is not the signature is refused`(auth: String) {
    #expect(!Self.isRight(auth, Subscription("private-foobar")))
  }

  @Test func `an old secret counts as long as the app has it`() {
    let auth = Self.sign("1234.1234:private-a", "old")
    #expect(Self.isRight(auth, Subscription("private-a"), secrets: ["new", "old"]))
    #expect(!Self.isRight(auth, Subscription("private-a"), secrets: ["new"]))
    #expect(!Self.isRight(auth, Subscription("private-a"), secrets: []))
  }
}
