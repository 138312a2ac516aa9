/// Reads what a client sends over a WebSocket (RFC 6455 section 5): frames in, whole messages out. It knows no socket,
/// and gives the same messages however the bytes are cut.
public struct WebSocketParser: Sendable {
  public enum Message: Equatable, Sendable {
    case text(String)
    case binary([UInt8])
    case ping([UInt8])
    case pong([UInt8])
    /// The peer says goodbye; code 1005 stands for none given (RFC 6455 section 7.1.5).
    case close(CloseCode, String)
  }

  /// Why the peer must be hung up on.
  public struct Fault: Error, Equatable, Sendable {
    public var code: CloseCode
    public var message: String
  }

  private enum State: Sendable {
    case opcode
    case length
    case longLength(left: Int)
    case mask(left: Int)
    case payload
  }
  private var state = State.opcode
  private var isFinal = false
  private var opcode = Opcode.text
  private var left = 0
  private var mask: (UInt8, UInt8, UInt8, UInt8) = (0, 0, 0, 0)
  private var maskIndex = 0
  /// The message so far; frames of a fragmented one come together here.
  private var message: [UInt8] = []
  private var messageOpcode: Opcode?
  /// A control frame may stand between the frames of a message, so it has room of its own.
  private var control: [UInt8] = []

  public init() {}

  /// The next whole message, nil when all of the input is used up without one.
  public mutating func next(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(Fault) -> Message? {
    while position < input.count {
      if case .payload = state {
        takePayload(input, &position)
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
    case .opcode:
      guard byte & 0x70 == 0 else { throw fault("A reserved bit is set; no extension was agreed on.") }
      guard let opcode = Opcode(rawValue: byte & 15) else { throw fault("The opcode \(byte & 15) is unknown.") }
      isFinal = byte & 0x80 != 0
      self.opcode = opcode
      if opcode.isControl, !isFinal { throw fault("A control frame is fragmented.") }
      if opcode == .continuation, messageOpcode == nil { throw fault("There is no message to continue.") }
      if !opcode.isControl, opcode != .continuation, messageOpcode != nil {
        throw fault("A new message begins inside another.")
      }
      state = .length
    case .length:
      guard byte & 0x80 != 0 else { throw fault("A client's frame is not masked.") }
      left = Int(byte & 0x7f)
      if left > 125 {
        if opcode.isControl { throw fault("A control frame is longer than 125 bytes.") }
        state = .longLength(left: left == 126 ? 2 : 8)
        left = 0
      } else {
        state = .mask(left: 4)
      }
    case .longLength(let missing):
      if left >> 40 != 0 { throw tooLarge }
      left = left << 8 | Int(byte)
      state = missing == 1 ? .mask(left: 4) : .longLength(left: missing - 1)
    case .mask(let missing):
      mask = (mask.1, mask.2, mask.3, byte)
      if missing > 1 {
        state = .mask(left: missing - 1)
        return
      }
      if !opcode.isControl {
        if message.count + left > WireLimits.messageBytes { throw tooLarge }
        if opcode != .continuation { messageOpcode = opcode }
      }
      maskIndex = 0
      state = .payload
    case .payload: preconditionFailure("not a header state")
    }
  }

  private mutating func takePayload(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) {
    let count = min(left, input.count - position)
    let key = [mask.0, mask.1, mask.2, mask.3]
    var unmasked: [UInt8] = []
    unmasked.reserveCapacity(count)
    key.withUnsafeBufferPointer { key in
      for index in 0..<count { unmasked.append(input[position + index] ^ key[(maskIndex + index) & 3]) }
    }
    if opcode.isControl { control += unmasked } else { message += unmasked }
    maskIndex = (maskIndex + count) & 3
    left -= count
    position += count
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
    let payload = message
    message = []
    messageOpcode = nil
    if kind == .binary { return .binary(payload) }
    guard let text = String(validating: payload, as: UTF8.self) else {
      throw Fault(code: .invalidData, message: "A text message is not UTF-8.")
    }
    return .text(text)
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
  private var tooLarge: Fault {
    Fault(code: .tooLarge, message: "A message is too large; \(WireLimits.messageBytes) bytes are accepted.")
  }
}
