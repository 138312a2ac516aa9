/// Decodes base64 (RFC 4648 section 4) that comes in pieces.
public struct Base64Decoder: Sendable {
  private var digits = Sextets()
  private var padding = 0
  private var length = 0

  public init() {}

  /// The bytes that the next characters complete; nil for what is no base64.
  public mutating func decode(_ characters: some Sequence<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(characters.underestimatedCount * 3 / 4 + 3)
    for character in characters {
      length += 1
      if character == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = Sextets.value(of: character, (UInt8(ascii: "+"), UInt8(ascii: "/"))) else {
        return nil
      }
      digits.take(value, &bytes)
    }
    return bytes
  }

  /// True if the text may end here: with its padding, or, as some programs write it, without.
  public var isComplete: Bool { digits.isComplete && (padding == 0 || padding < 3 && length % 4 == 0) }
}
