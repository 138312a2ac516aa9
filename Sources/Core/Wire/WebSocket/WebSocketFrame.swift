/// The kind of a WebSocket frame (RFC 6455 section 5.2).
public enum Opcode: UInt8, Sendable {
  case continuation = 0
  case text = 1
  case binary = 2
  case close = 8
  case ping = 9
  case pong = 10

  var isControl: Bool { rawValue >= 8 }
}

/// The reason why a WebSocket is closed (RFC 6455 section 7.4); codes from 4000 on are the application's own.
public struct CloseCode: RawRepresentable, Hashable, Sendable {
  public var rawValue: UInt16
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  public static let normal = CloseCode(rawValue: 1000)
  public static let goingAway = CloseCode(rawValue: 1001)
  public static let protocolError = CloseCode(rawValue: 1002)
  public static let unacceptable = CloseCode(rawValue: 1003)
  public static let invalidData = CloseCode(rawValue: 1007)
  public static let policy = CloseCode(rawValue: 1008)
  public static let tooLarge = CloseCode(rawValue: 1009)
  /// Registered with IANA: the client may come back, after a while that differs from client to client.
  public static let serviceRestart = CloseCode(rawValue: 1012)

  /// True if a peer may send it: 1004 to 1006 and 1015 are reserved and never sent.
  var mayBeSent: Bool {
    switch rawValue {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}

public enum WebSocketFrame {
  /// A whole message in one unmasked frame, as a server sends it. Encoded once, it serves every receiver.
  public static func encode(_ opcode: Opcode, _ payload: some Collection<UInt8>) -> [UInt8] {
    encode(0x80 | opcode.rawValue, payload)
  }

  /// The same for receivers that have agreed on compression, compressed once for all of them. A payload that is tiny or
  /// does not shrink stays uncompressed, which they accept as well (RFC 7692 section 6).
  public static func encodeDeflated(_ opcode: Opcode, _ payload: [UInt8]) -> [UInt8] {
    assert(!opcode.isControl, "control frames are never compressed")
    guard payload.count >= WireLimits.deflateFromBytes else { return encode(opcode, payload) }
    let deflated = payload.withUnsafeBufferPointer(PerMessageDeflate.deflate)
    return deflated.count < payload.count
      ? encode(0x80 | 0x40 | opcode.rawValue, deflated) : encode(opcode, payload)
  }

  private static func encode(_ first: UInt8, _ payload: some Collection<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 10)
    bytes.append(first)
    switch payload.count {
    case 0..<126: bytes.append(UInt8(payload.count))
    case 126..<65_536:
      bytes.append(126)
      bytes.append(UInt8(payload.count >> 8))
      bytes.append(UInt8(payload.count & 255))
    default:
      bytes.append(127)
      for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(payload.count >> shift & 255)) }
    }
    bytes.append(contentsOf: payload)
    return bytes
  }

  /// A close frame. The reason is cut to the size of a control frame, between two characters.
  public static func close(_ code: CloseCode, _ reason: String = "") -> [UInt8] {
    encode(.close, closing(code, reason))
  }

  /// The payload of a close frame.
  static func closing(_ code: CloseCode, _ reason: String) -> [UInt8] {
    var payload = [UInt8(code.rawValue >> 8), UInt8(code.rawValue & 255)]
    for character in reason {
      guard payload.count + character.utf8.count <= 125 else { break }
      payload += character.utf8
    }
    return payload
  }
}
