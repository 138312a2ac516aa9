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
        guard let field = Self.field(name) ?? Self.field(name.lowercased()) else { continue }
        if self[keyPath: field] != nil { hasDuplicates = true }
        self[keyPath: field] = value
      }
    }

    private static func field(_ name: String) -> WritableKeyPath<Fields, String?>? {
      switch name {
      case "apns-id": \.id
      case "apns-expiration": \.expiration
      case "apns-priority": \.priority
      case "apns-push-type": \.type
      case "apns-topic": \.topic
      case "apns-collapse-id": \.collapseID
      case "authorization": \.authorization
      default: nil
      }
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
    guard !digits.utf8.contains(UInt8(ascii: "/")) else { throw Rejection(.badPath) }
    guard let token = Self.token(digits) else { throw Rejection(.badDeviceToken) }
    self.fields = fields
    self.token = token
  }

  private static func token(_ digits: Substring) -> [UInt8]? {
    digits.utf8.count == 2 * APNsLimits.tokenBytes ? Digest.bytes(hex: String(digits)) : nil
  }

  /// True for the canonical form of a UUID (RFC 9562), in either case.
  public static func isUUID(_ text: String) -> Bool {
    guard text.utf8.count == 36 else { return false }
    var index = 0
    for byte in text.utf8 {
      switch (index, byte) {
      case (8, UInt8(ascii: "-")), (13, UInt8(ascii: "-")), (18, UInt8(ascii: "-")), (23, UInt8(ascii: "-")): break
      case (8, _), (13, _), (18, _), (23, _): return false
      case (_, 48...57), (_, 65...70), (_, 97...102): break
      default: return false
      }
      index += 1
    }
    return true
  }

  /// The id that an answer carries: the sender's own, or a new one where it gave none, or nothing like one.
  public static func answerID(_ sent: String?) -> String {
    if let sent, isUUID(sent) { return sent }
    return Digest.uuid(Digest.random(16), version: 4).uppercased()
  }

  /// The id that the sender gave, as 16 bytes; nil without one.
  public var id: [UInt8]? {
    fields.id.flatMap { id in
      Digest.bytes(hex: String(decoding: id.utf8.filter { $0 != UInt8(ascii: "-") }, as: UTF8.self))
    }
  }
}
