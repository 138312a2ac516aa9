import CPtrace

/// Whose memory is read.
protocol MemorySource: AnyObject {
  var process: Int32 { get }

  /// Bytes read into `target`: fewer than asked for at what cannot be read, or a negative error number.
  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64
}

/// A process that we may trace, or a thread of it that still lives.
final class TracedMemory: MemorySource {
  let process: Int32
  init(_ process: Int32) { self.process = process }

  func read(_ address: UInt64, _ count: UInt64, into target: UnsafeMutableRawPointer) -> Int64 {
    cptrace_read(process, address, target, count)
  }
}
