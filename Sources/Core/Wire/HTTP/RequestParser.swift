/// Parses the requests of one HTTP/1.1 connection (RFC 9112). It has no socket and keeps only incomplete input, so the
/// same bytes give the same events whether they come whole, in pieces or one by one.
public struct RequestParser: Sendable {
  public enum Event: Sendable {
    case head(RequestHead)
    /// A piece of the body, as a range of the input.
    case body(Range<Int>)
    /// The request is complete.
    case end
  }

  private enum State: Sendable {
    case head
    /// The head of a request without a body was reported.
    case complete
    case length(Int)
    case chunkSize(value: Int, digits: Int)
    case chunkExtension(value: Int, count: Int)
    case chunkSizeLineFeed(value: Int)
    case chunk(Int)
    case chunkReturn
    case chunkLineFeed
    case trailer(count: Int, place: TrailerPlace)
  }
  private enum TrailerPlace: Sendable {
    case start, name, value
    /// After a carriage return; true if the line before it was empty.
    case lineFeed(isLast: Bool)
  }
  private var state = State.head
  /// The beginning of a head that is not complete yet.
  private var pending: [UInt8] = []
  private var scanned = 0
  /// True if the one empty line allowed before a request line was skipped (RFC 9112 section 2.2).
  private var hasSkippedLine = false

  public init() {}

  /// True between two requests, when nothing of the next one was read.
  public var isIdle: Bool {
    if case .head = state { return pending.isEmpty }
    return false
  }
  /// True if all of a request was read and only its end is still to be reported, which needs no further byte.
  public var isAtEnd: Bool {
    if case .complete = state { return true }
    return false
  }
  /// True if a head has begun and not ended.
  public var isInsideHead: Bool {
    if case .head = state { return !pending.isEmpty }
    return false
  }

