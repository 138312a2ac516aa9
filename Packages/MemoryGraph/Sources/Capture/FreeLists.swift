/// Blocks that the program has freed and the allocator has kept at hand: their chunks look as if they were in use.
struct FreeLists {
  /// Of blocks, in order.
  private(set) var addresses: [UInt64] = []
  /// The per-thread caches themselves: blocks of the C library's own.
  private(set) var caches: [UInt64] = []
  private let memory: MemoryImage

  private let layout: GlibcLayout

  init(_ memory: MemoryImage, _ arenas: GlibcArenas) {
    self.memory = memory
    layout = arenas.layout
    for arena in arenas.all {
      guard let bins = layout.fastBins else { break }
      for bin in 0..<GlibcLayout.fastBinCount {
        // A fast bin names chunks, which begin 16 bytes before their blocks.
        let first = memory.word(arena + bins + bin * 8) ?? 0
        follow(first, toBlock: 16, atMost: CaptureLimits.freeListLength)
      }
    }
    for run in arenas.runs { findCaches(run) }
    addresses.sort()
  }

  /// A list whose links may be mangled with their own place (safe-linking). A ring among them, of a block that was
  /// freed twice, is passed once.
  private mutating func follow(_ first: UInt64, toBlock: UInt64, atMost limit: Int) {
    var entry = first
    var seen: Set<UInt64> = []
    while entry != 0, seen.count < limit, seen.insert(entry).inserted {
      let block = entry &+ toBlock
      guard let link = memory.word(block) else { return }
      addresses.append(block)
      // Of a fast bin a link names a chunk, of a cache a block.
      entry = layout.isMangled ? link ^ (block >> 12) : link
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
      if chunk == layout.cacheChunk {
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
      // The thread may have been stopped in the middle of taking a block or putting one: list and count are changed
      // one after the other, in one bin at a time.
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

  /// How many blocks each list has. A cache that counts room has the same room for all lists, and one of them is empty.
  private func counts(_ bytes: UnsafeRawBufferPointer) -> [Int] {
    let told = (0..<layout.cacheBins).map { Int(bytes.loadUnaligned(fromByteOffset: $0 * 2, as: UInt16.self)) }
    guard layout.countsRoom, let most = told.max() else { return told }
    return told.map { most - $0 }
  }

  private func entry(_ bytes: UnsafeRawBufferPointer, _ bin: Int) -> UInt64 {
    bytes.loadUnaligned(fromByteOffset: layout.cacheLists + bin * 8, as: UInt64.self)
  }

  /// The first 64 bins hold chunks of one size each; those behind them, of many.
  private func isSize(_ chunk: UInt64, of bin: Int) -> Bool {
    bin < 64 ? chunk == UInt64(bin + 2) * 16 : chunk > 65 * 16
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, at address: UInt64) {
    caches.append(address)
    for (bin, count) in counts(bytes).enumerated() {
      // In the middle of a change the list is longer than its count by one.
      follow(entry(bytes, bin), toBlock: 0, atMost: count + 1)
    }
  }
}
