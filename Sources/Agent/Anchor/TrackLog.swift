package import Device
import Glibc

/// The track on the disk, `track.csv` in the agent's folder: a line for each fix, written with one call, so that it is
/// complete to its last line after any kill. A line that a loss of power has torn is cut off at the next start. When it
/// is full, it becomes `track-before.csv`. Confined to its loop.
package final class TrackLog {
  package static let file = "track.csv"
  package static let before = "track-before.csv"

  private let folder: StateFolder
  private let most: Int
  private var descriptor: Int32 = -1
  private var size = 0
  private var isSynced = true
  /// Seconds since 1970 by the machine's clock: when it was written last before it was opened.
  package private(set) var written = 0.0

  /// - Parameter most: bytes of the file.
  package init(_ folder: StateFolder, most: Int = 12 << 20) throws(DeviceError) {
    (self.folder, self.most) = (folder, most)
    try open()
  }

  deinit { close(descriptor) }

  private func failure(_ what: String) -> DeviceError { folder.failure(what, Self.file) }

  private func open() throws(DeviceError) {
    descriptor = openat(folder.descriptor, Self.file, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure("opened") }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw failure("read") }
    size = Int(status.st_size)
    written = Double(status.st_mtim.tv_sec) + Double(status.st_mtim.tv_nsec) / 1e9
    let end = bytes(last: 4_096)
    let torn = end.reversed().prefix { $0 != 10 }.count
    size -= torn
    if torn > 0, ftruncate(descriptor, off_t(size)) != 0 { throw failure("mended") }
    if size == 0 { try write(Array(TrackRecord.head.utf8)) }
  }

  private func bytes(last count: Int) -> [UInt8] {
    let start = max(0, size - count)
    var bytes = [UInt8](repeating: 0, count: size - start)
    let read = bytes.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(start)) }
    return Array(bytes.prefix(max(0, read)))
  }

  package func add(_ record: TrackRecord) throws(DeviceError) {
    let line = Array(record.line.utf8)
    if size + line.count > most {
      close(descriptor)
      descriptor = -1
      guard renameat(folder.descriptor, Self.file, folder.descriptor, Self.before) == 0 else {
        let error = failure("renamed")
        try open()
        throw error
      }
      try open()
    }
    try write(line)
  }

  /// All of it, or nothing.
  private func write(_ line: [UInt8]) throws(DeviceError) {
    let count = line.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, off_t(size)) }
    guard count == line.count else {
      let error = failure("written")
      if count > 0 { ftruncate(descriptor, off_t(size)) }
      throw error
    }
    size += count
    isSynced = false
  }

  package func sync() {
    guard !isSynced, fdatasync(descriptor) == 0 else { return }
    isSynced = true
  }

  /// The records at its end.
  package func last(bytes count: Int) -> [TrackRecord] {
    let text = bytes(last: count).split(separator: 10)
    // The first line may be a part of one.
    return text.dropFirst(size > count ? 1 : 0).compactMap { TrackRecord(line: String(decoding: $0, as: UTF8.self)) }
  }
}
