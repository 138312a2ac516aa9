import CSndfile
import Glibc

/// Bytes in memory, as a file that libsndfile reads or writes.
final class MemoryFile {
  private let source: UnsafeRawBufferPointer?
  private(set) var written: [UInt8] = []
  private var position = 0

  /// - Parameter source: the bytes to be read, which have to outlive this; nil for a file that is written.
  init(_ source: UnsafeRawBufferPointer? = nil) { self.source = source }

  private var count: Int { source?.count ?? written.count }

  private func seek(_ offset: Int, _ origin: Int32) -> Int {
    let base = origin == SEEK_SET ? 0 : origin == SEEK_CUR ? position : count
    let (sum, overflow) = base.addingReportingOverflow(offset)
    guard !overflow, sum >= 0 else { return -1 }
    position = sum
    return sum
  }

  private func read(_ target: UnsafeMutableRawPointer, _ wanted: Int) -> Int {
    guard let source, position < source.count else { return 0 }
    let taken = min(wanted, source.count - position)
    target.copyMemory(from: source.baseAddress! + position, byteCount: taken)
    position += taken
    return taken
  }

  private func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    guard source == nil else { return 0 }
    // A header is written again when the length is known.
    if position > written.count { written += Array(repeating: 0, count: position - written.count) }
    let over = min(bytes.count, written.count - position)
    written.replaceSubrange(position..<position + over, with: bytes.prefix(over))
    written += bytes.dropFirst(over)
    position += bytes.count
    return bytes.count
  }

  private static func of(_ pointer: UnsafeMutableRawPointer?) -> MemoryFile {
    Unmanaged<MemoryFile>.fromOpaque(pointer!).takeUnretainedValue()
  }

  /// Opens it; the file has to be closed before this goes.
  func open(_ mode: Int, _ info: inout SF_INFO) -> OpaquePointer? {
    var functions = SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(MemoryFile.of($0).count) },
      seek: { offset, origin, file in sf_count_t(MemoryFile.of(file).seek(Int(offset), origin)) },
      read: { target, wanted, file in sf_count_t(target.map { MemoryFile.of(file).read($0, Int(wanted)) } ?? 0) },
      write: { bytes, count, file in
        sf_count_t(MemoryFile.of(file).write(UnsafeRawBufferPointer(start: bytes, count: Int(count))))
      },
      tell: { sf_count_t(MemoryFile.of($0).position) })
    position = 0
    return sf_open_virtual(&functions, Int32(mode), &info, Unmanaged.passUnretained(self).toOpaque())
  }
}
