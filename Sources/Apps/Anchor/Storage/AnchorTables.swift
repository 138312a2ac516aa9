import AnchorWatch
import Store
import Wire

/// The tables of the room. Persons are those of the hub; devices those that can be rung.
enum AnchorTables {
  /// - `anchor_anchorages` has a row for each time at anchor; that without `to_at` is now.
  /// - `anchor_fixes` has the positions of the source that counted. Track 0 is the boat's own, others are anchorages
  ///   that were brought from elsewhere.
  /// - `anchor_alarms` has a row for each alarm that is open.
  static let migrations = [
    Migration(
      room: AnchorRoom.id, number: 1,
      sql: """
        CREATE TABLE anchor_anchorages (
          id INTEGER PRIMARY KEY, from_at REAL NOT NULL, to_at REAL, lat REAL NOT NULL, lon REAL NOT NULL,
          settings TEXT NOT NULL, version INTEGER NOT NULL, placing TEXT NOT NULL, armed_at REAL, person INTEGER,
          most REAL NOT NULL, alarms INTEGER NOT NULL, imported INTEGER NOT NULL);
        CREATE INDEX anchor_anchorages_from ON anchor_anchorages (from_at);
        CREATE TABLE anchor_sources (
          id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, device INTEGER, person INTEGER,
          last REAL NOT NULL, interval REAL NOT NULL, battery REAL, charging INTEGER, state TEXT, fix_at REAL, lat REAL,
          lon REAL, accuracy REAL, hdop REAL, told INTEGER NOT NULL, skew REAL NOT NULL, skew_trials INTEGER NOT NULL,
          UNIQUE (kind, name));
        CREATE TABLE anchor_charges (
          source INTEGER NOT NULL REFERENCES anchor_sources ON DELETE CASCADE, at REAL NOT NULL, share REAL NOT NULL,
          PRIMARY KEY (source, at));
        CREATE TABLE anchor_fixes (
          track INTEGER NOT NULL, at REAL NOT NULL, lat REAL NOT NULL, lon REAL NOT NULL, accuracy REAL, hdop REAL,
          source INTEGER NOT NULL, PRIMARY KEY (track, at));
        CREATE TABLE anchor_events (
          id INTEGER PRIMARY KEY, track INTEGER NOT NULL, at REAL NOT NULL, kind TEXT NOT NULL, distance REAL NOT NULL);
        CREATE INDEX anchor_events_at ON anchor_events (track, at);
        CREATE TABLE anchor_alarms (
          kind TEXT PRIMARY KEY, since REAL NOT NULL, distance REAL NOT NULL, rings INTEGER NOT NULL, next_at REAL,
          acknowledged_by TEXT, acknowledged_m REAL);
        CREATE TABLE anchor_drills (
          drill INTEGER NOT NULL, device INTEGER NOT NULL, name TEXT NOT NULL, person TEXT, at REAL NOT NULL,
          rang_at REAL, answered_at REAL, PRIMARY KEY (drill, device))
        """),
    // Headings, so that the bow counts; when an anchor was changed last, which an order on the boat is compared with;
    // when somebody looked last.
    Migration(
      room: AnchorRoom.id, number: 2,
      sql: """
        ALTER TABLE anchor_fixes ADD COLUMN heading REAL;
        ALTER TABLE anchor_sources ADD COLUMN heading REAL;
        ALTER TABLE anchor_anchorages ADD COLUMN changed_at REAL NOT NULL DEFAULT 0;
        CREATE TABLE anchor_looked (id INTEGER PRIMARY KEY CHECK (id = 1), at REAL NOT NULL)
        """),
    // Drills are for all rooms now, in a table of the notifications.
    Migration(
      room: AnchorRoom.id, number: 3, sql: "DROP TABLE anchor_drills", changesRowsOf: ["anchor_drills"]),
    // How far beyond the edge she was when somebody was on it.
    Migration(
      room: AnchorRoom.id, number: 4, sql: "ALTER TABLE anchor_alarms ADD COLUMN acknowledged_beyond_m REAL"),
    // The time that a device told, by which its event is known again.
    Migration(
      room: AnchorRoom.id, number: 5,
      sql: """
        ALTER TABLE anchor_events ADD COLUMN told_at REAL;
        CREATE INDEX anchor_events_told ON anchor_events (told_at) WHERE told_at IS NOT NULL
        """),
    // The instruments that an agent is told, with spaces between them.
    Migration(room: AnchorRoom.id, number: 6, sql: "ALTER TABLE anchor_sources ADD COLUMN tells TEXT"),
  ]
}

