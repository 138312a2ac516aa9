/// Words of an object that begin with a scalar smaller than a reference and are not filled by other fields: the rest is
/// stale. Bytes that fill a word may be a reference in disguise.
enum NarrowWords {
  /// The words of an object that are examined.
  private static let most = 64

  /// One bit for each of the first words.
  static func of(_ fields: [BlockType.Field]) -> UInt64 {
    var words: UInt64 = 0
    for field in fields where field.offset >= 0 && field.offset & 7 == 0 && field.offset < most * 8 {
      guard let scalar = Scalar(typeName: field.typeName), scalar.size < 8 else { continue }
      words |= 1 << UInt64(field.offset >> 3)
    }
    guard words != 0 else { return 0 }
    // A structure and its first part begin at the same offset: either may be known.
    var known: [Int: Int] = [:]
    for field in fields where words >> UInt64(min(max(field.offset, 0) >> 3, 63)) & 1 == 1 {
      let size = max(Scalar(typeName: field.typeName)?.size ?? 0, field.caseSize)
      known[field.offset] = max(known[field.offset] ?? 0, size)
    }
    let offsets = known.keys.sorted()
    var filled: [Int: UInt8] = [:]
    for (number, offset) in offsets.enumerated() where offset >= 0 && offset < most * 8 {
      let end = (offset | 7) + 1
      // An unknown field extends to the next one.
      let next = number + 1 < offsets.count ? min(end, offsets[number + 1]) : end
      let size = known[offset]! == 0 ? next - offset : min(known[offset]!, end - offset)
      filled[offset >> 3, default: 0] |= UInt8(truncatingIfNeeded: (1 << size - 1) << (offset & 7))
    }
    for (word, bytes) in filled where bytes == 0xFF { words &= ~(1 << UInt64(word)) }
    return words
  }
}
