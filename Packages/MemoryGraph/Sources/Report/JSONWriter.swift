/// Writes JSON (RFC 8259), piece by piece: a graph's report is too long for a tree of values.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// True if the next value is the first of its list.
  private var isFirst = true

  /// Writes an object or a list with the contents that `body` writes.
  mutating func object(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(name, "{", "}", body) }
  mutating func list(_ name: String? = nil, _ body: (inout JSONWriter) -> Void) { nest(name, "[", "]", body) }

  mutating func string(_ name: String? = nil, _ value: String) {
    begin(name)
    quote(value)
  }
  mutating func number(_ name: String? = nil, _ value: Int) {
    begin(name)
    bytes += "\(value)".utf8
  }
  /// A number with at most three decimals, enough for measurements.
  mutating func number(_ name: String? = nil, _ value: Double) {
    begin(name)
    bytes += "\((value * 1000).rounded() / 1000)".utf8
  }

  mutating func strings(_ name: String, _ values: some Sequence<String>) {
    list(name) { json in for value in values { json.string(nil, value) } }
  }
  mutating func numbers(_ name: String, _ values: some Sequence<Int>) {
    list(name) { json in for value in values { json.number(nil, value) } }
  }

  mutating func base64(_ name: String? = nil, _ data: UnsafeRawBufferPointer) {
    begin(name)
    bytes.append(34)
    bytes += Report.base64(data)
    bytes.append(34)
  }
  /// A value written by another writer.
  mutating func written(_ value: [UInt8]) {
    begin(nil)
    bytes += value
  }
  /// Writes a name, and the one value that `body` writes.
  mutating func named(_ name: String, _ body: (inout JSONWriter) -> Void) {
    begin(name)
    isFirst = true
    body(&self)
    isFirst = false
  }

  private mutating func nest(_ name: String?, _ open: String, _ close: String, _ body: (inout JSONWriter) -> Void) {
    begin(name)
    bytes += open.utf8
    isFirst = true
    body(&self)
    isFirst = false
    bytes += close.utf8
  }

  private mutating func begin(_ name: String?) {
    if !isFirst { bytes.append(UInt8(ascii: ",")) }
    isFirst = false
    if let name {
      quote(name)
      bytes.append(UInt8(ascii: ":"))
    }
  }

  /// "<" and "&" are escaped, so that the text is safe within a page's script element.
  private mutating func quote(_ text: String) {
    bytes.append(34)
    for byte in text.utf8 {
      switch byte {
      case 34, 92: bytes += [92, byte]
      case 0..<32, UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
        bytes += ((byte < 16 ? "\\u000" : "\\u00") + String(byte, radix: 16)).utf8
      default: bytes.append(byte)
      }
    }
    bytes.append(34)
  }
}
