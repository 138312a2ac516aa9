/// What a field may hold that is readable as it stands: numbers, truth values, UUIDs and strings, also optional ones.
package struct Scalar {
  private enum Form {
    case signed(Int)
    case unsigned(Int)
    case double
    case float
    case bool
    case uuid
    case string
  }
  private let form: Form
  private let isOptional: Bool

  /// What was read.
  package enum Reading: Equatable {
    case number(String)
    case text([UInt8], isWhole: Bool)
    /// A string whose text is stored elsewhere.
    case stored(at: UInt64, count: Int)
  }

  /// nil for types that are no scalars.
  package init?(typeName: String) {
    let isOptional = typeName.hasPrefix("Optional<") && typeName.hasSuffix(">")
    let name = isOptional ? String(typeName.dropFirst(9).dropLast()) : typeName
    guard let form = Self.forms[name] else { return nil }
    self.form = form
    self.isOptional = isOptional
  }

  private static let forms: [String: Form] = [
    "Int": .signed(8), "Int64": .signed(8), "Int32": .signed(4), "Int16": .signed(2), "Int8": .signed(1),
    "UInt": .unsigned(8), "UInt64": .unsigned(8), "UInt32": .unsigned(4), "UInt16": .unsigned(2),
    "UInt8": .unsigned(1), "Double": .double, "Float": .float, "Bool": .bool, "String": .string,
    "FoundationEssentials.UUID": .uuid,
  ]

  private var plainSize: Int {
    switch form {
    case .signed(let size), .unsigned(let size): size
    case .double: 8
    case .float: 4
    case .bool: 1
    case .uuid, .string: 16
    }
  }
  /// An optional number has a byte behind it that says whether there is one; the others have room for that in
  /// themselves.
  private var hasTag: Bool {
    switch form {
    case .bool, .string: false
    default: isOptional
    }
  }
  /// In bytes.
  package var size: Int { plainSize + (hasTag ? 1 : 0) }

  /// - Parameter bytes: `size` of them.
  package func read(_ bytes: [UInt8]) -> Reading? {
    func word(_ start: Int, _ count: Int) -> UInt64 {
      (0..<count).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[start + $1]) }
    }
    if hasTag, bytes[plainSize] != 0 { return .number("nil") }
    switch form {
    case .signed(let size):
      let shift = UInt64(64 - size * 8)
      return .number("\(Int64(bitPattern: word(0, size) << shift) >> Int64(shift))")
    case .unsigned(let size): return .number("\(word(0, size))")
    case .double: return .number("\(Double(bitPattern: word(0, 8)))")
    case .float: return .number("\(Float(bitPattern: UInt32(word(0, 4))))")
    case .bool:
      if isOptional, bytes[0] == 2 { return .number("nil") }
      return bytes[0] < 2 ? .number(bytes[0] == 1 ? "true" : "false") : nil
    case .uuid:
      let digits = bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      let parts = [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }
      return .number(parts.joined(separator: "-"))
    case .string: return string(word(0, 8), word(8, 8), bytes)
    }
  }

  /// As `StringObject` of the standard library lays it out: small ones stand in the 15 bytes themselves, others name
  /// their text, which begins 32 bytes behind what they name.
  private func string(_ counts: UInt64, _ object: UInt64, _ bytes: [UInt8]) -> Reading? {
    if object == 0 { return isOptional ? .number("nil") : nil }
    let (isSmall, isForeign) = (object >> 61 & 1 == 1, object >> 60 & 1 == 1)
    if isSmall { return .text(Array(bytes[..<Int(object >> 56 & 15)]), isWhole: true) }
    guard !isForeign else { return nil }
    let count = counts & 0xFFFF_FFFF_FFFF
    return .stored(at: (object & 0x0FFF_FFFF_FFFF_FFFF) &+ 32, count: Int(count))
  }
}
