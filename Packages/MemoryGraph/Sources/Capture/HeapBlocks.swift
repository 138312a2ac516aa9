/// The live blocks of a heap, in the order of their addresses.
public struct HeapBlocks {
  /// The addresses, as returned by `malloc`.
  public private(set) var addresses: [UInt64] = []
  /// Usable sizes, in words of 8 bytes.
  public private(set) var words: [UInt32] = []
  /// The memory that the allocator owns, in order, adjacent ranges joined.
  public private(set) var owned: [Range<UInt64>] = []
  /// The main arena's state, among the C library's variables. It refers to free chunks, whose headers begin in the last
  /// word of the block before.
  let books: Range<UInt64>
  /// The parts that could not be read, as sentences; those about a damaged heap are in `damage` too.
  public private(set) var remarks: [String] = []
  public private(set) var damage: [HeapDamage] = []
  /// The C library's own blocks, which nobody has to free.
  public private(set) var internals: Set<UInt64> = []

  public var count: Int { addresses.count }

  public init(_ snapshot: Snapshot) throws(CaptureError) {
    let layout = snapshot.layout
    let arenas = try GlibcArenas(snapshot, layout)
    let free = FreeLists(snapshot.memory, arenas)
    books = arenas.main..<arenas.main + layout.size
    internals = Set(free.caches)
    damage = arenas.damage + free.damage
    remarks = damage.map(\.sentence)
    if !layout.isTried {
      remarks.append("Heaps of glibc \(layout.version) were not tried; they are read like those of its neighbours.")
    }
    var runs = arenas.runs
    runs += Self.mapped(snapshot, besides: runs)
    runs.sort { $0.start < $1.start }
    let total = runs.reduce(0) { $0 + ($1.isMapped ? $1.owned.count : Int($1.end &- $1.start)) }
    // Memory that is not used costs nothing; growing arrays are copied.
    let room = min(total / Self.smallestChunk, Self.mostRoom)
    addresses.reserveCapacity(room)
    words.reserveCapacity(room)
    var next = 0
    for run in runs {
      if run.isMapped {
        append(run.start + 16, words: (run.owned.upperBound - run.start - 16) >> 3)
        own(run.owned)
      } else {
        // A part that was not walked may contain live blocks: it counts as the program's own memory, that is, as roots.
        var part: ChunkRun? = run
        while let stretch = part {
          let walked = walk(stretch, snapshot.memory, free.addresses, &next)
          let end = min(max(walked.end, stretch.owned.lowerBound), stretch.end)
          if end > stretch.owned.lowerBound { own(stretch.owned.lowerBound..<end) }
          part = arenas.rest(of: stretch, behind: end)
          if part == nil, end < stretch.end { noteUnread(end..<stretch.end, of: total, walked.problem) }
        }
        if run.end < run.owned.upperBound { own(run.end..<run.owned.upperBound) }
      }
    }
  }

  private mutating func own(_ range: Range<UInt64>) {
    if let last = owned.last, range.lowerBound <= last.upperBound {
      owned[owned.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
    } else {
      owned.append(range)
    }
  }

  private mutating func append(_ address: UInt64, words count: UInt64) {
    addresses.append(address)
    words.append(UInt32(clamping: count))
  }

  /// Removes the last word of a block, which belongs to the shim.
  public mutating func dropLastWord(of block: Int) { words[block] -= 1 }

  /// Walks a run chunk by chunk. The next chunk's header tells if one is in use; the free lists are followed in the
  /// same order. Returns how far it came, and why it stopped there.
  private mutating func walk(
    _ run: ChunkRun, _ memory: MemoryImage, _ free: [UInt64], _ next: inout Int
  ) -> (end: UInt64, problem: String) {
    guard run.start <= run.end, let bytes = memory.copy(at: run.start) else {
      return (run.start, "The heap at \(hexadecimal(run.start)) could not be read.")
    }
    let size = min(bytes.count, Int(run.end - run.start))
    var offset = 0
    while offset + 16 <= size {
      let head = bytes.word(offset + 8)
      let chunk = head & ~7
      let address = run.start + UInt64(offset) + 16
      // Fenceposts end a heap that was given up, and take its last bytes.
      if chunk == 16 || chunk == 0 {
        return (size - offset <= Self.fencepostBytes ? run.end : address - 16, Self.corrupted(address - 16, chunk))
      }
      guard chunk >= Self.smallestChunk, chunk & 15 == 0, chunk <= UInt64(size - offset) else {
        return (address - 16, Self.corrupted(address - 16, chunk))
      }
      let following = offset + Int(chunk) + 8
      let isUsed =
        following + 8 <= bytes.count ? bytes.word(following) & 1 == 1 : true
      if isUsed {
        while next < free.count, free[next] < address { next += 1 }
        if next == free.count || free[next] != address { append(address, words: (chunk - 8) >> 3) }
      }
      offset += Int(chunk)
    }
    return (run.end, Self.corrupted(run.end, 0))
  }

  private static func corrupted(_ address: UInt64, _ chunk: UInt64) -> String {
    "The heap is corrupted at \(hexadecimal(address)): a chunk of \(chunk) bytes."
  }

  private mutating func noteUnread(_ range: Range<UInt64>, of total: Int, _ problem: String) {
    let found = HeapDamage(
      address: range.lowerBound, unread: range.count,
      sentence: """
        \(problem) From there on \(range.count) of the heap's \(total) bytes were not read: the blocks in them are not \
        shown, and leaks among them are missed.
        """)
    damage.append(found)
    remarks.append(found.sentence)
  }

  /// Bytes of glibc's smallest chunk (malloc/malloc.c, MINSIZE).
  private static let smallestChunk = 32
  /// The blocks that room is made for at once.
  private static let mostRoom = 1 << 24
  /// Two fenceposts of 16 bytes, and what is lost to alignment.
  private static let fencepostBytes = 64

  /// Blocks so large that each has a mapping of its own: at the start of a page, nothing before it, flag IS_MMAPPED.
  private static func mapped(_ snapshot: Snapshot, besides runs: [ChunkRun]) -> [ChunkRun] {
    var found: [ChunkRun] = []
    var passed: UInt64 = 0
    let rest = snapshot.layout.mappedRest
    for stretch in Stretch.all(of: snapshot.mappings) where stretch.isAnonymous {
      for run in snapshot.memory.touched(stretch.start, stretch.end) {
        guard let bytes = snapshot.memory.copy(at: run.lowerBound) else { continue }
        var start = max(run.lowerBound, passed)
        while start < run.upperBound {
          let offset = Int(start - run.lowerBound)
          let before = bytes.word(offset)
          let head = bytes.word(offset + 8)
          let chunk = head & ~7
          // A block may be larger than the part that the program has touched.
          let isMapped =
            before == 0 && head & 7 == 2 && (chunk &+ rest) & 4095 == 0 && chunk >= smallestMapped
            && chunk <= stretch.end - start - rest
          let end = isMapped ? start + chunk + rest : start
          if isMapped, !runs.contains(where: { $0.owned.overlaps(start..<end) }) {
            found.append(ChunkRun(start: start, end: start + chunk, owned: start..<end, isMapped: true))
            start = end
            passed = start
          } else {
            start += 4096
          }
        }
      }
    }
    return found
  }

  /// M_MMAP_THRESHOLD is 128 KB unless a program sets it; much smaller blocks could not be distinguished from other
  /// pages.
  private static let smallestMapped: UInt64 = 64 << 10
}

/// "0x7f12ab34".
public func hexadecimal(_ value: UInt64) -> String { "0x" + String(value, radix: 16) }
