public import Store

/// The rows that a room keeps of uploads. Its table has these columns among others: address; picture, which is what has
/// become of one; and expires, in seconds since 1970.
public struct UploadRows: Sendable {
  let room: String
  private let table: String
  private let isAbandoned: String

  /// - Parameter isAbandoned: the condition of those that nobody wants any more, such as those to what is deleted.
  public init(of room: String, in table: String, isAbandoned: String) {
    (self.room, self.table, self.isAbandoned) = (room, table, isAbandoned)
  }

  /// The name in the store of what has come of an upload.
  public func blob(_ address: String) -> BlobName { BlobName(room: room, "upload/\(address)") }

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
  public func remove(_ address: String, _ database: Database) throws(StoreError) {
    try database.run("DELETE FROM \(table) WHERE address = ?", .text(address))
  }
}
