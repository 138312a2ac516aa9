/// Blocks that the program has freed and the allocator has kept at hand: their chunks look as if they were in use.
struct FreeLists {
  /// Of blocks, in order.
  private(set) var addresses: [UInt64] = []
  /// The per-thread caches themselves: blocks of the C library's own.
  private(set) var caches: [UInt64] = []
  private let memory: MemoryImage

  /// `tcache_perthread_struct` of glibc 2.36: 64 counts of 16 bits, then 64 lists.
  private static let cacheBins = 64
  private static let cacheSize: UInt64 = 0x290
  private static let cacheLists = 128

  init(_ memory: MemoryImage, _ arenas: GlibcArenas) {
    self.memory = memory
    for arena in arenas.all {
      for bin in 0..<ArenaLayout.fastBinCount {
        // A fast bin names chunks, which begin 16 bytes before their blocks.
        let first = memory.word(arena + ArenaLayout.fastBins + bin * 8) ?? 0
        follow(first, toBlock: 16, atMost: CaptureLimits.freeListLength)
      }
    }
    for run in arenas.runs { findCaches(run) }
    addresses.sort()
  }

  /// A list whose links are mangled with their own place (safe-linking). A ring among them, of a block that was freed
  /// twice, is passed once.
  private mutating func follow(_ first: UInt64, toBlock: UInt64, atMost limit: Int) {
    var entry = first
    var seen: Set<UInt64> = []
    while entry != 0, seen.count < limit, seen.insert(entry).inserted {
      let block = entry &+ toBlock
      guard let link = memory.word(block) else { return }
      addresses.append(block)
      entry = link ^ (block >> 12)
    }
  }

  /// A thread's cache is a block like any other: known by its size, and by lists that fit their counts.
  private mutating func findCaches(_ run: ChunkRun) {
    guard run.start < run.end, let bytes = memory.copy(at: run.start) else { return }
    let size = min(bytes.count, Int(run.end - run.start))
    var offset = 0
    while offset + 16 <= size {
      let chunk = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) & ~7
      guard chunk >= 32, chunk <= UInt64(size - offset) else { return }
      if chunk == Self.cacheSize {
        let block = UnsafeRawBufferPointer(rebasing: bytes[(offset + 16)...])
        if isCache(block) { take(block, at: run.start + UInt64(offset) + 16) }
      }
      offset += Int(chunk)
    }
  }

  private func isCache(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= 0x280 else { return false }
    var used = 0
    var mismatches = 0
    for bin in 0..<Self.cacheBins {
      let count = bytes.loadUnaligned(fromByteOffset: bin * 2, as: UInt16.self)
      let entry = bytes.loadUnaligned(fromByteOffset: Self.cacheLists + bin * 8, as: UInt64.self)
      // The thread may have been stopped in the middle of taking a block or putting one: list and count are changed
      // one after the other, in one bin at a time.
      if (count == 0) != (entry == 0) {
        mismatches += 1
        if count > 1 || mismatches > 1 { return false }
      }
      if entry == 0 { continue }
      used += 1
      guard entry & 15 == 0, let head = memory.word(entry &- 8), head & ~7 == UInt64(bin + 2) * 16 else { return false }
    }
    return used > 0
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, at address: UInt64) {
    caches.append(address)
    for bin in 0..<Self.cacheBins {
      let count = Int(bytes.loadUnaligned(fromByteOffset: bin * 2, as: UInt16.self))
      let first = bytes.loadUnaligned(fromByteOffset: Self.cacheLists + bin * 8, as: UInt64.self)
      // In the middle of a change the list is longer than its count by one.
      follow(first, toBlock: 0, atMost: count + 1)
    }
  }
}
