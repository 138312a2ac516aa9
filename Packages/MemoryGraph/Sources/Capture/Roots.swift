/// A place from which a program reaches its blocks: a range of memory, or a word in a register.
public struct RootRange: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Variables of a program or library: its path.
    case globals(String)
    /// Of a thread, by its number; what belongs to the thread (TLS) lies there too.
    case stack(Int32)
    /// Mapped by the program, or by the loader for the main thread's own variables.
    case anonymous
  }
  public var kind: Kind
  public var start: UInt64
  public var end: UInt64
}

/// Where reachability begins.
public struct Roots {
  public private(set) var ranges: [RootRange] = []
  /// Words that threads hold in registers, with their thread. Only vector registers have names.
  public private(set) var registers: [(thread: Int32, name: String?, word: UInt64)] = []
  /// Words that the kernel keeps for an epoll descriptor.
  public let kernelWords: [(descriptor: Int32, word: UInt64)]
  /// Blocks that finished threads have left to the C library: their table of dynamic TLS.
  public private(set) var leftovers: [UInt64] = []
  /// Blocks that libdispatch keeps for reuse: what they name is stale.
  public private(set) var stale: Set<UInt64> = []

  public init(_ snapshot: Snapshot, _ blocks: HeapBlocks) {
    kernelWords = snapshot.kernelWords
    let besides = (blocks.owned + [blocks.books]).sorted { $0.lowerBound < $1.lowerBound }
    for thread in snapshot.threads {
      registers += thread.registers.words.map { (thread.number, nil, $0) }
      registers += thread.vectors.map { (thread.number, $0.register, $0.word) }
      addCachedContinuations(thread, snapshot.memory)
    }
    for (index, mapping) in snapshot.mappings.enumerated() {
      guard mapping.canHoldReferences, snapshot.memory.copy(at: mapping.end - 8) != nil else { continue }
      var start = mapping.start
      var kind: RootRange.Kind = .anonymous
      let before = index > 0 ? snapshot.mappings[index - 1] : mapping
      if mapping.isFile {
        kind = .globals(mapping.path)
      } else if mapping.isAnonymous, before.isFile, before.isWritable, before.end == mapping.start, !isMemory(before) {
        kind = .globals(before.path)  // .bss: variables that begin as zero are not in the file
      }
      let standing = snapshot.threads.filter { mapping.contains($0.registers.stackPointer) }
      if let deepest = standing.min(by: { $0.registers.stackPointer < $1.registers.stackPointer }) {
        kind = .stack(deepest.number)
        let end = (deepest.registers.stackPointer - redZone(of: deepest, snapshot)) & ~7
        // The first thread has its variables elsewhere, in a mapping that may have become one with somebody's stacks.
        let isMade = deepest.number != snapshot.process && mapping.contains(deepest.registers.threadPointer)
        if mapping.path == "[stack]" || isMade, isStack(mapping, below: before, to: end, besides) {
          start = max(start, end)
        }
      } else if mapping.isAnonymous, index > 0, !snapshot.mappings[index - 1].isReadable,
        snapshot.mappings[index - 1].end == mapping.start, let end = deadStackEnd(mapping, snapshot)
      {
        start = end
      }
      add(kind, start, mapping.end, besides: besides)
    }
  }

  /// Whether a mapping is of a file without a name, in memory: no variables follow it.
  private func isMemory(_ mapping: Mapping) -> Bool { mapping.path.hasPrefix("/memfd:") }

  /// Bytes below a thread's stack pointer in which it may keep something. The C library keeps nothing there while it is
  /// in a system call: of glibc 2.36, 2.41 and 2.43, none of the functions that make one does, by their code. What a
  /// thread of a pool has done last stands there as long as it waits for more.
  private func redZone(of thread: Snapshot.Thread, _ snapshot: Snapshot) -> UInt64 {
    let place = thread.registers.programCounter
    let isInLibrary = snapshot.mappings.contains { $0.contains(place) && GlibcVersion.isGlibc($0.path) }
    return isInLibrary && thread.registers.isInSystemCall ? 0 : Registers.redZone
  }

