/// Debug information, read from the beginning. Data beyond its end reads as 0, or empty.
struct DebugBytes {
  private let bytes: UnsafeRawBufferPointer
  private(set) var at: Int
  let end: Int

  init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) {
    self.bytes = bytes
    end = bytes.count
    at = min(max(0, start), end)
  }

  /// The next bytes as a reader of their own.
  mutating func part(_ count: Int) -> DebugBytes {
    let start = at
    skip(count)
    return DebugBytes(UnsafeRawBufferPointer(rebasing: bytes[start..<at]))
  }

  var isAtEnd: Bool { at >= end }

  mutating func skip(_ count: Int) { at = count >= 0 && count <= end - at ? at + count : end }

  mutating func byte() -> UInt8 {
    guard at < end else { return 0 }
    defer { at += 1 }
    return bytes[at]
  }

  /// - Parameter size: bytes, 0 to 8, little-endian.
  mutating func fixed(_ size: Int) -> UInt64 {
    var value: UInt64 = 0
    for place in 0..<size { value |= UInt64(byte()) << UInt64(8 * place) }
    return value
  }

  /// An LEB128 number, of which 64 bits are kept.
  mutating func number() -> UInt64 { leb().value }

  mutating func signedNumber() -> Int64 {
    let (value, shift, last) = leb()
    return Int64(bitPattern: last & 64 != 0 && shift < 64 ? value | ~0 << shift : value)
  }

  private mutating func leb() -> (value: UInt64, shift: UInt64, last: UInt8) {
    var (value, shift): (UInt64, UInt64) = (0, 0)
    while at < end {
      let byte = byte()
      if shift < 64 { value |= UInt64(byte & 127) << shift }
      shift += 7
      if byte & 128 == 0 { return (value, shift, byte) }
    }
    return (value, shift, 0)
  }

  /// The text up to the next zero.
  mutating func text() -> String {
    let start = at
    while at < end, bytes[at] != 0 { at += 1 }
    let text = String(decoding: bytes[start..<at], as: UTF8.self)
    skip(1)
    return text
  }

  /// A unit's length, and the size of its offsets.
  mutating func length() -> (count: Int, offsetSize: Int) {
    let short = fixed(4)
    guard short == 0xFFFF_FFFF else { return (Int(short), 4) }
    return (Int(truncatingIfNeeded: fixed(8)), 8)
  }
}

/// The form of a value of debug information (DWARF 5, section 7.5.6): those used at a unit's beginning and in a line
/// table's header.
enum DebugForm {
  /// The sections with texts.
  struct Texts {
    let plain: UnsafeRawBufferPointer
    let lines: UnsafeRawBufferPointer
  }
  enum Value {
    case text(String)
    case number(UInt64)
    case other
  }

  /// Nil for an unknown form, of which the length is unknown, too.
  static func read(
    _ form: UInt64, _ from: inout DebugBytes, offsetSize: Int, addressSize: Int, _ texts: Texts
  ) -> Value? {
    func text(_ section: UnsafeRawBufferPointer, _ offset: UInt64) -> Value {
      var at = DebugBytes(section, from: Int(truncatingIfNeeded: offset))
      return .text(at.text())
    }
    func skipped(_ count: UInt64) -> Value {
      from.skip(Int(truncatingIfNeeded: count))
      return .other
    }
    switch form {
    case 0x01: return .number(from.fixed(addressSize))
    case 0x03: return skipped(from.fixed(2))
    case 0x04: return skipped(from.fixed(4))
    case 0x05: return .number(from.fixed(2))
    case 0x06: return .number(from.fixed(4))
    case 0x07: return .number(from.fixed(8))
    case 0x08: return .text(from.text())
    case 0x09, 0x18: return skipped(from.number())
    case 0x0A: return skipped(from.fixed(1))
    case 0x0B, 0x0C: return .number(from.fixed(1))
    case 0x0D: return .number(UInt64(bitPattern: from.signedNumber()))
    case 0x0E: return text(texts.plain, from.fixed(offsetSize))
    case 0x0F: return .number(from.number())
    case 0x17: return .number(from.fixed(offsetSize))
    case 0x19: return .number(1)
    case 0x1E: return skipped(16)
    case 0x1F: return text(texts.lines, from.fixed(offsetSize))
    default: return nil
    }
  }
}
