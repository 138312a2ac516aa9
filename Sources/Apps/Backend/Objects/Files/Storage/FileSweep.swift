import Store

/// The result of a look at an app's files: which are used, and which end. It is read beside everybody, since an app's
/// config and classes may be large, and noted piece by piece.
struct FileSweep: Sendable {
  enum Finding: Sendable {
    /// Used, and not known as such.
    case used
    /// Not used any more.
    case unused
    /// Not used for so long that it goes.
    case ended
  }
  let app: Int
  /// The numbers of the files.
  fileprivate(set) var found: [Finding: [Int]] = [:]
  fileprivate let naming: Naming

  /// The app's config, and its classes with their versions, as of the look: they too may name files.
  fileprivate struct Naming: Equatable, Sendable {
    var config: String?
    var classes: [[Int]] = []
  }
}

extension Database {
  func appsWithFiles() throws(StoreError) -> [Int] {
    try rows(
      """
      SELECT id FROM apps_apps WHERE removed_at IS NULL
      AND EXISTS (SELECT 1 FROM apps_files WHERE app = apps_apps.id) ORDER BY id
      """
    ) { $0.int(0) }
  }

  /// Looks which files of an app nothing points to any more, or something again.
  func lookAtFiles(of app: Int, now: Double) throws(StoreError) -> FileSweep {
    let files = try rows(
      """
      SELECT number, name, unused_since, \(Self.isInObject) FROM apps_files
      WHERE app = ? AND (unused_since IS NOT NULL OR NOT \(Self.isInObject))
      """, .int(app)
    ) {
      (
        number: $0.int(0), digits: FileDigits(of: $0.text(1)), since: $0.optionalDouble(2),
        isInObject: $0.bool(3)
      )
    }
    var sweep = FileSweep(app: app, naming: try naming(of: app))
    let named = try namedFiles(of: app, among: Set(files.filter { !$0.isInObject }.compactMap { $0.digits }))
    for file in files {
      let isUsed = file.isInObject || file.digits.map { named.contains($0) } ?? true
      if isUsed {
        if file.since != nil { sweep.found[.used, default: []].append(file.number) }
      } else if let since = file.since {
        if since <= now - AppsLimits.fileGraceSeconds { sweep.found[.ended, default: []].append(file.number) }
      } else {
        sweep.found[.unused, default: []].append(file.number)
      }
    }
    return sweep
  }

  /// Notes some of what a look has found, as far as it is still so.
  func note(_ finding: FileSweep.Finding, _ files: [Int], of sweep: FileSweep, now: Double) throws(StoreError) {
    switch finding {
    case .used:
      for number in files { try run("UPDATE apps_files SET unused_since = NULL WHERE number = ?", .int(number)) }
    case .unused:
      for number in files {
        try run(
          "UPDATE apps_files SET unused_since = ? WHERE number = ? AND unused_since IS NULL AND NOT \(Self.isInObject)",
          .double(now), .int(number))
      }
    case .ended:
      // Whatever names files was changed: the next look sees to them.
      guard try naming(of: sweep.app) == sweep.naming else { return }
      for number in files {
        let name = try first(
          """
          SELECT name FROM apps_files
          WHERE number = ? AND app = ? AND unused_since <= ? AND NOT \(Self.isInObject)
          """, .int(number), .int(sweep.app), .double(now - AppsLimits.fileGraceSeconds)
        ) { $0.text(0) }
        if let name { _ = try remove(file: name, of: sweep.app) }
      }
    }
  }

  private static let isInObject = "EXISTS (SELECT 1 FROM apps_file_uses WHERE file = apps_files.number)"

  private func naming(of app: Int) throws(StoreError) -> FileSweep.Naming {
    let config = try first("SELECT parameters FROM apps_config WHERE app = ?", .int(app)) { $0.text(0) }
    let classes = try rows("SELECT number, version FROM apps_classes WHERE app = ? ORDER BY number", .int(app)) {
      [$0.int(0), $0.int(1)]
    }
    return FileSweep.Naming(config: config, classes: classes)
  }

  /// Those of some files that an app's config or a class names, such as the value that a field has at first.
  private func namedFiles(of app: Int, among wanted: Set<FileDigits>) throws(StoreError) -> Set<FileDigits> {
    var named: Set<FileDigits> = []
    if wanted.isEmpty { return named }
    for texts in [
      "SELECT parameters FROM apps_config WHERE app = ?", "SELECT schema FROM apps_classes WHERE app = ?",
    ] {
      try scan(texts, [.int(app)], isMade: true) { row in
        FileDigits.each(in: row.text(0)) { if wanted.contains($0) { named.insert($0) } }
        return false
      }
    }
    return named
  }
}

/// The digits that begin the name of a file, and of no other one: one pass finds all names in a text.
struct FileDigits: Hashable, Sendable {
  private var high: UInt64 = 0
  private var low: UInt64 = 0
  private static let count = 32

  private init() {}

  /// Nil for what is no name of a file.
  init?(of name: String) {
    var first: FileDigits?
    Self.each(in: name) { first = first ?? $0 }
    guard let first else { return nil }
    self = first
  }

  /// As they stand in the name.
  var text: String {
    [high, low].map { half in
      let digits = String(half, radix: 16)
      return String(repeating: "0", count: Self.count / 2 - digits.count) + digits
    }.joined()
  }

  /// Hands over the digits of all files' names in a text.
  static func each(in text: String, _ body: (FileDigits) -> Void) {
    guard text.utf8.count > count else { return }
    var text = text
    text.withUTF8 { bytes in
      var (count, last) = (0, FileDigits())
      for byte in bytes {
        if let digit = value(of: byte) {
          last.append(digit)
          count += 1
        } else {
          if byte == UInt8(ascii: "_"), count >= Self.count { body(last) }
          count = 0
        }
      }
    }
  }

  /// Adds a digit behind the others, of which the first goes.
  private mutating func append(_ digit: UInt64) {
    high = high << 4 | low >> 60
    low = low << 4 | digit
  }

  private static func value(of byte: UInt8) -> UInt64? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a")) + 10
    default: nil
    }
  }
}
