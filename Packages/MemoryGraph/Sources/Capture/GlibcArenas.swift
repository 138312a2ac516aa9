/// A run of adjacent chunks: from the first one's header to the end of the last.
struct ChunkRun {
  var start: UInt64
  var end: UInt64
  /// All memory that the allocator owns here, free parts included.
  var owned: Range<UInt64>
  /// True for one block with a mapping of its own.
  var isMapped = false
}

/// The arenas of a process, and the runs of memory that they manage.
struct GlibcArenas {
  let layout: GlibcLayout
  let main: UInt64
  private(set) var all: [UInt64] = []
  private(set) var runs: [ChunkRun] = []
  private(set) var damage: [HeapDamage] = []
  private let memory: MemoryImage
  private let mappings: [Mapping]

  init(_ snapshot: Snapshot, _ layout: GlibcLayout) throws(CaptureError) {
    self.layout = layout
    memory = snapshot.memory
    mappings = snapshot.mappings
    guard let main = Self.findMain(snapshot, layout) else {
      throw CaptureError(
        .damaged,
        "The heap of process \(snapshot.process) (\(snapshot.name)) was not found: it is corrupted, or not in use yet.")
    }
    self.main = main
    var arena = main
    repeat {
      all.append(arena)
      guard let next = memory.word(arena + layout.next) else { break }
      arena = next
    } while arena != main && all.count < CaptureLimits.arenas
    for arena in all {
      if arena == main { addMainHeap() } else { addHeaps(of: arena) }
    }
    addMoreCore()
    runs.sort { $0.start < $1.start }
  }

  // MARK: The main arena

  /// Without symbols the main arena is recognised by its structure: each of its bins is empty and points to itself, or
  /// begins a list whose first chunk points back; and the ring of arenas leads back to it. A thread may have been
  /// stopped during a change, so a few bins, and everything that is changed in several steps, may not match.
  private static func findMain(_ snapshot: Snapshot, _ layout: GlibcLayout) -> UInt64? {
    for mapping in snapshot.mappings where mapping.isWritable && GlibcVersion.isGlibc(mapping.path) {
      guard let bytes = snapshot.memory.copy(at: mapping.start) else { continue }
      let size = min(bytes.count, Int(mapping.size))
      for offset in stride(from: 0, through: size - Int(layout.size), by: 8) {
        let arena = mapping.start + UInt64(offset)
        if hasBins(arena, bytes, offset, snapshot.memory, layout), isArena(arena, snapshot.memory, layout) {
          return arena
        }
      }
    }
    return nil
  }

  private static func hasBins(
    _ arena: UInt64, _ bytes: UnsafeRawBufferPointer, _ offset: Int, _ memory: MemoryImage, _ layout: GlibcLayout
  ) -> Bool {
    var misfits = 0
    for bin in 2..<GlibcLayout.binCount {
      // A bin is addressed like a chunk, with its links 16 bytes behind the start.
      let place = layout.bins + UInt64(bin - 1) * 16
      let link = bytes.word(offset + Int(place))
      let chunk = arena &+ place - 16
      if link == chunk || link & 15 == 0 && link != 0 && memory.word(link &+ 24) == chunk { continue }
      misfits += 1
      if misfits > 4 { return false }
    }
    return true
  }

  private static func isArena(
    _ arena: UInt64, _ memory: MemoryImage, _ layout: GlibcLayout
  ) -> Bool {
    guard let top = memory.word(arena + layout.top), let flags = memory.half(arena + GlibcLayout.flags),
      let system = memory.word(arena + layout.systemMemory), flags < 8, top & 15 == 0, system & 4095 == 0,
      memory.word(top &+ 8) != nil
    else { return false }
    var next = memory.word(arena + layout.next) ?? 0
    for _ in 0..<CaptureLimits.arenas {
      if next == arena { return true }
      // Another arena is at the beginning of its first heap, whose header refers to it.
      let heap = next & ~(GlibcLayout.heapAlignment - 1)
      guard next == heap + layout.heapHeader, memory.word(heap) == next,
        let following = memory.word(next &+ layout.next)
      else { return false }
      next = following
    }
    return false
  }

  private mutating func addMainHeap() {
    guard let heap = mappings.first(where: { $0.path == "[heap]" }) else { return }
    let end = mappings.last { $0.path == "[heap]" }!.end
    let top = memory.word(main + layout.top) ?? 0
    // The program break may not begin at a page, nor the heap at the break.
    let isTopInside = top >= heap.start && top < end
    if isTopInside { _ = claimed(byTop: top, room: end - top, Self.overrun) }
    runs.append(
      ChunkRun(start: heap.start, end: isTopInside ? top : end, owned: heap.start..<end))
  }

