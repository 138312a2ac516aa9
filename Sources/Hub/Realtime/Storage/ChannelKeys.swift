import Crypto
import Store

/// The secret key of signatures for private channels.
enum ChannelKeys {
  static let migration = Migration(
    room: "realtime", number: 1,
    sql: """
      CREATE TABLE realtime_keys (
        app TEXT PRIMARY KEY,
        secret BLOB NOT NULL,
        created_at REAL NOT NULL
      )
      """)

  /// Bytes of a secret: as many as SHA-256 has.
  static let secretBytes = 32
}

extension Hub {
  /// Whoever holds a subscription, at this moment; nil if they are gone.
  func principal(_ holder: ChannelHolder, in database: Database) throws(StoreError) -> Principal? {
    guard case .guest(let guest) = holder else { return try database.principal(holder) }
    let principal = Principal.guest(guest.id, of: guest.room, name: "")
    return try isCurrent(principal, in: database) ? principal : nil
  }
}

extension Database {
  /// The secret of an app; made when first needed.
  func channelSecret(app: String, now: Double) throws(StoreError) -> [UInt8] {
    try run(
      "INSERT INTO realtime_keys (app, secret, created_at) VALUES (?, ?, ?) ON CONFLICT (app) DO NOTHING", .text(app),
      .blob(Digest.random(ChannelKeys.secretBytes)), .double(now))
    return try first("SELECT secret FROM realtime_keys WHERE app = ?", .text(app)) { $0.blob(0) } ?? []
  }

  /// The person signed in on a device, or the holder of a token, at this moment.
  func principal(_ holder: ChannelHolder) throws(StoreError) -> Principal? {
    switch holder {
    case .device(let id):
      try first(
        "SELECT people.id, people.name, people.role FROM devices JOIN people ON people.id = devices.person "
          + "WHERE devices.id = ?", .int(id)
      ) { row in
        Role(rawValue: row.text(2)).map { Principal(person: row.int(0), device: id, name: row.text(1), role: $0) }
      } ?? nil
    case .token(let id):
      try first("SELECT name, role, topics FROM tokens WHERE id = ?", .int(id)) { row in
        Role(rawValue: row.text(1)).map {
          Principal(token: id, name: row.text(0), role: $0, topics: TokenTopics.list(row.optionalText(2)))
        }
      } ?? nil
    // Its room knows it.
    case .guest: nil
    }
  }
}
