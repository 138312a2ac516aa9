/// The reason why a zone's file cannot be used.
public enum ZoneError: Error, Equatable, Sendable {
  /// The bytes are not a TZif file.
  case notZoneFile
  /// The file ends early, or an index in it is invalid.
  case damaged
  /// The file counts leap seconds, which POSIX time and iCalendar do not.
  case leapSeconds
  /// The rule for the time after the last transition is invalid.
  case footer(String)

  /// The error as a sentence.
  public var description: String {
    switch self {
    case .notZoneFile: "Not a time zone file; accepted are TZif files (RFC 9636), which begin with \"TZif\"."
    case .damaged: "The time zone file is damaged; accepted are complete TZif files (RFC 9636)."
    case .leapSeconds: "The time zone file counts leap seconds; accepted are files without them."
    case .footer(let text):
      "Unreadable rule in the time zone file: \"\(text)\"; accepted are POSIX rules such as CET-1CEST,M3.5.0,M10.5.0/3."
    }
  }
}

extension Zone {
  /// Parses a TZif file, versions 1 to 4 (RFC 9636, formerly RFC 8536).
  ///
  /// For versions 2 and later the 64-bit block and the footer are used, so that times after 2037 are right.
  public init(name: String, zoneFile bytes: [UInt8]) throws(ZoneError) {
    var reader = ZoneFileReader(bytes)
    var header = try reader.header()
    if header.version >= 2 {
      try reader.skip(header.blockSize(timeSize: 4))
      header = try reader.header()
    }
    var block = try reader.block(header, timeSize: header.version >= 2 ? 8 : 4)
    guard header.version >= 2 else {
      self.init(name: name, transitions: block.transitions, initialOffset: block.initialOffset)
      return
    }
    let footer = try reader.footer()
    guard !footer.isEmpty else {
      self.init(name: name, transitions: block.transitions, initialOffset: block.initialOffset)
      return
    }
    guard let rule = ZoneRule(footer) else {
      throw ZoneError.footer(String(decoding: footer, as: UTF8.self))
    }
    // A rule goes on from the last transition, in years that dates can be reckoned in: before 10000-01-01T00:00:00Z.
    guard block.transitions.last?.instant ?? 0 < 253_402_300_800 else { throw ZoneError.damaged }
    if block.transitions.isEmpty { block.initialOffset = rule.standardOffset }
    block.transitions += rule.transitions(after: block.transitions.last?.instant)
    self.init(
      name: name, transitions: block.transitions, initialOffset: block.initialOffset, repeats: rule.daylight != nil)
  }
}

/// Reads the parts of a TZif file in order.
private struct ZoneFileReader {
  struct Header {
    var version: Int
    var utcIndicators: Int
    var standardIndicators: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var nameBytes: Int

    func blockSize(timeSize: Int) -> Int {
      transitions * (timeSize + 1) + types * 6 + nameBytes + leapSeconds * (timeSize + 4) + standardIndicators
        + utcIndicators
    }
  }

  struct Block {
    var transitions: [Zone.Transition]
    var initialOffset: Int
  }

  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  mutating func skip(_ count: Int) throws(ZoneError) {
    guard count <= bytes.count - position else { throw ZoneError.damaged }
    position += count
  }

  mutating func header() throws(ZoneError) -> Header {
    guard bytes.count - position >= 44, bytes[position] == 0x54, bytes[position + 1] == 0x5A,
      bytes[position + 2] == 0x69, bytes[position + 3] == 0x66
    else { throw position == 0 ? ZoneError.notZoneFile : ZoneError.damaged }
    let letter = bytes[position + 4]
    position += 20
    // Version 1 is NUL, later ones are digits; a version after 4 has to stay compatible (RFC 9636, 3.1).
    let header = Header(
      version: letter >= 0x32 ? Int(letter) - 0x30 : 1, utcIndicators: big(), standardIndicators: big(),
      leapSeconds: big(), transitions: big(), types: big(), nameBytes: big())
    guard header.utcIndicators >= 0, header.standardIndicators >= 0, header.leapSeconds >= 0, header.transitions >= 0,
      header.types >= 0, header.nameBytes >= 0
    else { throw ZoneError.damaged }
    return header
  }

  mutating func block(_ header: Header, timeSize: Int) throws(ZoneError) -> Block {
    guard header.leapSeconds == 0 else { throw ZoneError.leapSeconds }
    guard header.types > 0, header.blockSize(timeSize: timeSize) <= bytes.count - position else {
      throw ZoneError.damaged
    }
    var instants: [EpochSeconds] = []
    instants.reserveCapacity(header.transitions)
    for _ in 0..<header.transitions { instants.append(wide(timeSize)) }
    let types = position
    position += header.transitions
    var offsets: [Int] = []
    for _ in 0..<header.types {
      offsets.append(big())
      position += 2
    }
    var transitions: [Zone.Transition] = []
    transitions.reserveCapacity(header.transitions)
    for index in 0..<header.transitions {
      let type = Int(bytes[types + index])
      guard type < offsets.count else { throw ZoneError.damaged }
      transitions.append(Zone.Transition(instant: instants[index], offset: offsets[type]))
    }
    position += header.nameBytes + header.standardIndicators + header.utcIndicators
    return Block(transitions: transitions, initialOffset: offsets[0])
  }

  /// The text between the two newlines after the block.
  mutating func footer() throws(ZoneError) -> [UInt8] {
    guard position < bytes.count, bytes[position] == 0x0A else { throw ZoneError.damaged }
    var end = position + 1
    while end < bytes.count, bytes[end] != 0x0A { end += 1 }
    guard end < bytes.count else { throw ZoneError.damaged }
    return Array(bytes[position + 1..<end])
  }

  /// A big-endian number of 4 or 8 bytes in two's complement.
  private mutating func wide(_ size: Int) -> EpochSeconds {
    var value: UInt64 = 0
    for index in position..<position + size { value = value << 8 | UInt64(bytes[index]) }
    position += size
    return size == 4 ? EpochSeconds(Int32(truncatingIfNeeded: value)) : EpochSeconds(Int64(bitPattern: value))
  }

  /// A big-endian number of 4 bytes in two's complement.
  private mutating func big() -> Int { Int(truncatingIfNeeded: wide(4)) }
}
