/// The places of a type where Swift declares a reference: a bit for each of the first 64 words, and for each word of a
/// collection's element. It is asked for every reference of a process, so it is a value that is copied for nothing.
public struct SurePlaces: Sendable {
  @usableFromInline
  struct Part: Sendable {
    @usableFromInline var start = 0
    @usableFromInline var end = 0
    @usableFromInline var stride = 8
    /// A bit for each word of an element.
    @usableFromInline var words: UInt64 = 0

    init() {}

    /// Nil when the words of its elements are not all alike, or too many.
    init?(_ elements: BlockType.Elements, of type: BlockType) {
      guard elements.first >= type.size ?? 0, elements.first & 7 == 0, elements.stride & 7 == 0,
        (8...SurePlaces.bytes).contains(elements.stride), elements.first < SurePlaces.most,
        elements.count ?? 0 < SurePlaces.most
      else { return nil }
      (start, stride) = (elements.first, elements.stride)
      end = elements.count.map { elements.first + $0 * elements.stride } ?? .max
      words = SurePlaces.words(of: type, from: start, count: stride / 8)
    }
  }
  @usableFromInline let first: UInt64
  @usableFromInline var parts = (Part(), Part())

  public init(_ type: BlockType) {
    first = Self.words(of: type, from: 0, count: 64)
    let known = type.elements.map { Part($0, of: type) }
    guard (1...2).contains(known.count), let one = known[0], let other = known.last! else { return }
    parts = (one, other)
  }

  private static let bytes = 512
  /// More elements, and those that begin farther, are in no block: a damaged file may have any number.
  private static let most = 1 << 40

  private static func words(of type: BlockType, from start: Int, count: Int) -> UInt64 {
    (0..<count).reduce(0) { type.isReference(at: start + $1 * 8) ? $0 | 1 << UInt64($1) : $0 }
  }

  /// True if Swift declares a reference at an offset; nil if the type has to be asked.
  @inlinable @inline(__always)
  public func contains(_ offset: Int) -> Bool? {
    if offset < 512 { return first >> UInt64(offset >> 3) & 1 == 1 }
    return Self.contains(offset, parts.0) ?? Self.contains(offset, parts.1)
  }

  @inlinable @inline(__always)
  static func contains(_ offset: Int, _ part: Part) -> Bool? {
    guard offset >= part.start, offset < part.end else { return nil }
    let place = part.stride == 8 ? 0 : (offset - part.start) % part.stride
    return part.words >> UInt64(place >> 3) & 1 == 1
  }
}
