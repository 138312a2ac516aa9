/// The layout of glibc's allocator, by version: `struct malloc_state` and `tcache_perthread_struct` (malloc/malloc.c),
/// `struct heap_info` (malloc/arena.c), 64 bits. Offsets and sizes in bytes.
struct GlibcLayout: Equatable {
  let version: String
  /// True for versions that were tested against known blocks; the others lie between two that were.
  var isTried = false

  // MARK: An arena

  /// The lists of small free chunks; nil in versions without them.
  var fastBins: UInt64?
  let top: UInt64
  let bins: UInt64
  let next: UInt64
  let systemMemory: UInt64
  let size: UInt64

  // MARK: A heap of an arena

  /// `sizeof (struct heap_info)`: the offset of the first chunk, or of the arena itself.
  let heapHeader: UInt64

  // MARK: A thread's cache

  let cacheBins: Int
  /// True if the cache counts the free room of a list instead of its blocks.
  let countsRoom: Bool
  /// True if links in lists of free blocks are mangled with their own address.
  let isMangled: Bool

  // MARK: A block with a mapping of its own

  /// The bytes of a mapping that are not in its chunk's size.
  let mappedRest: UInt64

  static let flags: UInt64 = 4
  static let fastBinCount: UInt64 = 10
  static let binCount = 127
  static let isNonContiguous: UInt32 = 2
  static let heapAlignment: UInt64 = 64 << 20
  static let heapPrevious: UInt64 = 8
  static let heapSize: UInt64 = 16

  /// The offset of the lists, after counts of 16 bits.
  var cacheLists: Int { cacheBins * 2 }
  /// The sizes of a chunk that may contain a thread's cache: malloc gives away a rest of 16 bytes, which would be no
  /// chunk by itself.
  var cacheChunks: ClosedRange<UInt64> {
    let size = (UInt64(cacheBins) * 10 + 8 + 15) & ~15
    return size...size + 16
  }

  /// The layouts with lists of small chunks and a cache of 64 bins.
  private static func before242(
    _ version: String, isTried: Bool = false, heapHeader: UInt64 = 0x30, isMangled: Bool = true
  ) -> GlibcLayout {
    GlibcLayout(
      version: version, isTried: isTried, fastBins: 16, top: 96, bins: 112, next: 2160, systemMemory: 2184,
      size: 2200, heapHeader: heapHeader, cacheBins: 64, countsRoom: false,
      isMangled: isMangled, mappedRest: 0)
  }

  /// 2.32 mangled the links, 2.35 extended the header of heaps, 2.42 changed the caches, and 2.43 removed the lists of
  /// small chunks. 2.42 could not be tested and lies between two different layouts, so it is left out.
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
