import Glibc
import Terminal

/// A file that a command writes, anew.
enum OutputFile {
  static func write(_ bytes: [UInt8], to path: String) throws(CommandError) {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure(path) }
    defer { close(file) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw failure(path) }
      rest = rest.dropFirst(count)
    }
  }

  private static func failure(_ path: String) -> CommandError {
    CommandError("\(path) cannot be written: \(String(cString: strerror(errno))).")
  }
}
