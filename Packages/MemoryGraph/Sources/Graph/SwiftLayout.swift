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
  /// MetadataKind of what an error can be: a class, a structure, an enumeration.
  static let valueKinds: Set<UInt64> = [0, 0x200, 0x201, 0x202]
  static let destroy: UInt64 = 16  // before the metadata
  static let superclass: UInt64 = 8
  static let instanceSize: UInt64 = 24
  static let classSize: UInt64 = 32
  static let addressPoint: UInt64 = 36
  static let descriptor: UInt64 = 40
  static let boxedType: UInt64 = 16

  /// Of an error box: the error's type, and where its value begins.
  static let errorType: UInt64 = 16
  static let errorValue = 32
  /// Of a generic box's metadata: where the value begins in the box.
  static let boxedOffset: UInt64 = 8

  /// Of a hash table of the runtime's (swift/Runtime/Concurrent.h, ConcurrentReadableHashMap), from where it names its
  /// elements: before that how many there are, behind it what finds them. The block of the elements begins with how
  /// many there is room for.
  enum HashMap {
    static let place: UInt64 = 8
    static let count: UInt64 = 4
    static let indices: UInt64 = 8
    static let first: UInt64 = 8
    /// Of one of a generic type's instances, each element.
    static let typeBytes: UInt64 = 8
  }
  /// Of an array of the runtime's (ConcurrentReadableArray), before it names its elements: who reads it, and how many
  /// there is room for. The block of the elements begins with how many there are.
  enum GrowingArray {
    static let readers: UInt64 = 8
    static let room: UInt64 = 16
  }

  // MARK: Collections

  /// Of a value of any type: where its metadata stands behind three words, and what the value witness table of that
  /// says of values that are put into a box (ABI/ValueWitnessTable, flag IsNonInline).
  static let existentialType = 24
  static let existentialWords = 3
  static let valueWitnesses: UInt64 = 8  // before the metadata
  static let valueSize: UInt64 = 64
  static let valueFlags: UInt64 = 80
  static let isNonInline: UInt32 = 0x2_0000
  /// Behind an array's header, count and capacity.
  static let firstElement = 32
  static let arrayCount: UInt64 = 16
  /// Of a string's storage, whose text begins where an array's elements do; the upper 16 bits of each are flags. One
  /// says that a reference stands behind the room for the text, to what counts its UTF-16 (StringStorage.swift,
  /// `_CapacityAndFlags`).
  static let stringRoom: UInt64 = 16
  static let stringCount: UInt64 = 24
  static let stringSize: UInt64 = 0xFFFF_FFFF_FFFF
  static let hasBreadcrumbs: UInt64 = 1 << 63
  /// Of a dictionary's or a set's storage (`__RawDictionaryStorage`): 1 << scale buckets, in `keys` and `values`, and
  /// one bit for each behind the header.
  static let tableScale: UInt64 = 32
  static let tableKeys: UInt64 = 48
  static let tableValues: UInt64 = 56
  static let tableBits: UInt64 = 64
  static let largestTableScale: UInt32 = 40

  // MARK: Tasks

  /// Of an AsyncTask (swift/ABI/Task.h, swift/stdlib/public/Concurrency/TaskPrivate.h): where it goes on, in which
  /// context, its state, and the memory of its functions.
  enum Task {
    static let resume: UInt64 = 56
    static let context: UInt64 = 64
    static let state: UInt64 = 96
    static let slab: UInt64 = 120
    /// ActiveTaskStatus.
    static let isRunning: UInt32 = 0x800
    static let isEnqueued: UInt32 = 0x1000
    static let isComplete: UInt32 = 0x2000
    /// A context begins with its caller's, and where that goes on.
    static let caller: UInt64 = 0
    static let callerResume: UInt64 = 8
  }
  /// Of a slab of a task's memory (swift/stdlib/public/runtime/StackAllocator.h): the next one, how many bytes it has
  /// behind its header, and how many of them are taken.
  enum Slab {
    static let next: UInt64 = 8
    static let capacity: UInt64 = 16
    static let taken: UInt64 = 20
    static let header = 24
  }

  // MARK: Reference counts

  struct Counts {
    /// Strong references, the first one counted; 0 when the object has died.
    var strong: UInt32
    var unowned: UInt32
    /// Whether the object has died, or is about to: only unowned references still keep its block.
    var isDying: Bool
    /// The side table's address; 0 without one.
    var sideTable: UInt64 = 0
    /// Weak references, which only a side table counts.
    var weak: UInt32 = 0
  }

  /// The counts of an object by its second word; nil when no living Swift object has such a word.
  static func counts(_ word: UInt64, _ memory: MemoryImage) -> Counts? {
    if word >> 62 == 3 {
      let table = (word & ((1 << 62) - 1)) << 3
      guard let bits = memory.word(table &+ 16), var counts = plain(bits) else { return nil }
      counts.sideTable = table
      // One of them stands for the object itself.
      counts.weak = memory.half(table &+ 24).map { $0 > 0 ? $0 - 1 : 0 } ?? 0
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
