/// Writes the elements of a graph file: numbers in as few bytes as they need, and texts with their lengths.
struct GraphByteWriter {
  private(set) var bytes: [UInt8] = []

  /// LEB128: seven bits in each byte, the lowest first; the eighth marks that more follow.
  @inline(__always)
  mutating func number(_ value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }
  @inline(__always)
  mutating func number(_ value: Int) { number(UInt64(bitPattern: Int64(value))) }

  /// Zigzag coding, which keeps small numbers of either sign short: 0, -1, 1, -2 … are 0, 1, 2, 3 …
  @inline(__always)
  mutating func signed(_ value: Int) { number(UInt64(bitPattern: Int64((value << 1) ^ (value >> 63)))) }

  mutating func data(_ value: [UInt8]) {
    number(value.count)
    bytes += value
  }
  mutating func text(_ value: String) { data(Array(value.utf8)) }
  mutating func double(_ value: Double) {
    for place in 0..<8 { bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> (place * 8))) }
  }
  mutating func optional(_ value: Int?) { number(value.map { UInt64($0) + 1 } ?? 0) }
}

/// Reads the output of `GraphByteWriter`, without trusting it.
struct GraphByteReader {
  private let bytes: [UInt8]
  private var position = 0
  /// The name of the part, for messages.
  private let part: String
  /// The elements of lists that may still be read. Each takes many times its bytes in the file, which are few: millions
  /// of empty texts are compressed to nearly nothing.
  private var elements = 1 << 24

  init(_ bytes: [UInt8], part: String) {
    self.bytes = bytes
    self.part = part
  }

  var isAtEnd: Bool { position == bytes.count }

  func damaged(_ what: String) -> GraphError { GraphError("its part \(part) is damaged: \(what)") }

  @inline(__always)
  mutating func number() throws(GraphError) -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while position < bytes.count, shift < 64 {
      let byte = bytes[position]
      position += 1
      result |= UInt64(byte & 0x7F) &<< shift
      if byte < 0x80 { return result }
      shift += 7
    }
    throw damaged("a number does not end")
  }

  @inline(__always)
  mutating func number(below limit: Int) throws(GraphError) -> Int {
    let value = try number()
    guard value < UInt64(limit) else { throw damaged("\(value) where less than \(limit) is accepted") }
    return Int(value)
  }

  @inline(__always)
  mutating func signed() throws(GraphError) -> Int {
    let value = try number()
    return Int(Int64(bitPattern: (value >> 1) ^ (0 &- (value & 1))))
  }

  /// The count of following elements, each of at least one byte.
  mutating func count() throws(GraphError) -> Int {
    let value = try number()
    guard value <= UInt64(bytes.count - position) else { throw damaged("it ends too early") }
    return Int(value)
  }

  /// The count of the elements of a list, of which all lists of a part have a limited number together.
  mutating func list() throws(GraphError) -> Int {
    let count = try count()
    guard count <= elements else { throw damaged("its lists are too long") }
    elements -= count
    return count
  }

  /// Checks that at least so many bytes follow.
  func expect(_ count: Int) throws(GraphError) {
    guard count <= bytes.count - position else { throw damaged("it ends too early") }
  }

  mutating func data() throws(GraphError) -> [UInt8] {
    let count = try count()
    defer { position += count }
    return Array(bytes[position..<position + count])
  }
  mutating func text() throws(GraphError) -> String { String(decoding: try data(), as: UTF8.self) }

  mutating func double() throws(GraphError) -> Double {
    guard bytes.count - position >= 8 else { throw damaged("it ends too early") }
    defer { position += 8 }
    return Double(bitPattern: (0..<8).reduce(0) { $0 | UInt64(bytes[position + $1]) << ($1 * 8) })
  }

  mutating func optional(below limit: Int) throws(GraphError) -> Int? {
    let value = try number(below: limit + 1)
    return value == 0 ? nil : value - 1
  }

  /// So many numbers of 32 bits below a limit.
  mutating func column(_ count: Int, below limit: Int) throws(GraphError) -> [UInt32] {
    var column: [UInt32] = []
    column.reserveCapacity(count)
    for _ in 0..<count { column.append(UInt32(truncatingIfNeeded: try number(below: limit))) }
    return column
  }
}
