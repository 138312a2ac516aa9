public import Wire

/// The reason why a request in ntfy's manner is refused, with the number that ntfy's clients know.
public struct NtfyFault: Error, Equatable, Sendable {
  /// The HTTP status and an ordinal, as ntfy has them.
  public let code: Int
  public let message: String
  /// The part of ntfy's documentation about it, below `docs.ntfy.sh`; nil without one.
  let page: String?

  init(_ code: Int, _ message: String, page: String? = nil) {
    self.code = code
    self.message = message
    self.page = page
  }

  public var status: Int { code / 100 }

  /// The form in which ntfy tells errors.
  public var json: JSON {
    var members: [JSON.Member] = [
      .init("code", .int(code)), .init("http", .int(status)), .init("error", .string(message)),
    ]
    if let page { members.append(.init("link", .string("https://docs.ntfy.sh/\(page)"))) }
    return .object(members)
  }

  // MARK: Faults of requests

  static func delay(_ seen: String) -> NtfyFault {
    NtfyFault(
      40_004,
      "invalid delay: \"\(seen.prefix(NtfyLimits.delayBytes))\"; 30m, \"3 hours\", \"tomorrow, 10am\", \"Tuesday, 7am\""
        + " or seconds since 1970 are accepted", page: "publish/#scheduled-delivery")
  }
  static let delayPast = NtfyFault(
    40_005, "invalid delay: that time is past; a time to come is accepted", page: "publish/#scheduled-delivery")
  static let delayTooLarge = NtfyFault(
    40_006, "invalid delay: at most \(Int(NtfyLimits.delaySeconds / 86_400)) days ahead are accepted",
    page: "publish/#scheduled-delivery")
  static let delayNotKept = NtfyFault(40_002, "a delayed message has to be kept: cache=no is not accepted with a delay")
  static func priority(_ seen: String) -> NtfyFault {
    NtfyFault(
      40_007, "invalid priority: \"\(seen.prefix(40))\"; 1 to 5, min, low, default, high, max or urgent is accepted",
      page: "publish/#message-priority")
  }
  static func since(_ seen: String) -> NtfyFault {
    NtfyFault(
      40_008,
      "invalid since: \"\(seen.prefix(40))\"; a duration such as 10m, seconds since 1970, a message's id, all, latest "
        + "or none is accepted", page: "subscribe/api/#fetch-cached-messages")
  }
  public static func topic(_ seen: String) -> NtfyFault {
    NtfyFault(40_009, "invalid topic: \"\(seen.prefix(80))\"; \(TopicNames.accepted)")
  }
  static let tooManyTopics = NtfyFault(40_009, "at most \(NtfyLimits.topics) topics are accepted in one subscription")
  static func field(_ name: String, _ accepted: String) -> NtfyFault {
    NtfyFault(40_017, "invalid \(name): \(accepted)", page: "publish/#publish-as-json")
  }
  static func address(_ name: String, code: Int) -> NtfyFault {
    NtfyFault(code, "invalid \(name): https://, http:// and at most \(NtfyLimits.addressBytes) bytes are accepted")
  }
  public static let noFiles = NtfyFault(
    40_014,
    "a message of UTF-8 text and at most \(NtfyLimits.messageBytes) bytes is accepted, with a token also a picture of"
      + " 10 MB, a sound of 5 or a film of 50, and the address of any file elsewhere by Attach",
    page: "publish/#attachments")
  static let notJSON = NtfyFault(
    40_017, "the body is no message: {\"topic\": \"name\", \"message\": \"text\"} is accepted",
    page: "publish/#publish-as-json")
  static func actions(_ message: String) -> NtfyFault {
    NtfyFault(40_018, "invalid actions: \(message)", page: "publish/#action-buttons")
  }
  static let noMail = NtfyFault(40_001, "mail is not sent in ntfy's manner")
  static let noCalls = NtfyFault(40_032, "calls are not made")
  static let noTemplates = NtfyFault(40_045, "templates are not filled in")
  static func filter(_ name: String) -> NtfyFault {
    NtfyFault(40_007, "invalid filter \(name): at most \(NtfyLimits.filterWords) values are accepted")
  }

  // MARK: Faults of callers

  public static let unauthorized = NtfyFault(
    40_101, "unauthorized: the token is unknown; it is sent as a password, or as Authorization: Bearer TOKEN",
    page: "publish/#authentication")
  public static func forbidden(_ why: String) -> NtfyFault {
    NtfyFault(40_301, "forbidden: \(why)", page: "publish/#authentication")
  }
  public static func noTopic(_ name: String) -> NtfyFault {
    NtfyFault(40_401, "there is no topic \"\(name.prefix(80))\": owners make topics, by sending or by a command")
  }
  public static let noPage = NtfyFault(40_401, "page not found")
  public static let tooManyInAll = NtfyFault(
    42_904, "there are as many topics as possible; an owner can remove some", page: "publish/#limitations")
  /// An error of the hub that ntfy has no number for: the status with the ordinal 01 means the status itself there.
  public static func other(_ status: Int, _ message: String) -> NtfyFault { NtfyFault(status * 100 + 1, message) }
}
