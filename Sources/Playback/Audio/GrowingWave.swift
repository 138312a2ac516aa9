import Glibc

/// A WAV file of 16-bit samples that grows by one sound after the other.
enum GrowingWave {
  private static let head = 44

  static func append(_ samples: [Int16], rate: Int, to path: String) throws(PlaybackError) {
    func failure() -> PlaybackError { PlaybackError("\(path) cannot be written: \(String(cString: strerror(errno))).") }
    let file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    guard file >= 0 else { throw failure() }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw failure() }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PlaybackError("\(path) is no plain file; the path of a WAV file is accepted.")
    }
    let before = max(0, Int(status.st_size) - head)
    guard before + samples.count * 2 < Int(Int32.max) else { throw PlaybackError("\(path) is full: 2 GB.") }
    let bytes = samples.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] }
    let isWritten =
      write(header(bytes: before + bytes.count, rate: rate), to: file, at: 0)
      && write(bytes, to: file, at: head + before)
    guard isWritten else { throw failure() }
  }

  private static func header(bytes: Int, rate: Int) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] {
      (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let format = number(1, 2) + number(1, 2) + number(rate, 4) + number(rate * 2, 4) + number(2, 2) + number(16, 2)
    return Array("RIFF".utf8) + number(bytes + 36, 4) + Array("WAVEfmt ".utf8) + number(16, 4) + format
      + Array("data".utf8) + number(bytes, 4)
  }

  private static func write(_ bytes: [UInt8], to file: Int32, at start: Int) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { pwrite(file, $0.baseAddress! + done, $0.count - done, off_t(start + done)) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      done += count
    }
    return true
  }
}
