import Hub
import Sealed
import Server
import Store
import Wire

/// The keys with which nothing may be sealed any more, by their ids. The keys themselves are on devices alone.
enum RevokedKeyTable {
  static let migration = Migration(
    room: "sealed", number: 1,
    sql: """
      CREATE TABLE sealed_revoked_keys (
        -- 16 hexadecimal digits.
        id TEXT PRIMARY KEY,
        revoked_at REAL NOT NULL
      )
      """)
}

extension Database {
  func isRevoked(key id: String) throws(StoreError) -> Bool {
    try first("SELECT 1 FROM sealed_revoked_keys WHERE id = ?", .text(id)) { _ in true } ?? false
  }

  /// Revokes a key for all senders.
  /// - Returns: false if there are as many as the hub remembers.
  func revoke(key id: String, now: Double) throws(StoreError) -> Bool {
    if try isRevoked(key: id) { return true }
    let count = try first("SELECT count(*) FROM sealed_revoked_keys", read: { $0.int(0) }) ?? 0
    guard count < BellsLimits.revokedKeys else { return false }
    try run("INSERT INTO sealed_revoked_keys (id, revoked_at) VALUES (?, ?)", .text(id), .double(now))
    return true
  }

  /// - Throws: 409 if a content is sealed with a key that was revoked.
  func demandGoodKey(of content: JSON) throws {
    guard let id = SealedContent.keyID(of: content), try isRevoked(key: id) else { return }
    throw HTTPError.revoked(key: id)
  }
}

extension HTTPError {
  static func revoked(key id: String) -> HTTPError {
    HTTPError(
      .keyRevoked, "The key \(id) was revoked: nothing may be sealed with it.",
      help: "Make another, and give it to the devices: eightbells key create, or on the page /bells.")
  }
}
