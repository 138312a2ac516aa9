import Glibc
import Lifecycle

/// A file without a name, for what is fetched or made; its room is free again when this goes.
public final class ScratchFile: Sendable {
  public let descriptor: Int32

  public struct Failure: Error {
    public let code: Int32
  }

  /// - Parameter folder: on the disk that is to hold it.
  public init(in folder: String) throws(Failure) {
    var path = Array("\(folder)/making-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    unlink(path)
  }

  /// Another reference to an open file.
  public init(copying file: Int32) throws(Failure) {
    descriptor = fcntl(file, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw Failure(code: errno) }
  }

  deinit { close(descriptor) }

  /// The next bytes, at most 256 KB; empty at the end.
  public func read(from offset: Int) throws(Failure) -> [UInt8] {
    var code: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: 256 << 10) { buffer, count in
      let read = pread(descriptor, buffer.baseAddress, buffer.count, offset)
      if read < 0 { code = errno }
      count = max(0, read)
    }
    guard code == 0 else { throw Failure(code: code) }
    return bytes
  }

  /// Writes bytes at an offset.
  public func write(_ bytes: [UInt8], at offset: Int) throws(Failure) {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress! + done, $0.count - done, offset + done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Failure(code: errno) }
      done += count
    }
  }
}

/// Reads such files on a thread of its own: they may have gigabytes.
public actor ScratchReader {
  private nonisolated let thread = WorkerThread(name: "scratch-files")
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  public init() {}

  public func read(_ file: ScratchFile, from offset: Int) throws -> [UInt8] { try file.read(from: offset) }
}
