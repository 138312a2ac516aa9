/// The fields of a response in one piece of memory. Refilling the same block allocates nothing.
public struct FieldBlock: Sendable {
  enum Name: Sendable {
    case fixed(StaticString)
    case range(Range<Int>)
  }
  struct Entry: Sendable {
    var name: Name
    var value: Range<Int>
  }
  private(set) var bytes: [UInt8] = []
  private(set) var entries: [Entry] = []

  public init() {}

  public mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
    entries.removeAll(keepingCapacity: true)
  }

  /// - Parameter name: in lower case, as HTTP/2 has it (RFC 9113 section 8.2).
  public mutating func append(_ name: StaticString, _ value: String) {
    assert(!name.isUpper, "\(name) is not in lower case")
    entries.append(Entry(name: .fixed(name), value: appended(value)))
  }

  public mutating func append(_ name: StaticString, _ value: [UInt8]) {
    assert(!name.isUpper, "\(name) is not in lower case")
    entries.append(Entry(name: .fixed(name), value: value.withUnsafeBufferPointer { appended($0) }))
  }

  public mutating func append(_ name: StaticString, _ number: Int) {
    assert(!name.isUpper, "\(name) is not in lower case")
    let start = bytes.count
    ResponseHead.appendNumber(number, to: &bytes)
    entries.append(Entry(name: .fixed(name), value: start..<bytes.count))
  }

  /// Appends a field whose name is known at run time only; the name becomes lower case.
  public mutating func append(name: String, _ value: String) {
    let range = appended(name)
    for index in range where bytes[index] >= 65 && bytes[index] <= 90 { bytes[index] |= 0x20 }
    entries.append(Entry(name: .range(range), value: appended(value)))
  }

  private mutating func appended(_ text: String) -> Range<Int> {
    var text = text
    return text.withUTF8 { appended($0) }
  }

  /// Appends the text without line breaks and zeros, with which a proxy that translates to HTTP/1.1 would add other
  /// fields.
  private mutating func appended(_ text: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    let start = bytes.count
    bytes.append(contentsOf: text)
    if text.contains(where: Self.breaks) {
      let clean = text.filter { !Self.breaks($0) }
      bytes.replaceSubrange(start..., with: clean)
    }
    return start..<bytes.count
  }

  private static func breaks(_ byte: UInt8) -> Bool { byte == 13 || byte == 10 || byte == 0 }
}

extension StaticString {
  fileprivate var isUpper: Bool {
    UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount).contains { $0 >= 65 && $0 <= 90 }
  }
}
