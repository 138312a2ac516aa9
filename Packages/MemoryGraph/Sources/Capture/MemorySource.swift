import CPtrace
import Glibc

/// Whose memory is read.
protocol MemorySource: AnyObject {
  var process: Int32 { get }

  /// Bytes read into `target`: fewer than asked for at what cannot be read, or a negative error number.
  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64

  /// The same memory, and also where the program itself may not read it (PROT_NONE).
  var whateverItsRights: any MemorySource { get }
}

/// A process that we may trace, or a thread of it that still lives.
final class TracedMemory: MemorySource {
  let process: Int32
  init(_ process: Int32) { self.process = process }

  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    cptrace_read(process, address, target, count)
  }

  var whateverItsRights: any MemorySource { ProtectedMemory(process) }
}

/// Memory of a process that we trace, by /proc/PID/mem: that does not ask for the rights of a page.
private final class ProtectedMemory: MemorySource {
  let process: Int32
  private let file: Int32
  var whateverItsRights: any MemorySource { self }

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