/// Times at anchor.
extension Database {
  /// The anchorage that lasts; nil while no anchor is down.
  func anchorage() throws(StoreError) -> Anchorage? {
    try first("\(Self.selectAnchorages) WHERE to_at IS NULL ORDER BY id DESC LIMIT 1", read: Self.anchorage) ?? nil
  }

  func anchorage(_ id: Int) throws(StoreError) -> Anchorage? {
    try first("\(Self.selectAnchorages) WHERE id = ?", .int(id), read: Self.anchorage) ?? nil
  }

  /// Those that are over, the newest first.
  func pastAnchorages(limit: Int) throws(StoreError) -> [Anchorage] {
    try rows(
      "\(Self.selectAnchorages) WHERE to_at IS NOT NULL ORDER BY from_at DESC LIMIT ?", .int(limit),
      read: Self.anchorage
    ).compactMap { $0 }
  }

  func add(_ one: Anchorage) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO anchor_anchorages (from_at, to_at, lat, lon, settings, version, placing, armed_at, person, most,
        alarms, imported, changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .double(one.from), Value(one.to), .double(one.position.latitude), .double(one.position.longitude),
      .text(one.settings.text), .int(one.version), .text(one.placing.rawValue), Value(one.armedAt), Value(one.person),
      .double(one.most), .int(one.alarms), Value(one.isImported), .double(one.changedAt))
  }

  func save(_ one: Anchorage) throws(StoreError) {
    try run(
      """
      UPDATE anchor_anchorages SET from_at = ?, to_at = ?, lat = ?, lon = ?, settings = ?, version = ?, placing = ?,
        armed_at = ?, person = ?, most = ?, alarms = ?, changed_at = ? WHERE id = ?
      """, .double(one.from), Value(one.to), .double(one.position.latitude), .double(one.position.longitude),
      .text(one.settings.text), .int(one.version), .text(one.placing.rawValue), Value(one.armedAt), Value(one.person),
      .double(one.most), .int(one.alarms), .double(one.changedAt), .int(one.id))
  }

  /// The last settings, for the next anchor.
  func lastAnchorSettings() throws(StoreError) -> JSON? {
    let text = try first(
      "SELECT settings FROM anchor_anchorages WHERE imported = 0 ORDER BY id DESC LIMIT 1", read: { $0.text(0) })
    return text.flatMap { try? JSON(parsing: $0) }
  }

  /// The highest version of any settings: those of the next anchor are newer.
  func lastAnchorVersion() throws(StoreError) -> Int {
    try number("SELECT max(version) FROM anchor_anchorages")
  }

  /// When somebody changed any of them last.
  func lastAnchorChange() throws(StoreError) -> Double {
    try first("SELECT coalesce(max(changed_at), 0) FROM anchor_anchorages", read: { $0.double(0) }) ?? 0
  }

  private static let selectAnchorages = """
    SELECT id, from_at, to_at, lat, lon, settings, version, placing, armed_at, person, most, alarms, imported,
      changed_at
    FROM anchor_anchorages
    """

  private static func anchorage(_ row: Row) -> Anchorage? {
    guard let position = Position(latitude: row.double(3), longitude: row.double(4)) else { return nil }
    return Anchorage(
      id: row.int(0), from: row.double(1), to: row.optionalDouble(2), position: position,
      settings: (try? JSON(parsing: row.text(5))) ?? [:], version: row.int(6), changedAt: row.double(13),
      placing: Anchorage.Placing(rawValue: row.text(7)) ?? .drop, armedAt: row.optionalDouble(8),
      person: row.optionalInt(9), most: row.double(10), alarms: row.int(11), isImported: row.bool(12))
  }
}
