extension Digest {
  /// Decodes base64url (RFC 4648 section 5) without padding; nil for anything else, also when unused bits are set, so
  /// that the same bytes have one spelling only.
  public static func bytes(base64URL text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count * 3 / 4)
    var digits = Sextets()
    for character in text.utf8 {
      guard let value = Sextets.value(of: character, (UInt8(ascii: "-"), UInt8(ascii: "_"))) else { return nil }
      digits.take(value, &bytes)
    }
    return digits.isComplete ? bytes : nil
  }
}
