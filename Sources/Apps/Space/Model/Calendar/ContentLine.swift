/// A property of an iCalendar component: one content line (RFC 5545, section 3.1), unfolded.
struct ContentLine {
  struct Parameter {
    /// In capitals.
    var name: String
    /// Without quotes; several values stay separated by commas.
    var value: String
  }

  /// In capitals.
  var name: String
  var parameters: [Parameter]
  /// As written: text is still escaped.
  var value: ArraySlice<UInt8>
  /// The line of the file on which it begins, from 1.
  var line: Int

  /// Splits an unfolded line; nil if it has no colon, or nothing before it.
  init?(_ bytes: ArraySlice<UInt8>, line: Int) {
    var position = bytes.startIndex
    while position < bytes.endIndex, bytes[position] != Byte.colon, bytes[position] != Byte.semicolon { position += 1 }
    guard position > bytes.startIndex, position < bytes.endIndex else { return nil }
    name = uppercased(bytes[bytes.startIndex..<position])
    parameters = []
    while position < bytes.endIndex, bytes[position] == Byte.semicolon {
      guard let parameter = ContentLine.parameter(bytes, from: &position) else { return nil }
      parameters.append(parameter)
    }
    guard position < bytes.endIndex else { return nil }
    value = bytes[(position + 1)...]
    self.line = line
  }

  /// A parameter's value, or nil.
  func parameter(_ name: String) -> String? {
    for parameter in parameters where parameter.name == name { return parameter.value }
    return nil
  }

  /// Reads ";NAME=value" and leaves the position at the ";" or ":" that follows.
  private static func parameter(_ bytes: ArraySlice<UInt8>, from position: inout Int) -> Parameter? {
    let start = position + 1
    position = start
    while position < bytes.endIndex, bytes[position] != Byte.equals {
      // A parameter without a value: taken as empty, since vCalendar 1.0 wrote such.
      if bytes[position] == Byte.colon || bytes[position] == Byte.semicolon {
        return Parameter(name: uppercased(bytes[start..<position]), value: "")
      }
      position += 1
    }
    let name = uppercased(bytes[start..<position])
    position += 1
    var value: [UInt8] = []
    var isQuoted = false
    while position < bytes.endIndex {
      let byte = bytes[position]
      if byte == Byte.quote {
        isQuoted.toggle()
      } else if !isQuoted, byte == Byte.colon || byte == Byte.semicolon {
        return Parameter(name: name, value: String(decoding: value, as: UTF8.self))
      } else {
        value.append(byte)
      }
      position += 1
    }
    return nil
  }
}

/// Reads a file's lines, joins folded ones, and numbers them. Line ends are CRLF or LF.
struct ContentLineReader {
  private let bytes: [UInt8]
  private var position: Int
  private var nextLine = 1

  init(_ bytes: [UInt8], from start: Int) {
    self.bytes = bytes
    position = start
  }

  /// The next unfolded line and the number of its first part; nil at the end. Empty lines are left out.
  mutating func next() -> (bytes: ArraySlice<UInt8>, line: Int)? {
    while position < bytes.count {
      let line = nextLine
      let first = physicalLine()
      guard !first.isEmpty else { continue }
      guard isFolded else { return (first, line) }
      var whole = Array(first)
      while isFolded {
        position += 1
        whole += physicalLine()
      }
      return (whole[...], line)
    }
    return nil
  }

  /// Whether the line that begins here continues the one before.
  private var isFolded: Bool {
    position < bytes.count && (bytes[position] == Byte.space || bytes[position] == Byte.tab)
  }

  private mutating func physicalLine() -> ArraySlice<UInt8> {
    let start = position
    var end = start
    while end < bytes.count, bytes[end] != Byte.newline { end += 1 }
    position = end + 1
    nextLine += 1
    if end > start, bytes[end - 1] == Byte.carriageReturn { end -= 1 }
    return bytes[start..<end]
  }
}

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

/// ASCII letters in capitals, everything else as it is.
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
