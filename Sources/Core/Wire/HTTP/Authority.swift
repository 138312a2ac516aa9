/// Whether the bytes are a host with or without a port, as the Host field and :authority have it (RFC 9110 section 7.2,
/// RFC 3986 section 3.2); empty is one too. No user, no list: what reads them differently is how caches are poisoned.
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

/// Unreserved characters, escapes and the delimiters that a name may have; of those no comma, which would be a list.
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
