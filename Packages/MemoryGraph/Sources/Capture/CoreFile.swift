import Glibc

/// A process that was kept in a file: a core file of ELF (gcore, the kernel) or a minidump (lldb). What the file leaves
/// out of programs and libraries is read from these.
public final class CoreFile {
  /// A part of the memory that is in the file.
  struct Segment {
    var range: Range<UInt64>
    var offset: Int
  }
  struct Contents {
    var process: Int32 = 0
    var name = "?"
    var mappings: [Mapping] = []
    var threads: [Snapshot.Thread] = []
  }

  let path: String
  private(set) var contents = Contents()
  let bytes: UnsafeRawBufferPointer
  /// In order.
  private var segments: [Segment] = []
  private var files: [String: Int32] = [:]

  /// True if a file begins as one of these. A pipe is none, and nothing is read from it: that would be
  /// missing afterwards.
  public static func isOne(_ path: String) -> Bool {
    var found = stat()
    guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG else { return false }
    guard let file = fopen(path, "re") else { return false }
    defer { fclose(file) }
    var head = [UInt8](repeating: 0, count: 18)
    guard fread(&head, 1, head.count, file) == head.count else { return false }
    return head.starts(with: Array("MDMP".utf8)) || head.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2]) && head[16] == 4
  }

  public init(_ path: String) throws(CaptureError) {
    self.path = path
    let file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw CaptureError(.refused, "Cannot read \(path): \(String(cString: strerror(errno))).") }
    defer { close(file) }
    let size = Int(lseek(file, 0, SEEK_END))
    guard size > 64, let map = mmap(nil, size, PROT_READ, MAP_PRIVATE, file, 0), map != MAP_FAILED else {
      throw CaptureError(.refused, "\(path) is too short for a core file.")
    }
    bytes = UnsafeRawBufferPointer(start: map, count: size)
    let isMinidump = bytes.half(0) == Minidump.signature
    segments = isMinidump ? try Minidump.segments(self) : try CoreNotes.segments(self)
    segments.sort { $0.range.lowerBound < $1.range.lowerBound }
    guard Self.areApart(segments.map(\.range)) else { throw refusal("parts of its memory overlap") }
    contents = isMinidump ? try Minidump.contents(self) : try CoreNotes.contents(self)
    guard !contents.threads.isEmpty, !contents.mappings.isEmpty else { throw refusal("it has no threads or no memory") }
    guard contents.mappings.allSatisfy({ $0.start < $0.end && $0.size <= Self.largest }),
      Self.areApart(contents.mappings.map { $0.start..<$0.end })
    else { throw refusal("what was mapped overlaps, or is out of order") }
    // The C library is left alone: only its version matters, which an upgrade rarely changes.
    let others = Set(
      contents.mappings.filter { !GlibcVersion.isGlibc($0.path) && isOfAnotherBuild($0) }.map(\.path))
    for index in contents.mappings.indices where others.contains(contents.mappings[index].path) {
      // So that nothing is read from it.
      contents.mappings[index].path += " (here is another build)"
    }
  }

  /// True if a file begins otherwise than the one that the process had mapped. Its head is left out, which `strip`
  /// changes.
  private func isOfAnotherBuild(_ mapping: Mapping) -> Bool {
    let next = firstPlace(in: segments) { $0.range.upperBound > mapping.start }
    guard mapping.isFile, mapping.fileOffset == 0, !mapping.isWritable, next < segments.count,
      segments[next].range.contains(mapping.start), segments[next].range.upperBound - mapping.start >= 4096
    else { return false }
    let kept = part(segments[next].offset + Int(mapping.start - segments[next].range.lowerBound) + 64, 4096 - 64)
    var there = [UInt8](repeating: 0, count: kept.count)
    let file = file(mapping.path)
    let count = file < 0 ? 0 : max(0, pread(file, &there, there.count, 64))
    return !there.prefix(count).elementsEqual(kept.prefix(count))
  }

  /// More than the addresses that a program may have.
  private static let largest: UInt64 = 1 << 57

  /// True for ranges that are in order and do not overlap, as all who read them rely on.
  private static func areApart(_ ranges: [Range<UInt64>]) -> Bool {
    zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound }
  }

  deinit {
    munmap(UnsafeMutableRawPointer(mutating: bytes.baseAddress!), bytes.count)
    for file in files.values where file >= 0 { close(file) }
  }

  func refusal(_ why: String) -> CaptureError {
    CaptureError(
      .refused,
      "\(path) cannot be looked at: \(why). Accepted are files of gcore, of the kernel, and of lldb's "
        + "process save-core --style full.")
  }

  /// For a file that ends before the memory that it is said to have.
  var cutOff: CaptureError {
    refusal("it was cut off, as by a full disk or a limit (ulimit -c), and the rest of the memory is missing")
  }

  // MARK: Reading the file

  /// A number of the file; 0 beyond its end.
  func word(_ offset: Int) -> UInt64 { has(offset, 8) ? bytes.word(offset) : 0 }
  func half(_ offset: Int) -> UInt32 { has(offset, 4) ? bytes.half(offset) : 0 }
  func quarter(_ offset: Int) -> UInt16 { has(offset, 2) ? bytes.quarter(offset) : 0 }

  func has(_ offset: Int, _ count: Int) -> Bool {
    offset >= 0 && count >= 0 && count <= bytes.count && offset <= bytes.count - count
  }

  /// A part of the file, cut off at its end.
  func part(_ offset: Int, _ count: Int) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: bytes[clamped(offset, count)])
  }

  /// What the file has of a part.
  func clamped(_ offset: Int, _ count: Int) -> Range<Int> {
    let start = min(max(0, offset), bytes.count)
    return start..<start + min(max(0, count), bytes.count - start)
  }
}

