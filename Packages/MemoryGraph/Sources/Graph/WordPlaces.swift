/// Some of the words of a type's blocks: a bit for each of the first 64, and for each word of a collection's element.
/// It is asked for every word of a process, so it is a value that is copied for nothing.
public struct WordPlaces: Sendable {
  @usableFromInline
  struct Part: Sendable {
    @usableFromInline var start = 0
    @usableFromInline var end = 0
    @usableFromInline var stride = 8
    /// A bit for each word of an element.
    @usableFromInline var words: UInt64 = 0

    init() {}

    /// Nil when the words of its elements are not all alike, or too many.
    init?(_ elements: BlockType.Elements, of type: BlockType, _ isOne: (Int) -> Bool) {
      guard elements.first >= type.size ?? 0, elements.first & 7 == 0, elements.stride & 7 == 0,
        (8...WordPlaces.bytes).contains(elements.stride), elements.first < WordPlaces.most,
        elements.count ?? 0 < WordPlaces.most
      else { return nil }
      (start, stride) = (elements.first, elements.stride)
      end = elements.count.map { elements.first + $0 * elements.stride } ?? .max
      words = WordPlaces.words(from: start, count: stride / 8, isOne)
    }
  }
  @usableFromInline let first: UInt64
  @usableFromInline var parts = (Part(), Part())

  /// - Parameter isOne: true for the offset of such a word.
  private init(_ type: BlockType, _ isOne: (Int) -> Bool) {
    first = Self.words(from: 0, count: 64, isOne)
    let known = type.elements.map { Part($0, of: type, isOne) }
    guard (1...2).contains(known.count), let one = known[0], let other = known.last! else { return }
    parts = (one, other)
  }

  /// The places where Swift declares a reference.
  public init(sure type: BlockType) { self.init(type, type.isReference) }

  /// The words that nothing but what an earlier block has left may refer from.
  init(narrow type: BlockType) {
    let own = NarrowWords.of(type.fields)
    let elements = type.elements.map { NarrowWords.of($0.fields) }
    self.init(type) { offset in
      for (part, words) in zip(type.elements, elements) {
        guard let (_, place) = part.place(offset) else { continue }
        return part.first & 7 == 0 && part.stride & 7 == 0 && place < Self.bytes && words >> UInt64(place >> 3) & 1 == 1
      }
      return offset < Self.bytes && own >> UInt64(offset >> 3) & 1 == 1
    }
  }

  private static let bytes = 512
  /// More elements, and those that begin farther, are in no block: a damaged file may have any number.
  private static let most = 1 << 40

  private static func words(from start: Int, count: Int, _ isOne: (Int) -> Bool) -> UInt64 {
    (0..<count).reduce(0) { isOne(start + $1 * 8) ? $0 | 1 << UInt64($1) : $0 }
  }

  /// True if none of the words is one.
  var isEmpty: Bool { first | parts.0.words | parts.1.words == 0 }

  /// True for one of the words; nil if it is in neither the first nor in an element, and the type has to be asked.
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
