import Glibc

/// The output of `memorygraph` as JSON (RFC 8259). It is trusted, so malformed text is only refused, not explained.
enum JSONValue: Equatable {
  case null
  case bool(Bool)
  case number(Double)
  case text(String)
  case list([JSONValue])
  case object([String: JSONValue])

  /// Nil for malformed JSON.
  init?(_ bytes: [UInt8]) {
    var reader = Reader(rest: bytes[...])
    guard let value = reader.value(), reader.next() == nil else { return nil }
    self = value
  }

  subscript(_ name: String) -> JSONValue {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }
  var elements: [JSONValue] { if case .list(let elements) = self { elements } else { [] } }
  var text: String { if case .text(let text) = self { text } else { "" } }
  var integer: Int? { if case .number(let number) = self { Int(exactly: number) } else { nil } }
}

private struct Reader {
  var rest: ArraySlice<UInt8>

  /// The first byte that is not white space.
  mutating func next() -> UInt8? {
    rest = rest.drop { [9, 10, 13, 32].contains($0) }
    return rest.first
  }

  private mutating func takes(_ word: String) -> Bool {
    guard next() != nil, rest.starts(with: word.utf8) else { return false }
    rest = rest.dropFirst(word.utf8.count)
    return true
  }

  mutating func value() -> JSONValue? {
    switch next() {
    case UInt8(ascii: "{"): object()
    case UInt8(ascii: "["): list()
    case UInt8(ascii: "\""): text().map { .text($0) }
    case UInt8(ascii: "t"): takes("true") ? .bool(true) : nil
    case UInt8(ascii: "f"): takes("false") ? .bool(false) : nil
    case UInt8(ascii: "n"): takes("null") ? .null : nil
    default: number()
    }
  }

  private mutating func object() -> JSONValue? {
    var members: [String: JSONValue] = [:]
    guard takes("{") else { return nil }
    if takes("}") { return .object(members) }
    repeat {
      guard next() != nil, let name = text(), takes(":"), let value = value() else { return nil }
      members[name] = value
    } while takes(",")
    return takes("}") ? .object(members) : nil
  }

  private mutating func list() -> JSONValue? {
    var elements: [JSONValue] = []
    guard takes("[") else { return nil }
    if takes("]") { return .list(elements) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while takes(",")
    return takes("]") ? .list(elements) : nil
  }

  private mutating func number() -> JSONValue? {
    let digits = rest.prefix { $0 > 32 && !",]}".utf8.contains($0) }
    rest = rest.dropFirst(digits.count)
    return Double(String(decoding: digits, as: UTF8.self)).map { .number($0) }
  }

  private mutating func text() -> String? {
    guard takes("\"") else { return nil }
    var bytes: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      guard byte == UInt8(ascii: "\\") else {
        bytes.append(byte)
        continue
      }
      switch rest.popFirst() {
      case UInt8(ascii: "n"): bytes.append(10)
      case UInt8(ascii: "t"): bytes.append(9)
      case UInt8(ascii: "r"): bytes.append(13)
      case UInt8(ascii: "b"): bytes.append(8)
      case UInt8(ascii: "f"): bytes.append(12)
      case UInt8(ascii: "u"):
        guard let scalar = scalar() else { return nil }
        bytes += String(scalar).utf8
      case let escaped?: bytes.append(escaped)
      case nil: return nil
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The four digits after `\u`; `memorygraph` never writes surrogate pairs.
  private mutating func scalar() -> Unicode.Scalar? {
    let digits = rest.prefix(4)
    rest = rest.dropFirst(4)
    return UInt32(String(decoding: digits, as: UTF8.self), radix: 16).flatMap(Unicode.Scalar.init)
  }
}
