/// ASCII characters that have a meaning in a calendar.
enum Byte {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let equals = UInt8(ascii: "=")
  static let backslash = UInt8(ascii: "\\")
}

/// The bytes as text, with ASCII letters as capitals.
func uppercased(_ bytes: ArraySlice<UInt8>) -> String {
  String(unsafeUninitializedCapacity: bytes.count) { buffer in
    var count = 0
    for byte in bytes {
      buffer[count] = byte >= 0x61 && byte <= 0x7A ? byte - 0x20 : byte >= 0x80 ? UInt8(ascii: "?") : byte
      count += 1
    }
    return count
  }
}

/// The bytes without white space at both ends.
func trimmed(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
  var text = text
  while let byte = text.first, byte <= Byte.space { text.removeFirst() }
  while let byte = text.last, byte <= Byte.space { text.removeLast() }
  return text
}
