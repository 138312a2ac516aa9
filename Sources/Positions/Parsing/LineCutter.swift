/// Cuts bytes into lines, however they come. A line that is too long is told once, and skipped to its end.
struct LineCutter {
  enum Piece {
    case line(UnsafeBufferPointer<UInt8>)
    case tooLong
  }

  private var line: [UInt8] = []
  private var isSkipping = false

  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (Piece) -> Void) {
    for byte in bytes {
      if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
        end(take)
      } else if isSkipping {
        continue
      } else if line.count == PositionLimits.lineBytes {
        isSkipping = true
        line.removeAll(keepingCapacity: true)
        take(.tooLong)
      } else {
        line.append(byte)
      }
    }
  }

  /// Ends the line; an empty one is none.
  mutating func end(_ take: (Piece) -> Void) {
    isSkipping = false
    guard !line.isEmpty else { return }
    line.withUnsafeBufferPointer { take(.line($0)) }
    line.removeAll(keepingCapacity: true)
  }
}
