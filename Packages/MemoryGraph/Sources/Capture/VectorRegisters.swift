import CPtrace

/// The words that a stopped thread holds in vector registers. C libraries and Swift move references through them, so
/// that one may be nowhere else for a moment.
///
/// A thread that waits in the kernel has called a function of the C library, and functions do not preserve vector
/// registers (System V ABI for AMD64, 3.2.1, figure 3.4), except the lower halves of v8 to v15 on arm64 (AAPCS64,
/// 6.1.2). The others keep stale contents, often for hours, and are ignored.
enum VectorRegisters {
  struct Word: Equatable, Sendable {
    /// The register's name, by the part that contains the word: "xmm3", "ymm3", "zmm3"; "v3" on arm64.
    let register: String
    let word: UInt64
  }

  /// More than the needed state takes; the kernel cuts off the rest.
  private static let mostBytes = 4096

  /// - Parameters:
  ///   - thread: one that is stopped and traced.
  ///   - isInCall: true if it is in a system call.
  static func words(of thread: Int32, isInCall: Bool) throws(CaptureError) -> [Word] {
    if isInCall && !keepsSome { return [] }
    var area = [UInt8](repeating: 0, count: mostBytes)
    let count = cptrace_get_vectors(thread, &area, UInt64(mostBytes))
    if count < 0 { throw ProcessFiles(thread).refusal(Int32(-count)) }
    return area.withUnsafeBytes { words(in: UnsafeRawBufferPointer(rebasing: $0[..<Int(count)]), isInCall) }
  }

  /// The words in a core file.
  /// - Parameter area: the state, as ptrace(2) tells it.
  static func words(inFile area: UnsafeRawBufferPointer, isInCall: Bool) -> [Word] {
    isInCall && !keepsSome ? [] : words(in: area, isInCall)
  }

  /// The words in the frame of a signal that has interrupted a thread.
  /// - Parameters:
  ///   - place: the address of the registers in its memory; 0 if there are none.
  ///   - isInCall: true if it is in a system call.
  static func words(at place: UInt64, _ memory: some MemorySource, isInCall: Bool) -> [Word] {
    if place == 0 || isInCall && !keepsSome { return [] }
    var area = [UInt8](repeating: 0, count: mostBytes)
    let count = memory.read(place, UInt64(mostBytes), into: &area)
    return area.withUnsafeBytes { bytes in
      words(in: UnsafeRawBufferPointer(rebasing: bytes[..<min(max(0, Int(count)), sizeInFrame(bytes))]), isInCall)
    }
  }

  #if arch(x86_64)
    /// True if functions preserve some of them.
    private static let keepsSome = false

    /// The components of the state, by number (Intel SDM, volume 1, 13.1), with each register's size there.
    private static let parts: [(component: UInt32, name: String, first: Int, count: Int, bytes: Int)] = [
      (1, "xmm", 0, 16, 16), (2, "ymm", 0, 16, 16),  // of the latter the upper halves
      (6, "zmm", 0, 16, 32), (7, "zmm", 16, 16, 64),  // the upper halves; all of those that only AVX-512 has
    ]
    /// The offset of each component (13.4.1; the others depend on the processor, 13.4.3); 0 without it.
    private static let places = parts.map { $0.component == 1 ? 160 : Int(cptrace_vector_place($0.component)) }
    /// The first part of the area, which every processor has; after it, bits tell which components are in use (13.4.2).
    /// The others are zero.
    private static let legacySize = 512

    private static func words(in area: UnsafeRawBufferPointer, _: Bool) -> [Word] {
      guard area.count >= legacySize else { return [] }
      let hasHeader = area.count >= legacySize + 8
      let inUse = hasHeader ? area.word(legacySize) : 2
      var found: [Word] = []
      for (part, place) in zip(parts, places)
      where place > 0 && inUse >> part.component & 1 == 1 && place + part.count * part.bytes <= area.count {
        add(area, place, part.name, part.first, part.count, part.bytes, to: &found)
      }
      return found
    }

    /// The size of the state in a signal's frame: without the kernel's magic number, only the first part
    /// (<asm/sigcontext.h>, `struct _fpx_sw_bytes`).
    private static func sizeInFrame(_ area: UnsafeRawBufferPointer) -> Int {
      let mark = 464
      guard area.half(mark) == 0x4650_5853 else { return legacySize }
      return min(area.count, Int(area.half(mark + 16)))
    }
  #elseif arch(arm64)
    /// True if functions preserve some of them.
    private static let keepsSome = true
    private static let count = 32

    private static func words(in area: UnsafeRawBufferPointer, _ isInCall: Bool) -> [Word] {
      var found: [Word] = []
      guard area.count >= count * 16 else { return [] }
      if !isInCall { add(area, 0, "v", 0, count, 16, to: &found) }
      for kept in 8...15 where isInCall { add(area, kept * 16, "v", kept, 1, 8, to: &found) }
      return found
    }

    private static func sizeInFrame(_: UnsafeRawBufferPointer) -> Int { count * 16 }
  #endif

  /// Adds the words of consecutive registers.
  private static func add(
    _ area: UnsafeRawBufferPointer, _ place: Int, _ name: String, _ first: Int, _ count: Int, _ bytes: Int,
    to words: inout [Word]
  ) {
    for offset in stride(from: 0, to: count * bytes, by: 8) {
      let word = area.word(place + offset)
      if word != 0 { words.append(Word(register: "\(name)\(first + offset / bytes)", word: word)) }
    }
  }
}
