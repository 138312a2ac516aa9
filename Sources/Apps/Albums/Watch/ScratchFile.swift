import Glibc
import Lifecycle
import Store

/// A file without a name for the program that makes videos; its room is free again when this goes.
final class ScratchFile: Sendable {
  let descriptor: Int32

  struct Failure: Error {
    let code: Int32
  }

  init(in folder: String) throws(Failure) {
    var path = Array("\(folder)/making-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  private init(descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// A descriptor of a blob's content; one that is kept within the database is written to a file first.
  static func descriptor(of content: BlobContent, in folder: String) throws(Failure) -> ScratchFile {
    switch content.body {
    case .file(let file):
      let copy = dup(file.descriptor)
      guard copy >= 0 else { throw Failure(code: errno) }
      return ScratchFile(descriptor: copy)
    case .bytes(let bytes):
      let file = try ScratchFile(in: folder)
      guard write(file.descriptor, bytes, bytes.count) == bytes.count else { throw Failure(code: errno) }
      return file
    }
  }

  /// The next bytes, at most 256 KB; empty at the end.
  func read(from offset: Int) throws(Failure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      let read = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      if read < 0 { code = errno }
      count = max(0, read)
    }
    guard code == 0 else { throw Failure(code: code) }
    return bytes
  }
}

/// Reads such files on a thread of its own: they may have gigabytes.
actor ScratchReader {
  private nonisolated let thread = WorkerThread(name: "album-videos")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  func read(_ file: ScratchFile, from offset: Int) throws -> [UInt8] { try file.read(from: offset) }
}
