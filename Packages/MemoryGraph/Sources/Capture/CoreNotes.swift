import Glibc

/// Core files of ELF: the kernel's, and gcore's (elf(5); linux/elfcore.h).
enum CoreNotes {
  private static let (load, notes): (UInt32, UInt32) = (1, 4)
  private static let (status, floats, info, auxiliary): (UInt32, UInt32, UInt32, UInt32) = (1, 2, 3, 6)
  private static let (vectors, tls, files): (UInt32, UInt32, UInt32) = (0x202, 0x401, 0x4649_4C45)
  /// The offsets of the thread and of its registers in a status, and of the number and the name in the process'
  /// information.
  private static let (thread, registers, process, name) = (32, 112, 24, 40)
  /// AT_ENTRY.
  private static let entry: UInt64 = 9

  private struct Header {
    var kind, flags: UInt32
    var offset, size: Int
    /// False if the file ends before this does.
    var isWhole: Bool
    var range: Range<UInt64>
  }

  /// PN_XNUM: there are more than fit into the number, and the first section says how many.
  private static let manyHeaders = 0xFFFF

  private static func headers(_ core: CoreFile) throws(CaptureError) -> [Header] {
    let table = Int(truncatingIfNeeded: core.word(32))
    var count = Int(core.quarter(56))
    if count == manyHeaders {
      let section = Int(truncatingIfNeeded: core.word(40))
      // The kernel writes it last.
      guard core.has(section, 64) else { throw core.cutOff }
      count = Int(core.half(section + 44))
    }
    guard core.has(table, count * 56) else { return [] }
    return (0..<count).compactMap { index in
      let place = table + index * 56
      let offset = Int(truncatingIfNeeded: core.word(place + 8))
      let start = core.word(place + 16)
      let (end, isOver) = start.addingReportingOverflow(core.word(place + 40))
      guard !isOver else { return nil }
      let size = Int(truncatingIfNeeded: core.word(place + 32))
      let part = core.clamped(offset, size)
      return Header(
        kind: core.half(place), flags: core.half(place + 4),
        offset: part.lowerBound, size: part.count, isWhole: size == 0 || core.has(offset, size), range: start..<end)
    }
  }

  static func segments(_ core: CoreFile) throws(CaptureError) -> [CoreFile.Segment] {
    #if arch(arm64)
      let machine: UInt16 = 183
    #else
      let machine: UInt16 = 62
    #endif
    guard core.quarter(18) == machine else { throw core.refusal("it is of another processor") }
    var found: [CoreFile.Segment] = []
    for header in try headers(core) where header.kind == load && !header.range.isEmpty {
      // The kernel writes the variables of libraries and the stacks last: without them all they hold would look lost.
      guard header.isWhole else { throw core.cutOff }
      guard header.size > 0 else { continue }
      let size = min(UInt64(header.size), header.range.upperBound - header.range.lowerBound)
      let range = header.range.lowerBound..<header.range.lowerBound + size
      found.append(CoreFile.Segment(range: range, offset: header.offset))
    }
    return found
  }

  static func contents(_ core: CoreFile) throws(CaptureError) -> CoreFile.Contents {
    var contents = CoreFile.Contents()
    let headers = try headers(core)
    var entryPoint: UInt64 = 0
    var named: [Mapping] = []
    /// The places of each thread's status, vectors and thread pointer.
    var found: [(status: Int, vectors: UnsafeRawBufferPointer, tls: UInt64)] = []
    for header in headers where header.kind == notes {
      var place = header.offset
      let end = min(core.bytes.count, header.offset + header.size)
      while place + 12 <= end {
        let (owner, size) = (core.half(place), core.half(place + 4))
        let (kind, start) = (core.half(place + 8), place + 12 + padded(owner))
        place = start + padded(size)
        switch kind {
        case status: found.append((start, core.part(0, 0), 0))
        // What a processor has beyond these comes later, and takes their place.
        case floats, vectors: if !found.isEmpty { found[found.count - 1].vectors = core.part(start, Int(size)) }
        case tls: if !found.isEmpty { found[found.count - 1].tls = core.word(start) }
        case info:
          let text = core.part(start + name, 16).prefix { $0 != 0 }
          contents.name = String(decoding: text, as: UTF8.self)
          contents.process = Int32(truncatingIfNeeded: core.half(start + process))
        case auxiliary:
          for pair in stride(from: start, to: min(start + Int(size), core.bytes.count), by: 16)
          where core.word(pair) == entry { entryPoint = core.word(pair + 8) }
        case files: named = mappedFiles(core, start, Int(size))
        default: break
        }
      }
    }
    contents.mappings = mappings(core, headers, named)
    for (place, vectors, tls) in found {
      let number = Int32(truncatingIfNeeded: core.half(place + thread))
      let bytes = core.part(place + registers, MemoryLayout<user_regs_struct>.size)
      guard bytes.count == MemoryLayout<user_regs_struct>.size else { continue }
      let registers = Registers(inFile: bytes.baseAddress!, threadPointer: tls, core)
      contents.threads.append(
        Snapshot.Thread(
          number: number, registers: registers,
          vectors: VectorRegisters.words(inFile: vectors, isInCall: registers.isInSystemCall)))
    }
    // The kernel begins with the thread that has crashed; the first one has the process' number.
    contents.threads.sort { $0.number < $1.number }
    nameParts(&contents, entryPoint)
    return contents
  }

