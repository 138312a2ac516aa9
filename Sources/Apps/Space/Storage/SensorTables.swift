import Store
import Wire

/// The table of sensors' last reports.
enum SensorTables {
  static let migration = Migration(
    room: "space", number: 4,
    sql: """
      CREATE TABLE space_sensors (
        kind TEXT NOT NULL,
        name TEXT NOT NULL,
        fields TEXT NOT NULL,
        changed_at REAL NOT NULL,
        reported_at REAL NOT NULL,
        heartbeat REAL NOT NULL,
        token INTEGER,
        PRIMARY KEY (kind, name)
      )
      """)
}

extension Database {
  func sensors() throws(StoreError) -> [Sensor] {
    try rows(
      "SELECT kind, name, fields, changed_at, reported_at, heartbeat FROM space_sensors ORDER BY kind, name"
    ) { row in
      // Written by the hub, so it is valid JSON.
      Sensor(
        kind: row.text(0), name: row.text(1), fields: (try? JSON(parsing: row.text(2))) ?? [:],
        changedAt: row.double(3), reportedAt: row.double(4), heartbeat: row.double(5))
    }
  }

  func save(sensor: Sensor, token: Int?) throws(StoreError) {
    try run(
      """
      INSERT INTO space_sensors (kind, name, fields, changed_at, reported_at, heartbeat, token)
      VALUES (?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind, name) DO UPDATE SET fields = excluded.fields, changed_at = excluded.changed_at,
        reported_at = excluded.reported_at, heartbeat = excluded.heartbeat, token = excluded.token
      """, .text(sensor.kind), .text(sensor.name), .text(sensor.fields.text), .double(sensor.changedAt),
      .double(sensor.reportedAt), .double(sensor.heartbeat), Value(token))
  }

  func removeSensor(kind: String, name: String) throws(StoreError) {
    try run("DELETE FROM space_sensors WHERE kind = ? AND name = ?", .text(kind), .text(name))
  }
}
