/// Counts the frames that a server sends over a WebSocket (RFC 6455 section 5.2), however the bytes are cut.
///
/// It parses headers and skips payloads, so that the load costs far less than the server.
struct FrameCounter {
  /// Whole text frames, and the bytes of their payloads.
  private(set) var messages = 0
  private(set) var payloadBytes = 0
  /// True once the server has sent a close frame.
  private(set) var isClosed = false

  private var opcode: UInt8 = 0
  private var length = 0
  /// Bytes of the header so far: opcode, length, and extended length.
  private var headBytes = 0
  private var lengthBytes = 0
  /// Bytes of the payload still to come.
  private var toSkip = 0

  private static let text: UInt8 = 1
  private static let close: UInt8 = 8

  mutating func take(_ bytes: UnsafeRawBufferPointer) {
    var at = 0
    while at < bytes.count {
      if toSkip > 0 {
        let skipped = min(toSkip, bytes.count - at)
        toSkip -= skipped
        at += skipped
        if toSkip == 0 { finish() }
      } else {
        takeHead(bytes[at])
        at += 1
      }
    }
  }

  private mutating func takeHead(_ byte: UInt8) {
    switch headBytes {
    case 0:
      opcode = byte & 0x0F
      (length, lengthBytes) = (0, 0)
    case 1:
      let short = Int(byte & 0x7F)
      lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
      if lengthBytes == 0 { length = short }
    default:
      length = length << 8 | Int(byte)
    }
    headBytes += 1
    guard headBytes >= 2, headBytes == 2 + lengthBytes else { return }
    toSkip = length
    if toSkip == 0 { finish() }
  }

  private mutating func finish() {
    headBytes = 0
    if opcode == Self.text {
      messages += 1
      payloadBytes += length
    } else if opcode == Self.close {
      isClosed = true
    }
  }
}
