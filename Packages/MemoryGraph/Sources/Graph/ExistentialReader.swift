import Capture

/// Finds stale words in existentials (`any Protocol`), in fields and in elements of collections: of their three words a
/// value uses as many as it needs, or the first one if it is in a box.
struct ExistentialReader {
  private struct Places {
    var fields: [Int] = []
    var elements: [(part: BlockType.Elements, places: [Int])] = []
    var isEmpty: Bool { fields.isEmpty && elements.isEmpty }

    init(_ type: BlockType) {
      fields = Self.places(type.fields)
      elements = type.elements.map { ($0, Self.places($0.fields)) }.filter { !$0.1.isEmpty && $0.0.stride > 0 }
    }

    private static func places(_ fields: [BlockType.Field]) -> [Int] {
      fields.filter(\.isExistential).map(\.offset).filter { $0 >= 0 && $0 & 7 == 0 }
    }

    /// The existential that a word may belong to; nil if none.
    func value(at offset: Int) -> Int? {
      for (part, places) in elements {
        guard let (_, place) = part.place(offset) else { continue }
        return Self.value(places, at: place).map { offset - place + $0 }
      }
      return Self.value(fields, at: offset)
    }

    private static func value(_ places: [Int], at offset: Int) -> Int? {
      places.first { offset >= $0 && offset < $0 + SwiftLayout.existentialWords * 8 }
    }

    /// All existentials in a block of so many bytes.
    func values(size: Int) -> [Int] {
      var found = fields
      for (part, places) in elements where part.first >= 0 && part.first < size {
        for index in 0..<min(part.count ?? .max, (size - part.first) / part.stride) {
          found += places.map { part.first + index * part.stride + $0 }
        }
      }
      return found
    }
  }

  private let places: [Places]
  private let isAsked: [Bool]
  /// The words that values of a type use of the three, as bytes, by metadata.
  private var taken: [UInt64: Int] = [:]

  /// Reads all types of such values while the process can be read.
  init(_ blocks: HeapBlocks, _ typeOf: [UInt32], _ types: [BlockType], _ memory: MemoryImage) {
    places = types.map(Places.init)
    isAsked = places.map { !$0.isEmpty }
    guard isAsked.contains(true) else { return }
    // Of millions of blocks most have the type of the one before.
    var last: UInt64?
    for block in 0..<blocks.count where isAsked[Int(typeOf[block])] {
      for place in places[Int(typeOf[block])].values(size: Int(blocks.words[block]) * 8) {
        let metadata = memory.word(blocks.addresses[block] &+ UInt64(place + SwiftLayout.existentialType))
        guard metadata != last, let metadata else { continue }
        last = metadata
        guard taken[metadata] == nil, taken.count < Self.most else { continue }
        taken[metadata] = Self.taken(metadata, memory)
      }
    }
  }

  /// The most types: no program has more in such places, but a damaged one may seem to.
  private static let most = 1 << 16

  /// The bytes used by a value. An unknown type uses all three words; an empty optional has 0 as its type, and no
  /// value.
  private static func taken(_ metadata: UInt64, _ memory: MemoryImage) -> Int {
    if metadata == 0 { return 0 }
    let room = SwiftLayout.existentialWords * 8
    guard metadata & 7 == 0, let table = memory.word(metadata &- SwiftLayout.valueWitnesses), table & 7 == 0,
      let size = memory.word(table &+ SwiftLayout.valueSize), let flags = memory.half(table &+ SwiftLayout.valueFlags)
    else { return room }
    return flags & SwiftLayout.isNonInline != 0 ? 8 : min(room, Int(clamping: size))
  }

  @inline(__always)
  func has(_ type: UInt32) -> Bool { isAsked[Int(type)] }

  /// True if a word of a block is stale.
  func isLeftover(_ offset: Int, type: UInt32, _ part: UnsafeRawBufferPointer, base: Int, size: Int) -> Bool {
    guard let value = places[Int(type)].value(at: offset), value + SwiftLayout.existentialType + 8 <= size else {
      return false
    }
    let metadata = part.word(base + value + SwiftLayout.existentialType)
    return taken[metadata].map { offset - value >= $0 } ?? false
  }
}
