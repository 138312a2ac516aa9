/// A root of the graph: a range of memory, or a word in a register.
public struct RootRange: Equatable, Sendable {
  public enum Kind: Equatable, Sendable {
    /// Variables of a program or library, with its path.
    case globals(String)
    /// A thread's stack, with the thread's number; thread-local variables are there too.
    case stack(Int32)
    /// Mapped by the program, or by the loader for the main thread's variables.
    case anonymous
  }
  public var kind: Kind
  public var start: UInt64
  public var end: UInt64
}

/// All roots, from which reachability is computed.
public struct Roots {
  public private(set) var ranges: [RootRange] = []
  /// Words in threads' registers, with the thread. Only vector registers have names.
  public private(set) var registers: [(thread: Int32, name: String?, word: UInt64)] = []
  /// Words that the kernel holds for an epoll descriptor.
  public let kernelWords: [(descriptor: Int32, word: UInt64)]
  /// Blocks of finished threads that the C library keeps: their tables of dynamic TLS.
  public private(set) var leftovers: [UInt64] = []
  /// Blocks that libdispatch keeps for reuse, with stale contents.
  public private(set) var stale: Set<UInt64> = []

  /// The stack in use of the main thread, if that waits in the kernel: it has no variables of the thread.
  public private(set) var idle: Range<UInt64>?

  public init(_ snapshot: Snapshot, _ blocks: HeapBlocks) {
    kernelWords = snapshot.kernelWords
    let besides = (blocks.owned + [blocks.books]).sorted { $0.lowerBound < $1.lowerBound }
    let files = ProcessFiles(snapshot.files)
    let isInside = files.isInContainer
    for thread in snapshot.threads {
      registers += thread.registers.words.map { (thread.number, nil, $0) }
      registers += thread.vectors.map { (thread.number, $0.register, $0.word) }
      let number = isInside ? files.numberInside(of: thread.number) ?? thread.number : thread.number
      addCachedContinuations(thread, number, snapshot.memory)
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
        // The first thread's variables are elsewhere, in a mapping that may have been merged with a stack.
        let isMade = deepest.number != snapshot.process && mapping.contains(deepest.registers.threadPointer)
        if mapping.path == "[stack]" || isMade, isStack(mapping, below: before, to: end, besides) {
          start = max(start, end)
        }
        if mapping.path == "[stack]", deepest.number == snapshot.process, deepest.registers.isInSystemCall {
          idle = start..<mapping.end
        }
      } else if mapping.isAnonymous, index > 0, !snapshot.mappings[index - 1].isReadable,
        snapshot.mappings[index - 1].end == mapping.start, let end = deadStackEnd(mapping, snapshot)
      {
        start = end
      }
      add(kind, start, mapping.end, besides: besides)
    }
  }

  /// True for a mapping of a memfd, which has no variables behind it.
  private func isMemory(_ mapping: Mapping) -> Bool { mapping.path.hasPrefix("/memfd:") }

  /// The bytes below a thread's stack pointer that it may use. The C library uses none during a system call: this was
  /// checked in the code of glibc 2.36, 2.41 and 2.43. A waiting thread of a pool would otherwise keep stale words
  /// there.
  private func redZone(of thread: Snapshot.Thread, _ snapshot: Snapshot) -> UInt64 {
    let place = thread.registers.programCounter
    let isInLibrary = snapshot.mappings.contains { $0.contains(place) && GlibcVersion.isGlibc($0.path) }
    return isInLibrary && thread.registers.isInSystemCall ? 0 : Registers.redZone
  }

  /// True if a thread uses nothing in a mapping below its stack pointer. A program may put stacks anywhere, also into a
  /// block, and several into one mapping: only the main thread's stack is certain, and one made by the C library, with
  /// the thread's descriptor at its end, a guard right below it and no heap in it.
  private func isStack(_ mapping: Mapping, below: Mapping, to end: UInt64, _ heaps: [Range<UInt64>]) -> Bool {
    if mapping.path == "[stack]" { return true }
    let isGuarded = below.end == mapping.start && !below.isReadable && !below.isWritable && !below.isExecutable
    return isGuarded && !heaps.contains { $0.lowerBound < end && $0.upperBound > mapping.start }
  }

  /// Adds the parts of a range that are not the allocator's.
  private mutating func add(_ kind: RootRange.Kind, _ start: UInt64, _ end: UInt64, besides: [Range<UInt64>]) {
    var start = start
    for range in besides where range.upperBound > start && range.lowerBound < end {
      if range.lowerBound > start { ranges.append(RootRange(kind: kind, start: start, end: range.lowerBound)) }
      start = max(start, range.upperBound)
    }
    if start < end { ranges.append(RootRange(kind: kind, start: start, end: end)) }
  }

  /// The end of the stack of a finished thread, which glibc keeps for the next one and whose contents are stale; nil if
  /// this is not one. Such a stack has a guard below it, no thread's stack pointer or thread pointer in it, and at its
  /// top the thread's descriptor (`struct pthread`), which contains its own address twice.
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
          if bytes.word(offset) == address, bytes.word(offset + 16) == address {
            leftovers.append(bytes.word(offset + 8))
            return min(mapping.end, (address + UInt64(Self.descriptorSize) + 4095) & ~4095)
          }
          offset += 64
        }
      }
      return nil
    #endif
  }

  /// The size of `struct pthread` in glibc 2.36.
  private static let descriptorSize = 0x900

  /// Adds the blocks that libdispatch keeps per thread for its next continuations. They look allocated, but their
  /// contents have run already. The list is in the thread's `struct dispatch_tsd`, which begins with the thread's
  /// number.
  private mutating func addCachedContinuations(_ thread: Snapshot.Thread, _ number: Int32, _ memory: MemoryImage) {
    let variables = thread.registers.variables(Self.tlsBytes)
    for place in stride(from: variables.lowerBound, to: variables.upperBound, by: 8) {
      guard memory.half(place) == UInt32(bitPattern: number) else { continue }
      var entry = memory.word(place &+ Self.cacheOffset) ?? 0
      var found: [UInt64] = []
      var left = memory.half(entry &+ Self.countOffset) ?? 0
      // Each block counts itself and those behind it, which distinguishes the list from others.
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

  /// The offsets in libdispatch of Swift 6.3 of the list and of its links, and how far below the thread pointer to
  /// search: all libraries have their variables there, the shim alone 5 KB.
  private static let cacheOffset: UInt64 = 24
  private static let countOffset: UInt64 = 8
  private static let linkOffset: UInt64 = 16
  private static let tlsBytes: UInt64 = 16 << 10
  private static let longestCache = 4096
}
