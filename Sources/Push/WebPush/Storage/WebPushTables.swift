import Crypto
public import Store

/// The tables of Web Push; those of `PushTables` come before them.
public enum WebPushTables {
  public static let migrations = [
    Migration(
      room: "webpush", number: 1,
      sql: """
        CREATE TABLE webpush_keys (name TEXT PRIMARY KEY, bytes BLOB NOT NULL);
        CREATE TABLE webpush_subscriptions (
          device INTEGER PRIMARY KEY REFERENCES push_devices ON DELETE CASCADE, endpoint TEXT NOT NULL,
          origin TEXT NOT NULL, public_key BLOB NOT NULL, auth_secret BLOB NOT NULL, created_at REAL NOT NULL);
        CREATE UNIQUE INDEX webpush_subscriptions_endpoint ON webpush_subscriptions (endpoint)
        """),
    Migration(room: "webpush", number: 2, sql: "ALTER TABLE webpush_subscriptions ADD COLUMN platform TEXT"),
  ]
}

/// The hub's keys for Web Push.
public struct WebPushKeys: Sendable {
  public let server: ApplicationServerKey
  public let receipts: PushReceipts
}

extension Database {
  /// The keys; made at the first call, which must be in a write.
  /// - Throws: `.damaged` for a key that cannot be one. It is not replaced: all subscriptions would be lost.
  public func webPushKeys() throws(StoreError) -> WebPushKeys {
    let server = try key("server") { ApplicationServerKey().key.bytes }
    let receipts = try key("receipts") { Digest.random(PushReceipts.keyBytes) }
    guard let server = ApplicationServerKey(server), receipts.count == PushReceipts.keyBytes else {
      throw StoreError(.damaged, "A key for Web Push is damaged; restore it from a backup", context: "webpush_keys")
    }
    return WebPushKeys(server: server, receipts: PushReceipts(key: receipts))
  }

  private func key(_ name: String, make: () -> [UInt8]) throws(StoreError) -> [UInt8] {
    if let kept = try first("SELECT bytes FROM webpush_keys WHERE name = ?", .text(name), read: { $0.blob(0) }) {
      return kept
    }
    let bytes = make()
    try run("INSERT INTO webpush_keys (name, bytes) VALUES (?, ?)", .text(name), .blob(bytes))
    return bytes
  }
}
