import Crypto
import Galleries
import Glibc
import Imaging
import Lifecycle
import Wire

/// A picture's file while it is fetched: without a name, on the hub's disk.
actor FetchedFile: PictureFile {
  private nonisolated let thread: WorkerThread
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  nonisolated let scratch: ScratchFile
  nonisolated let limit: Int
  private let hash = RunningDigest()
  private(set) var size = 0

  /// - Parameter room: bytes that the disk has for it.
  init(in folder: String, limit: Int, room: Int, on thread: WorkerThread) throws(SourceFault) {
    guard room > 0 else { throw .noRoom }
    do { scratch = try ScratchFile(in: folder) } catch { throw .noRoom }
    self.limit = min(limit, room)
    self.isShort = room < limit
    self.thread = thread
  }
  private let isShort: Bool

  func append(_ bytes: [UInt8]) throws(SourceFault) {
    guard size + bytes.count <= limit else {
      throw isShort ? .noRoom : .broken(Reason(.fileTooLarge, ["megabytes": .number(limit >> 20)]))
    }
    do {
      try scratch.write(bytes, at: size)
    } catch {
      throw [ENOSPC, EDQUOT].contains(error.code) ? .noRoom : .broken(Reason(.fileUnreadable))
    }
    size += bytes.count
    bytes.withUnsafeBytes { hash.update($0) }
  }

  /// The SHA-256 of all bytes. To be called once.
  func finish() -> [UInt8] { hash.finish() }
}
