/// Freed blocks that the allocator keeps for reuse; their chunks look as if they were in use.
struct FreeLists {
  /// The addresses of blocks, in order.
  private(set) var addresses: [UInt64] = []
  /// The per-thread caches themselves, which are blocks of the C library.
  private(set) var caches: [UInt64] = []
  private let memory: MemoryImage

  private let layout: GlibcLayout

  init(_ memory: MemoryImage, _ arenas: GlibcArenas) {
    self.memory = memory
    layout = arenas.layout
    for arena in arenas.all {
      guard let bins = layout.fastBins else { break }
      for bin in 0..<GlibcLayout.fastBinCount {
        // A fast bin refers to chunks, which begin 16 bytes before their blocks.
        let first = memory.word(arena + bins + bin * 8) ?? 0
        follow(first, toBlock: 16, atMost: CaptureLimits.freeListLength)
      }
    }
    for run in arenas.runs { findCaches(run) }
    addresses.sort()
  }

  /// Follows a list whose links may be mangled with their own address (safe-linking). A loop in it, from a block that
  /// was freed twice, is followed once.
  private mutating func follow(_ first: UInt64, toBlock: UInt64, atMost limit: Int) {
    var entry = first
    var seen: Set<UInt64> = []
    while entry != 0, seen.count < limit, seen.insert(entry).inserted {
      let block = entry &+ toBlock
      guard let link = memory.word(block) else { return }
      addresses.append(block)
      // A fast bin's link refers to a chunk, a cache's to a block.
      entry = layout.isMangled ? link ^ (block >> 12) : link
    }
  }

  /// Finds threads' caches, which are blocks too: by their size, and by lists that match their counts.
  private mutating func findCaches(_ run: ChunkRun) {
    guard run.start < run.end, let bytes = memory.copy(at: run.start) else { return }
    let size = min(bytes.count, Int(run.end - run.start))
    var offset = 0
    while offset + 16 <= size {
      let chunk = bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self) & ~7
      guard chunk >= 32, chunk <= UInt64(size - offset) else { return }
      if layout.cacheChunks.contains(chunk) {
        let block = UnsafeRawBufferPointer(rebasing: bytes[(offset + 16)...])
        if isCache(block) { take(block, at: run.start + UInt64(offset) + 16) }
      }
      offset += Int(chunk)
    }
  }

  private func isCache(_ bytes: UnsafeRawBufferPointer) -> Bool {
    guard bytes.count >= layout.cacheBins * 10 else { return false }
    let counts = counts(bytes)
    var used = 0
    var mismatches = 0
    for bin in 0..<layout.cacheBins {
      let entry = entry(bytes, bin)
      // The thread may have been stopped while changing one bin, whose list and count change one after the other.
      if (counts[bin] == 0) != (entry == 0) {
        mismatches += 1
        if counts[bin] > 1 || mismatches > 1 { return false }
      }
      if entry == 0 { continue }
      used += 1
      guard entry & 15 == 0, let head = memory.word(entry &- 8), isSize(head & ~7, of: bin) else { return false }
    }
    return used > 0
  }

  /// The number of blocks in each list. A cache that counts free room has the same room for all lists, and one of them
  /// is empty.
  private func counts(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    let told = (0..<layout.cacheBins).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self)) }
    guard layout.countsRoom, let most = told.max() else { return told }
    return told.map { most - $0 }
  }

  private func entry(_ bytes: UnsafeRawBufferPointer, _ bin: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: layout.cacheLists + bin * 8, as: UInt64.self)
  }

  /// True if a chunk has the size of a bin: the first 64 bins hold chunks of one size each, the others of many.
  private func isSize(_ chunk: UInt64, of bin: Int) -> Bool {
    bin < 64 ? chunk == UInt64(bin + 2) * 16 : chunk > 65 * 16
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, at address: UInt64) {
    caches.append(address)
    for (bin, count) in counts(bytes).enumerated() {
      // During a change the list is longer than its count by one.
      follow(entry(bytes, bin), toBlock: 0, atMost: count + 1)
    }
  }
}
