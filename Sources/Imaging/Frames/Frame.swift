/// A message between the hub and the program: four bytes of length (of what follows), one of kind, and the content.
public struct Frame: Equatable, Sendable {
  public enum Kind: UInt8, Sendable {
    /// To the program. Its picture may come along as a descriptor with the frame's first byte.
    case job = 1
    /// From the program, once, as soon as it takes jobs.
    case ready = 2
    case made = 3
    case failed = 4
  }
  public enum Fault: Error, Equatable, Sendable {
    case tooLong(Int)
    case unknownKind(UInt8)
    case malformed
  }
  public var kind: Kind
  public var content: [UInt8]

  public init(_ kind: Kind, _ content: [UInt8]) { (self.kind, self.content) = (kind, content) }

  public var bytes: [UInt8] {
    let count = UInt32(content.count + 1)
    return (0..<4).map { UInt8(truncatingIfNeeded: count >> (24 - 8 * $0)) } + [kind.rawValue] + content
  }
}

/// Finds frames in bytes that come in pieces.
public struct FrameSplitter: Sendable {
  private var buffer: [UInt8] = []
  private let longest: Int

  /// - Parameter longest: bytes of kind and content; more is refused before they come.
  public init(longest: Int = ImagingLimits.frameBytes) { self.longest = longest }

  public mutating func feed(_ bytes: some Collection<UInt8>) { buffer.append(contentsOf: bytes) }

  /// The next frame that is complete; nil if more bytes are needed. After a fault there is no way on.
  public mutating func next() throws(Frame.Fault) -> Frame? {
    guard buffer.count >= 4 else { return nil }
    let count = buffer.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard count <= longest else { throw .tooLong(count) }
    guard count >= 1 else { throw .malformed }
    guard buffer.count > 4 else { return nil }
    guard let kind = Frame.Kind(rawValue: buffer[4]) else { throw .unknownKind(buffer[4]) }
    guard buffer.count >= 4 + count else {
      buffer.reserveCapacity(4 + count)
      return nil
    }
    let frame = Frame(kind, Array(buffer[5..<4 + count]))
    buffer.removeFirst(4 + count)
    return frame
  }
}

/// Writes a frame's content.
struct ContentWriter {
  var bytes: [UInt8] = []

  mutating func number(_ value: Int) {
    for shift in stride(from: 24, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
  }

  mutating func data(_ value: [UInt8]) {
    number(value.count)
    bytes += value
  }

  /// Words are cut, since what matters in them stands at the beginning.
  mutating func word(_ value: String?) {
    var text = (value ?? "").prefix(ImagingLimits.wordBytes)
    while text.utf8.count > ImagingLimits.wordBytes { text.removeLast() }
    data([value == nil ? 0 : 1] + Array(text.utf8))
  }
}

/// Reads a frame's content.
struct ContentReader {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) { rest = bytes[...] }

  mutating func number() throws(Frame.Fault) -> Int {
    guard rest.count >= 4 else { throw .malformed }
    defer { rest = rest.dropFirst(4) }
    return rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
  }

  mutating func number(atMost largest: Int) throws(Frame.Fault) -> Int {
    let value = try number()
    guard value <= largest else { throw .malformed }
    return value
  }

  mutating func data(atMost longest: Int) throws(Frame.Fault) -> [UInt8] {
    let count = try number(atMost: longest)
    guard rest.count >= count else { throw .malformed }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  /// - Parameter longest: in Unicode's scalars, each of which has up to four bytes.
  mutating func text(atMost longest: Int) throws(Frame.Fault) -> String {
    guard let text = String(validating: try data(atMost: longest * 4), as: UTF8.self) else { throw .malformed }
    return text
  }

  mutating func word() throws(Frame.Fault) -> String? {
    let bytes = try data(atMost: ImagingLimits.wordBytes + 1)
    guard let first = bytes.first, first == 1 || bytes == [0],
      let text = String(validating: bytes.dropFirst(), as: UTF8.self)
    else { throw .malformed }
    return first == 0 ? nil : text
  }

  func finish() throws(Frame.Fault) {
    guard rest.isEmpty else { throw .malformed }
  }
}
