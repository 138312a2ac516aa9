import CIcal

/// Reads the content lines of a file (RFC 5545, section 3.1) with their numbers; libical unfolds them.
struct ContentLines: ~Copyable {
  private let source: Source
  private let parser: OpaquePointer

  init(_ bytes: [UInt8], from start: Int) {
    source = Source(bytes, from: start)
    parser = icalparser_new()
    icalparser_set_gen_data(parser, Unmanaged.passUnretained(source).toOpaque())
  }

  deinit { icalparser_free(parser) }

  /// The next unfolded line, with the number of its first part in the file; nil at the end. Empty lines are skipped.
  func next() -> ContentLine? {
    while true {
      // libical reads ahead to the beginning of the following line, to see whether it is a continuation.
      let number = source.isStarted ? source.chunkLine : 1
      guard let text = icalparser_get_line(parser, ContentLines.generate) else { return nil }
      defer { icalmemory_free_buffer(text) }
      let bytes = UnsafeBufferPointer(
        start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: icalLength(text))
      if bytes.allSatisfy({ $0 <= Byte.space }) { continue }
      return ContentLine(Array(bytes), line: number)
    }
  }

  /// Hands libical the next piece of the file: `icalparser_line_gen_func`.
  private static let generate: icalparser_line_gen_func = { buffer, size, context in
    guard let buffer, let context else { return nil }
    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
    return source.fill(buffer, size) ? buffer : nil
  }

  /// The file in pieces. libical's own generator searches the line's end again for every 79 bytes, which takes minutes
  /// for a line of megabytes, and stops at NUL.
  private final class Source {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    /// The number of the line on which the last piece began.
    private(set) var chunkLine = 1
    private(set) var isStarted = false

    init(_ bytes: [UInt8], from start: Int) {
      self.bytes = bytes
      position = start
      for byte in bytes[..<start] where byte == Byte.newline { line += 1 }
    }

    func fill(_ buffer: UnsafeMutablePointer<CChar>, _ size: Int) -> Bool {
      isStarted = true
      chunkLine = line
      var count = 0
      while position < bytes.count, count < size - 1 {
        let byte = bytes[position]
        position += 1
        // NUL would end the C string, and is not allowed in any text.
        if byte == 0 { continue }
        buffer[count] = CChar(bitPattern: byte)
        count += 1
        if byte == Byte.newline {
          line += 1
          break
        }
      }
      buffer[count] = 0
      return count > 0
    }
  }
}

/// One unfolded line: "NAME;PARAMETERS:value". Only these three parts are separated here; libical does the rest.
struct ContentLine {
  let bytes: [UInt8]
  /// In capitals.
  let name: String
  /// The position of the colon after name and parameters; nil if the line must not be given to libical.
  private let colon: Int?
  /// The number of the line on which it begins, from 1.
  let line: Int

  init(_ bytes: [UInt8], line: Int) {
    self.bytes = bytes
    self.line = line
    let end = bytes.firstIndex { $0 == Byte.colon || $0 == Byte.semicolon } ?? bytes.count
    let name = uppercased(bytes[..<end])
    self.name = name
    if end > 0, let colon = ContentLine.colon(bytes, from: end),
      colon < ContentLine.longestHead || ContentLine.texts.contains(name)
    {
      self.colon = colon
    } else {
      colon = nil
    }
  }

  var isProperty: Bool { colon != nil }

  /// The value as written, with its escapes.
  var value: ArraySlice<UInt8> { colon.map { trimmed(bytes[($0 + 1)...]) } ?? [] }

  /// The most bytes of name and parameters given to libical, which searches the line's end again for each parameter: a
  /// long line of parameters would take minutes.
  private static let longestHead = 4_000

  /// The properties that are read without their parameters if those are longer: Thunderbird writes the whole
  /// description as HTML into ALTREP.
  private static let texts: Set<String> = ["SUMMARY", "LOCATION", "DESCRIPTION", "URL"]

  /// The position of the colon before the value, by libical's rules: one in quotes or after a backslash does not count.
  /// Parameters that begin with a separator or a quote are invalid and would confuse libical; nil then.
  private static func colon(_ bytes: [UInt8], from nameEnd: Int) -> Int? {
    var isQuoted = false
    var position = nameEnd
    while position < bytes.count {
      let byte = bytes[position]
      let isEscaped = bytes[position - 1] == Byte.backslash
      if !isEscaped, byte == Byte.quote {
        if bytes[position - 1] == Byte.semicolon { return nil }
        isQuoted.toggle()
      } else if !isQuoted, !isEscaped, byte == Byte.colon {
        return bytes[position - 1] == Byte.semicolon ? nil : position
      } else if !isQuoted, byte == Byte.semicolon, bytes[position - 1] == Byte.semicolon {
        return nil
      }
      position += 1
    }
    return nil
  }

  // MARK: For libical

  /// The lines to give to libical: one, or several for a long list.
  func forLibical() -> [[CChar]] {
    guard let colon else { return [] }
    // libical does not know X- in lower case, nor RFC 9073's STYLED-DESCRIPTION.
    let known = name == "STYLED-DESCRIPTION" ? "X-\(name)" : name
    let parameters: ArraySlice<UInt8> = colon < Self.longestHead ? bytes[name.utf8.count...colon] : [Byte.colon]
    let list = parameters.dropLast().split(separator: Byte.semicolon).map { uppercased($0) }
    let isDate = list.contains("VALUE=DATE")
    /// A date that a program writes as its midnight, of which libical would make a time.
    func day(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
      value.dropFirst(8).starts(with: "T000000".utf8) ? value.prefix(8) : value
    }
    let head = Array(known.utf8) + parameters
    if name == "EXDATE" || name == "RDATE" {
      // libical reads 500 values of a line at most, and none after an empty one.
      let values = ArraySlice(uppercased(value).utf8).split(separator: Byte.comma).map { isDate ? day($0) : $0 }
      return stride(from: 0, to: values.count, by: 400).map { first in
        let part = values[first..<min(first + 400, values.count)].joined(separator: [Byte.comma])
        return cString(head + part)
      }
    }
    switch name {
    case "SUMMARY", "LOCATION", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION":
      let isQuoted = list.contains("ENCODING=QUOTED-PRINTABLE")
      return [cString(head + withEscapesOfText(isQuoted ? decodeQuotedPrintable(value) : value))]
    case "URL": return [cString(head + value)]
    case "STATUS" where uppercased(value) == "CANCELED": return [cString(head + "CANCELLED".utf8)]
    case "DTSTART", "DTEND", "RECURRENCE-ID":
      let time = ArraySlice(uppercased(value).utf8)
      return [cString(head + (isDate ? day(time) : time))]
    // libical knows "20261120T190000Z" in capitals only.
    default: return [cString(head + uppercased(value).utf8)]
    }
  }
}

/// The text as a C string, with its final NUL.
func cString(_ bytes: some Sequence<UInt8>) -> [CChar] {
  var characters = bytes.map { CChar(bitPattern: $0) }
  characters.append(0)
  return characters
}

/// The bytes before the final NUL.
func icalLength(_ text: UnsafePointer<CChar>) -> Int {
  var count = 0
  while text[count] != 0 { count += 1 }
  return count
}
