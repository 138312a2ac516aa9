/// True if the bytes are a host with or without a port, as in the Host field and :authority (RFC 9110 section 7.2, RFC
/// 3986 section 3.2), or empty. User information and lists are refused: programs that read them differently are how
/// caches are poisoned.
func isAuthority(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
  var position = 0
  if bytes.first == UInt8(ascii: "[") {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "]")), end > 2, bytes[1..<end].allSatisfy(isOfIPv6) else {
      return false
    }
    position = end + 1
  } else {
    while position < bytes.count, isOfName(bytes[position]) { position += 1 }
  }
  if position == bytes.count { return true }
  return bytes[position] == UInt8(ascii: ":") && bytes.count - position <= ":65535".utf8.count
    && bytes[(position + 1)...].allSatisfy { $0 >= 48 && $0 <= 57 }
}

private func isOfIPv6(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...70, 97...102, UInt8(ascii: ":"), UInt8(ascii: "."): true
  default: false
  }
}

/// True for unreserved characters, escapes and the delimiters allowed in a name, except the comma, which would make a
/// list.
private func isOfName(_ byte: UInt8) -> Bool {
  switch byte {
  case 48...57, 65...90, 97...122: true
  case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"), UInt8(ascii: "%"): true
  case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("), UInt8(ascii: ")"),
    UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ";"), UInt8(ascii: "="):
    true
  default: false
  }
}
