/// Words of an object, or of an element, of which its fields fill only a part: the rest is stale. Bytes that fill a
/// word may be a reference in disguise.
enum NarrowWords {
  /// The words that are examined.
  private static let most = 64

  /// One bit for each of the first words.
  ///
  /// - Parameter fields: ordered by offset.
  static func of(_ fields: [BlockType.Field]) -> UInt64 {
    var filled = [UInt8](repeating: 0, count: most)
    for (number, field) in fields.enumerated() where (0..<most * 8).contains(field.offset) {
      // A field of unknown size extends to the next one.
      let own = field.ownBytes.map { field.offset + $0.lowerBound..<field.offset + $0.upperBound }
      let end = { fields[number...].first { $0.offset > field.offset }?.offset ?? most * 8 }
      for byte in (own ?? field.offset..<end()).clamped(to: 0..<most * 8) { filled[byte >> 3] |= 1 << UInt8(byte & 7) }
    }
    return filled.indices.reduce(0) { filled[$1] != 0 && filled[$1] != 0xFF ? $0 | 1 << UInt64($1) : $0 }
  }
}
