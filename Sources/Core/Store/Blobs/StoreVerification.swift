import Glibc

/// The result of checking every blob and every row.
public struct StoreVerification: Equatable, Sendable {
  /// The number of blobs.
  public var total = 0
  /// The number of blobs whose bytes match their digests.
  public var verified = 0
  /// The faults found, as sentences.
  public var findings: [String] = []

  package init(total: Int = 0, verified: Int = 0) {
    self.total = total
    self.verified = verified
  }
}

extension Store {
  /// Reads every blob, those of the bucket included, and compares it with its digest, then looks for names without a
  /// blob, files without a row, and faults of the database itself. A hub may use the store meanwhile. Blocks the
  /// thread.
  public static func verify(
    _ place: StorePlace, bucket: (any BlobBucket)? = nil, progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> StoreVerification {
    var lock: FileLock?
    if case .file(let path) = place {
      guard Files.exists(path) else { throw StoreError(.open, "There is no database", context: path) }
      lock = try StoreFile(path: path).lock(.shared)
    }
    defer { withExtendedLifetime(lock) {} }
    let source = BlobSource(folder: BlobFolder(path: place.blobs, threads: 0), bucket: bucket)
    return try Verifier(place.open(isReadOnly: true), source, progress).run()
  }
}

private final class Verifier {
  private let database: Database
  private let source: BlobSource
  private var folder: BlobFolder { source.folder }
  private let tell: StoreProgress.Listener
  private var found = StoreVerification()

  init(_ database: Database, _ source: BlobSource, _ tell: @escaping StoreProgress.Listener) {
    self.database = database
    self.source = source
    self.tell = tell
  }

  func run() throws(StoreError) -> StoreVerification {
    tell(StoreProgress(step: "checking the database", done: 0, total: 1))
    found.findings = try database.inTransaction(.reading) { () throws(StoreError) in
      try database.faults()
    }
    tell(StoreProgress(step: "checking the database", done: 1, total: 1))
    guard try database.hasTable("blobs") else { return found }
    try checkRows()
    try checkFiles()
    return found
  }

  private func checkRows() throws(StoreError) {
    let expected = try database.first("SELECT count(*) FROM blobs") { $0.int(0) } ?? 0
    var last: [UInt8] = []
    // A few at a time: a long read transaction would keep the log from being checkpointed.
    while case let page = try database.blobRows(after: last), let end = page.last {
      for row in page {
        // A blob that was removed meanwhile is not a fault.
        if let damage = try damage(of: row) {
          guard try database.hasBlob(row.digest) else { continue }
          found.findings.append("The blob \(row.digest)\(try names(of: row.digest)): \(damage)")
        } else {
          found.verified += 1
        }
        found.total += 1
        tell(StoreProgress(step: "checking blobs", done: found.total, total: max(expected, found.total)))
      }
      last = end.digest.bytes
    }
  }

  private func damage(of row: BlobRow) throws(StoreError) -> String? {
    if let bytes = row.bytes {
      return StoreManifest.damage(row.digest, size: row.size, found: (BlobDigest(of: bytes), bytes.count))
    }
    do throws(StoreError) {
      guard let file = try source.open(row) else { return "its file is missing" }
      return StoreManifest.damage(row.digest, size: row.size, found: try BlobDigest.read(file))
    } catch {
      // A disk or a bucket that cannot be read is one of the faults looked for.
      return error.description
    }
  }

  private func names(of digest: BlobDigest) throws(StoreError) -> String {
    let names = try database.names(of: digest, limit: StoreLimits.namesTold)
    return names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"
  }

  private func checkFiles() throws(StoreError) {
    for part in try Files.names(in: folder.path) where !BlobFolder.others.contains(part) {
      for name in names(in: part) {
        let path = "\(folder.path)/\(part)/\(name)"
        guard let digest = BlobDigest(hex: name), folder.place(of: digest) == path else {
          found.findings.append("A file that is none of ours: \(path)")
          continue
        }
        // A copy of what is in a bucket goes when there is no room.
        if source.bucket == nil, try isOrphan(digest) { found.findings.append("A file that nothing names: \(path)") }
      }
    }
  }

  /// The names in a folder of the blobs' folder; none, but a finding, where they cannot be listed.
  private func names(in part: String) -> [String] {
    let path = "\(folder.path)/\(part)"
    do throws(StoreError) {
      return try Files.names(in: path)
    } catch {
      found.findings.append(BlobFolder.isPart(part) ? error.description : "A file that is none of ours: \(path)")
      return []
    }
  }

  /// True if a file has no row and is neither being removed nor added. The row is read again at the end, since the hub
  /// may have changed it meanwhile.
  private func isOrphan(_ digest: BlobDigest) throws(StoreError) -> Bool {
    if try isKnown(digest) { return false }
    for name in try Files.names(in: folder.incoming) where name.hasPrefix(digest.hex) { return false }
    if try isKnown(digest) { return false }
    return Files.exists(folder.place(of: digest))
  }

  private func isKnown(_ digest: BlobDigest) throws(StoreError) -> Bool {
    if try database.hasBlob(digest) { return true }
    return try database.isNoted(digest)
  }
}
