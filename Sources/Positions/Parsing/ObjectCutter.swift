import Wire

/// Cuts bytes into JSON objects, on one line or on several, however they come. What stands between them (commas and
/// brackets of a list, a logger's time stamps before them) is skipped.
struct ObjectCutter {
  enum Piece {
    case object(JSON)
    case refused(Refusal)
  }

  private var object: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var isAtLineStart = true
  /// Bytes between objects on the current line that are no part of a list.
  private var between = 0
  private var isSkipping = false

  mutating func feed(_ bytes: UnsafeBufferPointer<UInt8>, _ take: (Piece) -> Void) {
    for byte in bytes { step(byte, take) }
  }

  mutating func finish(_ take: (Piece) -> Void) {
    if depth > 0 { take(.refused(.unfinished)) } else if between > 0, !isSkipping { take(.refused(.unreadable)) }
    self = ObjectCutter()
  }

  private mutating func step(_ byte: UInt8, _ take: (Piece) -> Void) {
    let isLineEnd = byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r")
    defer { isAtLineStart = isLineEnd }
    // A line that begins with a brace begins an object: the one before it was cut off. (Objects within others are
    // indented where they have lines of their own.)
    if depth > 0, isAtLineStart, byte == UInt8(ascii: "{") {
      take(.refused(.unfinished))
      reset()
    }
    guard depth > 0 else { return outside(byte, isLineEnd: isLineEnd, take) }
    guard object.count < PositionLimits.objectBytes else {
      take(.refused(.tooLong))
      reset()
      isSkipping = !isLineEnd
      return
    }
    object.append(byte)
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
      return
    }
    switch byte {
    case UInt8(ascii: "\""): isInString = true
    case UInt8(ascii: "{"): depth += 1
    case UInt8(ascii: "}"):
      depth -= 1
      guard depth == 0 else { return }
      let json = try? JSON(parsing: object, values: PositionLimits.objectValues)
      take(json.map(Piece.object) ?? .refused(.unreadable))
      reset()
    default: break
    }
  }

  private mutating func outside(_ byte: UInt8, isLineEnd: Bool, _ take: (Piece) -> Void) {
    if isLineEnd {
      if between > 0, !isSkipping { take(.refused(.unreadable)) }
      (between, isSkipping) = (0, false)
    } else if isAtLineStart, "$!#".utf8.contains(byte) {
      // Raw sentences beside the objects (`gpspipe -wr`), and comments.
      isSkipping = true
    } else if isSkipping {
      return
    } else if byte == UInt8(ascii: "{") {
      (between, depth) = (0, 1)
      object.append(byte)
    } else if !",[] \t".utf8.contains(byte) {
      between += 1
      guard between > PositionLimits.objectBytes else { return }
      take(.refused(.tooLong))
      isSkipping = true
    }
  }

  private mutating func reset() {
    object.removeAll(keepingCapacity: true)
    (depth, between, isInString, isEscaped) = (0, 0, false, false)
  }
}
