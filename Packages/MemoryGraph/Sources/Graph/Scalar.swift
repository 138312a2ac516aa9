/// A type whose values are readable: numbers, booleans, texts, enumerations, dates and the like, also optional ones.
package struct Scalar {
  private enum Form: Equatable, Sendable {
    case signed(Int)
    case unsigned(Int)
    case double
    case float
    case bool
    case string
    case unicode
    case uuid
    case date
    case duration
    case decimal
    case data
    case url
    indirect case range(Form, closed: Bool)
    /// With the size in bytes.
    case cases([String], Int)
  }
  private let form: Form
  private let isOptional: Bool

  package enum Reading: Equatable {
    case number(String)
    case text([UInt8], isWhole: Bool)
    /// A string whose text is stored elsewhere.
    case stored(at: UInt64, count: Int)
    /// A URL, whose text is found through the object there.
    case url(at: UInt64)
  }

  /// Nil for other types.
  package init?(typeName: String) {
    let isOptional = typeName.hasPrefix("Optional<") && typeName.hasSuffix(">")
    let name = isOptional ? String(typeName.dropFirst(9).dropLast()) : typeName
    guard let form = Self.form(name) else { return nil }
    self.form = form
    self.isOptional = isOptional
  }

  /// An enumeration without payloads, its cases in order; if it is optional, "nil" comes last.
  ///
  /// - Parameter size: in bytes; nil unless it is 1 or 2.
  init?(cases: [String], size: Int) {
    guard (1...2).contains(size), !cases.isEmpty else { return nil }
    form = .cases(cases, size)
    isOptional = false
  }

  private static let forms: [String: Form] = [
    "Int": .signed(8), "Int128": .signed(16), "Int64": .signed(8), "Int32": .signed(4), "Int16": .signed(2),
    "Int8": .signed(1), "UInt": .unsigned(8), "UInt128": .unsigned(16), "UInt64": .unsigned(8), "UInt32": .unsigned(4),
    "UInt16": .unsigned(2), "UInt8": .unsigned(1), "Double": .double, "Float": .float, "Bool": .bool,
    "String": .string, "Character": .string, "Unicode.Scalar": .unicode, "Duration": .duration,
    "FoundationEssentials.UUID": .uuid, "FoundationEssentials.Date": .date, "FoundationEssentials.Decimal": .decimal,
    "Foundation.Decimal": .decimal, "FoundationEssentials.Data": .data, "FoundationEssentials.URL": .url,
  ]

  private static func form(_ name: String) -> Form? {
    if let form = forms[name] { return form }
    for (prefix, closed) in [("Range<", false), ("ClosedRange<", true)] where name.hasPrefix(prefix) {
      switch forms[String(name.dropFirst(prefix.count).dropLast())] {
      case .signed(let size)?: return .range(.signed(size), closed: closed)
      case .unsigned(let size)?: return .range(.unsigned(size), closed: closed)
      case .double?: return .range(.double, closed: closed)
      case .date?: return .range(.date, closed: closed)
      default: return nil
      }
    }
    return nil
  }

  private static func plainSize(_ form: Form) -> Int {
    switch form {
    case .signed(let size), .unsigned(let size), .cases(_, let size): size
    case .double, .date: 8
    case .float, .unicode: 4
    case .bool: 1
    case .uuid, .string, .duration, .data, .url: 16
    case .decimal: 20
    case .range(let bound, _): plainSize(bound) * 2
    }
  }
  private var plainSize: Int { Self.plainSize(form) }
  /// True for optional numbers, which have a byte behind them that tells if there is a value; other types use spare
  /// values.
  private var hasTag: Bool {
    switch form {
    case .bool, .string, .data, .url, .cases, .unicode: false
    default: isOptional
    }
  }
  package var size: Int { plainSize + (hasTag ? 1 : 0) }
  var holdsReferences: Bool { form == .string || form == .data || form == .url }

  /// - Parameter bytes: `size` of them.
  package func read(_ bytes: [UInt8]) -> Reading? {
    if hasTag, bytes[plainSize] != 0 { return .number("nil") }
    switch form {
    case .bool:
      if isOptional, bytes[0] == 2 { return .number("nil") }
      return bytes[0] < 2 ? .number(bytes[0] == 1 ? "true" : "false") : nil
    case .string: return string(bytes)
    case .unicode:
      let code = UInt32(Self.word(bytes[0..<4]))
      return Unicode.Scalar(code).map { .text(Array(String(Character($0)).utf8), isWhole: true) }
        ?? (isOptional ? .number("nil") : nil)
    case .data: return data(bytes)
    case .url:
      let place = Self.word(bytes[0..<8])
      return place == 0 ? (isOptional ? .number("nil") : nil) : .url(at: place)
    default: return Self.number(form, bytes[...]).map { .number($0) }
    }
  }

  private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) } }

  private static func number(_ form: Form, _ bytes: ArraySlice<UInt8>) -> String? {
    let start = bytes.startIndex
    func word(_ offset: Int, _ count: Int) -> UInt64 { Self.word(bytes[(start + offset)..<(start + offset + count)]) }
    func long() -> UInt128 { UInt128(word(8, 8)) << 64 | UInt128(word(0, 8)) }
    switch form {
    case .signed(16): return "\(Int128(truncatingIfNeeded: long()))"
    case .unsigned(16): return "\(long())"
    case .signed(let size):
      let shift = UInt64(64 - size * 8)
      return "\(Int64(bitPattern: word(0, size) << shift) >> Int64(shift))"
    case .unsigned(let size): return "\(word(0, size))"
    case .double: return "\(Double(bitPattern: word(0, 8)))"
    case .float: return "\(Float(bitPattern: UInt32(word(0, 4))))"
    case .uuid:
      let digits = bytes.prefix(16).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      return [0..<4, 4..<6, 6..<8, 8..<10, 10..<16].map { digits[$0].joined() }.joined(separator: "-")
    case .date: return Written.date(Double(bitPattern: word(0, 8)))
    case .duration: return Written.duration(Int128(truncatingIfNeeded: long()))
    case .decimal:
      // Exponent; length and sign; eight words of 16 bits, the lowest first.
      let (flags, length) = (bytes[start + 1], Int(bytes[start + 1] >> 4))
      if length == 0, flags & 8 != 0 { return "nan" }
      let mantissa = (0..<min(length, 8)).reversed().reduce(UInt128(0)) { $0 << 16 | UInt128(word(4 + $1 * 2, 2)) }
      return Written.decimal(mantissa, exponent: Int(Int8(bitPattern: bytes[start])), isNegative: flags & 8 != 0)
    case .cases(let names, let size):
      let number = Int(word(0, size))
      return number < names.count ? names[number] : nil
    case .range(let bound, let isClosed):
      let size = plainSize(bound)
      guard let low = number(bound, bytes.prefix(size)), let high = number(bound, bytes.dropFirst(size)) else {
        return nil
      }
      return low + (isClosed ? "..." : "..<") + high
    case .bool, .string, .unicode, .data, .url: return nil
    }
  }

  /// By the standard library's `StringObject`: small strings are in the 15 bytes themselves, others refer to an object
  /// with the text 32 bytes after its start.
  private func string(_ bytes: [UInt8]) -> Reading? {
    let (counts, object) = (Self.word(bytes[0..<8]), Self.word(bytes[8..<16]))
    if object == 0 { return isOptional ? .number("nil") : nil }
    let (isSmall, isForeign) = (object >> 61 & 1 == 1, object >> 60 & 1 == 1)
    if isSmall { return .text(Array(bytes[..<Int(object >> 56 & 15)]), isWhole: true) }
    guard !isForeign else { return nil }
    let count = counts & 0xFFFF_FFFF_FFFF
    return .stored(at: (object & 0x0FFF_FFFF_FFFF_FFFF) &+ 32, count: Int(count))
  }

  /// The upper two bits tell where the bytes are: up to 14 inline, others in storage, a slice with bounds
  /// (`Data._Representation`). The bounds of a very large slice are not inline either.
  private func data(_ bytes: [UInt8]) -> Reading? {
    if isOptional, bytes[15] == 0xFF { return .number("nil") }
    func words(_ count: Int) -> String { "\(count) byte\(count == 1 ? "" : "s")" }
    switch bytes[15] >> 6 {
    case 0:
      guard bytes[14] <= 14 else { return nil }
      let digits = bytes.prefix(Int(bytes[14])).map { ($0 < 16 ? "0" : "") + String($0, radix: 16, uppercase: true) }
      return .number("\(words(digits.count)): \(digits.joined(separator: " "))")
    case 1:
      let (low, high) = (Self.word(bytes[0..<4]), Self.word(bytes[4..<8]))
      return low <= high ? .number(words(Int(high - low))) : nil
    case 3: return .number(words(0))
    default: return nil
    }
  }
}
