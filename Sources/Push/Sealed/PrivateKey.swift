import Crypto
import Glibc

/// A key that senders and devices share, and the hub does not know: 32 random bytes.
public struct PrivateKey: Equatable, Sendable {
  public static let byteCount = 32
  /// The beginning of an address's fragment that holds a key. Browsers do not send fragments to servers.
  public static let fragment = "#key="

  public let bytes: [UInt8]

  /// A new one.
  public init() { bytes = Digest.random(Self.byteCount) }

  /// Nil for another count than 32 bytes.
  public init?(bytes: [UInt8]) {
    guard bytes.count == Self.byteCount else { return nil }
    self.bytes = bytes
  }

  /// Reads a link of `link(on:)`, or the key alone in base64url; nil for anything else.
  public init?(_ text: String) {
    let parts = text.split(separator: Self.fragment, maxSplits: 1)
    guard text.utf8.count <= SealedLimits.linkBytes, let last = parts.last,
      let bytes = Digest.bytes(base64URL: String(last))
    else { return nil }
    self.init(bytes: bytes)
  }

  /// Reads a key as a command gets it: a link, a key, or "-" for one on standard input, which other users cannot see.
  public init(argument word: String) throws(SealedError) {
    var text = word
    if word == "-" {
      var line: [UInt8] = []
      var byte: UInt8 = 0
      while line.count < SealedLimits.linkBytes, read(STDIN_FILENO, &byte, 1) == 1, byte > 32 { line.append(byte) }
      text = String(decoding: line, as: UTF8.self)
    }
    guard let key = PrivateKey(text) else {
      // Not shown: it may be a secret with a letter missing.
      throw SealedError("No key: \(text.utf8.count) characters; a link with \(Self.fragment)… is accepted.")
    }
    self = key
  }

  /// The key in base64url, 43 characters.
  public var text: String { Digest.base64URL(bytes) }

  /// The address that gives the key to another device, by a QR code or a message.
  /// - Parameter hub: the hub's address without a slash at its end.
  public func link(on hub: String) -> String { "\(hub)/bells\(Self.fragment)\(text)" }

  /// 32 bytes that only a holder of the key can make. Whoever revokes the key shows them to the hub, which learns
  /// nothing of the key by that.
  public var proof: [UInt8] {
    HKDF.sha256(bytes, salt: [], info: "eightbells key revocation 1".utf8, count: PrivateKey.byteCount)
  }

  /// The name of the key, which the hub may know: 16 hexadecimal digits.
  public var id: String { Self.id(ofProof: proof) }

  /// The name of the key that a proof was made of. So the hub can tell that somebody who revokes a key has it.
  public static func id(ofProof proof: [UInt8]) -> String {
    Digest.hex(Digest.sha256("eightbells key id 1".utf8 + proof).prefix(8))
  }

  static func isID(_ text: String) -> Bool {
    text.utf8.count == 16 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
  }
}
