import APNs
import Testing
import Wire

struct HeadTests {
  @Test func `the path has a token of 64 hexadecimal digits`() throws {
    let digits = Sender.device
    let paths: [(String, RejectionReason?)] = [
      ("/3/device/\(digits)", nil), ("/3/device/\(digits.uppercased())", nil),
      ("/3/device/\(digits.dropLast())", .badDeviceToken), ("/3/device/\(digits)a", .badDeviceToken),
      ("/3/device/\(digits.dropLast())g", .badDeviceToken), ("/3/device/\(digits)?a=b", .badDeviceToken),
      ("/3/device/", .missingDeviceToken), ("/3/device", .missingDeviceToken), ("/3/devices/\(digits)", .badPath),
      ("/2/device/\(digits)", .badPath), ("/", .badPath), ("/3/device/\(digits)/", .badPath),
    ]
    for (path, wanted) in paths { #expect(reason { _ = try Sender.head(path: path) } == wanted, "\(path)") }
    #expect(try Sender.head().token == [UInt8](repeating: 0xA1, count: 32))
  }

  @Test func `only POST is taken, and nothing else is looked at where nothing is`() {
    #expect(reason { _ = try Sender.head(method: .get) } == .methodNotAllowed)
    #expect(reason { _ = try Sender.head(method: .other("PUSH")) } == .methodNotAllowed)
    #expect(reason { _ = try Sender.head(path: "/", method: .get) } == .badPath)
  }

  @Test(arguments: ["apns-id", "apns-expiration", "apns-priority", "apns-push-type", "apns-topic", "authorization"])
  func `a field that comes twice is refused, also with the same value`(name: String) {
    let id = "123e4567-e89b-12d3-a456-4266554400a0"
    #expect(reason { _ = try Sender.head([(name, id), (name, id)], topic: nil) } == .duplicateHeaders)
    #expect(reason { _ = try Sender.head([(name, id), (name.uppercased(), id)], topic: nil) } == .duplicateHeaders)
    #expect(reason { _ = try Sender.head([(name, id)], topic: nil) } == nil)
    #expect(reason { _ = try Sender.head([("x-a", "1"), ("x-a", "2")]) } == nil)
  }

  @Test func `an id is a UUID in its canonical form, and comes back as it was sent`() throws {
    let good = "123e4567-E89B-12d3-a456-4266554400a0"
    #expect(try Sender.head([("apns-id", good)]).id?.count == 16)
    #expect(PushHead.answerID(good) == good)
    for bad in [
      "", "123e4567e89b12d3a4564266554400a0", "123e4567-e89b-12d3-a456-4266554400a", "\(good)0",
      "123e4567-e89b-12d3-a456-4266554400ag", "{\(good)}", "123e456-7e89b-12d3-a456-4266554400a0",
    ] {
      #expect(reason { _ = try Sender.head([("apns-id", bad)]) } == .badMessageId, "\(bad)")
      #expect(PushHead.isUUID(PushHead.answerID(bad)) && PushHead.answerID(bad) != bad)
    }
    let made = PushHead.answerID(nil)
    #expect(PushHead.isUUID(made) && made == made.uppercased() && made != PushHead.answerID(nil))
    #expect(Array(made)[14] == "4")
    #expect(try Sender.head().id == nil)
  }

  @Test func `each reason has its status, and its time is in milliseconds`() {
    #expect(RejectionReason.allCases.count == 32)
    #expect(Rejection(.badTopic).json.text == #"{"reason":"BadTopic"}"#)
    #expect(
      Rejection(.unregistered, since: 1_795_289_805.1234).json.text
        == #"{"reason":"Unregistered","timestamp":1795289805123}"#)
    let statuses: [RejectionReason: Int] = [
      .payloadEmpty: 400, .expiredProviderToken: 403, .badPath: 404, .methodNotAllowed: 405, .unregistered: 410,
      .payloadTooLarge: 413, .tooManyProviderTokenUpdates: 429, .internalServerError: 500, .shutdown: 503,
    ]
    for (reason, status) in statuses { #expect(reason.status == status) }
    // The server's own errors have a reason, too: clients wait for one.
    for (status, reason) in [(413, RejectionReason.payloadTooLarge), (408, .idleTimeout), (503, .serviceUnavailable)] {
      #expect(RejectionReason(status: status) == reason)
    }
  }
}
