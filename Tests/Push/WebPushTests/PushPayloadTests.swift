import Crypto
import Testing
import WebPush
import Wire

struct PushPayloadTests {
  static let receipt = String(repeating: "r", count: 22)

  static func show(_ content: JSON) -> PushPayload.Fitted? {
    PushPayload.show(
      id: 12, version: 1, receipt: receipt, content: content, collapseID: "sign", sentAt: 1_795_200_000.5)
  }

  @Test func `what fits is sent whole`() throws {
    let content: JSON = ["title": "Open", "body": "Ada has opened", "later": [1, 2]]
    let fitted = try #require(Self.show(content))
    #expect(!fitted.isCut)
    #expect(
      try JSON(parsing: fitted.bytes)
        == [
          "v": 1, "id": "12", "version": 1, "receipt": .string(Self.receipt), "at": 1_795_200_000,
          "collapse_id": "sign", "content": content,
        ])
    #expect(
      try JSON(parsing: PushPayload.withdraw(id: 12, version: 2, receipt: Self.receipt))
        == ["v": 1, "id": "12", "version": 2, "receipt": .string(Self.receipt), "withdraw": true])
    let late = PushPayload.withdraw(id: 12, version: 2, receipt: Self.receipt, collapseID: "sign", sequence: 15)
    #expect(try JSON(parsing: late)["sequence"] == 15)
  }

  @Test func `a private part that has no room is left out whole, and its fallback is sent`() throws {
    for (length, isWhole) in [(3_000, true), (4_000, false)] {
      let box = JSON.string(String(repeating: "A", count: length))
      let fitted = try #require(
        Self.show(["title": "A private message", "sealed": ["key": "0123456789abcdef", "box": box]]))
      let content = try #require(try JSON(parsing: fitted.bytes)["content"])
      #expect(content["title"] == "A private message" && fitted.isCut == !isWhole)
      #expect((content["sealed"] != nil) == isWhole && (content["sealed"]?["box"] == box) == isWhole)
    }
  }

  @Test(arguments: ["a", "\"", "\n", "\u{1}", "ü", "👩‍👩‍👧‍👦", "e\u{301}"])
  func `a body is cut to the last byte that fits, at a whole character`(letter: Character) throws {
    let empty = try #require(Self.show(["title": "T", "body": ""])).bytes.count
    let size = JSON.string(String(letter)).bytes.count - 2
    let most = (WebPushLimits.plaintextBytes - empty) / size
    for count in [most - 1, most, most + 1, most + 2, 60_000 / size] {
      let body = String(repeating: letter, count: count)
      let fitted = try #require(Self.show(["title": "T", "body": .string(body)]))
      #expect(fitted.bytes.count <= WebPushLimits.plaintextBytes)
      let json = try JSON(parsing: fitted.bytes)
      let sent = try #require(json["content"]?["body"]?.string)
      #expect(fitted.isCut == (count > most))
      #expect(json["content"]?["cut"] == (count > most ? true : nil))
      guard count > most else { continue }
      // At a whole character of Unicode, which is one part of what people see as one.
      let (last, isBeginning) = (
        sent.unicodeScalars.last, body.unicodeScalars.starts(with: sent.unicodeScalars.dropLast())
      )
      #expect(last == "…" && isBeginning)
      #expect(WebPushLimits.plaintextBytes - fitted.bytes.count < size, "more would have fitted")
    }
  }

  @Test func `a body in another language is cut too`() throws {
    let long = JSON.string(String(repeating: "ä", count: 3_000))
    for own in ["short", String(repeating: "x", count: 3_000)] {
      let fitted = try #require(Self.show(["title": "T", "body": .string(own), "localized": ["de": ["body": long]]]))
      let content = try #require(try JSON(parsing: fitted.bytes)["content"])
      #expect(fitted.isCut && content["cut"] == true)
      #expect(WebPushLimits.plaintextBytes - fitted.bytes.count < 4)
      #expect(content["localized"]?["de"]?["body"]?.string?.hasSuffix("ä…") == true)
      #expect((content["body"]?.string == own) == (own == "short"))
    }
  }

  @Test func `what is too large without its body is not sent`() {
    let much = JSON.string(String(repeating: "x", count: 4_000))
    #expect(Self.show(["title": much, "body": "b"]) == nil)
    #expect(Self.show(["title": much]) == nil)
    #expect(Self.show(["title": "T", "body": "b", "user_info": ["more": much]]) == nil)
    #expect(Self.show(["title": "T", "body": ["x", much]]) == nil)
  }

  @Test func `a receipt names its device, and counts for one notification`() throws {
    let receipts = PushReceipts(key: Digest.random(32))
    for device in [0, 7, 5_000, (1 << 40) - 1] {
      let receipt = receipts.receipt(notification: 12, device: device)
      #expect(receipt.utf8.count == 22)
      #expect(receipts.device(of: receipt, notification: 12) == device)
      #expect(receipts.device(of: receipt, notification: 13) == nil)
      #expect(PushReceipts(key: Digest.random(32)).device(of: receipt, notification: 12) == nil)
      var bytes = decoded(receipt)
      for place in bytes.indices {
        bytes[place] ^= 1
        #expect(receipts.device(of: Digest.base64URL(bytes), notification: 12) == nil)
        bytes[place] ^= 1
      }
    }
    for text in ["", "x", Self.receipt, String(repeating: "=", count: 22)] {
      #expect(receipts.device(of: text, notification: 12) == nil)
    }
  }

  @Test func `a topic has 32 characters of base64url, whatever it stands for`() {
    for text in ["", "sign", String(repeating: "x", count: 10_000)] {
      let topic = PushMessage.topic(text)
      #expect(topic.utf8.count == 32 && Digest.bytes(base64URL: topic) != nil)
    }
    #expect(PushMessage.topic("a") != PushMessage.topic("b"))
  }

  @Test func `urgency follows level and priority`() {
    #expect(PushUrgency(level: "critical", isUrgent: false) == .high)
    #expect(PushUrgency(level: "time-sensitive", isUrgent: false) == .high)
    #expect(PushUrgency(level: "active", isUrgent: true) == .high)
    #expect(PushUrgency(level: "active", isUrgent: false) == .normal)
    #expect(PushUrgency(level: "passive", isUrgent: true) == .low)
    #expect(PushUrgency(level: "passive", isUrgent: false).rawValue == "very-low")
    #expect(PushUrgency(level: "of the future", isUrgent: false) == .normal)
  }
}
