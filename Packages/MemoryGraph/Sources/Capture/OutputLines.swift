import CLinux
import Glibc

/// One of a program's outputs, or both in one, which is forwarded and read line by line.
final class OutputLines {
  private(set) var reader: Int32
  /// The program's end; closed here as soon as the program was started.
  private(set) var writer: Int32
  let target: Int32
  private var rest: [UInt8] = []
  private(set) var hasEnded = false
  /// The most bytes of a line that are kept; the rest of a longer one is forwarded unread.
  private static let longestLine = 1 << 16

  init(for target: Int32) throws(CaptureError) {
    self.target = target
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else {
      throw CaptureError(.refused, "No pipe for the program's output: \(String(cString: strerror(errno))).")
    }
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  }

  deinit {
    if reader >= 0 { close(reader) }
    closeWriter()
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// True if two of our outputs are the same file, so that the order between them matters.
  static func areSame(_ one: Int32, _ other: Int32) -> Bool {
    var first = stat()
    var second = stat()
    return fstat(one, &first) == 0 && fstat(other, &second) == 0 && first.st_dev == second.st_dev
      && first.st_ino == second.st_ino
  }

  func takeRest() -> [[UInt8]] {
    defer { rest = [] }
    return rest.isEmpty ? [] : [rest]
  }

  /// Closes the output when its reader has gone, so that the kernel tells the program as it would without this tool.
  private func end() {
    hasEnded = true
    if reader >= 0 { close(reader) }
    reader = -1
  }

  /// Forwards the bytes that have come, and returns the lines completed by them.
  func take() -> [[UInt8]] {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &piece, piece.count)
    guard count > 0 else {
      if count < 0, errno == EINTR { return [] }
      end()
      return takeRest()
    }
    if clinux_write_all(target, piece, count) == 0 { end() }
    var lines: [[UInt8]] = []
    for byte in piece[..<count] {
      if byte == 10 {
        lines.append(rest)
        rest = []
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      }
    }
    return lines
  }
}
