import Client
import Delivery
import EventLoop
import Lifecycle
import Synchronization
import Testing
import WebPush
import Wire
import World

/// Push services that behave, and such that do not, on real sockets.
struct PushSenderTests {
  static let key = ApplicationServerKey()

  final class Answer: Sendable {
    let outcome = Mutex<PushOutcome?>(nil)
  }

  /// Sends one message, turning the loop until it is known what came of it.
  static func send(
    _ message: PushMessage, to subscription: PushSubscription, addresses: AddressPolicy, timeout: Double = 10
  ) throws -> PushOutcome {
    let loop = EventLoop(time: SystemTime())
    loop.turn(wait: 0)
    let client = HTTPClient(loop: loop, userAgent: "Test/1", addresses: addresses)
    let sender = PushSender(
      client: client, tokens: ServerTokens(key, contact: "mailto:watch@hub.example", time: loop.time), time: loop.time,
      timeout: timeout)
    let answer = Answer()
    Task(executorPreference: loop) {
      let outcome = try await sender.send(message, to: subscription)
      answer.outcome.withLock { $0 = outcome }
    }
    let limit = SystemTime().uptime + timeout + 10
    while answer.outcome.withLock({ $0 }) == nil, SystemTime().uptime < limit { loop.turn(wait: 0.05) }
    client.close()
    loop.turn(wait: 0)
    return try #require(answer.outcome.withLock { $0 }, "nothing came of it")
  }

  static func message(
    _ text: String = "hello", expiresIn seconds: Double = 60, topic: String? = nil
  ) -> PushMessage {
    PushMessage(
      payload: Array(text.utf8), expiresAt: SystemTime().now + seconds, urgency: .high, topic: topic)
  }

  /// The outcome of a message when the push service answers with these bytes.
  static func outcome(
    of script: @escaping @Sendable (ScriptedServer.Writer) -> Void, timeout: Double = 10
  ) throws -> PushOutcome {
    let server = ScriptedServer(script)
    defer { server.stop() }
    let listed = [try AddressRange("127.0.0.1")]
    return try send(
      message(), to: Browser().subscription(server.url, listed: listed), addresses: .publicInternet(and: listed),
      timeout: timeout)
  }

  static func answer(_ status: String, _ fields: String = "") -> @Sendable (ScriptedServer.Writer) -> Void {
    { $0.write("HTTP/1.1 \(status) X\r\nContent-Length: 0\r\n\(fields)Connection: close\r\n\r\n") }
  }

  static func isUnreachable(_ outcome: PushOutcome) -> Bool {
    if case .unreachable = outcome { true } else { false }
  }

  @Test func `a message goes out with all that a push service wants to know`() throws {
    let server = ScriptedServer(Self.answer("201", "Location: /m/1\r\nTTL: 60\r\n"))
    defer { server.stop() }
    let (browser, listed) = (Browser(), [try AddressRange("127.0.0.1")])
    let outcome = try Self.send(
      Self.message("Löten", expiresIn: 59.5, topic: PushMessage.topic("sign")),
      to: browser.subscription(server.url + "wpush/1", listed: listed), addresses: .publicInternet(and: listed))
    #expect(outcome == .sent)
    #expect(browser.decrypt(try #require(server.received.first)) == Array("Löten".utf8))
    let lines = server.asked[0].split(separator: "\r\n").map(String.init)
    #expect(lines[0] == "POST /wpush/1 HTTP/1.1")
    for line in [
      "TTL: 60", "Urgency: high", "Topic: \(PushMessage.topic("sign"))", "Content-Encoding: aes128gcm",
      "Content-Type: application/octet-stream",
    ] {
      #expect(lines.contains(line), "\(lines)")
    }
    let field = try #require(lines.first { $0.hasPrefix("Authorization: ") }).dropFirst("Authorization: ".count)
    let origin = "http://127.0.0.1:\(server.port)"
    #expect(try ServerTokensTests.claims(String(field), Self.key)["aud"]?.string == origin)
  }

  @Test(arguments: [
    ("200", PushOutcome.sent), ("202", .sent), ("204", .sent), ("404", .gone), ("410", .gone),
    ("413", .failed(.tooLarge)), ("400", .failed(.refused(status: 400))), ("401", .busy(status: 401, retryAfter: nil)),
    ("403", .busy(status: 403, retryAfter: nil)), ("301", .failed(.refused(status: 301))),
    ("429", .busy(status: 429, retryAfter: nil)), ("500", .busy(status: 500, retryAfter: nil)),
    ("503", .busy(status: 503, retryAfter: nil)), ("408", .busy(status: 408, retryAfter: nil)),
    ("406", .busy(status: 406, retryAfter: nil)),
  ])
  func `each status means one thing`(status: String, outcome: PushOutcome) throws {
    #expect(try Self.outcome(of: Self.answer(status)) == outcome)
  }

