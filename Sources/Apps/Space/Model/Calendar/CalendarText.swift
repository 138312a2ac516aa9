/// Decodes a TEXT value (RFC 5545, section 3.3.11). Control characters but tab and newline are dropped, invalid UTF-8
/// becomes U+FFFD.
func decodeText(_ value: ArraySlice<UInt8>) -> String {
  if !value.contains(where: { $0 == Byte.backslash || $0 < 0x20 || $0 == 0x7F }) {
    return String(decoding: value, as: UTF8.self)
  }
  var text: [UInt8] = []
  text.reserveCapacity(value.count)
  var isEscaped = false
  for byte in value {
    if isEscaped {
      isEscaped = false
      switch byte {
      case UInt8(ascii: "n"), UInt8(ascii: "N"): text.append(Byte.newline)
      case Byte.backslash, Byte.semicolon, Byte.comma: text.append(byte)
      // Not an escape by the standard: some programs escape colons and quotes, others write paths.
      case Byte.colon, Byte.quote: text.append(byte)
      default: text += [Byte.backslash, byte]
      }
    } else if byte == Byte.backslash {
      isEscaped = true
    } else if byte >= 0x20 && byte != 0x7F || byte == Byte.tab || byte == Byte.newline {
      text.append(byte)
    }
  }
  if isEscaped { text.append(Byte.backslash) }
  return String(decoding: text, as: UTF8.self)
}

/// Decodes a TEXT value that is shown on one line: white space becomes single spaces, the ends are trimmed, and what is
/// longer than `CalendarLimits.lineBytes` ends in an ellipsis.
func decodeLine(_ value: ArraySlice<UInt8>) -> String {
  var line: [UInt8] = []
  var isSpace = true
  for byte in decodeText(value).utf8 {
    let wasSpace = isSpace
    isSpace = byte == Byte.space || byte == Byte.tab || byte == Byte.newline
    if !isSpace { line.append(byte) } else if !wasSpace { line.append(Byte.space) }
  }
  if line.last == Byte.space { line.removeLast() }
  return shortened(String(decoding: line, as: UTF8.self), bytes: CalendarLimits.lineBytes)
}

/// A text of at most so many bytes of UTF-8; what was longer is cut at a character and ends in an ellipsis.
func shortened(_ text: String, bytes most: Int) -> String {
  guard text.utf8.count > most else { return text }
  var end = text.utf8.index(text.utf8.startIndex, offsetBy: most - 3)
  while text.utf8[end] & 0xC0 == 0x80 { text.utf8.formIndex(before: &end) }
  return text[..<end] + "…"
}

/// Encodes a TEXT value (RFC 5545, section 3.3.11).
func encodeText(_ text: String) -> [UInt8] {
  var value: [UInt8] = []
  for byte in text.utf8 {
    switch byte {
    case Byte.newline: value += [Byte.backslash, UInt8(ascii: "n")]
    case Byte.backslash, Byte.semicolon, Byte.comma: value += [Byte.backslash, byte]
    case 0x20...: value.append(byte)
    case Byte.tab: value.append(byte)
    default: break
    }
  }
  return value
}
