/// Parses a peer's WebSocket frames (RFC 6455 section 5, RFC 7692) into whole messages. It has no socket, and gives
/// the same messages however the bytes are cut. Between two messages it holds no memory.
public struct WebSocketParser: Sendable {
  /// The side whose frames are parsed: a client masks each of them, a server none (RFC 6455 section 5.1).
  public enum Peer: Sendable {
    case client, server
  }
  public enum Message: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// A close frame; code 1005 stands for one without a code (RFC 6455 section 7.1.5).
    case close(CloseCode, String)
  }

  /// The reason why the connection must be closed.
  public struct Fault: Error, Equatable, Sendable {
    public var code: CloseCode
    public var message: String
  }

  private enum State: Sendable {
    case opcode
    case length
    case longLength
    case mask
    case payload
  }
  private var state = State.opcode
  /// Bytes of the length or the mask still to come.
  private var missing: UInt8 = 0
  /// True if the length has eight bytes.
  private var isLong = false
  private var isFinal = false
  private var opcode = Opcode.text
  private var messageOpcode: Opcode?
  private let allowsDeflate: Bool
  private let peer: Peer
  private var isDeflated = false
  private var utf8 = UTF8Check()
  /// The masking key, its next byte lowest.
  private var mask: UInt32 = 0
  /// Bytes of the payload still to come.
  private var left = 0
  /// The message so far, with the frames of a fragmented one joined.
  private var message: [UInt8] = []
  /// The current control frame, which may come between the frames of a message.
  private var control: [UInt8] = []

  /// Bytes kept of a message that is not complete.
  package var collected: Int { message.count }

  /// The largest message in bytes, all of its frames together and after decompression.
  public var messageBytes: Int {
    get { Int(limit) }
    set { limit = UInt32(newValue) }
  }
  private var limit: UInt32

  /// - Parameter deflate: as agreed on in the handshake; without it, a compressed message is an error.
  public init(
    from peer: Peer = .client, deflate: PerMessageDeflate? = nil, messageBytes: Int = WireLimits.messageBytes
  ) {
    self.peer = peer
    allowsDeflate = deflate != nil
    limit = UInt32(messageBytes)
  }

  /// The next whole message; nil when all of the input is used up without one.
  public mutating func next(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(Fault) -> Message? {
    while position < input.count {
      if case .payload = state {
        try takePayload(input, &position)
        if left == 0 { if let message = try finishFrame() { return message } }
      } else {
        let byte = input[position]
        position += 1
        try readHeader(byte)
        if case .payload = state, left == 0, let message = try finishFrame() { return message }
      }
    }
    return nil
  }

  private mutating func readHeader(_ byte: UInt8) throws(Fault) {
    switch state {
    case .opcode: try readOpcode(byte)
    case .length:
      guard (byte & 0x80 != 0) == (peer == .client) else {
        throw fault(peer == .client ? "A client's frame is not masked." : "A server's frame is masked.")
      }
      left = Int(byte & 0x7f)
      if left > 125 {
        if opcode.isControl { throw fault("A control frame is longer than 125 bytes.") }
        missing = left == 126 ? 2 : 8
        left = 0
        state = .longLength
        isLong = missing == 8
      } else {
        try endLength()
      }
    case .longLength:
      if left >> 40 != 0 { throw tooLarge }
      left = left << 8 | Int(byte)
      missing -= 1
      guard missing == 0 else { return }
      guard left >= (isLong ? 65_536 : 126) else { throw fault("A length is written with more bytes than it needs.") }
      try endLength()
    case .mask:
      mask = mask >> 8 | UInt32(byte) << 24
      missing -= 1
      guard missing == 0 else { return }
      try beginPayload()
    case .payload: preconditionFailure("not a header state")
    }
  }

  private mutating func beginPayload() throws(Fault) {
    if !opcode.isControl {
      if message.count + left > messageLimit { throw tooLarge }
      if opcode != .continuation { messageOpcode = opcode }
    }
    state = .payload
  }

  private mutating func readOpcode(_ byte: UInt8) throws(Fault) {
    guard let opcode = Opcode(rawValue: byte & 15) else { throw fault("The opcode \(byte & 15) is unknown.") }
    isFinal = byte & 0x80 != 0
    self.opcode = opcode
    let reserved = byte & 0x70
    if reserved != 0 {
      guard reserved == 0x40, allowsDeflate else { throw fault("A reserved bit is set; no extension was agreed on.") }
      // RFC 7692 section 6: only the first frame of a message may have this bit.
      guard opcode == .text || opcode == .binary else {
        throw fault("The bit of a compressed message is set on another frame than its first.")
      }
    }
    if opcode.isControl, !isFinal { throw fault("A control frame is fragmented.") }
    if opcode == .continuation, messageOpcode == nil { throw fault("There is no message to continue.") }
    if !opcode.isControl, opcode != .continuation {
      if messageOpcode != nil { throw fault("A new message begins inside another.") }
      isDeflated = reserved != 0
    }
    state = .length
  }

  private mutating func endLength() throws(Fault) {
    guard peer == .client else { return try beginPayload() }
    missing = 4
    state = .mask
  }

  /// Bytes that may be collected: a compressed payload that does not shrink grows a little.
  private var messageLimit: Int { messageBytes + (isDeflated ? WireLimits.deflateOverheadBytes : 0) }

  private mutating func takePayload(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(Fault) {
    let count = min(left, input.count - position)
    let piece = UnsafeBufferPointer(rebasing: input[position..<(position + count)])
    left -= count
    position += count
    if opcode.isControl {
      Self.append(piece, to: &control, &mask)
    } else {
      let start = message.count
      Self.append(piece, to: &message, &mask)
      // A complete message is checked as a whole, when it becomes a string.
      if messageOpcode == .text, !isDeflated, left > 0 || !isFinal {
        let isText = message.withUnsafeBufferPointer { utf8.take(UnsafeBufferPointer(rebasing: $0[start...])) }
        if !isText { throw notUTF8 }
      }
    }
  }

  /// Appends a piece and unmasks it in place, eight bytes at a time.
  private static func append(_ piece: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8], _ mask: inout UInt32) {
    let start = bytes.count
    bytes.append(contentsOf: piece)
    let key = UInt64(mask) << 32 | UInt64(mask)
    var rest = mask
    bytes.withUnsafeMutableBytes { bytes in
      var index = start
      while index + 8 <= bytes.count {
        let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)) ^ key
        bytes.storeBytes(of: word.littleEndian, toByteOffset: index, as: UInt64.self)
        index += 8
      }
      while index < bytes.count {
        bytes[index] ^= UInt8(truncatingIfNeeded: rest)
        rest = rest >> 8 | rest << 24
        index += 1
      }
    }
    let turn = UInt32(piece.count & 3) * 8
    if turn > 0 { mask = mask >> turn | mask << (32 - turn) }
  }

  private mutating func finishFrame() throws(Fault) -> Message? {
    state = .opcode
    if opcode.isControl {
      let payload = control
      control = []
      switch opcode {
      case .ping: return .ping(payload)
      case .pong: return .pong(payload)
      default: return try closing(payload)
      }
    }
    guard isFinal, let kind = messageOpcode else { return nil }
    var payload = message
    message = []
    messageOpcode = nil
    utf8 = UTF8Check()
    if isDeflated { payload = try inflated(payload) }
    if kind == .binary { return .binary(payload) }
    guard let text = String(validating: payload, as: UTF8.self) else { throw notUTF8 }
    return .text(text)
  }

  private func inflated(_ payload: [UInt8]) throws(Fault) -> [UInt8] {
    do throws(PerMessageDeflate.InflateFault) {
      return try PerMessageDeflate.inflate(payload, limit: messageBytes)
    } catch {
      switch error {
      case .tooLarge: throw tooLarge
      case .malformed: throw Fault(code: .invalidData, message: "A message cannot be decompressed.")
      }
    }
  }

  private func closing(_ payload: [UInt8]) throws(Fault) -> Message {
    if payload.isEmpty { return .close(CloseCode(rawValue: 1005), "") }
    guard payload.count >= 2 else { throw fault("A close code has two bytes.") }
    let code = CloseCode(rawValue: UInt16(payload[0]) << 8 | UInt16(payload[1]))
    guard code.mayBeSent else { throw fault("The close code \(code.rawValue) may not be sent.") }
    guard let reason = String(validating: payload[2...], as: UTF8.self) else {
      throw Fault(code: .invalidData, message: "A close reason is not UTF-8.")
    }
    return .close(code, reason)
  }

  private func fault(_ message: String) -> Fault { Fault(code: .protocolError, message: message) }
  private var notUTF8: Fault { Fault(code: .invalidData, message: "A text message is not UTF-8.") }
  private var tooLarge: Fault {
    Fault(code: .tooLarge, message: "A message is too large; \(messageBytes) bytes are accepted.")
  }
}
