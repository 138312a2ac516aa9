package import Store
import Wire

/// The rings that not all receivers have acknowledged.
enum OutboxTable {
  static let migration = Migration(
    room: "hub", number: 6,
    sql: """
      -- Numbers are never used again: a receiver has all up to one.
      CREATE TABLE hub_outbox (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        at REAL NOT NULL,
        topic TEXT NOT NULL,
        content TEXT NOT NULL
      );
      -- There is one writer at a time, so rings are committed in the order of their numbers, and one number for each
      -- receiver says what it has.
      CREATE TABLE hub_outbox_receivers (
        name TEXT PRIMARY KEY,
        acknowledged INTEGER NOT NULL
      )
      """)
}

extension Database {
  func addRing(_ topic: String, _ content: JSON, now: Double) throws(StoreError) {
    try run(
      "INSERT INTO hub_outbox (at, topic, content) VALUES (?, ?, ?)", .double(now), .text(topic), .text(content.text))
  }

  /// Removes the oldest rings past a limit.
  /// - Returns: their number.
  package func dropRings(past limit: Int) throws(StoreError) -> Int {
    let newest = try first("SELECT max(id) FROM hub_outbox") { $0.int(0) } ?? 0
    let old = Value.int(newest - limit)
    let count = try first("SELECT count(*) FROM hub_outbox WHERE id <= ?", old) { $0.int(0) } ?? 0
    if count > 0 { try run("DELETE FROM hub_outbox WHERE id <= ?", old) }
    return count
  }

  /// Sets the receivers; others are forgotten. A new one gets the rings that still exist.
  func keepReceivers(_ names: [String]) throws(StoreError) {
    for name in try rows("SELECT name FROM hub_outbox_receivers", read: { $0.text(0) }) where !names.contains(name) {
      try run("DELETE FROM hub_outbox_receivers WHERE name = ?", .text(name))
    }
    for name in names {
      try run(
        "INSERT INTO hub_outbox_receivers (name, acknowledged) VALUES (?, 0) ON CONFLICT (name) DO NOTHING", .text(name)
      )
    }
  }

  /// The rings that a receiver has not acknowledged, oldest first.
  func rings(for receiver: String, limit: Int) throws(StoreError) -> [Ring] {
    try rows(
      """
      SELECT id, at, topic, content FROM hub_outbox
      WHERE id > (SELECT acknowledged FROM hub_outbox_receivers WHERE name = ?) ORDER BY id LIMIT ?
      """, .text(receiver), .int(limit)
    ) { row in
      // Written by the hub, so it is valid JSON.
      Ring(
        id: row.int(0), at: row.double(1), topic: row.text(2),
        content: (try? JSON(parsing: row.text(3))) ?? .null)
    }
  }

  /// Records a receiver's progress, and removes rings that all receivers have.
  func acknowledge(upTo id: Int, by receiver: String) throws(StoreError) {
    try run("UPDATE hub_outbox_receivers SET acknowledged = ? WHERE name = ?", .int(id), .text(receiver))
    try run("DELETE FROM hub_outbox WHERE id <= (SELECT min(acknowledged) FROM hub_outbox_receivers)")
  }
}
