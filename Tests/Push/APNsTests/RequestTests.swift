import APNs
import Delivery
import Testing
import Wire

struct RequestTests {
  private func refused(
    _ fields: [(String, String)] = [], topic: String? = Sender.app, _ payload: String = #"{"aps":{"alert":"Hi"}}"#,
    by provider: Provider = Sender().provider
  ) -> RejectionReason? {
    reason { _ = try Sender.push(fields, topic: topic, payload, by: provider) }
  }

  @Test func `a topic is one of the provider's apps`() {
    #expect(refused() == nil)
    #expect(refused(topic: "org.example.other") == .topicDisallowed)
    #expect(refused(topic: nil) == .missingTopic)
    // A certificate for one app says which.
    #expect(refused(topic: nil, by: Sender.certified) == nil)
    var two = Sender.certified
    two.topics.append("org.example.other")
    #expect(refused(topic: nil, by: two) == .missingTopic)
    for bad in ["", "org example", "org/example", "ö", String(repeating: "a", count: 201)] {
      #expect(refused(topic: bad) == .badTopic, "\(bad)")
    }
    #expect(refused(topic: String(repeating: "a", count: 200)) == .topicDisallowed)
  }

  @Test(arguments: PushType.allCases) func `each type has its topic`(type: PushType) throws {
    let fields = [("apns-push-type", type.rawValue), ("apns-priority", "5")]
    let name = Sender.app + (type.suffix ?? "")
    let push = try Sender.push(fields, topic: name)
    #expect(push.topic.bundle == Sender.app && push.topic.type == type)
    #expect(refused(fields, topic: "\(name).x") == (type.suffix == nil ? .topicDisallowed : .badTopic))
    guard let suffix = type.suffix else { return }
    #expect(refused(fields, topic: Sender.app) == .badTopic)
    #expect(refused(fields, topic: suffix) == .badTopic)
    // Without a type, the topic tells it.
    #expect(try Sender.push(topic: name).topic.type == type)
  }

  @Test func `a type that nobody knows is refused`() {
    for bad in ["", "Alert", "message"] { #expect(refused([("apns-push-type", bad)]) == .invalidPushType) }
  }

  @Test func `priorities are 10, 5 and 1, and 10 is an error in the background`() throws {
    for (text, wanted) in [("10", Priority.high), ("5", .normal), ("1", .normal)] {
      #expect(try Sender.push([("apns-priority", text)]).priority == wanted)
    }
    for bad in ["", "0", "2", "11", "high", "010", "-5"] {
      #expect(refused([("apns-priority", bad)]) == .badPriority, "\(bad)")
    }
    #expect(try Sender.push().priority == .high)
    let background = ("apns-push-type", "background")
    #expect(refused([background, ("apns-priority", "10")]) == .badPriority)
    #expect(try Sender.push([background, ("apns-priority", "5")]).priority == .normal)
    #expect(try Sender.push([background]).priority == .normal)
    let call = ("apns-push-type", "voip")
    #expect(try Sender.push([call, ("apns-priority", "10")], topic: "\(Sender.app).voip").priority == .high)
  }

  @Test func `an expiration is a second, 0 for one attempt, and 30 days away at most`() throws {
    let (now, days) = (Sender.now, 30 * 86_400.0)
    for (text, wanted) in [
      (nil, now + days), ("0", now + 30), ("\(Int(now) + 60)", now + 60), ("\(Int(now) + 2_592_000)", now + days),
      ("\(Int(now) + 2_592_001)", now + days), ("1", 1),
    ] as [(String?, Double)] {
      #expect(try Sender.push(text.map { [("apns-expiration", $0)] } ?? []).expiresAt == wanted, "\(text ?? "none")")
    }
    for bad in ["", "-1", "1.5", "tomorrow", "1e9", "99999999999999999999", "+1"] {
      #expect(refused([("apns-expiration", bad)]) == .badExpirationDate, "\(bad)")
    }
  }

  @Test func `a collapse id has 64 bytes at most, whatever its characters`() throws {
    let longest = String(repeating: "ö", count: 32)
    #expect(try Sender.push([("apns-collapse-id", longest)]).collapseID == longest)
    #expect(refused([("apns-collapse-id", "\(longest)a")]) == .badCollapseId)
    #expect(refused([("apns-collapse-id", String(repeating: "a", count: 65))]) == .badCollapseId)
    #expect(try Sender.push([("apns-collapse-id", String(repeating: "a", count: 64))]).collapseID?.count == 64)
    #expect(try Sender.push([("apns-collapse-id", "")]).collapseID == nil)
  }

  @Test(arguments: [("alert", "", 4_096), ("voip", ".voip", 5_120), ("liveactivity", ".push-type.liveactivity", 4_096)])
  func `a payload has so many bytes`(type: String, suffix: String, most: Int) {
    func payload(_ bytes: Int) -> String {
      let (head, tail) = (#"{"aps":{"alert":""#, #""}}"#)
      return head + String(repeating: "a", count: bytes - head.utf8.count - tail.utf8.count) + tail
    }
    let fields = [("apns-push-type", type)]
    #expect(refused(fields, topic: Sender.app + suffix, payload(most)) == nil)
    #expect(refused(fields, topic: Sender.app + suffix, payload(most + 1)) == .payloadTooLarge)
  }

  @Test func `a payload is a JSON object with something in it`() {
    for bad in ["", "{}", "[]", "null", "alert", #"{"aps":{}"#, #"{"aps":1,"aps":2}"#, "\"text\""] {
      #expect(refused(bad) == .payloadEmpty, "\(bad)")
    }
    #expect(refused(#"{"mdm":"magic"}"#) == nil)
  }

  private func refused(_ payload: String) -> RejectionReason? { refused([], topic: Sender.app, payload) }

  @Test func `the notification stays where it is shown when its time is over`() throws {
    let submission = try Sender.push([("apns-collapse-id", "a"), ("apns-expiration", "0")])
      .submission(to: 7, sender: "provider KEY1234567")
    #expect(submission.to == [.device(7)] && submission.stays && submission.collapseID == "a")
    #expect(submission.sender == "provider KEY1234567" && submission.content == ["body": "Hi"])
  }
}