  /// Finds the parts that glibc has mapped elsewhere for the main arena when the break could not grow. There is no list
  /// of them: such a part begins at a page and has a chain of chunks that ends at `top`, or at two fenceposts.
  private mutating func addMoreCore() {
    let top = memory.word(main + layout.top) ?? 0
    let isContiguous = (memory.half(main + GlibcLayout.flags) ?? 0) & GlibcLayout.isNonContiguous == 0
    let isTopInHeap = mappings.contains { $0.path == "[heap]" && $0.contains(top) }
    guard !isContiguous || !isTopInHeap else { return }
    for stretch in Stretch.all(of: mappings) where stretch.isAnonymous {
      guard let bytes = memory.copy(at: stretch.start) else { continue }
      let size = min(bytes.count, Int(stretch.end - stretch.start))
      var passed = stretch.start
      for run in memory.touched(stretch.start, stretch.end) {
        var address = max(run.lowerBound, passed)
        while address < run.upperBound {
          let offset = Int(address - stretch.start)
          guard offset + 32 <= size, !isOwned(address),
            let end = chainEnd(bytes, offset, size, top: top, origin: stretch.start)
          else {
            address += 4096
            continue
          }
          let last = stretch.start + UInt64(end)
          let owned = address..<last + rest(from: last, isTop: last == top, room: stretch.end - last)
          runs.append(ChunkRun(start: address, end: last, owned: owned))
          address = (owned.upperBound + 4095) & ~4095
          passed = address
        }
      }
    }
  }

  /// The bytes from the end of a chain on that are the allocator's, too: the free memory at the top, or two fenceposts.
  private mutating func rest(from last: UInt64, isTop: Bool, room: UInt64) -> UInt64 {
    let fenceposts = min(32, room)
    guard isTop else { return fenceposts }
    return claimed(
      byTop: last, room: room, "What is behind it counts as the program's own memory: leaks may be missed.")
      ?? fenceposts
  }

  private static let overrun = "Probably something has written past the end of the block before it."

  /// The size of the free memory at the top by its header. Nil if there is less room: that is damage.
  ///
  /// - Parameter meaning: the sentence that follows in the damage's words.
  private mutating func claimed(byTop top: UInt64, room: UInt64, _ meaning: String) -> UInt64? {
    let size = (memory.word(top + 8) ?? 0) & ~7
    guard size > room else { return size }
    let sentence =
      "The heap is corrupted at \(hexadecimal(top)): the free memory at its end claims \(size) bytes. \(meaning)"
    damage.append(HeapDamage(address: top, unread: 0, sentence: sentence))
    return nil
  }

  private func chainEnd(
    _ bytes: UnsafeRawBufferPointer, _ start: Int, _ size: Int, top: UInt64, origin: UInt64
  ) -> Int? {
    guard bytes.word(start) == 0, bytes.word(start + 8) & 7 == 1 else { return nil }
    var offset = start
    while offset + 16 <= size {
      let head = bytes.word(offset + 8)
      let chunk = head & ~7
      if origin + UInt64(offset) == top || chunk == 16 && head & 6 == 0 { return offset > start ? offset : nil }
      guard chunk >= 32, chunk & 15 == 0, head & 6 == 0, chunk <= UInt64(size - offset) else { return nil }
      offset += Int(chunk)
    }
    return nil
  }

  /// The continuation of a run after the fenceposts that glibc has set at `end`, because something else has moved the
  /// program break and owns the memory in between. Nil without one.
  func rest(of run: ChunkRun, behind end: UInt64) -> ChunkRun? {
    guard end < run.end, memory.word(end &+ 8).map({ $0 & ~7 == 16 }) == true, let bytes = memory.copy(at: end)
    else { return nil }
    for offset in stride(from: 32, to: min(bytes.count, Int(run.end - end)), by: 16)
    where chainEnd(bytes, offset, bytes.count, top: run.end, origin: end) != nil {
      let start = end + UInt64(offset)
      return ChunkRun(start: start, end: run.end, owned: start..<run.owned.upperBound)
    }
    return nil
  }

  // MARK: The other arenas

  /// From its newest heap, which contains `top`, back to the first.
  private mutating func addHeaps(of arena: UInt64) {
    let top = memory.word(arena + layout.top) ?? 0
    let first = arena & ~(GlibcLayout.heapAlignment - 1)
    var heap = top & ~(GlibcLayout.heapAlignment - 1)
    var seen: Set<UInt64> = []
    while seen.insert(heap).inserted, let size = memory.word(heap &+ GlibcLayout.heapSize) {
      // The first heap contains the arena itself.
      let start = heap == first ? (arena + layout.size + 15) & ~15 : heap + layout.heapHeader
      let end = heap + min(size, GlibcLayout.heapAlignment)
      if start <= end, !(heap..<end).contains(top) || top >= start {
        let owned = heap..<end
        if owned.contains(top) { _ = claimed(byTop: top, room: end - top, Self.overrun) }
        runs.append(ChunkRun(start: start, end: owned.contains(top) ? top : end, owned: owned))
      } else {
        let sentence =
          """
          The heap at \(hexadecimal(heap)) is corrupted: a size of \(size) bytes. It was not read: leaks in it are \
          missed.
          """
        damage.append(HeapDamage(address: heap, unread: 0, sentence: sentence))
      }
      if heap == first { return }
      heap = memory.word(heap + GlibcLayout.heapPrevious) ?? 0
    }
    let sentence =
      """
      The arena at \(hexadecimal(arena)) is corrupted: its list of heaps does not lead to its first. Some of its \
      blocks were not read: leaks among them are missed.
      """
    damage.append(HeapDamage(address: arena, unread: 0, sentence: sentence))
  }

  private func isOwned(_ address: UInt64) -> Bool { runs.contains { $0.owned.contains(address) } }
}
