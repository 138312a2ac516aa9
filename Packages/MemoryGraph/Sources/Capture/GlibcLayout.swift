/// Where glibc's allocator keeps its books, by version: `struct malloc_state` and `tcache_perthread_struct`
/// (malloc/malloc.c), `struct heap_info` (malloc/arena.c), 64 bits. Offsets and sizes in bytes.
struct GlibcLayout: Equatable {
  let version: String
  /// Whether heaps of this version were compared with ground truth; the others lie between two that were.
  var isTried = false

  // MARK: An arena

  /// Lists of small free chunks; nil in versions that have none.
  var fastBins: UInt64?
  let top: UInt64
  let bins: UInt64
  let next: UInt64
  let systemMemory: UInt64
  let size: UInt64

  // MARK: A heap of an arena

  /// `sizeof (struct heap_info)`: where the first chunk, or the arena itself, begins.
  let heapHeader: UInt64

  // MARK: A thread's cache

  let cacheBins: Int
  /// Whether the cache counts how many blocks a list may still take, instead of how many it has.
  let countsRoom: Bool
  /// Whether links in lists of free blocks are mangled with their own place.
  let isMangled: Bool

  // MARK: A block with a mapping of its own

  /// What its chunk's size leaves out of the mapping.
  let mappedRest: UInt64

  static let flags: UInt64 = 4
  static let fastBinCount: UInt64 = 10
  static let binCount = 127
  static let isNonContiguous: UInt32 = 2
  /// A heap of an arena lies at a multiple of this.
  static let heapAlignment: UInt64 = 64 << 20
  static let heapPrevious: UInt64 = 8
  static let heapSize: UInt64 = 16

  /// Of counts of 16 bits, then as many lists.
  var cacheLists: Int { cacheBins * 2 }
  /// Of the chunk that holds a thread's cache.
  var cacheChunk: UInt64 { (UInt64(cacheBins) * 10 + 8 + 15) & ~15 }

  /// Lists of small chunks, and a cache of 64 bins.
  private static func before242(
    _ version: String, isTried: Bool = false, heapHeader: UInt64 = 0x30, isMangled: Bool = true
  ) -> GlibcLayout {
    GlibcLayout(
      version: version, isTried: isTried, fastBins: 16, top: 96, bins: 112, next: 2160, systemMemory: 2184,
      size: 2200, heapHeader: heapHeader, cacheBins: 64, countsRoom: false,
      isMangled: isMangled, mappedRest: 0)
  }

  /// 2.32 has mangled the links, 2.35 has made the header of heaps longer, 2.42 has changed the caches, and 2.43 has no
  /// lists of small chunks any more. 2.42 could not be tried, and lies between two that differ: it is left out.
  static let known = [
    before242("2.31", isTried: true, heapHeader: 0x20, isMangled: false),
    before242("2.32", heapHeader: 0x20),
    before242("2.33", heapHeader: 0x20),
    before242("2.34", heapHeader: 0x20),
    before242("2.35"),
    before242("2.36", isTried: true),
    before242("2.37"),
    before242("2.38"),
    before242("2.39"),
    before242("2.40"),
    before242("2.41", isTried: true),
    GlibcLayout(
      version: "2.43", isTried: true, fastBins: nil, top: 8, bins: 24, next: 2072, systemMemory: 2096,
      size: 2112, heapHeader: 0x30, cacheBins: 76, countsRoom: true, isMangled: true,
      mappedRest: 16),
  ]
}
