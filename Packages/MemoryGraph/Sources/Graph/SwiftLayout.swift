import Capture

/// The layout of Swift 6.3's objects and metadata on 64 bits, without Objective-C (swift/ABI/Metadata.h,
/// swift/stdlib/public/SwiftShims/RefCount.h).
enum SwiftLayout {
  static let header = 16

  // MARK: Metadata

  /// The MetadataKind of a word at the start of a block.
  enum Kind: UInt64 {
    case object = 0
    case localVariable = 0x400
    case genericBox = 0x500
    case error = 0x501
    case task = 0x502
    case job = 0x503
  }
  /// The MetadataKind of an error: a class, a structure, an enumeration.
  static let valueKinds: Set<UInt64> = [0, 0x200, 0x201, 0x202]
  static let destroy: UInt64 = 16  // before the metadata
  static let superclass: UInt64 = 8
  static let instanceSize: UInt64 = 24
  static let classSize: UInt64 = 32
  static let addressPoint: UInt64 = 36
  static let descriptor: UInt64 = 40
  static let boxedType: UInt64 = 16

  /// In an error box: the error's type, and the offset of its value.
  static let errorType: UInt64 = 16
  static let errorValue = 32
  /// In a generic box' metadata: the offset of the value in the box.
  static let boxedOffset: UInt64 = 8

  /// The runtime's hash tables (swift/Runtime/Concurrent.h, ConcurrentReadableHashMap), relative to the pointer to the
  /// elements: the count is before it, the indices are after it. The elements' block begins with the capacity.
  enum HashMap {
    static let place: UInt64 = 8
    static let count: UInt64 = 4
    static let indices: UInt64 = 8
    static let first: UInt64 = 8
    /// The size of an element in a cache of a generic type's instances.
    static let typeBytes: UInt64 = 8
  }
  /// The runtime's arrays (ConcurrentReadableArray), relative to the pointer to the elements: readers and capacity
  /// before it. The elements' block begins with the count.
  enum GrowingArray {
    static let readers: UInt64 = 8
    static let room: UInt64 = 16
  }

  // MARK: Collections

  /// In an existential: the offset of its metadata after three words, and the flag in the value witness table for
  /// values in boxes (ABI/ValueWitnessTable, flag IsNonInline).
  static let existentialType = 24
  static let existentialWords = 3
  static let valueWitnesses: UInt64 = 8  // before the metadata
  static let valueSize: UInt64 = 64
  static let largestValue: UInt64 = 1 << 28
  static let valueFlags: UInt64 = 80
  static let isNonInline: UInt32 = 0x2_0000
  /// After an array's header, count and capacity.
  static let firstElement = 32
  static let arrayCount: UInt64 = 16
  /// In a string's storage, whose text begins at the offset of an array's elements: capacity and count, with flags in
  /// the upper 16 bits. One flag marks a reference after the text's room, to its UTF-16 breadcrumbs
  /// (StringStorage.swift, `_CapacityAndFlags`).
  static let stringRoom: UInt64 = 16
  static let stringCount: UInt64 = 24
  static let stringSize: UInt64 = 0xFFFF_FFFF_FFFF
  static let hasBreadcrumbs: UInt64 = 1 << 63
  /// In a dictionary's or a set's storage (`__RawDictionaryStorage`): 1 << scale buckets, in `keys` and `values`, and
  /// one bit for each after the header.
  static let tableScale: UInt64 = 32
  static let tableKeys: UInt64 = 48
  static let tableValues: UInt64 = 56
  static let tableBits: UInt64 = 64
  static let largestTableScale: UInt32 = 40

  // MARK: Tasks

  /// In an AsyncTask (swift/ABI/Task.h, swift/stdlib/public/Concurrency/TaskPrivate.h): where it resumes, in which
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
    /// A context begins with its caller's, and where that resumes.
    static let caller: UInt64 = 0
    static let callerResume: UInt64 = 8
  }
  /// In a slab of a task's memory (swift/stdlib/public/runtime/StackAllocator.h): the next one, its capacity after the
  /// header, and the bytes in use.
  enum Slab {
    static let next: UInt64 = 8
    static let capacity: UInt64 = 16
    static let taken: UInt64 = 20
    static let header = 24
  }

  // MARK: Reference counts

  struct Counts {
    /// Strong references, including the first; 0 when the object was deinitialised.
    var strong: UInt32
    var unowned: UInt32
    /// True if the object was or is being deinitialised: only unowned references keep its block.
    var isDying: Bool
    /// The side table's address; 0 without one.
    var sideTable: UInt64 = 0
    /// Weak references, which only a side table counts.
    var weak: UInt32 = 0
  }

  /// The counts in an object's second word; nil for a word that no live Swift object has.
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
    // Immortal objects, which the compiler lays out statically, are not blocks of the heap.
    guard word & 1 == 1, word >> 62 == 0 || word >> 62 == 2 else { return nil }
    let unowned = UInt32(truncatingIfNeeded: word) >> 1
    guard unowned > 0 else { return nil }
    let isDying = word >> 32 & 1 == 1
    let strong = isDying ? 0 : UInt32(truncatingIfNeeded: word >> 33 & 0x3FFF_FFFF) + 1
    return Counts(strong: strong, unowned: unowned, isDying: isDying)
  }
}
