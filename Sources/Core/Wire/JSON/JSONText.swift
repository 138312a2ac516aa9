import CJansson

/// The place and the reason why a text is not JSON.
public struct JSONError: Error, Equatable, Sendable {
  public var line: Int
  public var column: Int
  public var message: String
}

extension JSONError {
  /// The place where a text exceeds the limit of values; nil if it does not. Found without parsing: each comma outside
  /// of strings comes before a value, and so may each opening bracket and brace.
  fileprivate static func tooMany(_ values: Int, in bytes: UnsafeBufferPointer<UInt8>) -> JSONError? {
    // Each value after the first needs two bytes at least.
    if bytes.count / 2 < values { return nil }
    var (left, line, lineStart, position) = (values - 1, 1, 0, 0)
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        position += 1
        while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
          position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
      case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "{"):
        left -= 1
        if left < 0 {
          return JSONError(
            line: line, column: position - lineStart + 1, message: "more values than \(values), which are accepted")
        }
      case UInt8(ascii: "\n"): (line, lineStart) = (line + 1, position + 1)
      default: break
      }
      position += 1
    }
    return nil
  }
}

extension JSON {
  /// Parses a JSON text with Jansson: UTF-8, any value at the top, nothing after it. An object with a repeated name is
  /// refused, since parsers disagree on which one counts.
  /// - Parameter values: the limit of values; lists and objects within others count twice. Three bytes of text (`{},`)
  ///   become 250 of memory. Our own texts need no limit.
  public init(parsing bytes: [UInt8], values: Int = WireLimits.jsonValues) throws(JSONError) {
    try self.init(bytes, values: values, flags: Int(JSON_DECODE_ANY) | Int(JSON_REJECT_DUPLICATES))
  }

  /// - Parameter flags: Jansson's.
  init(_ bytes: [UInt8], values: Int, flags: Int) throws(JSONError) {
    if let error = bytes.withUnsafeBufferPointer({ JSONError.tooMany(values, in: $0) }) { throw error }
    var error = json_error_t()
    let root = bytes.withUnsafeBytes { bytes in
      json_loadb(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, flags, &error)
    }
    guard let root else {
      let told = withUnsafeBytes(of: &error.text) { text in String(decoding: text.prefix { $0 != 0 }, as: UTF8.self) }
      // Jansson's words for values name a flag of its own, which whoever sends a text cannot set.
      let message = told.hasPrefix("\\u0000") || told.hasPrefix("NUL byte") ? "U+0000 in a text is not accepted" : told
      throw JSONError(line: Int(error.line), column: Int(error.column), message: message)
    }
    defer { json_decref(root) }
    self.init(root)
  }

  public init(parsing text: String, values: Int = WireLimits.jsonValues) throws(JSONError) {
    try self.init(parsing: Array(text.utf8), values: values)
  }

  /// Jansson refuses more than 2,048 levels, which bounds this recursion.
  private init(_ value: UnsafeMutablePointer<json_t>) {
    switch value.pointee.type {
    case JSON_OBJECT:
      var members: [Member] = []
      members.reserveCapacity(json_object_size(value))
      var iterator = json_object_iter(value)
      while let current = iterator {
        let name = UnsafeRawBufferPointer(
          start: json_object_iter_key(current), count: json_object_iter_key_len(current))
        members.append(Member(String(decoding: name, as: UTF8.self), JSON(json_object_iter_value(current)!)))
        iterator = json_object_iter_next(value, current)
      }
      self = .object(members)
    case JSON_ARRAY: self = .array((0..<json_array_size(value)).map { JSON(json_array_get(value, $0)!) })
    case JSON_STRING:
      let text = UnsafeRawBufferPointer(start: json_string_value(value), count: json_string_length(value))
      self = .string(String(decoding: text, as: UTF8.self))
    case JSON_INTEGER: self = .int(Int(json_integer_value(value)))
    case JSON_REAL: self = .double(json_real_value(value))
    case JSON_TRUE: self = true
    case JSON_FALSE: self = false
    default: self = nil
    }
  }

  /// The shortest text of this value.
  public var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The shortest text of this value, as UTF-8.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes += "null".utf8
    case .bool(let value): bytes += value ? "true".utf8 : "false".utf8
    case .int(let value): ResponseHead.appendNumber(value, to: &bytes)
    case .double(let value):
      // JSON cannot express NaN or infinity; nothing here produces one.
      assert(value.isFinite, "not a JSON number")
      bytes += (value.isFinite ? "\(value)" : "null").utf8
    case .string(let value): Self.appendQuoted(value, to: &bytes)
    case .array(let values):
      bytes.append(UInt8(ascii: "["))
      for (index, value) in values.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let members):
      bytes.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { bytes.append(UInt8(ascii: ",")) }
        Self.appendQuoted(member.name, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        member.value.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private static func appendQuoted(_ text: String, to bytes: inout [UInt8]) {
    bytes.append(34)
    defer { bytes.append(34) }
    // Most texts have nothing to escape: they are copied as a whole.
    let isCopied = text.utf8.withContiguousStorageIfAvailable { whole -> Bool in
      guard whole.allSatisfy({ $0 >= 32 && $0 != 34 && $0 != 92 }) else { return false }
      bytes.append(contentsOf: whole)
      return true
    }
    if isCopied == true { return }
    for byte in text.utf8 {
      switch byte {
      case 34, 92:
        bytes.append(92)
        bytes.append(byte)
      case 10: bytes += "\\n".utf8
      case 13: bytes += "\\r".utf8
      case 9: bytes += "\\t".utf8
      case 0..<32: bytes += ((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
  }
}
