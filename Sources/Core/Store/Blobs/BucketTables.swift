import Crypto
import Lifecycle

/// The table of objects in the bucket, if there is one (`BlobBucket`).
///
/// Each upload makes an object with a name of its own, its blob's digest and random digits, which is never used again.
/// So a hub that stood still for an hour and then removes what it was about to remove harms nothing: whoever has sent
/// the same bytes meanwhile has made another object.
///
/// | `due` | Means |
/// |---|---|
/// | null | a row of `blobs` needs it |
/// | seconds since 1970 | nothing needs it: an upload that is not named yet, or a blob without a name. Removed then |
/// | 0 | it is being removed, and gets no name any more |
enum BucketTables {
  static let migration = Migration(
    room: "store", number: 3,
    sql: """
      CREATE TABLE blob_objects (
        name TEXT PRIMARY KEY,
        digest BLOB NOT NULL,
        due REAL
      );
      CREATE INDEX blob_objects_digest ON blob_objects (digest);
      CREATE INDEX blob_objects_due ON blob_objects (due);
      -- At most one row: the bucket that these objects are in, by what is noted in it.
      CREATE TABLE blob_bucket (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        note TEXT NOT NULL
      );
      """)
}

/// An object in the bucket.
package struct BlobObject: Equatable, Sendable {
  var name: String
  var digest: BlobDigest
  var size: Int
}

extension Database {
  /// The name of the object that a blob's row needs; nil if the blob is not in a bucket.
  func object(of digest: BlobDigest) throws(StoreError) -> String? {
    try first("SELECT name FROM blob_objects WHERE digest = ? AND due IS NULL", .blob(digest.bytes)) { $0.text(0) }
  }

  /// Notes that an object is about to be made, so that it is removed if nothing comes of it.
  /// - Returns: the object's name, and false if there is one already.
  func beginObject(
    of digest: BlobDigest, now: Double
  ) throws(StoreError) -> (name: String, isNew: Bool) {
    if let name = try object(of: digest) { return (name, false) }
    let name = "\(digest.hex).\(Digest.hex(Digest.random(8)))"
    try run(
      "INSERT INTO blob_objects (name, digest, due) VALUES (?, ?, ?)", .text(name), .blob(digest.bytes),
      .double(now + StoreLimits.objectGraceSeconds))
    return (name, true)
  }

  /// Keeps an object for a blob that has a row, unless it has one.
  /// - Throws: `.noSuchBlob` if the object was removed, since its upload took too long.
  func keepObject(_ name: String, of digest: BlobDigest) throws(StoreError) {
    if try object(of: digest) != nil { return }
    let kept = try first("UPDATE blob_objects SET due = NULL WHERE name = ? AND due > 0 RETURNING name", .text(name)) {
      _ in true
    }
    guard kept == true else {
      throw StoreError(.noSuchBlob, "The blob was removed before it had a name; upload it again", context: name)
    }
  }

  /// Has the object of a blob without a name removed after the grace.
  func releaseObject(of digest: BlobDigest) throws(StoreError) {
    try run(
      "UPDATE blob_objects SET due = ? WHERE digest = ? AND due IS NULL",
      .double((time?.now ?? 0) + StoreLimits.objectGraceSeconds), .blob(digest.bytes))
  }

  /// Chooses objects whose time has come; none of them gets a name any more.
  func claimObjects(now: Double) throws(StoreError) -> [String] {
    let names = try rows(
      "SELECT name FROM blob_objects WHERE due <= ? ORDER BY due LIMIT ?", .double(now),
      .int(StoreLimits.removalsPerCommit)
    ) { $0.text(0) }
    for name in names { try run("UPDATE blob_objects SET due = 0 WHERE name = ?", .text(name)) }
    return names
  }

  func forgetObject(_ name: String) throws(StoreError) {
    try run("DELETE FROM blob_objects WHERE name = ? AND due = 0", .text(name))
  }

  /// True if blobs are in a bucket, so that a store without one cannot read them.
  func needsBucket() throws(StoreError) -> Bool {
    try first("SELECT 1 FROM blob_objects WHERE due IS NULL LIMIT 1") { _ in true } ?? false
  }

  /// - Throws: `.bucket` if blobs are in a bucket.
  func demandNoBucket() throws(StoreError) {
    guard try hasTable("blob_objects"), try needsBucket() else { return }
    throw StoreError(
      .bucket, "Large blobs are in an object store, and nothing says in which: --blobs s3://… does",
      context: "the table blob_objects")
  }

  /// The note that stands in the bucket with this store's objects, by which the bucket is known again.
  func bucketNote() throws(StoreError) -> String? { try first("SELECT note FROM blob_bucket") { $0.text(0) } }

  func note(bucket note: String) throws(StoreError) {
    try run(
      "INSERT INTO blob_bucket (id, note) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET note = excluded.note",
      .text(note))
  }

  /// Large blobs that are in no bucket, in the order of their digests.
  func blobsWithoutObject(after last: [UInt8]) throws(StoreError) -> [BlobRow] {
    try rows(
      """
      SELECT digest, size FROM blobs WHERE digest > ? AND bytes IS NULL AND NOT EXISTS (
        SELECT 1 FROM blob_objects WHERE blob_objects.digest = blobs.digest AND due IS NULL)
      ORDER BY digest LIMIT ?
      """, .blob(last), .int(StoreLimits.rowsPerLook)
    ) { row in BlobDigest(row.blob(0)).map { BlobRow(digest: $0, size: row.int(1), bytes: nil) } }.compactMap { $0 }
  }
}
