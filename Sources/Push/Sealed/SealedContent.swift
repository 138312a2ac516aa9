public import Crypto
import Notifications
public import Wire

/// The content of a notification whose private members are sealed: `sealed` has {"key": ID, "box": BASE64URL}, and the
/// clear title and body beside it are a fallback for devices that cannot open it.
///
/// A box is a version byte, 16 bytes of salt, a nonce, and what AES-256-GCM makes of the private members as JSON,
/// padded with spaces. Each has a key of its own, derived with HKDF from the shared key and the salt: so the nonces
/// of one shared key never meet. The key's id is authenticated. The fallback is not: channels shorten it, and
/// whoever could change it could as well send a notification of their own.
public enum SealedContent {
  /// The member of the content.
  public static let member = "sealed"
  /// The members that go into the box. The others stay readable, since the hub needs them to deliver: which actions
  /// there are, how loud it is, what it belongs to.
  public static let privateMembers: Set = [
    "title", "subtitle", "body", "url", "user_info", "localized", "attachments", "speech", "parts",
  ]

  /// The beginning of the address of a file that the hub keeps.
  private static let ofHub = "/api/"
  static let version: UInt8 = 1
  static let saltBytes = 16
  static let overhead = 1 + saltBytes + AESGCM.nonceBytes + AESGCM.tagBytes
  private static let purpose = Array("eightbells sealed content 1".utf8)

  /// The text for devices that cannot open it, if the sender names none.
  private static let fallback: [JSON.Member] = [
    .init("title", "A private message"), .init("localized", ["de": ["title": "Eine private Mitteilung"]]),
  ]

  // MARK: Sealing

  /// The content with its private members in a box.
  /// - Parameters:
  ///   - fallback: the text to show where it cannot be opened; nil for the usual one.
  ///   - random: random bytes, so many; anything but real ones is for tests.
  /// - Throws: if the private members are too long.
  public static func seal(
    _ content: JSON, fallback: String? = nil, with key: PrivateKey, random: (Int) -> [UInt8] = Digest.random
  ) throws(SealedError) -> JSON {
    let members = (content.members ?? []).filter { $0.name != member }
    let hidden = JSON.object(members.filter { privateMembers.contains($0.name) }).bytes
    guard hidden.count <= SealedLimits.contentBytes else {
      throw SealedError(
        "The private part has \(hidden.count) bytes; at most \(SealedLimits.contentBytes) are accepted.")
    }
    let (salt, nonce) = (random(saltBytes), random(AESGCM.nonceBytes))
    let sealed = AESGCM.seal(
      padded(hidden), key: messageKey(key, salt), nonce: nonce, visible: purpose + key.id.utf8)
    var clear = members.filter { !privateMembers.contains($0.name) }
    if content["silent"]?.bool != true {
      clear += fallback.map { [.init("title", .string($0))] } ?? Self.fallback
    }
    if let files = clearAttachments(content) { clear.append(.init("attachments", files)) }
    let box = Digest.base64URL([version] + salt + nonce + sealed)
    return .object(clear + [.init(member, ["key": .string(key.id), "box": .string(box)])])
  }

  /// The hub keeps the files that a content names, so their addresses there stay readable; all else about them does
  /// not.
  private static func clearAttachments(_ content: JSON) -> JSON? {
    let kept = (content["attachments"]?.array ?? []).compactMap { one -> JSON? in
      guard let id = one["id"], let url = one["url"], url.string?.hasPrefix(ofHub) == true else { return nil }
      return ["id": id, "url": url]
    }
    return kept.isEmpty ? nil : .array(kept)
  }

  private static func padded(_ bytes: [UInt8]) -> [UInt8] {
    let steps = max(1, (bytes.count + SealedLimits.contentStep - 1) / SealedLimits.contentStep)
    return bytes + [UInt8](repeating: UInt8(ascii: " "), count: steps * SealedLimits.contentStep - bytes.count)
  }

  private static func messageKey(_ key: PrivateKey, _ salt: [UInt8]) -> [UInt8] {
    HKDF.sha256(key.bytes, salt: salt, info: purpose, count: 32)
  }

  // MARK: Opening

  public enum Opening: Equatable, Sendable {
    /// There was nothing to open.
    case clear
    case opened(JSON)
    /// The key is not there, or the box was changed on its way. The fallback is to be shown.
    case notOpened
  }

  /// Opens a content. What was opened has no member `sealed` any more.
  public static func open(_ content: JSON, with ring: KeyRing) -> Opening {
    guard let sealed = content[member] else { return .clear }
    guard let key = sealed["key"]?.string.flatMap({ ring.key($0) }),
      let box = sealed["box"]?.string.flatMap({ Digest.bytes(base64URL: $0) }),
      box.count > overhead, box[0] == version
    else { return .notOpened }
    let salt = Array(box[1...saltBytes])
    let nonce = Array(box[(1 + saltBytes)...].prefix(AESGCM.nonceBytes))
    let bytes = AESGCM.open(
      Array(box[(1 + saltBytes + AESGCM.nonceBytes)...]), key: messageKey(key, salt), nonce: nonce,
      visible: purpose + key.id.utf8)
    guard let bytes, let hidden = try? JSON(parsing: bytes).members else { return .notOpened }
    let clear = (content.members ?? []).filter { $0.name != member && !privateMembers.contains($0.name) }
    return .opened(.object(clear + hidden.filter { privateMembers.contains($0.name) }))
  }

  /// The id of the key with which a content is sealed; nil if it is not.
  public static func keyID(of content: JSON) -> String? { content[member]?["key"]?.string }
}
