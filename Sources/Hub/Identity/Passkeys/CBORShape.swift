/// Checks that CBOR items (RFC 8949) are complete, before libcbor parses them, which allocates memory for as many
/// elements as a head announces: nine bytes can announce more than there is memory.
struct CBORShape {
  let bytes: [UInt8]
  private(set) var position: Int
  /// The depth of nested containers: CTAP's canonical form allows four levels.
  private static let deepest = 4

  private var left: UInt64 { UInt64(bytes.count - position) }

  /// - Returns: true for a complete item of definite lengths, as in CTAP's canonical form.
  mutating func passItem() -> Bool { passItem(depth: 0) }

  private mutating func passItem(depth: Int) -> Bool {
    guard depth <= Self.deepest, left > 0 else { return false }
    let head = bytes[position]
    position += 1
    guard let value = argument(head & 31) else { return false }
    switch head >> 5 {
    // Byte strings and texts.
    case 2, 3:
      guard value <= left else { return false }
      position += Int(value)
      return true
    // Lists and maps: each element has at least one byte.
    case 4, 5:
      guard value <= left else { return false }
      for _ in 0..<(head >> 5 == 4 ? value : 2 * value) {
        guard passItem(depth: depth + 1) else { return false }
      }
      return true
    // Tags.
    case 6: return passItem(depth: depth + 1)
    // Numbers and simple values.
    default: return true
    }
  }

  /// The argument in a head or after it; nil for an indefinite length.
  private mutating func argument(_ info: UInt8) -> UInt64? {
    guard info >= 24 else { return UInt64(info) }
    guard info <= 27 else { return nil }
    let count = 1 << Int(info - 24)
    guard UInt64(count) <= left else { return nil }
    defer { position += count }
    return bytes[position..<(position + count)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
