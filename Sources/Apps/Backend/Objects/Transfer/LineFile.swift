import Glibc
import Hub
import Terminal
import Wire

/// A file of JSON values, one a line (NDJSON), as it is written.
final class LineWriter {
  private let file: Int32
  private let path: String
  private var pending: [UInt8] = []

  /// - Throws: if the file is there already.
  init(_ path: String) throws(CommandError) {
    self.path = path
    file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw .file("make", path) }
    DataFolder.giveToCaller(path)
  }

  deinit { close(file) }

  func write(_ json: JSON) throws(CommandError) {
    pending += json.text.utf8
    pending.append(UInt8(ascii: "\n"))
    if pending.count >= TransferLimits.piece { try flush() }
  }

  func write(_ bytes: [UInt8]) throws(CommandError) {
    pending += bytes
    try flush()
  }

  /// Writes what is left; it is on the disk afterwards.
  func finish() throws(CommandError) {
    try flush()
    guard fsync(file) == 0 else { throw .file("write", path) }
  }

  private func flush() throws(CommandError) {
    var start = 0
    while start < pending.count {
      let count = pending.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + start, $0.count - start) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw .file("write", path) }
      start += count
    }
    pending.removeAll(keepingCapacity: true)
  }
}

/// A file that is read piece by piece, or line by line.
final class LineReader {
  private let file: Int32
  private let path: String
  private var piece: ArraySlice<UInt8> = []
  private(set) var number = 0
  /// Bytes of all lines so far.
  private var bytes = 0

  init(_ path: String) throws(CommandError) {
    self.path = path
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw .file("read", path) }
  }

  deinit { close(file) }

  /// The next line's value; nil at the end. Empty lines are passed over.
  func next() throws(CommandError) -> JSON? {
    while let line = try line() {
      number += 1
      bytes += line.count
      if line.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
      do throws(JSONError) {
        return try JSON(parsing: line, values: .max)
      } catch {
        throw CommandError("\(path), line \(number): no JSON: \(error.message)")
      }
    }
    return nil
  }

  /// The next lines that are taken together, with their numbers; none at the end.
  func some() throws(CommandError) -> [(number: Int, json: JSON)] {
    var lines: [(number: Int, json: JSON)] = []
    let start = bytes
    while lines.count < TransferLimits.commit, bytes - start < TransferLimits.commitBytes, let line = try next() {
      lines.append((number, line))
    }
    return lines
  }

  private func line() throws(CommandError) -> [UInt8]? {
    var line: [UInt8] = []
    while true {
      if let end = piece.firstIndex(of: UInt8(ascii: "\n")) {
        line += piece[..<end]
        piece = piece[(end + 1)...]
        return line
      }
      line += piece
      guard line.count <= TransferLimits.line else {
        throw CommandError("\(path), line \(number + 1): more than \(TransferLimits.line) bytes; none is so long.")
      }
      piece = try read()[...]
      if piece.isEmpty { return line.isEmpty ? nil : line }
    }
  }

  /// The next bytes; none at the end.
  func read() throws(CommandError) -> [UInt8] {
    var count = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: TransferLimits.piece) { buffer, filled in
      repeat { count = Glibc.read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    guard count >= 0 else { throw .file("read", path) }
    return bytes
  }
}

/// The limits of exports and imports.
enum TransferLimits {
  /// Bytes that are read or written at a time.
  static let piece = 1 << 20
  /// Bytes of a line: a class with all its fields, or an object with its relations.
  static let line = 8 << 20
  /// Lines of an import that are one commit, while others write, and the bytes at which it ends before: parsed, they
  /// take many times as much memory.
  static let commit = 500
  static let commitBytes = 8 << 20
  /// Objects to which one object leads that are named on one line, by all fields together.
  static let relatedOnALine = 10_000
}
