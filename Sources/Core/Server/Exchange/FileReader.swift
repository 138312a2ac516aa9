import Glibc
import Lifecycle
import Synchronization

/// Reads files on threads of its own, since a disk may block and a loop must not.
final class FileReader: Sendable {
  /// Started when the first file is read.
  private let lanes = Mutex<[Lane]>([])
  /// Disks serve a few readers at once; more threads would only wait.
  private static let threads = 2

  /// Reads a part of a file into the page cache.
  func warm(_ file: OpenFile, _ range: Range<Int>) async { await lane(of: file).warm(file, range) }

  /// A part of a file; shorter where the file ends, nil where the disk fails.
  func read(_ file: OpenFile, _ range: Range<Int>) async -> [UInt8]? { await lane(of: file).read(file, range) }

  private func lane(of file: OpenFile) -> Lane {
    lanes.withLock { lanes in
      if lanes.isEmpty { lanes = (0..<Self.threads).map { Lane("file-reader-\($0)") } }
      return lanes[Int(file.descriptor) % lanes.count]
    }
  }

  private actor Lane {
    private nonisolated let worker: WorkerThread
    nonisolated var unownedExecutor: UnownedSerialExecutor { worker.asUnownedSerialExecutor() }
    private var scratch: [UInt8] = []

    init(_ name: String) { worker = WorkerThread(name: name) }

    func warm(_ file: OpenFile, _ range: Range<Int>) {
      if scratch.isEmpty { scratch = [UInt8](repeating: 0, count: ServerLimits.fileWindowBytes) }
      // Errors are ignored here: sending reports them.
      _ = pread(file.descriptor, &scratch, min(range.count, scratch.count), range.lowerBound)
    }

    func read(_ file: OpenFile, _ range: Range<Int>) -> [UInt8]? {
      var failed = false
      let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, count in
        while count < range.count {
          let got = pread(file.descriptor, buffer.baseAddress! + count, range.count - count, range.lowerBound + count)
          if got < 0, errno == EINTR { continue }
          failed = got < 0
          if got <= 0 { break }
          count += got
        }
      }
      return failed ? nil : bytes
    }
  }

  /// The file as a body that is read and sent piece by piece.
  func stream(_ file: OpenFile, _ range: Range<Int>) -> ResponseStream {
    ResponseStream(length: range.count) { writer async throws(StreamFault) in try await writer.write(file, range) }
  }
}
