import Glibc
import Wire

/// The record on the disk: two files of a fixed size, of which one is in use. Their space is taken at the start, so
/// that a full disk keeps nobody from recording what was shown.
///
/// A line is a generation, a check sum and an entry. The file in use is the one with the highest generation that has
/// the line "complete", which ends the copy of the record at its beginning. When it is full, a copy with the next
/// generation is written into the other file; until that is complete, this one counts. Older lines behind the last one
/// have a lower generation, so nothing needs to be wiped.
public final class DeviceJournal {
  private let folder: StateFolder
  private var files: [Int32] = []
  private var current = 0
  private var generation = 0
  private var end = 0
  private var isDirty = false
  public private(set) var record = DeviceRecord()

  static let names = ["record.a", "record.b"]

  public init(_ folder: StateFolder) throws(DeviceError) {
    self.folder = folder
    for name in Self.names { files.append(try folder.openFixed(name, DeviceLimits.recordBytes)) }
    let found = files.map { Self.read($0) }
    if let best = found.indices.filter({ found[$0].isComplete }).max(by: { found[$0].generation < found[$1].generation }
    ) {
      (current, generation, end) = (best, found[best].generation, found[best].end)
      for entry in found[best].entries { record.apply(entry) }
    } else {
      current = 1
      // Both files were never complete. What they hold must not be taken for the first generation, so count on from it.
      generation = found.map(\.generation).max() ?? 0
      try rewrite()
    }
    let boot = folder.boot
    if record.boot != boot { try write([.boot(boot)], sync: false) }
    let name = record.name.isEmpty ? String(UInt64.random(in: .min ... .max), radix: 16) : record.name
    try write([.run(name, record.runs + 1)], sync: true)
  }

  deinit { for file in files { close(file) } }

  /// Adds entries.
  /// - Parameter sync: true: they are on the disk when this returns; false: they survive the end of the process, not
  ///   of the machine.
  public func write(_ entries: [DeviceRecord.Entry], sync: Bool) throws(DeviceError) {
    for entry in entries { record.apply(entry) }
    let bytes = entries.flatMap { line($0.json) }
    if end + bytes.count > DeviceLimits.recordFullBytes { return try rewrite() }
    try append(bytes)
    if sync { try self.sync() }
  }

  public func sync() throws(DeviceError) {
    guard isDirty else { return }
    guard fdatasync(files[current]) == 0 else { throw folder.failure("written", Self.names[current]) }
    isDirty = false
  }

  /// Writes the whole record into the other file, which is in use from then on.
  private func rewrite() throws(DeviceError) {
    (current, generation, end) = (1 - current, generation + 1, 0)
    var copy = record.entries.flatMap { line($0.json) }
    while copy.count > DeviceLimits.recordCopyBytes {
      record.forgetSome()
      copy = record.entries.flatMap { line($0.json) }
    }
    try append(copy)
    // The line that makes it count must not be on the disk before all others.
    try sync()
    try append(line(["complete"]))
    try sync()
  }

  private func append(_ bytes: [UInt8]) throws(DeviceError) {
    precondition(end + bytes.count <= DeviceLimits.recordBytes, "a record is larger than its limits allow")
    try folder.writeAll(bytes, to: files[current], named: Self.names[current], at: end)
    end += bytes.count
    isDirty = true
  }

  private func line(_ entry: JSON) -> [UInt8] {
    let body = Array("\(generation) ".utf8) + entry.bytes
    return Array("\(Self.sum(body[...])) ".utf8) + body + [10]
  }

  /// FNV-1a, 32 bits: a line that was written in part, or over another, is not taken for whole.
  private static func sum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    bytes.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
  }

  private struct Content {
    var generation = 0
    var entries: [DeviceRecord.Entry] = []
    var end = 0
    var isComplete = false
  }

  /// The lines of the generation that the file begins with.
  private static func read(_ file: Int32) -> Content {
    var bytes = [UInt8](repeating: 0, count: DeviceLimits.recordBytes)
    let count = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, 0) }
    var content = Content()
    var rest = bytes.prefix(max(0, count))
    while let feed = rest.firstIndex(of: 10) {
      let parts = rest[..<feed].split(separator: 32, maxSplits: 2)
      guard parts.count == 3, let sum = UInt32(String(decoding: parts[0], as: UTF8.self)),
        let generation = Int(String(decoding: parts[1], as: UTF8.self)),
        Self.sum(rest[parts[1].startIndex..<feed]) == sum,
        content.end == 0 || generation == content.generation,
        let json = try? JSON(parsing: Array(parts[2]))
      else { break }
      content.generation = generation
      content.end = feed + 1
      if json == ["complete"] { content.isComplete = true }
      if let entry = DeviceRecord.Entry(json) { content.entries.append(entry) }
      rest = rest[(feed + 1)...]
    }
    return content
  }
}