  /// The next event; nil when all of the input is used up without one.
  /// - Parameter position: the place in the input to continue from; moved past what was read.
  public mutating func next(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(WireFault) -> Event? {
    while true {
      switch state {
      case .head:
        guard let head = try nextHead(input, &position) else { return nil }
        switch head.framing {
        case .none: state = .complete
        case .length(let length): state = .length(length)
        case .chunked: state = .chunkSize(value: 0, digits: 0)
        }
        return .head(head)
      case .complete:
        state = .head
        return .end
      case .length(let left):
        guard let range = take(left, input, &position) else { return nil }
        state = range.count == left ? .complete : .length(left - range.count)
        return .body(range)
      case .chunk(let left):
        guard let range = take(left, input, &position) else { return nil }
        state = range.count == left ? .chunkReturn : .chunk(left - range.count)
        return .body(range)
      default:
        guard position < input.count else { return nil }
        try readFraming(input[position])
        position += 1
      }
    }
  }

  private func take(_ wanted: Int, _ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) -> Range<Int>? {
    guard position < input.count else { return nil }
    let range = position..<(position + min(wanted, input.count - position))
    position = range.upperBound
    return range
  }

  private mutating func nextHead(_ input: UnsafeBufferPointer<UInt8>, _ position: inout Int) throws(WireFault)
    -> RequestHead?
  {
    if pending.isEmpty, !hasSkippedLine, input.count >= position + 2, input[position] == 13, input[position + 1] == 10 {
      hasSkippedLine = true
      position += 2
    }
    let rest = UnsafeBufferPointer(rebasing: input[position...])
    if rest.isEmpty { return nil }
    if pending.isEmpty {
      // The usual case: the whole head is in one read and is not copied.
      scanned = 0
      if let end = try HeadReader.end(of: rest, scanned: &scanned) {
        position += end
        hasSkippedLine = false
        return try HeadReader.read(UnsafeBufferPointer(rebasing: rest[..<end]))
      }
      pending.append(contentsOf: rest)
      position = input.count
      return nil
    }
    let before = pending.count
    pending.append(contentsOf: rest.prefix(WireLimits.headBytes + 1))
    var found = scanned
    let bytes = pending
    let end = try Self.withBytes(bytes) { bytes throws(WireFault) in try HeadReader.end(of: bytes, scanned: &found) }
    scanned = found
    guard let end else {
      position = input.count
      return nil
    }
    if end == 2, !hasSkippedLine {
      hasSkippedLine = true
      pending = []
      scanned = 0
      position += end - before
      return try nextHead(input, &position)
    }
    position += end - before
    let head = try Self.withBytes(bytes) { bytes throws(WireFault) in
      try HeadReader.read(UnsafeBufferPointer(rebasing: bytes[..<end]))
    }
    pending = []
    scanned = 0
    hasSkippedLine = false
    return head
  }

  private static func withBytes<T>(
    _ bytes: [UInt8], _ body: (UnsafeBufferPointer<UInt8>) throws(WireFault) -> T
  ) throws(WireFault) -> T {
    let result = bytes.withUnsafeBufferPointer { bytes -> Result<T, WireFault> in
      do throws(WireFault) { return .success(try body(bytes)) } catch { return .failure(error) }
    }
    return try result.get()
  }

  /// Reads one byte of a chunk's size line, of the line break after a chunk, or of the trailer.
  private mutating func readFraming(_ byte: UInt8) throws(WireFault) {
    switch state {
    case .chunkSize(let value, let digits):
      if let digit = Character(UnicodeScalar(byte)).hexDigitValue, byte < 128 {
        if digits == WireLimits.chunkDigits { throw .malformedChunk }
        state = .chunkSize(value: value << 4 | digit, digits: digits + 1)
      } else if digits == 0 {
        throw .malformedChunk
      } else if byte == 13 {
        state = .chunkSizeLineFeed(value: value)
      } else if byte == UInt8(ascii: ";") || byte == 32 || byte == 9 {
        state = .chunkExtension(value: value, count: 0)
      } else {
        throw .malformedChunk
      }
    case .chunkExtension(let value, let count):
      if byte == 13 {
        state = .chunkSizeLineFeed(value: value)
      } else if byte < 32 && byte != 9 || count == WireLimits.chunkLineBytes {
        throw .malformedChunk
      } else {
        state = .chunkExtension(value: value, count: count + 1)
      }
    case .chunkSizeLineFeed(let value):
      guard byte == 10 else { throw .malformedChunk }
      state = value == 0 ? .trailer(count: 0, place: .start) : .chunk(value)
    case .chunkReturn:
      guard byte == 13 else { throw .malformedChunk }
      state = .chunkLineFeed
    case .chunkLineFeed:
      guard byte == 10 else { throw .malformedChunk }
      state = .chunkSize(value: 0, digits: 0)
    case .trailer(let count, let place):
      if count == WireLimits.trailerBytes { throw .headTooLarge }
      if case .lineFeed(isLast: true) = place, byte == 10 {
        state = .complete
      } else {
        state = .trailer(count: count + 1, place: try Self.readTrailer(byte, place))
      }
    case .head, .complete, .length, .chunk: preconditionFailure("not a framing state")
    }
  }

  /// Reads a byte of the trailer fields, which are dropped: nothing here uses one. They are checked like a head's
  /// fields.
  private static func readTrailer(_ byte: UInt8, _ place: TrailerPlace) throws(WireFault) -> TrailerPlace {
    if byte == 10 {
      guard case .lineFeed = place else { throw .bareLineFeed }
      return .start
    }
    switch place {
    case .start where byte == 13: return .lineFeed(isLast: true)
    case .start where byte == 32 || byte == 9: throw .obsoleteFold
    case .start:
      guard HeadReader.isToken(byte) else { throw .malformedField }
      return .name
    case .name:
      guard byte == UInt8(ascii: ":") || HeadReader.isToken(byte) else { throw .malformedField }
      return byte == UInt8(ascii: ":") ? .value : .name
    case .value:
      if byte == 13 { return .lineFeed(isLast: false) }
      guard byte >= 32 && byte != 127 || byte == 9 else { throw .malformedField }
      return .value
    case .lineFeed: throw .malformedField
    }
  }
}