  private static func padded(_ size: UInt32) -> Int { (Int(size) + 3) & ~3 }

  /// NT_FILE: how many, the size of a page; start, end and offset in pages of each; then their paths.
  private static func mappedFiles(_ core: CoreFile, _ start: Int, _ size: Int) -> [Mapping] {
    let (count, page) = (core.word(start), core.word(start + 8))
    guard count <= UInt64(size / 24), page > 0 else { return [] }
    let names = core.part(start + 16 + Int(count) * 24, size - 16 - Int(count) * 24).split(
      separator: 0, maxSplits: Int(count), omittingEmptySubsequences: false)
    return (0..<min(Int(count), names.count)).compactMap { index in
      let place = start + 16 + index * 24
      let (from, to) = (core.word(place), core.word(place + 8))
      guard from < to else { return nil }
      return Mapping(
        start: from, end: to, isReadable: true, isWritable: false, isExecutable: false, isPrivate: true,
        fileOffset: core.word(place + 16) &* page,
        path: String(decoding: names[index], as: UTF8.self))
    }
  }

  private static func mappings(_ core: CoreFile, _ headers: [Header], _ named: [Mapping]) -> [Mapping] {
    var mappings: [Mapping] = []
    for header in headers where header.kind == load && !header.range.isEmpty {
      let file = named.first { $0.contains(header.range.lowerBound) }
      let path = file?.path ?? ""
      mappings.append(
        Mapping(
          start: header.range.lowerBound, end: header.range.upperBound,
          isReadable: header.flags & 4 != 0 && !(path.isEmpty && isGuard(header, core)),
          isWritable: header.flags & 2 != 0, isExecutable: header.flags & 1 != 0,
          isPrivate: !path.hasPrefix("/dev/") && !path.hasPrefix("/memfd:") && !path.hasPrefix("/SYSV"),
          fileOffset: file.map { header.range.lowerBound - $0.start &+ $0.fileOffset } ?? 0, path: path))
    }
    // gcore leaves out what nobody may write and is in a file.
    for var file in named where !mappings.contains(where: { $0.start < file.end && file.start < $0.end }) {
      file.isExecutable = ELFSegment.isExecutable(file.path, at: file.fileOffset)
      mappings.append(file)
    }
    return mappings.sorted { $0.start < $1.start }
  }

  /// True for memory of no file that nobody may write and that is all zero: what gdb makes of memory that nobody may
  /// read either, such as the guard below a stack and what an arena has reserved. If it was readable, nothing is lost.
  private static func isGuard(_ header: Header, _ core: CoreFile) -> Bool {
    guard header.flags & 7 == 4, header.size > 0 else { return false }
    let bytes = core.part(header.offset, header.size)
    defer { core.forget(bytes) }
    let words = bytes.count / 8
    return (0..<words).allSatisfy { bytes.word($0 * 8) == 0 }
  }

  /// Names the main thread's stack and the heap at the program break, as /proc/PID/maps does: the latter begins at or
  /// after the end of the program, and before the next file.
  private static func nameParts(_ contents: inout CoreFile.Contents, _ entryPoint: UInt64) {
    let mappings = contents.mappings
    if let main = contents.threads.first?.registers.stackPointer,
      let stack = mappings.firstIndex(where: { $0.contains(main) && $0.path.isEmpty })
    {
      contents.mappings[stack].path = "[stack]"
    }
    guard let program = mappings.first(where: { $0.contains(entryPoint) && $0.isFile }),
      var next = mappings.lastIndex(where: { $0.path == program.path }).map({ $0 + 1 })
    else { return }
    // Variables that begin as zero.
    while next < mappings.count, mappings[next].path.isEmpty, mappings[next].start == mappings[next - 1].end {
      next += 1
    }
    guard next < mappings.count, mappings[next].start &- mappings[next - 1].end < farthestHeap else { return }
    var end = mappings[next].start
    while next < mappings.count, mappings[next].path.isEmpty, mappings[next].start == end {
      contents.mappings[next].path = "[heap]"
      end = mappings[next].end
      next += 1
    }
  }

  /// The most bytes that the kernel leaves between a program and its break (arch_randomize_brk: 32 MB; 1 GB on arm64,
  /// and for programs that are loaders).
  private static let farthestHeap: UInt64 = 1 << 30 + 1 << 21
}
