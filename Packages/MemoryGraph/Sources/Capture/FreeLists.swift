/// Freed blocks that the allocator keeps for reuse; their chunks look as if they were in use.
struct FreeLists {
  /// The addresses of blocks, in order.
  private(set) var addresses: [UInt64] = []
  /// The per-thread caches themselves, which are blocks of the C library.
  private(set) var caches: [UInt64] = []
  /// Links that lead nowhere: something has written into a freed block.
  private(set) var damage: [HeapDamage] = []
  /// The sizes of chunks in lists that break off.
  private var broken: Set<UInt64> = []
  /// The second words of the blocks in caches: a cache marks what is in it, to notice what is freed twice.
  private var marks: Set<UInt64> = []
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
    if !broken.isEmpty { for run in arenas.runs { addMarked(run) } }
    addresses.sort()
  }

  /// Follows a list whose links may be mangled with their own address (safe-linking). A loop in it, from a block that
  /// was freed twice, is followed once.
  private mutating func follow(_ first: UInt64, toBlock: UInt64, atLeast least: Int = 0, atMost limit: Int) {
    var entry = first
    var last: UInt64 = 0
    var seen: Set<UInt64> = []
    while entry != 0, seen.count < limit, seen.insert(entry).inserted {
      let block = entry &+ toBlock
      guard entry & 15 == 0, let link = memory.word(block) else { return noteBreak(at: last) }
      addresses.append(block)
      last = block
      // A fast bin's link refers to a chunk, a cache's to a block.
      entry = layout.isMangled ? link ^ (block >> 12) : link
    }
    if entry == 0, seen.count < least { noteBreak(at: last) }
  }

  private mutating func noteBreak(at block: UInt64) {
    guard block != 0, let head = memory.word(block &- 8), head >= 32 else { return }
    let chunk = head & ~7
    broken.insert(chunk)
    let sentence =
      """
      The heap is corrupted at \(hexadecimal(block)): the list of freed blocks of \(chunk - 8) bytes breaks off there. \
      Probably something has written into a freed block. Those behind it may be told as leaks.
      """
    damage.append(HeapDamage(address: block, unread: 0, sentence: sentence))
  }

  /// Calls `body` with each chunk of a run: its size, and its place in the run's copy.
  @inline(__always)
  private static func walk(
    _ run: ChunkRun, _ memory: MemoryImage, _ body: (_ chunk: UInt64, UnsafeRawBufferPointer, _ offset: Int) -> Void
  ) {
    guard run.start < run.end, let bytes = memory.copy(at: run.start) else { return }
    let size = min(bytes.count, Int(run.end - run.start))
    var offset = 0
    while offset + 16 <= size {
      let chunk = bytes.word(offset + 8) & ~7
      guard chunk >= 32, chunk <= UInt64(size - offset) else { return }
      body(chunk, bytes, offset)
      offset += Int(chunk)
    }
  }

  /// Adds the blocks of caches that their lists do not lead to, since they break off before.
  private mutating func addMarked(_ run: ChunkRun) {
    Self.walk(run, memory) { chunk, bytes, offset in
      guard broken.contains(chunk), marks.contains(bytes.word(offset + 24)) else { return }
      addresses.append(run.start + UInt64(offset) + 16)
    }
  }

  /// Finds threads' caches, which are blocks too: by their size, and by lists that match their counts.
  private mutating func findCaches(_ run: ChunkRun) {
    Self.walk(run, memory) { chunk, bytes, offset in
      guard layout.cacheChunks.contains(chunk) else { return }
      let block = UnsafeRawBufferPointer(rebasing: bytes[(offset + 16)...])
      if isCache(block) { take(block, at: run.start + UInt64(offset) + 16) }
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
    let told = (0..<layout.cacheBins).map { Int(bytes.quarter($0 * 2)) }
    guard layout.countsRoom, let most = told.max() else { return told }
    return told.map { most - $0 }
  }

  private func entry(_ bytes: UnsafeRawBufferPointer, _ bin: Int) -> UInt64 { bytes.word(layout.cacheLists + bin * 8) }

  /// True if a chunk has the size of a bin: the first 64 bins hold chunks of one size each, the others of many.
  private func isSize(_ chunk: UInt64, of bin: Int) -> Bool {
    bin < 64 ? chunk == UInt64(bin + 2) * 16 : chunk > 65 * 16
  }

  private mutating func take(_ bytes: UnsafeRawBufferPointer, at address: UInt64) {
    caches.append(address)
    let first = addresses.count
    for (bin, count) in counts(bytes).enumerated() {
      // During a change the list differs from its count by one.
      follow(entry(bytes, bin), toBlock: 0, atLeast: count - 1, atMost: count + 1)
    }
    // The commonest one: some may have been overwritten, also by small numbers, which other blocks have as well.
    var times: [UInt64: Int] = [:]
    for block in addresses[first...] { times[memory.word(block &+ 8) ?? 0, default: 0] += 1 }
    if let mark = times.max(by: { $0.value < $1.value })?.key, mark >> 32 != 0 { marks.insert(mark) }
  }
}
