import Glibc

/// A part of a process's address space, a line of /proc/PID/maps.
public struct Mapping: Equatable, Sendable {
  public var start: UInt64
  public var end: UInt64
  public var isReadable: Bool
  public var isWritable: Bool
  public var isExecutable: Bool
  /// True if writes are visible to this process only; otherwise to other processes, or in a file.
  public var isPrivate: Bool
  /// The offset in its file, in bytes.
  public var fileOffset: UInt64
  /// The file, "[heap]" and the like, or empty.
  public var path: String

  public var size: UInt64 { end - start }
  public var isFile: Bool { path.hasPrefix("/") }
  public var isAnonymous: Bool { path.isEmpty || path.hasPrefix("[anon") }

  /// True if words in it can refer to the heap: it is writable, or the program has written it and then protected it.
  var canHoldReferences: Bool { isReadable && (isWritable || isHeapMemory) }

  /// True if it can contain blocks, or could before the program removed its access rights.
  var isHeapMemory: Bool { isPrivate && (isAnonymous || path == "[heap]") }

  public func contains(_ address: UInt64) -> Bool { address >= start && address < end }

  /// Parses the lines; malformed ones are skipped.
  public static func parse(_ text: String) -> [Mapping] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 5, omittingEmptySubsequences: true)
      guard fields.count >= 5 else { return nil }
      let range = fields[0].split(separator: "-")
      guard range.count == 2, let start = UInt64(range[0], radix: 16), let end = UInt64(range[1], radix: 16),
        let offset = UInt64(fields[2], radix: 16), fields[1].utf8.count == 4
      else { return nil }
      let rights = Array(fields[1].utf8)
      return Mapping(
        start: start, end: end, isReadable: rights[0] == UInt8(ascii: "r"), isWritable: rights[1] == UInt8(ascii: "w"),
        isExecutable: rights[2] == UInt8(ascii: "x"), isPrivate: rights[3] == UInt8(ascii: "p"), fileOffset: offset,
        path: fields.count > 5 ? String(fields[5].drop { $0 == " " }) : "")
    }
  }

  static func all(of process: Int32) throws(CaptureError) -> [Mapping] {
    let files = ProcessFiles(process)
    guard let text = files.text("maps") else { throw files.refusal(errno) }
    let mappings = parse(text)
    if mappings.isEmpty { throw ProcessFiles.gone(process) }
    return mappings
  }
}
