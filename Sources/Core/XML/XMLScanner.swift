/// Takes XML apart into tags and texts: as much of XML 1.0 as answers of servers and notes in pictures have.
public struct XMLScanner {
  public struct Malformed: Error {}

  public enum Token {
    case open(String, [(String, String)], isEmpty: Bool)
    case close(String)
    case text(String)
  }
  private let bytes: [UInt8]
  private var place = 0

  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Nil at the end. - Throws: for what is not well-formed, and for a document type.
  public mutating func next() throws(Malformed) -> Token? {
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "<") else {
        let start = place
        while place < bytes.count, bytes[place] != UInt8(ascii: "<") { place += 1 }
        return .text(try Self.plain(bytes[start..<place]))
      }
      if skip("<!--") {
        try pass("-->")
      } else if skip("<?") {
        try pass("?>")
      } else if skip("<![CDATA[") {
        let start = place
        try pass("]]>")
        return .text(String(decoding: bytes[start..<place - 3], as: UTF8.self))
      } else if has("<!") {
        throw Malformed()
      } else {
        place += 1
        return try tag()
      }
    }
    return nil
  }

  private func has(_ text: StaticString) -> Bool {
    let count = text.utf8CodeUnitCount
    guard place + count <= bytes.count else { return false }
    return (0..<count).allSatisfy { bytes[place + $0] == text.utf8Start[$0] }
  }

  private mutating func skip(_ text: StaticString) -> Bool {
    guard has(text) else { return false }
    place += text.utf8CodeUnitCount
    return true
  }

  /// Goes behind the next such text.
  private mutating func pass(_ text: StaticString) throws(Malformed) {
    while !skip(text) {
      guard place < bytes.count else { throw Malformed() }
      place += 1
    }
  }

  private mutating func tag() throws(Malformed) -> Token {
    if skip("/") {
      let name = try name()
      space()
      guard skip(">") else { throw Malformed() }
      return .close(name)
    }
    let tag = try name()
    var attributes: [(String, String)] = []
    while true {
      space()
      if skip("/>") { return .open(tag, attributes, isEmpty: true) }
      if skip(">") { return .open(tag, attributes, isEmpty: false) }
      let name = try name()
      space()
      guard skip("=") else { throw Malformed() }
      space()
      attributes.append((name, try quoted()))
    }
  }

  private mutating func quoted() throws(Malformed) -> String {
    guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") || bytes[place] == UInt8(ascii: "'") else {
      throw Malformed()
    }
    let quote = bytes[place]
    let start = place + 1
    place = start
    while place < bytes.count, bytes[place] != quote { place += 1 }
    guard place < bytes.count else { throw Malformed() }
    defer { place += 1 }
    return try Self.plain(bytes[start..<place])
  }

  private mutating func name() throws(Malformed) -> String {
    let start = place
    while place < bytes.count, !" \t\r\n/>=<\"'".utf8.contains(bytes[place]) { place += 1 }
    guard place > start else { throw Malformed() }
    return String(decoding: bytes[start..<place], as: UTF8.self)
  }

  private mutating func space() {
    while place < bytes.count, " \t\r\n".utf8.contains(bytes[place]) { place += 1 }
  }

  /// A text with its references resolved.
  private static func plain(_ bytes: ArraySlice<UInt8>) throws(Malformed) -> String {
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
    var (result, rest) = ("", text[...])
    // By bytes: with a combining mark behind it, a ";" is another character.
    while let start = rest.utf8.firstIndex(of: UInt8(ascii: "&")) {
      result += rest[..<start]
      guard let end = rest.utf8[start...].firstIndex(of: UInt8(ascii: ";")) else { throw Malformed() }
      let name = rest[rest.utf8.index(after: start)..<end]
      switch name {
      case "amp": result += "&"
      case "lt": result += "<"
      case "gt": result += ">"
      case "quot": result += "\""
      case "apos": result += "'"
      default:
        let digits = name.hasPrefix("#x") ? name.dropFirst(2) : name.dropFirst()
        guard name.hasPrefix("#"), let number = UInt32(digits, radix: name.hasPrefix("#x") ? 16 : 10),
          let scalar = Unicode.Scalar(number)
        else { throw Malformed() }
        result.unicodeScalars.append(scalar)
      }
      rest = rest[rest.utf8.index(after: end)...]
    }
    return result + rest
  }
}
