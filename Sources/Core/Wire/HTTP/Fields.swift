/// Header fields as they arrived, read without copying each. Names are compared without regard to case (RFC 9110
/// section 5.1).
public struct Fields: @unchecked Sendable {
  struct Entry: Sendable {
    var name: Range<UInt16>
    var value: Range<UInt16>
  }
  private struct Counts {
    var entries: Int
    var bytes: Int
  }
  /// The entries, followed by the bytes that they point into: one allocation for all of a head. It never changes once
  /// it is filled.
  private final class Block: ManagedBuffer<Counts, Entry> {}
  private let block: Block

  /// - Parameter bytes: at most 64 KB, into which the entries' ranges point.
  init(bytes: UnsafeBufferPointer<UInt8>, entries: UnsafeBufferPointer<Entry>) {
    let stride = MemoryLayout<Entry>.stride
    let made = Block.create(minimumCapacity: entries.count + (bytes.count + stride - 1) / stride) { _ in
      Counts(entries: entries.count, bytes: bytes.count)
    }
    made.withUnsafeMutablePointerToElements { start in
      if let first = entries.baseAddress { start.initialize(from: first, count: entries.count) }
      if let first = bytes.baseAddress {
        UnsafeMutableRawPointer(start + entries.count).copyMemory(from: first, byteCount: bytes.count)
      }
    }
    block = unsafeDowncast(made, to: Block.self)
  }

  init(bytes: [UInt8], entries: [Entry]) {
    self = bytes.withUnsafeBufferPointer { bytes in
      entries.withUnsafeBufferPointer { entries in Fields(bytes: bytes, entries: entries) }
    }
  }

  /// Fields made by hand, for tests and requests that did not come from the network.
  public init(_ pairs: KeyValuePairs<String, String> = [:]) { self.init(list: pairs.map { ($0.key, $0.value) }) }

  private init(list pairs: [(name: String, value: String)]) {
    var bytes: [UInt8] = []
    var entries: [Entry] = []
    for (name, value) in pairs {
      let start = UInt16(bytes.count)
      bytes += name.utf8
      let middle = UInt16(bytes.count)
      bytes += value.utf8
      entries.append(Entry(name: start..<middle, value: middle..<UInt16(bytes.count)))
    }
    self.init(bytes: bytes, entries: entries)
  }

  /// The same fields with another value for one, given in lower case, or without it.
  /// - Parameter value: of at most 32 KB, as a head has room for.
  public func replacing(_ name: StaticString, with value: String?) -> Fields {
    let others = all.filter { !equalsIgnoringCase($0.name, "\(name)") }
    return Fields(list: others + (value.map { [("\(name)", $0)] } ?? []))
  }

  public var count: Int { block.header.entries }

  private func read<T>(_ body: (UnsafeBufferPointer<Entry>, UnsafeRawBufferPointer) -> T) -> T {
    block.withUnsafeMutablePointers { counts, start in
      body(
        UnsafeBufferPointer(start: start, count: counts.pointee.entries),
        UnsafeRawBufferPointer(start: start + counts.pointee.entries, count: counts.pointee.bytes))
    }
  }

  /// The value of the first field of that name, given in lower case.
  public subscript(_ name: StaticString) -> String? {
    read { entries, bytes in
      entries.first { Self.matches(bytes, $0.name, name) }.map { Self.text(bytes, $0.value) }
    }
  }

  /// The number of fields of that name.
  public func count(of name: StaticString) -> Int {
    read { entries, bytes in entries.count { Self.matches(bytes, $0.name, name) } }
  }

  /// True if there is a field that can change the response: If-…, or Range (RFC 9110 sections 13 and 14). Most requests
  /// have none, and this check is quicker than looking for each.
  public var hasCondition: Bool {
    read { entries, bytes in
      entries.contains { entry in
        switch entry.name.count {
        case 5: Self.matches(bytes, entry.name, "range")
        case 8...19: bytes[Int(entry.name.lowerBound)] | 0x20 == UInt8(ascii: "i")
        default: false
        }
      }
    }
  }

  /// The values of all fields of that name as one list (RFC 9110 section 5.3); nil without any.
  public func list(_ name: StaticString) -> String? {
    let values = values(of: name)
    return values.isEmpty ? nil : values.joined(separator: ", ")
  }

  /// True if a comma-separated list in any field of that name has the token, without regard to case.
  public func contains(_ name: StaticString, token: String) -> Bool {
    values(of: name).contains { value in
      value.split(separator: ",").contains { equalsIgnoringCase(trimmed($0), token) }
    }
  }

  private func values(of name: StaticString) -> [String] {
    read { entries, bytes in
      entries.lazy.filter { Self.matches(bytes, $0.name, name) }.map { Self.text(bytes, $0.value) }
    }
  }

  /// Names and values in the order they arrived.
  public var all: [(name: String, value: String)] {
    read { entries, bytes in entries.map { (Self.text(bytes, $0.name), Self.text(bytes, $0.value)) } }
  }

  /// The text in UTF-8, or else in ISO 8859-1, as HTTP had it (RFC 9110 section 5.5) and programs in Python write it:
  /// its bytes are the first code points of Unicode.
  private static func text(_ bytes: UnsafeRawBufferPointer, _ range: Range<UInt16>) -> String {
    let text = bytes[Int(range.lowerBound)..<Int(range.upperBound)]
    if let text = String(validating: text, as: UTF8.self) { return text }
    var older = ""
    for byte in text { older.unicodeScalars.append(Unicode.Scalar(byte)) }
    return older
  }

  static func isHost(_ bytes: UnsafeBufferPointer<UInt8>, _ name: Range<UInt16>) -> Bool {
    let start = Int(name.lowerBound)
    return bytes[start] | 0x20 == UInt8(ascii: "h") && bytes[start + 1] | 0x20 == UInt8(ascii: "o")
      && bytes[start + 2] | 0x20 == UInt8(ascii: "s") && bytes[start + 3] | 0x20 == UInt8(ascii: "t")
  }

  private static func matches(_ bytes: UnsafeRawBufferPointer, _ range: Range<UInt16>, _ name: StaticString) -> Bool {
    guard range.count == name.utf8CodeUnitCount else { return false }
    let wanted = name.utf8Start
    for index in 0..<range.count {
      let byte = bytes[Int(range.lowerBound) + index]
      let lower = byte >= 65 && byte <= 90 ? byte | 0x20 : byte
      if lower != wanted[index] { return false }
    }
    return true
  }
}

func trimmed(_ text: Substring) -> Substring {
  var text = text
  while let first = text.utf8.first, first == 32 || first == 9 { text.removeFirst() }
  while let last = text.utf8.last, last == 32 || last == 9 { text.removeLast() }
  return text
}

func equalsIgnoringCase(_ a: some StringProtocol, _ b: some StringProtocol) -> Bool {
  func lower(_ byte: UInt8) -> UInt8 { byte >= 65 && byte <= 90 ? byte | 0x20 : byte }
  return a.utf8.elementsEqual(b.utf8) { lower($0) == lower($1) }
}
