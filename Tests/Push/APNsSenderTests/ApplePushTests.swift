import APNs
import APNsSender
import Delivery
import Testing
import Wire

/// Messages in the form of APNs, and the answers to them.
struct ApplePushTests {
  private static let now = 1_795_200_000.0

  private static func message(
    _ content: JSON, version: Int = 1, collapseID: String? = nil, expiresAt: Double? = nil, priority: Priority = .high
  ) -> Outgoing {
    Outgoing(
      id: 7, version: version, work: .show(content: content.text), collapseID: collapseID, expiresAt: expiresAt,
      priority: priority, sentAt: now)
  }

  private static func push(_ message: Outgoing, unread: Int? = nil, isChange: Bool = false) throws -> (ApplePush, JSON)
  {
    let push = try #require(ApplePush(message, unread: unread, isChange: isChange, now: now))
    return (push, try JSON(parsing: push.payload))
  }

  @Test func `what Apple's systems show stands in aps, and the rest beside it`() throws {
    let (push, json) = try Self.push(
      Self.message([
        "title": "Open", "subtitle": "Nordlicht", "body": "Ada has opened", "sound": "bell.caf", "category": "sign",
        "thread": "door", "interruption_level": "critical", "relevance": 0.5, "url": "/space",
        "actions": [["id": "come", "title": "I am coming"]], "user_info": ["event": 42, "aps": "mine"],
      ]), unread: 3)
    #expect(push.kind == .alert && push.isUrgent && push.collapseID == "7")
    #expect(
      json["aps"] == [
        "alert": ["title": "Open", "subtitle": "Nordlicht", "body": "Ada has opened"], "badge": 3,
        "sound": ["critical": 1, "name": "bell.caf", "volume": 1], "category": "sign", "thread-id": "door",
        "interruption-level": "critical", "relevance-score": 0.5,
      ])
    #expect(json["event"] == 42)
    #expect(
      json["eightbells"] == [
        "v": 1, "id": "7", "version": 1, "url": "/space", "actions": [["id": "come", "title": "I am coming"]],
        "user_info": ["aps": "mine"],
      ])
  }

  @Test func `a change makes no sound, and a file is for the app's extension`() throws {
    let content: JSON = [
      "title": "Open", "sound": "/sounds/bell.ogg", "attachments": [["id": "a", "url": "https://hub.example/a.png"]],
    ]
    let (_, first) = try Self.push(Self.message(content))
    #expect(first["aps"]?["sound"] == "default" && first["aps"]?["mutable-content"] == 1)
    #expect(first["eightbells"]?["sound"] == "/sounds/bell.ogg")
    let (_, change) = try Self.push(Self.message(content, version: 2), isChange: true)
    #expect(change["aps"]?["sound"] == nil && change["aps"]?["interruption-level"] == "passive")
  }

  @Test func `silent ones and withdrawals go in the background`() throws {
    let (silent, json) = try Self.push(Self.message(["silent": true, "user_info": ["sync": 1]]), unread: 3)
    #expect(silent.kind == .background && !silent.isUrgent)
    #expect(json["aps"] == ["content-available": 1] && json["sync"] == 1)
    let work = Outgoing(id: 7, version: 2, work: .withdraw(.takenBack), collapseID: "sign", sentAt: Self.now)
    let (back, told) = try Self.push(work)
    #expect(back.kind == .background && back.collapseID == "sign" && !back.isUrgent)
    #expect(told["eightbells"]?["withdraw"] == true && told["eightbells"]?["collapse_id"] == "sign")
  }

  @Test func `collapse ids are of plain characters, and of at most 64 bytes`() throws {
    for (given, isKept) in [("sign", true), (String(repeating: "a", count: 64), true), ("ö", false), ("7", false)] {
      let (push, _) = try Self.push(Self.message(["title": "Open"], collapseID: given))
      #expect((push.collapseID == given) == isKept && push.collapseID.utf8.count <= APNsLimits.collapseBytes)
    }
  }

  @Test func `the time of its end is the notification's, and 30 days at most`() throws {
    for (end, expected) in [
      (nil, 30.0 * 86_400), (60.0, 60.0), (31 * 86_400.0, 30 * 86_400.0),
    ] as [(Double?, Double)] {
      let (push, _) = try Self.push(Self.message(["title": "Open"], expiresAt: end.map { Self.now + $0 }))
      #expect(push.expiresAt == Self.now + expected)
    }
  }

  @Test func `4096 bytes pass whole, one more is shortened, and what cannot be is refused`() throws {
    let (empty, _) = try Self.push(Self.message(["title": "Long", "body": ""]))
    let room = APNsLimits.payloadBytes - empty.payload.count
    func long(_ count: Int) -> JSON { ["title": "Long", "body": .string(String(repeating: "x", count: count))] }
    let (whole, _) = try Self.push(Self.message(long(room)))
    #expect(whole.payload.count == APNsLimits.payloadBytes && !whole.isCut)
    let (cut, json) = try Self.push(Self.message(long(room + 1)))
    #expect(cut.isCut && cut.payload.count <= APNsLimits.payloadBytes && cut.payload.count > 4_000)
    #expect(json["eightbells"]?["cut"] == true)
    // Quotes take two bytes each in JSON.
    let quotes = String(repeating: "\"", count: 8_000)
    let (escaped, _) = try Self.push(
      Self.message(["title": "Long", "body": .string(quotes), "localized": ["de": ["body": .string(quotes)]]]))
    #expect(escaped.isCut && escaped.payload.count <= APNsLimits.payloadBytes)
    let info: JSON = ["title": "Large", "user_info": ["data": .string(String(repeating: "x", count: 4_100))]]
    #expect(ApplePush(Self.message(info), unread: nil, isChange: false, now: Self.now) == nil)
  }

  @Test(arguments: [
    (200, "", Outcome.sent()), (410, "Unregistered", .gone(.appGone)), (410, "ExpiredToken", .gone(.appGone)),
    (400, "BadDeviceToken", .failed(.pushService, detail: "400 BadDeviceToken")),
    (400, "IdleTimeout", .retry(.pushService, detail: "400 IdleTimeout")),
    (403, "InvalidProviderToken", .retry(.pushService, detail: "403 InvalidProviderToken")),
    (404, "BadPath", .failed(.pushService, detail: "404 BadPath")), (413, "PayloadTooLarge", .failed(.tooLarge)),
    (429, "TooManyRequests", .retry(.pushService, detail: "429 TooManyRequests")),
    (500, "InternalServerError", .retry(.pushService, detail: "500 InternalServerError")),
    (503, "Shutdown", .retry(.pushService, detail: "503 Shutdown")), (302, "", .failed(.pushService, detail: "302")),
  ])
  func `each answer has its meaning`(_ status: Int, _ reason: String, _ outcome: Outcome) {
    let body = reason.isEmpty ? [] : JSON.object([.init("reason", .string(reason))]).bytes
    #expect(AppleAnswer(HTTP2Answer(status: status, body: body), now: Self.now).outcome(isCut: false) == outcome)
  }

  @Test func `an answer's time is in milliseconds, and its reason is one word`() {
    let body = Array(#"{"reason": "Un<b>registered\n", "timestamp": 1795200000123}"#.utf8)
    let answer = AppleAnswer(HTTP2Answer(status: 410, fields: [("retry-after", "120")], body: body), now: Self.now)
    #expect(answer.reason == "Unbregistered" && answer.since == 1_795_200_000.123 && answer.retryAfter == 120)
    #expect(AppleAnswer(HTTP2Answer(status: 503, body: [1, 2]), now: Self.now).reason.isEmpty)
  }

  @Test func `an id is a UUID, and the same whenever the message is sent again`() {
    func id(_ id: Int, _ version: Int, _ token: UInt8) -> String {
      let message = Outgoing(id: id, version: version, work: .show(content: "{}"), sentAt: Self.now)
      return ApplePush.id(
        message,
        to: AppleRegistration(
          device: 1, token: [token], topic: "org.example.app", environment: .production, registeredAt: 0))
    }
    #expect(id(7, 1, 1).wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil)
    #expect(id(7, 1, 1) == id(7, 1, 1) && PushHead.isUUID(id(7, 1, 1)))
    #expect(Set([id(7, 1, 1), id(7, 2, 1), id(8, 1, 1), id(7, 1, 2)]).count == 4)
  }
}
