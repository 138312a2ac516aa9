import Crypto

/// An upload that comes in several parts, perhaps over days and restarts.
public struct UnfinishedUpload: Equatable, Sendable {
  /// The room's name for it.
  public var name: BlobName
  /// Bytes that were announced.
  public var size: Int
  /// Bytes that are on the disk: so many were acknowledged, and none of them is ever lost.
  public var received: Int
  /// Seconds since 1970, from which on it may be removed.
  public var expires: Double
  /// The file's name in the folder `incoming`.
  var file: String

  /// A name for such a file, which is never given twice.
  static func newFile() -> String { "\(Digest.hex(Digest.random(8))).kept" }
}

/// The table of uploads that come in several parts.
enum UnfinishedTables {
  static let migration = Migration(
    room: "store", number: 2,
    sql: """
      -- The bytes are in blobs/incoming. A backup has the rows without them: the next start removes such rows.
      CREATE TABLE blob_parts (
        room TEXT NOT NULL,
        name TEXT NOT NULL,
        file TEXT NOT NULL,
        size INTEGER NOT NULL,
        received INTEGER NOT NULL,
        expires REAL NOT NULL,
        PRIMARY KEY (room, name)
      );
      CREATE INDEX blob_parts_expires ON blob_parts (room, expires);
      """)
}

extension Database {
  /// Begins an upload of so many bytes, which may come in several parts: see `Blobs.resume`.
  /// - Throws: `.tooMany` while `StoreLimits.unfinishedUploads` have begun and not ended.
  public func beginUpload(_ name: BlobName, size: Int, expires: Double) throws(StoreError) {
    precondition(size > 0, "an upload of \(size) bytes")
    let count = try first("SELECT count(*) FROM blob_parts") { $0.int(0) } ?? 0
    guard count < StoreLimits.unfinishedUploads else {
      throw StoreError(.tooMany, "There are \(count) unfinished uploads already", context: name.description)
    }
    try run(
      "INSERT INTO blob_parts (room, name, file, size, received, expires) VALUES (?, ?, ?, ?, 0, ?)",
      .text(name.room), .text(name.name), .text(UnfinishedUpload.newFile()), .int(size), .double(expires))
  }

  /// The upload with this name; nil once it has ended, or if there never was one.
  public func unfinishedUpload(_ name: BlobName) throws(StoreError) -> UnfinishedUpload? {
    try first(
      "SELECT room, name, file, size, received, expires FROM blob_parts WHERE room = ? AND name = ?",
      .text(name.room), .text(name.name), read: Self.upload)
  }

  /// Uploads of a room that have expired, the oldest first.
  public func expiredUploads(room: String, now: Double, limit: Int) throws(StoreError) -> [UnfinishedUpload] {
    try rows(
      """
      SELECT room, name, file, size, received, expires FROM blob_parts WHERE room = ? AND expires <= ?
      ORDER BY expires LIMIT ?
      """, .text(room), .double(now), .int(limit), read: Self.upload)
  }

  /// Ends an upload: it was given up, or its blob has got a name in the same commit. What was received is removed.
  /// - Returns: false if there was none.
  @discardableResult
  public func endUpload(_ name: BlobName) throws(StoreError) -> Bool {
    guard let upload = try unfinishedUpload(name) else { return false }
    try run("DELETE FROM blob_parts WHERE room = ? AND name = ?", .text(name.room), .text(name.name))
    removeFile(of: upload)
    return true
  }

  /// Notes that an upload goes on in another file, and removes the one before: nothing comes any more of what is
  /// written there.
  /// - Returns: false if the upload has changed meanwhile.
  func move(_ upload: UnfinishedUpload, to file: String) throws(StoreError) -> Bool {
    guard try unfinishedUpload(upload.name) == upload else { return false }
    try run(
      "UPDATE blob_parts SET file = ? WHERE room = ? AND name = ?", .text(file), .text(upload.name.room),
      .text(upload.name.name))
    removeFile(of: upload)
    return true
  }

  private func removeFile(of upload: UnfinishedUpload) {
    guard let folder else { return }
    afterCommit {
      folder.states.remove(upload.file)
      folder.removeSoon(["\(folder.incoming)/\(upload.file)"])
    }
  }

  /// Notes that so much of an upload is on the disk.
  /// - Returns: false if it has ended meanwhile, or goes on in another file.
  func advance(_ upload: UnfinishedUpload, to received: Int, expires: Double) throws(StoreError) -> Bool {
    let before = try first("SELECT received FROM blob_parts WHERE file = ?", .text(upload.file)) { $0.int(0) }
    guard let before else { return false }
    try run(
      "UPDATE blob_parts SET received = ?, expires = ? WHERE room = ? AND name = ?", .int(max(before, received)),
      .double(expires), .text(upload.name.room), .text(upload.name.name))
    return true
  }

  /// The files of uploads that go on after a start. Rows whose file is missing go: they came with a backup.
  /// - Parameter isShared: true if they may be in another hub's folder; then they stay until they expire.
  func keptFiles(found: Set<String>, isShared: Bool) throws(StoreError) -> Set<String> {
    let all = try rows("SELECT room, name, file, size, received, expires FROM blob_parts", read: Self.upload)
    for upload in all where !isShared && upload.received > 0 && !found.contains(upload.file) {
      try run(
        "DELETE FROM blob_parts WHERE room = ? AND name = ?", .text(upload.name.room), .text(upload.name.name))
    }
    return Set(all.map(\.file)).intersection(found)
  }

  private static func upload(_ row: Row) -> UnfinishedUpload {
    UnfinishedUpload(
      name: BlobName(room: row.text(0), row.text(1)), size: row.int(3), received: row.int(4), expires: row.double(5),
      file: row.text(2))
  }
}
