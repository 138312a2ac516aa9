/// The name of a blob within a room, such as "picture" of "kettle".
public struct BlobName: Hashable, Sendable, CustomStringConvertible {
  public var room: String
  public var name: String

  public init(room: String, _ name: String) {
    self.room = room
    self.name = name
  }

  public var description: String { "\(room)/\(name)" }
}

/// The tables of blobs: their contents, their names, and the files still to be removed.
enum BlobTables {
  static let migrations = [
    Migration(
      room: "store", number: 1,
      sql: """
        -- Where bytes is null, they are in a file: see BlobFolder.
        CREATE TABLE blobs (
          digest BLOB PRIMARY KEY,
          size INTEGER NOT NULL,
          bytes BLOB
        );
        CREATE TABLE blob_names (
          room TEXT NOT NULL,
          name TEXT NOT NULL,
          digest BLOB NOT NULL REFERENCES blobs (digest),
          PRIMARY KEY (room, name)
        );
        CREATE INDEX blob_names_digest ON blob_names (digest);
        CREATE TABLE blob_removals (
          digest BLOB PRIMARY KEY
        );
        -- One row, so that nobody has to count.
        CREATE TABLE blob_totals (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          count INTEGER NOT NULL,
          bytes INTEGER NOT NULL
        );
        INSERT INTO blob_totals (id, count, bytes) VALUES (1, 0, 0);
        """),
    UnfinishedTables.migration,
    BucketTables.migration,
    GivenNumbers.migration,
  ]
}

extension Database {
  /// Gives a blob a name, taking it from the blob that had it before. Name and content are durable when the surrounding
  /// write returns.
  public func name(_ blob: Blob, as name: BlobName) throws(StoreError) {
    if try !hasBlob(blob.digest) {
      let bytes = try blob.bytesForRow()
      try run("DELETE FROM blob_removals WHERE digest = ?", .blob(blob.digest.bytes))
      try run(
        "INSERT INTO blobs (digest, size, bytes) VALUES (?, ?, ?)", .blob(blob.digest.bytes), .int(blob.size),
        Value(bytes))
      try run("UPDATE blob_totals SET count = count + 1, bytes = bytes + ?", .int(blob.size))
    }
    if let object = blob.object { try keepObject(object, of: blob.digest) }
    try point(name, to: blob.digest)
    afterCommit { blob.keep() }
  }

  /// Gives a further name to a blob that has one.
  /// - Throws: `.noSuchBlob` if it has no name any more.
  public func name(_ digest: BlobDigest, as name: BlobName) throws(StoreError) {
    guard try hasBlob(digest) else { throw StoreError(.noSuchBlob, "There is no such blob", context: digest.hex) }
    try point(name, to: digest)
  }

  /// Removes a name. A blob without any name is removed with the commit.
  /// - Returns: false if there was no such name.
  @discardableResult
  public func removeName(_ name: BlobName) throws(StoreError) -> Bool {
    guard let digest = try digest(of: name) else { return false }
    try run("DELETE FROM blob_names WHERE room = ? AND name = ?", .text(name.room), .text(name.name))
    try removeIfUnnamed(digest)
    return true
  }

  /// The digest of the blob with this name; nil if there is none.
  public func digest(of name: BlobName) throws(StoreError) -> BlobDigest? {
    try first(
      "SELECT digest FROM blob_names WHERE room = ? AND name = ?", .text(name.room), .text(name.name)
    ) { BlobDigest($0.blob(0)) } ?? nil
  }

  /// All names of a room, in order.
  public func blobNames(room: String) throws(StoreError) -> [(name: String, digest: BlobDigest)] {
    try rows("SELECT name, digest FROM blob_names WHERE room = ? ORDER BY name", .text(room)) { row in
      BlobDigest(row.blob(1)).map { (name: row.text(0), digest: $0) }
    }.compactMap { $0 }
  }

  func hasBlob(_ digest: BlobDigest) throws(StoreError) -> Bool {
    try first("SELECT size FROM blobs WHERE digest = ?", .blob(digest.bytes)) { $0.int(0) } != nil
  }

  private func point(_ name: BlobName, to digest: BlobDigest) throws(StoreError) {
    let before = try self.digest(of: name)
    if before == digest { return }
    try run(
      """
      INSERT INTO blob_names (room, name, digest) VALUES (?, ?, ?)
      ON CONFLICT (room, name) DO UPDATE SET digest = excluded.digest
      """, .text(name.room), .text(name.name), .blob(digest.bytes))
    if let before { try removeIfUnnamed(before) }
  }

  private func removeIfUnnamed(_ digest: BlobDigest) throws(StoreError) {
    let isNamed = try first("SELECT 1 FROM blob_names WHERE digest = ? LIMIT 1", .blob(digest.bytes)) { _ in true }
    if isNamed == true { return }
    let found = try first("SELECT size, bytes IS NULL FROM blobs WHERE digest = ?", .blob(digest.bytes)) { row in
      (size: row.int(0), isFile: row.bool(1))
    }
    guard let found else { return }
    try run("DELETE FROM blobs WHERE digest = ?", .blob(digest.bytes))
    try run("UPDATE blob_totals SET count = count - 1, bytes = bytes - ?", .int(found.size))
    guard found.isFile else { return }
    try releaseObject(of: digest)
    try run("INSERT INTO blob_removals (digest) VALUES (?)", .blob(digest.bytes))
    if let sweep { afterCommit(sweep) }
  }
}
