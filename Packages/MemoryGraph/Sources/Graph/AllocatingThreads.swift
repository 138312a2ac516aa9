import Capture

/// The threads that may be within malloc or free. Only these may hold a block by the address of its chunk's header; in
/// other threads such a word is a coincidence.
struct AllocatingThreads {
  private var stackPointers: [Int32: UInt64] = [:]

  init(_ snapshot: Snapshot, _ images: [ELFImage], _ code: CodePointers) {
    let library = images.first { GlibcVersion.isGlibc($0.path) }
    let allocator = library.flatMap(Self.allocator)
    // Code that malloc and free may run in.
    let own = snapshot.mappings.filter {
      $0.isExecutable && ($0.path == library?.path || $0.path == "[vdso]" || Self.isLoader($0.path))
    }
    var known: [UInt64: Bool] = [:]
    for thread in snapshot.threads {
      let registers = thread.registers
      let isAllocating =
        if let allocator {
          own.contains { $0.contains(registers.programCounter) } && Self.isIn(allocator, registers, snapshot.memory)
            || Self.isInterrupted(registers, snapshot, code, &known)
        } else { true }
      if isAllocating { stackPointers[thread.number] = registers.stackPointer }
    }
  }

  func contains(_ thread: Int32) -> Bool { stackPointers[thread] != nil }

  /// The thread whose stack is in a range that may be named after another thread with a stack in it.
  func thread(in range: RootRange, of thread: Int32) -> Int32? {
    contains(thread) ? thread : stackPointers.first { (range.start..<range.end).contains($0.value) }?.key
  }

  /// The range of the allocator's code in the C library; nil when unknown. Its public functions follow its internal
  /// ones, in one piece.
  private static func allocator(_ library: ELFImage) -> Range<UInt64>? {
    let functions = ["malloc", "free", "calloc", "realloc", "memalign", "malloc_info"].map(library.exported)
    guard let first = functions.min(), first > before, let last = functions.max() else { return nil }
    return first - before..<last + behind
  }

  /// Bytes of the internal functions, which take 17 KB on x86_64, and of the last public one.
  private static let before: UInt64 = 32 << 10
  private static let behind: UInt64 = 4 << 10

  /// True if a thread in the C library's code, such as in memcpy, was called from the allocator.
  private static func isIn(_ allocator: Range<UInt64>, _ registers: Registers, _ memory: MemoryImage) -> Bool {
    if let call = registers.systemCall, !Registers.memoryCalls.contains(call) { return false }
    func isInside(_ word: UInt64) -> Bool { allocator.contains(word & address) }
    if isInside(registers.programCounter) || registers.words.contains(where: isInside) { return true }
    let start = (registers.stackPointer &- Registers.redZone) & ~7
    return stride(from: start, to: start &+ nearest, by: 8).contains { memory.word($0).map(isInside) ?? false }
  }

  /// The most stack, in bytes, used by functions that the allocator calls.
  private static let nearest: UInt64 = 512
  /// An address without arm64's pointer authentication.
  private static let address: UInt64 = (1 << 48) - 1

  /// True if a thread is in a signal handler, which may have interrupted it anywhere.
  private static func isInterrupted(
    _ registers: Registers, _ snapshot: Snapshot, _ code: CodePointers, _ known: inout [UInt64: Bool]
  ) -> Bool {
    let start = (registers.stackPointer &- Registers.redZone) & ~7
    guard let stack = snapshot.mappings.first(where: { $0.contains(registers.stackPointer) }) else { return true }
    for run in snapshot.memory.touched(max(start, stack.start), stack.end) {
      guard let bytes = snapshot.memory.copy(at: run.lowerBound) else { continue }
      for offset in stride(from: 0, to: min(run.count, bytes.count) - 7, by: 8) {
        let word = bytes.word(offset) & address
        if word < 1 << 16 || !code.isCode(word) { continue }
        if known[word] == nil { known[word] = snapshot.memory.word(word) == Registers.signalReturn }
        if known[word] == true { return true }
      }
    }
    return false
  }

  private static func isLoader(_ path: String) -> Bool { (path.split(separator: "/").last ?? "").hasPrefix("ld-") }
}
