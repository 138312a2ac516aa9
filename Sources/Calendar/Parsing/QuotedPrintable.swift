/// A text that was written as quoted-printable (RFC 2045 section 6.7), the encoding of vCalendar: "Restm=C3=BCll". Some
/// programs name it beside a text that is none, which stays as it is.
func decodeQuotedPrintable(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var (rest, bytes): (ArraySlice<UInt8>, [UInt8]) = (value, [])
  while let byte = rest.popFirst() {
    guard byte == Byte.equals else {
      bytes.append(byte)
      continue
    }
    // A line that goes on has one at its end.
    if rest.isEmpty { break }
    guard let high = digit(rest.popFirst()), let low = digit(rest.popFirst()) else { return value }
    bytes.append(high << 4 | low)
  }
  if isWindows1252(bytes[...]) { bytes = utf8(fromWindows1252: bytes[...]) }
  var text: [UInt8] = []
  for byte in bytes {
    switch byte {
    case Byte.newline: text += [Byte.backslash, UInt8(ascii: "n")]
    case Byte.carriageReturn, 0: break
    default: text.append(byte)
    }
  }
  return text[...]
}

/// The value of a hexadecimal digit, which is a capital here.
private func digit(_ byte: UInt8?) -> UInt8? {
  switch byte {
  case let byte? where (0x30...0x39).contains(byte): byte - 0x30
  case let byte? where (0x41...0x46).contains(byte): byte - 0x37
  default: nil
  }
}
