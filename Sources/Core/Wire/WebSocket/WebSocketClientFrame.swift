extension WebSocketFrame {
  /// A whole message in one masked frame, as a client sends it (RFC 6455 section 5.3).
  /// - Parameter mask: four random bytes, new for each frame, so that a proxy on the way cannot be made to read the
  ///   payload as something else.
  public static func masked(_ opcode: Opcode, _ payload: some Collection<UInt8>, mask: UInt32) -> [UInt8] {
    var bytes = encode(opcode, payload)
    let start = bytes.count - payload.count
    bytes[1] |= 0x80
    let key = [UInt8](unsafeUninitializedCapacity: 4) { key, count in
      for index in 0..<4 { key.initializeElement(at: index, to: UInt8(truncatingIfNeeded: mask >> (index * 8))) }
      count = 4
    }
    bytes.insert(contentsOf: key, at: start)
    for index in 0..<payload.count { bytes[start + 4 + index] ^= key[index & 3] }
    return bytes
  }

  /// A client's close frame. The reason is cut to the size of a control frame, between two characters.
  public static func maskedClose(_ code: CloseCode, _ reason: String = "", mask: UInt32) -> [UInt8] {
    masked(.close, closing(code, reason), mask: mask)
  }
}