extension CoreFile {
  /// True for a minidump without some memory that nobody may write: what the loader has written into libraries, and
  /// protected then, is read from their files, where it is not.
  var lacksProtected: Bool {
    bytes.half(0) == Minidump.signature
      && contents.mappings.contains {
        $0.isFile && $0.isReadable && !$0.isWritable && touched($0.start, $0.end, isOwn: false).isEmpty
      }
  }

  /// Gives the memory back that a part of the file has taken.
  func forget(_ part: UnsafeRawBufferPointer) {
    guard let start = part.baseAddress, !part.isEmpty else { return }
    let before = Int(bitPattern: start) & (sysconf(Int32(_SC_PAGESIZE)) - 1)
    madvise(UnsafeMutableRawPointer(mutating: start - before), part.count + before, MADV_DONTNEED)
  }
}

extension CoreFile: MemorySource {
  /// The tool's own view of files.
  var process: Int32 { 0 }

  package func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    var done: UInt64 = 0
    while done < count {
      let piece = readPiece(address &+ done, count - done, into: target + Int(done))
      if piece <= 0 { break }
      done += UInt64(piece)
    }
    return done > 0 ? Int64(done) : Int64(-EFAULT)
  }

  private func readPiece(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int {
    let next = firstPlace(in: segments) { $0.range.upperBound > address }
    if next < segments.count, segments[next].range.contains(address) {
      let segment = segments[next]
      let found = part(
        segment.offset + Int(address - segment.range.lowerBound), Int(min(count, segment.range.upperBound - address)))
      if let start = found.baseAddress, found.count > 0 { memcpy(target, start, found.count) }
      return found.count
    }
    // Up to the next part that is in the file.
    let limit = next < segments.count ? min(count, segments[next].range.lowerBound - address) : count
    let place = firstPlace(in: contents.mappings) { $0.end > address }
    guard place < contents.mappings.count, contents.mappings[place].contains(address),
      contents.mappings[place].isFile
    else { return 0 }
    let mapping = contents.mappings[place]
    let file = file(mapping.path)
    guard file >= 0 else { return 0 }
    return pread(
      file, target, Int(min(limit, mapping.end - address)),
      Int(truncatingIfNeeded: address - mapping.start &+ mapping.fileOffset))
  }

  private func file(_ path: String) -> Int32 {
    if let known = files[path] { return known }
    let file = openMapped(path)
    files[path] = file
    return file
  }

  /// What the file has of a mapping; what it leaves out was never written, or is in other files.
  package func touched(_ start: UInt64, _ end: UInt64, isOwn: Bool) -> [Range<UInt64>] {
    var runs: [Range<UInt64>] = []
    var next = firstPlace(in: segments) { $0.range.upperBound > start }
    while next < segments.count, segments[next].range.lowerBound < end {
      let range = segments[next].range
      runs.join(max(range.lowerBound, start)..<min(range.upperBound, end))
      next += 1
    }
    return runs
  }
}