  @Test func `a push service says when it wants to be asked again, within a day`() throws {
    func asked(_ value: String) throws -> Double? {
      let outcome = try Self.outcome(of: Self.answer("429", "Retry-After: \(value)\r\n"))
      guard case .busy(status: 429, let seconds) = outcome else {
        Issue.record("\(outcome)")
        return nil
      }
      return seconds
    }
    #expect(try asked("120") == 120)
    #expect(try asked("0") == 0)
    #expect(try asked("86401") == 86_400)
    #expect(try asked("99999999999999999999999") == 86_400)
    #expect(try asked("soon") == nil)
    #expect(try asked("-5") == nil)
    #expect(try asked("Sun, 06 Nov 1994 08:49:37 GMT") == 0)
    #expect(try asked("Fri, 01 Jan 2100 00:00:00 GMT") == 86_400)
  }

  @Test func `what has expired or is too large is not sent at all`() throws {
    let server = ScriptedServer(Self.answer("201"))
    defer { server.stop() }
    let listed = [try AddressRange("127.0.0.1")]
    let subscription = try Browser().subscription(server.url, listed: listed)
    func outcome(_ message: PushMessage) throws -> PushOutcome {
      try Self.send(message, to: subscription, addresses: .publicInternet(and: listed))
    }
    #expect(try outcome(Self.message(expiresIn: 0)) == .failed(.expired))
    #expect(try outcome(Self.message(String(repeating: "x", count: 3_994))) == .failed(.tooLarge))
    #expect(server.asked.isEmpty)
    #expect(try outcome(Self.message(String(repeating: "x", count: 3_993), expiresIn: 10_000_000)) == .sent)
    #expect(server.asked[0].contains("TTL: 2419200\r\n"))
  }

  // MARK: Hostile endpoints

  @Test(arguments: [
    ("localhost", PushOutcome.ledInside), ("127.1", .failed(.targetRefused)), ("2130706433", .failed(.targetRefused)),
    ("0x7f000001", .failed(.targetRefused)),
  ])
  func `what leads inside is not connected to; a name may lead elsewhere the next time, a number does not`(
    host: String, expected: PushOutcome
  ) throws {
    let server = ScriptedServer(Self.answer("201"))
    defer { server.stop() }
    let outcome = try Self.send(
      Self.message(), to: Browser().subscription("https://\(host):\(server.port)/x"), addresses: .publicInternet())
    #expect(outcome == expected)
    #expect(server.asked.isEmpty)
  }

  @Test func `what has led inside is tried again`() {
    #expect(Outcome(.ledInside, isCut: false) == .retry(.targetRefused))
    #expect(Outcome(.failed(.targetRefused), isCut: false) == .failed(.targetRefused))
  }

  @Test func `a redirect is not followed`() throws {
    let inside = ScriptedServer(Self.answer("201"))
    defer { inside.stop() }
    for status in ["301", "302", "307", "308"] {
      let outcome = try Self.outcome(of: Self.answer(status, "Location: \(inside.url)\r\n"))
      #expect(outcome == .failed(.refused(status: Int(status)!)))
    }
    #expect(inside.asked.isEmpty)
  }

  @Test func `the status counts beside a body that drips, breaks off or has no end, within the limit`() throws {
    let start = SystemTime().uptime
    let drips = try Self.outcome(
      of: { writer in
        writer.write("HTTP/1.1 201 Created\r\nContent-Length: 1000000\r\n\r\n")
        while writer.write("x"), !writer.isGone(within: 50) {}
      }, timeout: 1)
    #expect(drips == .sent)
    #expect(SystemTime().uptime - start < 8)
    let broken = try Self.outcome { $0.write("HTTP/1.1 410 X\r\nContent-Length: 1000\r\n\r\nonly this") }
    #expect(broken == .gone)
    let silent = try Self.outcome(
      of: { writer in
        writer.write("HTTP/1.1 201 Created\r\n")
        writer.waitForEnd()
      }, timeout: 1)
    #expect(Self.isUnreachable(silent), "half a head is no answer")
    let meant: [(String, PushOutcome)] = [("201", .sent), ("410", .gone), ("503", .busy(status: 503, retryAfter: nil))]
    for (status, expected) in meant {
      let endless = try Self.outcome { writer in
        writer.write("HTTP/1.1 \(status) X\r\n\r\n")
        while writer.write([UInt8](repeating: 120, count: 65_536)) {}
      }
      #expect(endless == expected)
    }
    let fields = try Self.outcome { writer in
      writer.write("HTTP/1.1 201 Created\r\n")
      while writer.write("X-More: \(String(repeating: "x", count: 1000))\r\n") {}
    }
    #expect(fields == .failed(.badAnswer) || Self.isUnreachable(fields))
  }

  @Test func `whoever is not there, or speaks no HTTP just now, is tried again`() throws {
    let server = ScriptedServer { $0.write("SSH-2.0-OpenSSH_9.2\r\n") }
    defer { server.stop() }
    let listed = [try AddressRange("127.0.0.1")]
    func outcome(_ url: String) throws -> PushOutcome {
      try Self.send(
        Self.message(), to: Browser().subscription(url, listed: listed), addresses: .publicInternet(and: listed))
    }
    #expect(Self.isUnreachable(try outcome(server.url)))
    #expect(Self.isUnreachable(try outcome("http://127.0.0.1:1/x")))
  }
}
