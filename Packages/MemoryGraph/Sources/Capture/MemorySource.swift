import CPtrace
import Glibc

protocol MemorySource: AnyObject {
  var process: Int32 { get }

  /// Reads bytes into `target`. Returns fewer than asked for before unreadable memory, or a negative error number.
  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64

  /// The parts of a mapping that the process has touched, in order.
  ///
  /// - Parameter isOwn: true to leave out pages that are unchanged from their file.
  func touched(_ start: UInt64, _ end: UInt64, isOwn: Bool) -> [Range<UInt64>]

  /// The same memory, also where the program itself has no right to read (PROT_NONE).
  var whateverItsRights: any MemorySource { get }
}

extension MemorySource {
  var whateverItsRights: any MemorySource { self }

  func touched(_ start: UInt64, _ end: UInt64, isOwn: Bool) -> [Range<UInt64>] {
    TouchedPages.runs(start, end, of: process, isOwn: isOwn)
  }
}

/// The memory of a process that may be traced, or of one of its live threads.
final class TracedMemory: MemorySource {
  let process: Int32
  private lazy var file = MemoryFile(process)

  init(_ process: Int32) { self.process = process }

  /// Much is read from the file: process_vm_readv(2) pins pages, for which the kernel first copies those of a twin.
  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    if count >= Self.much {
      let done = file.read(address, count, into: target)
      if done > 0 { return done }
    }
    return cptrace_read(process, address, target, count)
  }

  private static let much: UInt64 = 64 << 10

  var whateverItsRights: any MemorySource { file }
}

/// The memory of a traced process by /proc/PID/mem, which ignores the access rights of pages.
private final class MemoryFile: MemorySource {
  let process: Int32
  private let file: Int32

  init(_ process: Int32) {
    self.process = process
    file = open("/proc/\(process)/mem", O_RDONLY | O_CLOEXEC)
  }

  deinit { if file >= 0 { close(file) } }

  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    let read = pread(file, target, Int(count), Int(address))
    return Int64(read < 0 ? Int(-errno) : read)
  }
}
