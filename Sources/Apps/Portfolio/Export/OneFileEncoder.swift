import Crypto
import Hub
import Lifecycle
import Store

/// Makes the elements of a file out of pictures, on a thread of its own: reading, locking and base64 of one take
/// milliseconds, and the key of a passphrase a good part of a second, which nobody else of the hub should wait for.
actor OneFileEncoder {
  // Threads last as long as the process: all files share this one.
  private static let worker = WorkerThread(name: "one-file")
  nonisolated var unownedExecutor: UnownedSerialExecutor { Self.worker.asUnownedSerialExecutor() }
  /// Nil for a file that everybody may read.
  nonisolated let lock: OneFileLock?
  private let blobs: Blobs

  init(_ blobs: Blobs, passphrase: String?) async {
    self.blobs = blobs
    guard let passphrase else {
      lock = nil
      return
    }
    lock = await withUnsafeContinuation { continuation in
      Self.worker.execute { continuation.resume(returning: OneFileLock(passphrase)) }
    }
  }

  /// The bytes of a picture's file, which has some hundred kilobytes; none if it went meanwhile.
  func bytes(of picture: PortfolioPicture, _ size: String) async throws -> [UInt8] {
    guard let found = try await blobs.content(of: PortfolioPicture.blob(size, picture.address)) else { return [] }
    let bytes = found.piece(from: 0, atMost: found.size)
    guard bytes.count == found.size else { throw Unreadable() }
    return bytes
  }

  /// The element of a picture in the file, locked if the file is.
  func element(of picture: PortfolioPicture, _ size: String, _ bytes: [UInt8]) -> [UInt8] {
    let name = "\(picture.address)/\(size)"
    let kept = lock?.seal(bytes, named: name) ?? bytes
    var element = Array("<script type=\"text/plain\" id=\"file/\(name)\">".utf8)
    element.reserveCapacity(kept.count * 4 / 3 + 200)
    element += Digest.base64(kept).utf8
    element += "</script>\n".utf8
    return element
  }

  struct Unreadable: Error, CustomStringConvertible {
    var description: String { "A picture's file cannot be read: eightbells store verify." }
  }
}
