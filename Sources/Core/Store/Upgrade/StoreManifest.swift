/// The contents of a store, for comparison before and after: the rows of every table, and every blob with its size and
/// the result of comparing it with its digest.
struct StoreManifest: Equatable {
  struct Content: Equatable {
    var size: Int
    var isFile: Bool
    /// True if it is in a bucket, which nothing here touches: it is not read.
    var isAway = false
    /// Nil if the bytes match the digest; else the fault.
    var damage: String?
  }
  var rows: [String: Int] = [:]
  var blobs: [BlobDigest: Content] = [:]

  /// Blobs that were compared with their digests.
  var compared: Int { blobs.values.count { !$0.isAway } }

  /// The faults of blobs, as sentences.
  var damage: [String] {
    blobs.sorted { $0.key < $1.key }.compactMap { blob in blob.value.damage.map { "The blob \(blob.key): \($0)" } }
  }

  /// The losses and changes in `after`, as sentences; empty if there are none.
  /// - Parameter declared: the tables whose rows may change.
  func losses(in after: StoreManifest, declared: Set<String>) -> [String] {
    var losses: [String] = []
    // The store's own records change with every migration.
    let expected = declared.union(["migrations", "blob_totals", GivenNumbers.table])
    for (table, count) in rows.sorted(by: { $0.key < $1.key }) where !expected.contains(table) {
      let now = after.rows[table]
      if now == nil { losses.append("The table \(table) is gone, with its \(count) rows") }
      if let now, now != count { losses.append("The table \(table) had \(count) rows, and has \(now)") }
    }
    for (digest, content) in blobs.sorted(by: { $0.key < $1.key }) {
      guard let now = after.blobs[digest] else {
        losses.append("The blob \(digest) of \(content.size) bytes is gone")
        continue
      }
      if now != content { losses.append("The blob \(digest) was changed: \(now.damage ?? "\(now.size) bytes")") }
    }
    for digest in after.blobs.keys.sorted() where blobs[digest] == nil {
      losses.append("The blob \(digest) has come from nowhere")
    }
    return losses
  }

  /// - Throws: `.migration` if the steps have lost something, or made a fault.
  func demandAll(in made: StoreManifest, after steps: [Migration], _ faults: [String] = []) throws(StoreError) {
    let losses = self.losses(in: made, declared: Set(steps.flatMap(\.changesRowsOf))) + faults
    guard losses.isEmpty else {
      throw StoreError(
        .migration, "The migration would lose something, and was not done: \(losses.joined(separator: "; "))",
        context: steps.map(\.name).joined(separator: ", "))
    }
  }
}

/// The files that were checked: one that has not changed since is not read again.
final class CheckedFiles {
  private var known: [BlobDigest: (identity: FileIdentity, damage: String?)] = [:]

  /// The fault of a blob's file; nil if there is none.
  func damage(_ digest: BlobDigest, size: Int, _ folder: BlobFolder) throws(StoreError) -> String? {
    let identity = Files.identity(folder.place(of: digest))
    if let before = known[digest], before.identity == identity { return before.damage }
    guard let identity, let file = try folder.open(digest) else { return "its file is missing" }
    let found = try BlobDigest.read(file)
    let damage = StoreManifest.damage(digest, size: size, found: found)
    known[digest] = (identity, damage)
    return damage
  }
}

extension StoreManifest {
  static func damage(_ digest: BlobDigest, size: Int, found: (digest: BlobDigest, size: Int)) -> String? {
    if found.size != size { return "it has \(found.size) bytes, and should have \(size)" }
    return found.digest == digest ? nil : "its bytes are others: their SHA-256 is \(found.digest)"
  }

  /// Reads everything, in one transaction.
  init(
    _ database: Database, _ folder: BlobFolder, _ checked: CheckedFiles, _ tell: (Int, Int) -> Void
  ) throws(StoreError) {
    var manifest = StoreManifest()
    // Large files are read between two queries.
    try database.inLongReading { () throws(StoreError) in
      manifest.rows = try database.rowCounts()
      guard let total = manifest.rows["blobs"] else { return }
      var last: [UInt8] = []
      while case let page = try database.blobRows(after: last), let end = page.last {
        for row in page {
          let isAway = row.object != nil
          let damage: String?
          if isAway {
            damage = nil
          } else if let bytes = row.bytes {
            damage = Self.damage(row.digest, size: row.size, found: (BlobDigest(of: bytes), bytes.count))
          } else {
            damage = try checked.damage(row.digest, size: row.size, folder)
          }
          manifest.blobs[row.digest] = Content(
            size: row.size, isFile: row.bytes == nil, isAway: isAway, damage: damage)
          tell(manifest.blobs.count, total)
        }
        last = end.digest.bytes
      }
    }
    self = manifest
  }
}

/// A blob's row.
struct BlobRow {
  var digest: BlobDigest
  var size: Int
  var bytes: [UInt8]?
  /// Its object in the bucket, if it is there.
  var object: String?
}

extension Database {
  /// The rows of each table.
  func rowCounts() throws(StoreError) -> [String: Int] {
    var counts: [String: Int] = [:]
    for table in try tableNames() {
      counts[table] = try first("SELECT count(*) FROM \"\(table)\"") { $0.int(0) } ?? 0
    }
    return counts
  }

  /// The next blobs, in the order of their digests.
  func blobRows(after last: [UInt8]) throws(StoreError) -> [BlobRow] {
    let found = try rows(
      "SELECT digest, size, bytes FROM blobs WHERE digest > ? ORDER BY digest LIMIT ?", .blob(last),
      .int(StoreLimits.rowsPerLook)
    ) { row in
      BlobDigest(row.blob(0)).map { BlobRow(digest: $0, size: row.int(1), bytes: row.optionalBlob(2)) }
    }.compactMap { $0 }
    return try withObjects(found)
  }

  /// The same rows with the objects of those that are in a bucket.
  func withObjects(_ found: [BlobRow]) throws(StoreError) -> [BlobRow] {
    // Tables from before have none.
    guard found.contains(where: { $0.bytes == nil }), try hasTable("blob_objects") else { return found }
    var found = found
    for index in found.indices where found[index].bytes == nil {
      found[index].object = try object(of: found[index].digest)
    }
    return found
  }

  /// Faults found by SQLite itself, and names and references without a target. A server looks after its own pages.
  func faults() throws(StoreError) -> [String] {
    var faults: [String] = []
    if ofFile != nil {
      faults = try rows(Dialect.integrityCheck) { $0.text(0) }.filter { $0 != "ok" }.map { "The database: \($0)" }
      faults += try rows(Dialect.foreignKeyCheck) {
        "A row of \($0.text(0)) refers to one of \($0.text(2)) that is gone"
      }
    }
    guard try hasTable("blob_names") else { return faults }
    faults += try rows(
      """
      SELECT room, name FROM blob_names WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.digest = blob_names.digest)
      """
    ) { "The name \($0.text(0))/\($0.text(1)) means a blob that is not there" }
    faults += try rows(
      """
      SELECT blob_totals.count, blob_totals.bytes, found.count, found.bytes FROM blob_totals,
        (SELECT count(*) AS count, coalesce(sum(size), 0) AS bytes FROM blobs) AS found
      WHERE blob_totals.count <> found.count OR blob_totals.bytes <> found.bytes
      """
    ) {
      "The totals say \($0.int(0)) blobs with \($0.int(1)) bytes; there are \($0.int(2)) with \($0.int(3)) bytes"
    }
    return faults
  }
}