  /// Whether a thread has nothing in a mapping below its stack pointer. A program may have put the stack anywhere, into
  /// a block too, and several into one mapping: only the main thread's own is known, and one that the C library has
  /// made, with the thread's descriptor at its end, a guard right below it and no heap in it.
  private func isStack(_ mapping: Mapping, below: Mapping, to end: UInt64, _ heaps: [Range<UInt64>]) -> Bool {
    if mapping.path == "[stack]" { return true }
    let isGuarded = below.end == mapping.start && !below.isReadable && !below.isWritable && !below.isExecutable
    return isGuarded && !heaps.contains { $0.lowerBound < end && $0.upperBound > mapping.start }
  }

  /// The parts of a range that are not the allocator's.
  private mutating func add(_ kind: RootRange.Kind, _ start: UInt64, _ end: UInt64, besides: [Range<UInt64>]) {
    var start = start
    for range in besides where range.upperBound > start && range.lowerBound < end {
      if range.lowerBound > start { ranges.append(RootRange(kind: kind, start: start, end: range.lowerBound)) }
      start = max(start, range.upperBound)
    }
    if start < end { ranges.append(RootRange(kind: kind, start: start, end: end)) }
  }

  /// glibc keeps the stacks of threads that have ended for the next ones; what lies there refers to nothing any more.
  /// Such a stack has a guard below it, no thread's stack pointer or thread pointer in it, and at its top the thread's
  /// descriptor (`struct pthread`), which names itself twice. Answers where it ends; nil when this is none.
  private mutating func deadStackEnd(_ mapping: Mapping, _ snapshot: Snapshot) -> UInt64? {
    guard !snapshot.threads.contains(where: { mapping.contains($0.registers.threadPointer) })
    else { return nil }
    #if arch(arm64)
      guard let dead = DeadStack(mapping, snapshot.memory) else { return nil }
      leftovers.append(dead.table)
      return dead.end
    #else
      for run in snapshot.memory.touched(mapping.start, mapping.end) {
        guard let bytes = snapshot.memory.copy(at: run.lowerBound) else { continue }
        var offset = 0
        while offset + Self.descriptorSize <= min(bytes.count, Int(mapping.end - run.lowerBound)), offset < run.count {
          let address = run.lowerBound + UInt64(offset)
          if bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self) == address,
            bytes.loadUnaligned(fromByteOffset: offset + 16, as: UInt64.self) == address
          {
            leftovers.append(bytes.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self))
            return min(mapping.end, (address + UInt64(Self.descriptorSize) + 4095) & ~4095)
          }
          offset += 64
        }
      }
      return nil
    #endif
  }

  /// Of glibc 2.36, `struct pthread` has 0x900 bytes.
  private static let descriptorSize = 0x900

  /// libdispatch gives each thread a list of blocks for its next continuations. They look allocated, and what they hold
  /// has run already. The list hangs in the thread's `struct dispatch_tsd`, which begins with the thread's number.
  private mutating func addCachedContinuations(_ thread: Snapshot.Thread, _ memory: MemoryImage) {
    let variables = thread.registers.variables(Self.tlsBytes)
    for place in stride(from: variables.lowerBound, to: variables.upperBound, by: 8) {
      guard memory.half(place) == UInt32(bitPattern: thread.number) else { continue }
      var entry = memory.word(place &+ Self.cacheOffset) ?? 0
      var found: [UInt64] = []
      var left = memory.half(entry &+ Self.countOffset) ?? 0
      // Each block counts itself and those behind it: a list of somebody else's does not.
      while entry != 0, entry & 15 == 0, found.count < Self.longestCache, left > 0,
        memory.half(entry &+ Self.countOffset) == left, let next = memory.word(entry &+ Self.linkOffset)
      {
        found.append(entry)
        entry = next
        left -= 1
      }
      if entry == 0, left == 0, !found.isEmpty {
        stale.formUnion(found)
        return
      }
    }
  }

  /// Where libdispatch of Swift 6.3 has its list and the links in it, and how far below the thread pointer to look.
  private static let cacheOffset: UInt64 = 24
  private static let countOffset: UInt64 = 8
  private static let linkOffset: UInt64 = 16
  private static let tlsBytes: UInt64 = 4096
  private static let longestCache = 4096
}
