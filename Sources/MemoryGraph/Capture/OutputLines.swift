import Glibc

/// One of a program's outputs, passed on as it comes, and read line by line.
final class OutputLines {
  let reader: Int32
  /// For the program; closed here as soon as it has been started.
  private(set) var writer: Int32
  private let target: Int32
  private var rest: [UInt8] = []
  private(set) var hasEnded = false
  /// Bytes of a line that are kept; the rest of a longer one is passed on unread.
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
    close(reader)
    closeWriter()
  }

  func closeWriter() {
    if writer >= 0 { close(writer) }
    writer = -1
  }

  /// What has come, passed on. Answers the lines that are whole now.
  func take() -> [String] {
    var piece = [UInt8](repeating: 0, count: 1 << 16)
    let count = read(reader, &piece, piece.count)
    guard count > 0 else {
      hasEnded = count == 0 || errno != EINTR
      return []
    }
    var done = 0
    while done < count {
      let written = piece.withUnsafeBytes { write(target, $0.baseAddress! + done, count - done) }
      if written < 0, errno == EINTR { continue }
      if written <= 0 { break }
      done += written
    }
    var lines: [String] = []
    for byte in piece[..<count] {
      if byte == 10 {
        lines.append(String(decoding: rest, as: UTF8.self))
        rest = []
      } else if rest.count < Self.longestLine {
        rest.append(byte)
      }
    }
    return lines
  }
}
