import Hub
package import Store
import Wire

/// The room's tables, and every statement that touches them.
package enum SpaceTables {
  package static let migrations = [
    Migration(
      room: "space", number: 1,
      sql: """
        CREATE TABLE space_settings (
          id INTEGER PRIMARY KEY CHECK (id = 1),
          json TEXT NOT NULL,
          is_demo INTEGER NOT NULL DEFAULT 0
        );
        -- Every turn of the sign; the last row is what it says now. Where is_change is 0, `open` is as it was before:
        -- only the words changed, and last_change is kept.
        CREATE TABLE space_sign (
          id INTEGER PRIMARY KEY,
          set_at INTEGER NOT NULL,
          open INTEGER NOT NULL,
          last_change INTEGER NOT NULL,
          is_change INTEGER NOT NULL,
          message TEXT,
          until INTEGER,
          person TEXT,
          token INTEGER
        );
        CREATE INDEX space_sign_set_at ON space_sign (set_at);
        -- The last good copy of every calendar, and what was wrong since.
        CREATE TABLE space_calendars (
          url TEXT PRIMARY KEY,
          body BLOB,
          etag TEXT,
          last_modified TEXT,
          good_at INTEGER,
          problem TEXT,
          problem_since INTEGER
        );
        """),
    PictureTables.migration, SignTables.migration, SensorTables.migration, FollowedTables.migration,
    SignTables.passing, handOver, PictureTables.filtered, QuestionTables.migration,
  ]

  /// Hands name, place and zone over to the hub, with the mark of demonstration data.
  private static let handOver = Migration(
    room: "space", number: 7,
    sql: """
      INSERT INTO hub_place (id, name, address, latitude, longitude, zone, is_demo)
        SELECT 1, json ->> 'name', json ->> 'address', json ->> 'lat', json ->> 'lon', json ->> 'timezone', is_demo
        FROM space_settings;
      UPDATE space_settings SET json = json_remove(json, '$.name', '$.address', '$.lat', '$.lon', '$.timezone');
      ALTER TABLE space_settings DROP COLUMN is_demo
      """,
    onServer: """
      INSERT INTO hub_place (id, name, address, latitude, longitude, zone, is_demo)
        SELECT 1, json::jsonb ->> 'name', json::jsonb ->> 'address', (json::jsonb ->> 'lat')::double precision,
          (json::jsonb ->> 'lon')::double precision, json::jsonb ->> 'timezone', is_demo
        FROM space_settings;
      UPDATE space_settings SET json = (json::jsonb - '{name,address,lat,lon,timezone}'::text[])::text;
      ALTER TABLE space_settings DROP COLUMN is_demo
      """)
}

extension Database {
  func spaceSettings() throws(StoreError) -> SpaceSettings? {
    guard let text = try first("SELECT json FROM space_settings WHERE id = 1", read: { $0.text(0) }) else { return nil }
    if let json = try? JSON(parsing: text) {
      var check = FieldCheck(json, known: SpaceSettings.fields, nullIsNothing: true)
      let settings = SpaceSettings(&check)
      // Checked when they were saved.
      if check.errors.isEmpty { return settings }
    }
    throw StoreError(.open, "The space's settings cannot be read", context: "space_settings")
  }

  func save(settings: SpaceSettings) throws(StoreError) {
    try run(
      """
      INSERT INTO space_settings (id, json) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET json = excluded.json
      """, .text(JSON.object(settings.members).text))
  }
}
