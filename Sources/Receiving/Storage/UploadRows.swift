import Hub
public import Server
public import Store
public import Uploads

/// The rows that a room keeps of uploads. Its table has these columns among others: address; size, in bytes; metadata,
/// as it was sent; picture, which is what has become of one; and expires, in seconds since 1970.
public struct UploadRows: Sendable {
  public static let columns = "address, size, metadata, picture, expires"
  let room: String
  private let table: String
  private let isAbandoned: String

  /// - Parameter isAbandoned: the condition of those that nobody wants any more, such as those to what is deleted.
  public init(of room: String, in table: String, isAbandoned: String) {
    (self.room, self.table, self.isAbandoned) = (room, table, isAbandoned)
  }

  /// The name in the store of what has come of an upload.
  public func blob(_ address: String) -> BlobName { BlobName(room: room, "upload/\(address)") }

  /// An upload that begins.
  /// - Parameter digest: that of the whole file, if its sender has announced it.
  public func begun(_ creation: UploadCreation, digest: BlobDigest?, now: Double) -> OpenUpload {
    let address = RandomID.make()
    return OpenUpload(
      address: address, blob: blob(address), size: creation.length, metadata: creation.metadata, digest: digest,
      outcome: nil, expires: now + ReceivingLimits.begunSeconds)
  }

  /// Reads a row that begins with `columns`; nil without metadata that can be read, as it was before it was kept.
  public func open(_ row: Row) -> OpenUpload? {
    guard let metadata = try? UploadMetadata(row.text(2)) else { return nil }
    return OpenUpload(
      address: row.text(0), blob: blob(row.text(0)), size: row.int(1), metadata: metadata,
      digest: try? metadata.announcedDigest(), outcome: row.optionalText(3), expires: row.double(4))
  }

  /// Gives an upload up, with what has come of it.
  public func end(_ address: String, _ database: Database) throws(StoreError) {
    try remove(address, database)
    try database.endUpload(blob(address))
  }

  /// The unfinished ones of a sender, or to a place: their ids, and the bytes that they will have.
  /// - Parameter column: the one with the key of the sender or the place.
  public func unfinished(
    _ column: String, _ key: Int, _ database: Database
  ) throws(StoreError) -> [(address: String, size: Int)] {
    try database.rows("SELECT address, size FROM \(table) WHERE \(column) = ? AND picture IS NULL", .int(key)) {
      ($0.text(0), $0.int(1))
    }
  }

  /// The ids of uploads that have expired, finished ones too.
  func expired(_ database: Database, now: Double, limit: Int) throws(StoreError) -> [String] {
    try database.rows(
      "SELECT address FROM \(table) WHERE expires <= ? ORDER BY expires LIMIT ?", .double(now), .int(limit)
    ) { $0.text(0) }
  }

  /// The ids of unfinished ones that nobody wants any more.
  public func abandoned(_ database: Database, limit: Int) throws(StoreError) -> [String] {
    try database.rows(
      "SELECT address FROM \(table) WHERE picture IS NULL AND \(isAbandoned) LIMIT ?", .int(limit)
    ) { $0.text(0) }
  }

  func prolong(_ address: String, until expires: Double, _ database: Database) throws(StoreError) {
    try database.run("UPDATE \(table) SET expires = ? WHERE address = ?", .double(expires), .text(address))
  }

  /// Removes a row; what has come of its upload is removed by whoever calls this.
  func remove(_ address: String, _ database: Database) throws(StoreError) {
    try database.run("DELETE FROM \(table) WHERE address = ?", .text(address))
  }
}

extension Database {
  /// Begins an upload.
  /// - Throws: the refusal where there are as many as the store takes.
  public func begin(_ upload: OpenUpload, refusal: HTTPError) throws {
    do throws(StoreError) {
      try beginUpload(upload.blob, size: upload.size, expires: upload.expires)
    } catch {
      guard error.code == .tooMany else { throw error }
      throw refusal
    }
  }
}
