public import Crypto
import Notifications
public import Wire

/// A file that is attached to a private message: a beginning by which the hub tells its type, a nonce, and what
/// AES-256-GCM makes of the file, padded with zeros. Its key is used for this file alone, and stands in the message's
/// box with the file's size and type.
public struct SealedFile: Equatable, Sendable {
  public var bytes: [UInt8]
  public var key: [UInt8]
  /// Bytes of the file itself.
  public var size: Int

  private static let start = Array("\(NotificationLimits.sealedFileStart)".utf8)

  /// Seals a file.
  /// - Throws: if it is too large.
  public init(sealing file: [UInt8], random: (Int) -> [UInt8] = Digest.random) throws(SealedError) {
    guard file.count <= SealedLimits.fileBytes else {
      throw SealedError("A file of \(file.count) bytes; at most \(SealedLimits.fileBytes) are accepted to be sealed.")
    }
    (key, size) = (random(PrivateKey.byteCount), file.count)
    let nonce = random(AESGCM.nonceBytes)
    let steps = max(1, (file.count + SealedLimits.fileStep - 1) / SealedLimits.fileStep)
    let padded = file + [UInt8](repeating: 0, count: steps * SealedLimits.fileStep - file.count)
    bytes = Self.start + nonce + AESGCM.seal(padded, key: key, nonce: nonce, visible: Self.start)
  }

  /// The members of the attachment in the box, besides its id and blob.
  /// - Parameter type: the file's media type.
  public func members(type: String) -> [JSON.Member] {
    [.init("type", .string(type)), .init("key", .string(Digest.base64URL(key))), .init("size", .int(size))]
  }

  /// Opens a file that was fetched.
  /// - Parameter attachment: its entry in the opened content, with "key" and "size".
  /// - Returns: nil if key or bytes are not those of the file.
  public static func open(_ bytes: [UInt8], _ attachment: JSON) -> [UInt8]? {
    guard let key = attachment["key"]?.string.flatMap({ Digest.bytes(base64URL: $0) }),
      let size = attachment["size"]?.int, key.count == PrivateKey.byteCount, bytes.starts(with: start),
      bytes.count >= start.count + AESGCM.nonceBytes + AESGCM.tagBytes
    else { return nil }
    let nonce = Array(bytes[start.count...].prefix(AESGCM.nonceBytes))
    let file = AESGCM.open(
      Array(bytes[(start.count + AESGCM.nonceBytes)...]), key: key, nonce: nonce, visible: start)
    guard let file, (0...file.count).contains(size) else { return nil }
    return Array(file.prefix(size))
  }
}
