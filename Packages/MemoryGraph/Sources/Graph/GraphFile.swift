import CDeflate

/// A saved look: its graph and how it was taken. Docs/memory-graph-format.md describes the bytes.
public struct GraphFile: Sendable {
  public var graph: ObjectGraph
  /// Seconds since 1970, as `TimeSource.now`.
  public var takenAt: Double
  /// "copy-on-write" or "stopped".
  public var method: String
  /// The seconds for which the process was stopped, and the seconds that the look took.
  public var stopSeconds: Double
  public var seconds: Double
  /// The number of looks that the verdict is based on; 1 in older files, which do not have it.
  public var looks: Int

  public init(
    _ graph: ObjectGraph, takenAt: Double, method: String, stopSeconds: Double, seconds: Double, looks: Int = 1
  ) {
    self.graph = graph
    self.looks = looks
    self.takenAt = takenAt
    self.method = method
    self.stopSeconds = stopSeconds
    self.seconds = seconds
  }

  static let magic: [UInt8] = [0x89, 0x4D, 0x47, 0x52, 0x0D, 0x0A, 0x1A, 0x0A]
  static let version = 1
  /// The most bytes of all parts after decompression; 5 million blocks take some 60 MB. A small file could claim any
  /// size.
  private static let longest = 1 << 30
  /// Tag, length, compressed length, checksum.
  private static let headerSize = 24

  // MARK: Writing

  /// - Parameter isCompressed: false for tests, which examine the bytes.
  public func bytes(isCompressed: Bool = true) -> [UInt8] {
    var file = Self.magic + Self.little(UInt64(Self.version), 4)
    for part in GraphPart.allCases {
      let raw = encoded(part)
      let stored = isCompressed ? Self.compressed(raw) : raw
      file += Array(part.rawValue.utf8) + Self.little(UInt64(raw.count), 8) + Self.little(UInt64(stored.count), 8)
      file += Self.little(UInt64(cdeflate_checksum(stored, stored.count)), 4)
      file += stored
    }
    return file
  }

  /// The compressed bytes; the original ones if they would not become fewer.
  private static func compressed(_ raw: [UInt8]) -> [UInt8] {
    let room = cdeflate_bound(raw.count)
    let packed = [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
      // Level 1: the columns are small already, and the user waits.
      count = cdeflate_compress(raw, raw.count, buffer.baseAddress, room, 1)
    }
    return packed.isEmpty || packed.count >= raw.count ? raw : packed
  }

  private static func little(_ value: UInt64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  // MARK: Reading

  public static func isOne(_ bytes: [UInt8]) -> Bool { bytes.starts(with: magic) }

  /// - Throws: a sentence to follow "FILE: ", whatever the bytes are.
  /// - Parameter isChecked: false to skip the checksums, which random bytes never match, for fuzzing.
  public init(_ bytes: [UInt8], isChecked: Bool = true) throws(GraphError) {
    guard Self.isOne(bytes) else {
      throw GraphError("it is no snapshot; accepted is what --snapshot has written, or a core file, uncompressed.")
    }
    guard bytes.count >= 12 else { throw GraphError("it ends within its head.") }
    let version = Self.number(bytes, 8, 4)
    guard version == UInt64(Self.version) else {
      throw GraphError("it has version \(version); this program reads version \(Self.version).")
    }
    var parts: [GraphPart: [UInt8]] = [:]
    var position = 12
    var total = 0
    while position < bytes.count {
      guard bytes.count - position >= Self.headerSize else { throw GraphError("it ends within a part's head.") }
      let tag = String(decoding: bytes[position..<position + 4], as: UTF8.self)
      let (length, stored) = (Self.number(bytes, position + 4, 8), Self.number(bytes, position + 12, 8))
      let checksum = Self.number(bytes, position + 20, 4)
      position += Self.headerSize
      guard stored <= UInt64(bytes.count - position) else { throw GraphError("it ends within its part \(tag).") }
      defer { position += Int(stored) }
      // Unknown parts are skipped, since they only add data.
      guard let part = GraphPart(rawValue: tag) else { continue }
      guard parts[part] == nil else { throw GraphError("its part \(tag) is there twice.") }
      guard length <= UInt64(Self.longest - total) else {
        throw GraphError("its parts are longer than \(Self.longest) bytes.")
      }
      total += Int(length)
      let body = bytes[position..<position + Int(stored)]
      guard !isChecked || body.withUnsafeBytes({ cdeflate_checksum($0.baseAddress, $0.count) }) == checksum else {
        throw GraphError("its part \(tag) is damaged: the checksum differs.")
      }
      parts[part] = try Self.expanded(body, Int(length), tag)
    }
    self.init(ObjectGraph(), takenAt: 0, method: "", stopSeconds: 0, seconds: 0)
    for part in GraphPart.allCases {
      guard let raw = parts.removeValue(forKey: part) else {
        if part.isOptional { continue }
        throw GraphError("its part \(part.rawValue) is missing.")
      }
      var reader = GraphByteReader(raw, part: part.rawValue)
      try decode(part, &reader)
      guard reader.isAtEnd else { throw reader.damaged("it goes on behind its end") }
    }
    graph.makePrintable()
  }

  private static func number(_ bytes: [UInt8], _ place: Int, _ count: Int) -> UInt64 {
    (0..<count).reduce(0) { $0 | UInt64(bytes[place + $1]) << ($1 * 8) }
  }

  private static func expanded(_ stored: ArraySlice<UInt8>, _ length: Int, _ tag: String) throws(GraphError) -> [UInt8]
  {
    if stored.count == length { return Array(stored) }
    // DEFLATE expands one byte to at most 1032: more room is never needed.
    guard length / 1032 <= stored.count else { throw GraphError("its part \(tag) is damaged: its length is a lie.") }
    let raw = [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
      count = stored.withUnsafeBytes { cdeflate_expand($0.baseAddress, $0.count, buffer.baseAddress, length) }
    }
    guard raw.count == length else { throw GraphError("its part \(tag) is damaged: it cannot be expanded.") }
    return raw
  }
}
