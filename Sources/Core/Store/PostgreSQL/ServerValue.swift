import CPq

/// Reads the texts in which PostgreSQL sends values.
enum ServerValue {
  /// The type of bytes (`pg_type.dat`).
  private static let bytea: Oid = 17

  enum Kind {
    case whole, fraction, bytes, text
  }

  /// The kind of value of a type: of those that our tables have.
  static func kind(of type: Oid) -> Kind {
    switch type {
    case bytea: .bytes
    // int8, int2, int4 and bool.
    case 20, 21, 23, 16: .whole
    // float8, float4 and numeric.
    case 701, 700, 1700: .fraction
    default: .text
    }
  }

  /// A whole number; of one with a fraction what stands before it, as SQLite does. Truth values are 1 and 0.
  static func int(_ text: UnsafeRawBufferPointer) -> Int {
    if text.first == UInt8(ascii: "t") { return 1 }
    var value = 0
    var isNegative = false
    for (index, byte) in text.enumerated() {
      if index == 0, byte == UInt8(ascii: "-") {
        isNegative = true
        continue
      }
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { break }
      value = value &* 10 &- Int(byte - UInt8(ascii: "0"))
    }
    return isNegative ? value : 0 &- value
  }

  static func byteCount(_ text: UnsafeRawBufferPointer, _ type: Oid) -> Int {
    type == bytea ? max(text.count - 2, 0) / 2 : text.count
  }

  /// Bytes: sent as `\x` and two hexadecimal digits each.
  static func blob(_ text: UnsafeRawBufferPointer, _ type: Oid) -> [UInt8] {
    guard type == bytea else { return Array(text) }
    return [UInt8](unsafeUninitializedCapacity: text.count / 2) { bytes, count in
      count = max(text.count - 2, 0) / 2
      for index in 0..<count { bytes[index] = digit(text[2 * index + 2]) << 4 | digit(text[2 * index + 3]) }
    }
  }

  private static func digit(_ letter: UInt8) -> UInt8 { letter < 58 ? letter & 15 : (letter & 15) + 9 }
}
