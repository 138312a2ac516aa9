import Glibc
import Positions
import Terminal

/// A recorded track on disk, or from the standard input; read piece by piece, so that a season's log needs no memory.
enum TrackFile {
  static func read(_ path: String, _ take: (Positions.Reading) -> Void) throws(CommandError) -> TrackFormat {
    let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw unreadable(path) }
    defer { if file != STDIN_FILENO { close(file) } }
    var beginning: [UInt8] = []
    while beginning.count < pieceBytes {
      let piece = try next(file, path)
      if piece.isEmpty { break }
      beginning += piece
    }
    guard var track = TrackReader(recognising: beginning) else {
      let formats = TrackFormat.allCases.map(\.rawValue).joined(separator: ", ")
      let seen = beginning.isEmpty ? "it is empty" : "it begins with \"\(excerpt(beginning))\""
      throw CommandError("\(path): \(seen); accepted are \(formats).")
    }
    beginning.withUnsafeBufferPointer { track.feed($0, take) }
    while case let piece = try next(file, path), !piece.isEmpty {
      piece.withUnsafeBufferPointer { track.feed($0, take) }
    }
    track.finish(take)
    return track.format
  }

  private static func next(_ file: Int32, _ path: String) throws(CommandError) -> [UInt8] {
    var count = 0
    let piece = [UInt8](unsafeUninitializedCapacity: pieceBytes) { buffer, filled in
      repeat { count = Glibc.read(file, buffer.baseAddress, buffer.count) } while count < 0 && errno == EINTR
      filled = max(0, count)
    }
    guard count >= 0 else { throw unreadable(path) }
    return piece
  }

  private static func unreadable(_ path: String) -> CommandError {
    CommandError("\(path) cannot be read: \(String(cString: strerror(errno))).")
  }

  /// The printable beginning of a file.
  private static func excerpt(_ bytes: [UInt8]) -> String {
    let line = bytes.prefix { $0 != 10 && $0 != 13 }.prefix(40)
    return String(decoding: line.map { (32..<127).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }

  private static let pieceBytes = 64 << 10
}
