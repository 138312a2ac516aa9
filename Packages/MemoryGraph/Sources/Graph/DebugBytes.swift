import Capture

/// Debug information, read from the beginning. Data beyond its end reads as 0, or empty.
struct DebugBytes {
  private let bytes: UnsafeRawBufferPointer
  private(set) var at: Int
  let end: Int

  /// - Parameter end: the place after the last byte; nil for the end of all bytes.
  init(_ bytes: UnsafeRawBufferPointer, from start: Int = 0, to end: Int? = nil) {
    self.bytes = bytes
    self.end = min(bytes.count, max(0, end ?? bytes.count))
    at = min(max(0, start), self.end)
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
    if size == 8 || size == 4, end - at >= size {
      defer { at += size }
      return size == 8 ? bytes.word(at) : UInt64(bytes.half(at))
    }
    for place in 0..<size { value |= UInt64(byte()) << UInt64(8 * place) }
    return value
  }

  /// An LEB128 number, of which 64 bits are kept.
  mutating func number() -> UInt64 { leb().value }

  mutating func signedNumber() -> Int64 {
    let (value, shift, last) = leb()
    return Int64(bitPattern: last & 64 != 0 && shift < 64 ? value | ~0 << shift : value)
  }

  @inline(__always)
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

  /// Skips the text up to the next zero, and returns its place.
  mutating func skipText() -> Int {
    let start = at
    while at < end, bytes[at] != 0 { at += 1 }
    skip(1)
    return start
  }

  /// A unit's length, and the size of its offsets.
  mutating func length() -> (count: Int, offsetSize: Int) {
    let short = fixed(4)
    guard short == 0xFFFF_FFFF else { return (Int(short), 4) }
    return (Int(truncatingIfNeeded: fixed(8)), 8)
  }
}
