import CIcal

/// Decodes a TEXT value (RFC 5545, section 3.3.11) with libical: see `text(_:)`.
func decodeText(_ value: ArraySlice<UInt8>) -> String {
  guard let decoded = icalvalue_new_from_string(ICAL_TEXT_VALUE, cString(withEscapesOfText(value))) else { return "" }
  defer { icalvalue_free(decoded) }
  return icalvalue_get_text(decoded).map(text) ?? ""
}

/// Text decoded by libical, without control characters except tab and newline; invalid UTF-8 becomes U+FFFD.
func text(_ decoded: UnsafePointer<CChar>) -> String {
  let bytes = UnsafeBufferPointer(
    start: UnsafeRawPointer(decoded).assumingMemoryBound(to: UInt8.self), count: icalLength(decoded))
  func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == Byte.tab || byte == Byte.newline
  }
  if bytes.allSatisfy(isText) { return String(decoding: bytes, as: UTF8.self) }
  return String(decoding: bytes.filter(isText), as: UTF8.self)
}

/// The value with all backslashes escaped that do not begin one of the standard's escapes. libical would make a space
/// of any other escape and a tab of "\t", but some programs escape colons, and others write paths.
func withEscapesOfText(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  guard value.contains(Byte.backslash) else { return value }
  var result: [UInt8] = []
  result.reserveCapacity(value.count + 8)
  var position = value.startIndex
  while position < value.endIndex {
    let byte = value[position]
    position += 1
    guard byte == Byte.backslash else {
      result.append(byte)
      continue
    }
    switch position < value.endIndex ? value[position] : 0 {
    case UInt8(ascii: "n"), UInt8(ascii: "N"), Byte.backslash, Byte.semicolon, Byte.comma, Byte.quote:
      result += [byte, value[position]]
      position += 1
    case Byte.colon: break
    default: result += [byte, byte]
    }
  }
  return result[...]
}

/// The text on one line: white space becomes single spaces, the ends are trimmed, and a text longer than
/// `CalendarLimits.lineBytes` ends in an ellipsis.
func oneLine(_ text: String) -> String {
  var line: [UInt8] = []
  var isSpace = true
  for byte in text.utf8 {
    let wasSpace = isSpace
    isSpace = byte == Byte.space || byte == Byte.tab || byte == Byte.newline
    if !isSpace { line.append(byte) } else if !wasSpace { line.append(Byte.space) }
  }
  if line.last == Byte.space { line.removeLast() }
  return shortened(String(decoding: line, as: UTF8.self), bytes: CalendarLimits.lineBytes)
}

/// Decodes a TEXT value to one line.
func decodeLine(_ value: ArraySlice<UInt8>) -> String { oneLine(decodeText(value)) }

/// The text in at most so many bytes of UTF-8; a longer one is cut between characters and ends in an ellipsis.
public func shortened(_ text: String, bytes most: Int) -> String {
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
