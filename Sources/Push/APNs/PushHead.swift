import Crypto
public import Wire

/// The head of a push: what the request says before its payload. Checked by itself, since the provider is looked up
/// before anything depends on it.
public struct PushHead: Equatable, Sendable {
  /// The fields of a request that have a meaning here, as they were sent.
  struct Fields: Equatable, Sendable {
    var id: String?
    var expiration: String?
    var priority: String?
    var type: String?
    var topic: String?
    var collapseID: String?
    var authorization: String?
    /// A field that came twice.
    var hasDuplicates = false

    init(_ fields: [(name: String, value: String)]) {
      for (name, value) in fields {
        // Over HTTP/2 all names are in lower case.
        guard !take(name, value), name.utf8.contains(where: { (65...90).contains($0) }) else { continue }
        _ = take(name.lowercased(), value)
      }
    }

    /// - Returns: false if the name is none of these.
    private mutating func take(_ name: String, _ value: String) -> Bool {
      let isRepeated: Bool
      switch name {
      case "apns-id": isRepeated = Self.set(&id, value)
      case "apns-expiration": isRepeated = Self.set(&expiration, value)
      case "apns-priority": isRepeated = Self.set(&priority, value)
      case "apns-push-type": isRepeated = Self.set(&type, value)
      case "apns-topic": isRepeated = Self.set(&topic, value)
      case "apns-collapse-id": isRepeated = Self.set(&collapseID, value)
      case "authorization": isRepeated = Self.set(&authorization, value)
      default: return false
      }
      if isRepeated { hasDuplicates = true }
      return true
    }

    /// - Returns: true if the field was set before.
    private static func set(_ field: inout String?, _ value: String) -> Bool {
      defer { field = value }
      return field != nil
    }
  }

  let fields: Fields
  /// The device's token, 32 bytes.
  public let token: [UInt8]
  /// The value of `authorization`; nil without one.
  public var authorization: String? { fields.authorization }

  /// - Parameters:
  ///   - fields: names and values in their order.
  ///   - path: with what follows a question mark.
  /// - Throws: in the order in which a reader of the request comes to what is wrong.
  public init(
    method: Method, path: String, fields: [(name: String, value: String)]
  ) throws(Rejection) {
    let fields = Fields(fields)
    let prefix = "/3/device"
    guard path == prefix || path.hasPrefix("\(prefix)/") else { throw Rejection(.badPath) }
    guard method == .post else { throw Rejection(.methodNotAllowed) }
    if fields.hasDuplicates { throw Rejection(.duplicateHeaders) }
    if let id = fields.id, !Self.isUUID(id) { throw Rejection(.badMessageId) }
    let digits = path.dropFirst(prefix.count + 1)
    guard !digits.isEmpty else { throw Rejection(.missingDeviceToken) }
    guard !digits.contains("/") else { throw Rejection(.badPath) }
    guard let token = Self.token(digits) else { throw Rejection(.badDeviceToken) }
    self.fields = fields
    self.token = token
  }

  private static func token(_ digits: Substring) -> [UInt8]? {
    digits.utf8.count == 2 * APNsLimits.tokenBytes ? hexBytes(digits) : nil
  }

  /// True for the canonical form of a UUID (RFC 9562), in either case.
  public static func isUUID(_ text: String) -> Bool {
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    return parts.map(\.utf8.count) == [8, 4, 4, 4, 12] && parts.allSatisfy { hexBytes($0) != nil }
  }

  /// The id that an answer carries: the sender's own, or a new one where it gave none, or nothing like one.
  public static func answerID(_ sent: String?) -> String {
    if let sent, isUUID(sent) { return sent }
    var bytes = Digest.random(16)
    // Version 4, variant 2 (RFC 9562 section 5.4).
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { Digest.hex(bytes[$0]).uppercased() }
    return parts.joined(separator: "-")
  }

  /// The id that the sender gave, as 16 bytes; nil without one.
  public var id: [UInt8]? { fields.id.flatMap { hexBytes($0.filter { $0 != "-" }[...]) } }
}

/// The bytes that hexadecimal digits spell; nil for anything else.
func hexBytes(_ digits: Substring) -> [UInt8]? {
  guard digits.utf8.count.isMultiple(of: 2) else { return nil }
  var bytes: [UInt8] = []
  var high: UInt8?
  for digit in digits.utf8 {
    let value: UInt8
    switch digit {
    case 48...57: value = digit - 48
    case 65...70: value = digit - 55
    case 97...102: value = digit - 87
    default: return nil
    }
    if let first = high {
      bytes.append(first << 4 | value)
      high = nil
    } else {
      high = value
    }
  }
  return bytes
}
