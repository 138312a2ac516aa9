import Glibc
import Hub
import Terminal

/// A file that is written from its beginning to its end, and has its name once it is whole.
final class DraftFile: Sendable {
  private let path: String
  private let draft: String
  private let descriptor: Int32

  init(_ path: String) throws(CommandError) {
    self.path = path
    draft = "\(path).part"
    // Said before the work: a file cannot take its name.
    var status = stat()
    guard !path.hasSuffix("/"), stat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFDIR else {
      throw CommandError("--out: \(path) is a folder; a file is accepted, such as portfolio.html in it.")
    }
    descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw Self.failure(path) }
    DataFolder.giveToCaller(draft)
  }

  /// Takes away what was not finished.
  deinit {
    close(descriptor)
    unlink(draft)
  }

  func write(_ bytes: some Collection<UInt8>) throws(CommandError) {
    let bytes = Array(bytes)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + done, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw Self.failure(path) }
      done += count
    }
  }

  /// - Returns: its bytes.
  func finish() throws(CommandError) -> Int {
    let size = Int(lseek(descriptor, 0, SEEK_CUR))
    guard fsync(descriptor) == 0, rename(draft, path) == 0 else { throw Self.failure(path) }
    return size
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError("--out: cannot write \(path): \(String(cString: strerror(errno)))")
  }
}
