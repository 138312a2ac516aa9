import Glibc

/// Minidumps, as lldb's `process save-core` writes them on Linux: Microsoft's format, with the files of /proc/PID as
/// streams of their own (llvm/BinaryFormat/Minidump.h).
enum Minidump {
  static let signature: UInt32 = 0x504D_444D  // "MDMP"
  private enum Stream {
    static let (threads, memory, longMemory): (UInt32, UInt32, UInt32) = (3, 5, 9)
    static let (status, maps): (UInt32, UInt32) = (0x4767_0004, 0x4767_0009)
  }

  /// A stream's part of the file; empty without it.
  private static func stream(_ kind: UInt32, _ core: CoreFile) -> (start: Int, size: Int) {
    let (count, table) = (Int(core.half(8)), Int(core.half(12)))
    for index in 0..<min(count, mostStreams) where core.half(table + index * 12) == kind {
      let (size, start) = (Int(core.half(table + index * 12 + 4)), Int(core.half(table + index * 12 + 8)))
      // A stream that claims to be longer than the file would take its length in time.
      return (start, max(0, min(size, core.bytes.count - start)))
    }
    return (core.bytes.count, 0)
  }
  private static let mostStreams = 1 << 10

  static func segments(_ core: CoreFile) throws(CaptureError) -> [CoreFile.Segment] {
    var found: [CoreFile.Segment] = []
    func add(_ address: UInt64, _ size: UInt64, _ offset: Int) throws(CaptureError) {
      guard size > 0, address <= .max - size else { return }
      guard core.has(offset, 0), size <= UInt64(core.bytes.count - offset) else { throw core.cutOff }
      found.append(CoreFile.Segment(range: address..<address + size, offset: offset))
    }
    let short = stream(Stream.memory, core)
    let count = Int(core.half(short.start))
    guard count <= short.size / 16 else { throw core.cutOff }
    for index in 0..<count {
      let place = short.start + 4 + index * 16
      try add(core.word(place), UInt64(core.half(place + 8)), Int(core.half(place + 12)))
    }
    let long = stream(Stream.longMemory, core)
    var offset = Int(truncatingIfNeeded: core.word(long.start + 8))
    let longCount = core.word(long.start)
    guard longCount <= UInt64(long.size / 16) else { throw core.cutOff }
    for index in 0..<Int(longCount) {
      let place = long.start + 16 + index * 16
      let size = core.word(place + 8)
      try add(core.word(place), size, offset)
      offset &+= Int(truncatingIfNeeded: size)
    }
    return withoutOverlaps(found)
  }

  /// A thread's stack may stand in the file twice.
  private static func withoutOverlaps(_ segments: [CoreFile.Segment]) -> [CoreFile.Segment] {
    var kept: [CoreFile.Segment] = []
    for var segment in segments.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
      if let last = kept.last, last.range.upperBound > segment.range.lowerBound {
        guard segment.range.upperBound > last.range.upperBound else { continue }
        segment.offset += Int(last.range.upperBound - segment.range.lowerBound)
        segment.range = last.range.upperBound..<segment.range.upperBound
      }
      kept.append(segment)
    }
    return kept
  }

  static func contents(_ core: CoreFile) throws(CaptureError) -> CoreFile.Contents {
    var contents = CoreFile.Contents()
    func text(_ kind: UInt32) -> String {
      let (start, size) = stream(kind, core)
      return String(decoding: core.part(start, size), as: UTF8.self)
    }
    for line in text(Stream.status).split(separator: "\n") {
      let words = line.split(separator: "\t", maxSplits: 1)
      guard words.count == 2 else { continue }
      if words[0] == "Name:" { contents.name = String(words[1]) }
      if words[0] == "Tgid:" { contents.process = Int32(words[1]) ?? 0 }
    }
    contents.mappings = Mapping.parse(text(Stream.maps))
    guard !contents.mappings.isEmpty else { throw core.refusal("it does not tell what was mapped") }
    #if arch(x86_64)
      let threads = stream(Stream.threads, core)
      for index in 0..<min(Int(core.half(threads.start)), threads.size / 48) {
        let place = threads.start + 4 + index * 48
        let state = core.part(Int(core.half(place + 44)), Int(core.half(place + 40)))
        guard let thread = thread(Int32(truncatingIfNeeded: core.half(place)), state, core) else {
          throw core.refusal("a thread's registers are told in another way than lldb does")
        }
        contents.threads.append(thread)
      }
    #else
      throw core.refusal("minidumps of this processor are not known; gcore's core files are")
    #endif
    // The first thread has the process' number.
    contents.threads.sort { $0.number < $1.number }
    return contents
  }

  #if arch(x86_64)
    /// The offsets of the general registers in a thread's state (CONTEXT of winnt.h), of the vector registers, and of
    /// the thread pointer, which only lldb adds and marks with a flag.
    private static let (flags, rip, vectors, threadPointer) = (48, 248, 416, 720)
    private static let hasThreadPointer: UInt32 = 0x8000_0000

    private static func thread(
      _ number: Int32, _ state: UnsafeRawBufferPointer, _ core: CoreFile
    ) -> Snapshot.Thread? {
      guard state.count >= threadPointer + 8, state.half(flags) & hasThreadPointer != 0 else { return nil }
      let word = state.word
      var raw = user_regs_struct()
      (raw.rax, raw.rcx, raw.rdx, raw.rbx) = (word(120), word(128), word(136), word(144))
      (raw.rsp, raw.rbp, raw.rsi, raw.rdi) = (word(152), word(160), word(168), word(176))
      (raw.r8, raw.r9, raw.r10, raw.r11) = (word(184), word(192), word(200), word(208))
      (raw.r12, raw.r13, raw.r14, raw.r15) = (word(216), word(224), word(232), word(240))
      (raw.rip, raw.fs_base, raw.orig_rax, raw.cs) = (word(rip), word(threadPointer), .max, 0x33)
      // The state does not tell if it is in a system call, but its instructions do.
      let registers = withUnsafePointer(to: raw) { Registers(at: $0, threadPointer: raw.fs_base, core) }
      let words = (0..<(registers.isInSystemCall ? 0 : 32)).map { place in
        VectorRegisters.Word(register: "xmm\(place / 2)", word: word(vectors + place * 8))
      }
      return Snapshot.Thread(number: number, registers: registers, vectors: words.filter { $0.word != 0 })
    }
  #endif
}
