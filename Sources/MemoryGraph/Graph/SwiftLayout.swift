import Capture

/// How Swift 6.3 lays out objects and their metadata on 64 bits, without Objective-C (swift/ABI/Metadata.h,
/// swift/stdlib/public/SwiftShims/RefCount.h).
enum SwiftLayout {
  static let header = 16

  // MARK: Metadata

  /// MetadataKind of what can stand at the start of a block.
  enum Kind: UInt64 {
    case object = 0
    case localVariable = 0x400
    case genericBox = 0x500
    case error = 0x501
    case task = 0x502
    case job = 0x503
  }
  static let destroy: UInt64 = 16  // before the metadata
  static let superclass: UInt64 = 8
  static let instanceSize: UInt64 = 24
  static let classSize: UInt64 = 32
  static let addressPoint: UInt64 = 36
  static let boxedType: UInt64 = 16

  // MARK: Reference counts

  struct Counts {
    /// Strong references, the first one counted; 0 when the object has died.
    var strong: UInt32
    var unowned: UInt32
    /// Whether the object has died, or is about to: only unowned references still keep its block.
    var isDying: Bool
    /// The side table's address; 0 without one.
    var sideTable: UInt64 = 0
  }

  /// The counts of an object by its second word; nil when no living Swift object has such a word.
  static func counts(_ word: UInt64, _ memory: MemoryImage) -> Counts? {
    if word >> 62 == 3 {
      let table = (word & ((1 << 62) - 1)) << 3
      guard let bits = memory.word(table &+ 16), var counts = plain(bits) else { return nil }
      counts.sideTable = table
      return counts
    }
    return plain(word)
  }

  private static func plain(_ word: UInt64) -> Counts? {
    // An object that is never freed, as those the compiler lays out, is no block of the heap.
    guard word & 1 == 1, word >> 62 == 0 || word >> 62 == 2 else { return nil }
    let unowned = UInt32(truncatingIfNeeded: word) >> 1
    guard unowned > 0 else { return nil }
    let isDying = word >> 32 & 1 == 1
    let strong = isDying ? 0 : UInt32(truncatingIfNeeded: word >> 33 & 0x3FFF_FFFF) + 1
    return Counts(strong: strong, unowned: unowned, isDying: isDying)
  }
}
