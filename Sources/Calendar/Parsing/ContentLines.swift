import CIcal

/// Reads the content lines of a file (RFC 5545, section 3.1) with libical, which unfolds them, and numbers them.
struct ContentLines: ~Copyable {
  private let source: Source
  private let parser: OpaquePointer

  init(_ bytes: [UInt8], from start: Int) {
    source = Source(bytes, from: start)
    parser = icalparser_new()
    icalparser_set_gen_data(parser, Unmanaged.passUnretained(source).toOpaque())
  }

  deinit { icalparser_free(parser) }

  /// The next unfolded line, and the number of its first part in the file; nil at the end. Empty lines are left out.
  func next() -> ContentLine? {
    while true {
      // libical always holds the beginning of the line that follows, to see whether it is folded.
      let number = source.isStarted ? source.chunkLine : 1
      guard let text = icalparser_get_line(parser, ContentLines.generate) else { return nil }
      defer { icalmemory_free_buffer(text) }
      let bytes = UnsafeBufferPointer(
        start: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self), count: icalLength(text))
      if bytes.allSatisfy({ $0 <= Byte.space }) { continue }
      return ContentLine(Array(bytes), line: number)
    }
  }

  /// Gives libical the next piece of the file: `icalparser_line_gen_func`.
  private static let generate: icalparser_line_gen_func = { buffer, size, context in
    guard let buffer, let context else { return nil }
    let source = Unmanaged<Source>.fromOpaque(context).takeUnretainedValue()
    return source.fill(buffer, size) ? buffer : nil
  }

  /// libical's own generator looks for the end of the line again for every 79 bytes, which takes minutes where a line
  /// is megabytes long, and stops at NUL.
  private final class Source {
    private let bytes: [UInt8]
    private var position: Int
    private var line = 1
    /// The line of the file on which the last piece began.
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
        // NUL ends a C string, and no text has any.
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

/// One unfolded line: "NAME;PARAMETERS:value". Only its outer form is read here; the rest is libical's work.
struct ContentLine {
  let bytes: [UInt8]
  /// In capitals.
  let name: String
  /// Where the name and the parameters end; nil if the line is none that libical may have.
  private let colon: Int?
  /// The line of the file on which it begins, from 1.
  let line: Int

  init(_ bytes: [UInt8], line: Int) {
    self.bytes = bytes
    self.line = line
    let end = bytes.firstIndex { $0 == Byte.colon || $0 == Byte.semicolon } ?? bytes.count
    name = uppercased(bytes[..<end])
    colon = end == 0 ? nil : ContentLine.colon(bytes, from: end)
  }

  var isProperty: Bool { colon != nil }

  /// As written: text is still escaped.
  var value: ArraySlice<UInt8> { colon.map { trimmed(bytes[($0 + 1)...]) } ?? [] }

  /// The bytes of name and parameters that libical takes. It looks for the end of the line anew for each parameter, so
  /// that a long line of nothing but parameters would keep it busy for minutes.
  private static let longestHead = 4_000

  /// Where the value begins, by the rules that libical has: a quoted colon does not count, and neither does one behind
  /// a backslash. Parameters that begin with a separator or a quote are none, and libical would be confused by them.
  private static func colon(_ bytes: [UInt8], from nameEnd: Int) -> Int? {
    var isQuoted = false
    var position = nameEnd
    while position < min(bytes.count, longestHead) {
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

  /// The lines to give to libical: one, or for long lists several.
  func forLibical() -> [[CChar]] {
    guard let colon else { return [] }
    // X- in small letters is unknown to libical, and so is RFC 9073's STYLED-DESCRIPTION.
    let known = name == "STYLED-DESCRIPTION" ? "X-\(name)" : name
    let head = Array(known.utf8) + bytes[name.utf8.count...colon]
    if name == "EXDATE" || name == "RDATE" {
      // libical takes 500 values of a line, and none behind an empty one.
      let values = value.split(separator: Byte.comma)
      return stride(from: 0, to: values.count, by: 400).map { first in
        let part = values[first..<min(first + 400, values.count)].joined(separator: [Byte.comma])
        return cString(head + part)
      }
    }
    switch name {
    case "SUMMARY", "LOCATION", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION":
      return [cString(head + withEscapesOfText(value))]
    case "URL": return [cString(head + value)]
    // libical knows "20261120T190000Z" in capitals alone.
    default: return [cString(head + uppercased(value).utf8)]
    }
  }
}

/// A text for C, with its final NUL.
func cString(_ bytes: some Sequence<UInt8>) -> [CChar] {
  var characters = bytes.map { CChar(bitPattern: $0) }
  characters.append(0)
  return characters
}

/// Bytes before the final NUL.
func icalLength(_ text: UnsafePointer<CChar>) -> Int {
  var count = 0
  while text[count] != 0 { count += 1 }
  return count
}
