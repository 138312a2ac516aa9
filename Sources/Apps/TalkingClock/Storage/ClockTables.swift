import Delivery
import Store
import Wire

/// The tables of the room. Persons are those of the hub; devices those that can be rung.
enum ClockTables {
  /// - `clock_people` has a row for each person who has set something of their clock, or has switched an agent on. One
  ///   of the person 0 is the clock of all others, as a demonstration has it.
  /// - `clock_devices` has a row for each device that was switched on once, and its last report.
  /// - `clock_history` has a row for each announcement that a device was woken for or has reported; `what` is null
  ///   until it has. The same announcement of a device is reported once.
  static let migration = Migration(
    room: TalkingClockRoom.id, number: 1,
    sql: """
      CREATE TABLE clock_people (
        person INTEGER PRIMARY KEY, settings TEXT NOT NULL, muted_until REAL NOT NULL, changed_at REAL NOT NULL);
      CREATE TABLE clock_devices (
        device INTEGER PRIMARY KEY, is_on INTEGER NOT NULL, volume INTEGER NOT NULL, watched_from REAL NOT NULL,
        woken_at INTEGER, heard_at INTEGER, last_at INTEGER, last_what TEXT, last_late INTEGER, last_cause TEXT,
        silent_since REAL);
      CREATE TABLE clock_history (
        device INTEGER NOT NULL, at INTEGER NOT NULL, what TEXT, late INTEGER, cause TEXT, lead INTEGER,
        PRIMARY KEY (device, at));
      CREATE INDEX clock_history_at ON clock_history (at);
      CREATE TABLE clock_voices (
        id TEXT PRIMARY KEY, person INTEGER NOT NULL, name TEXT NOT NULL, language TEXT NOT NULL,
        created_at REAL NOT NULL);
      CREATE INDEX clock_voices_person ON clock_voices (person);
      CREATE TABLE clock_parts (
        voice TEXT NOT NULL REFERENCES clock_voices ON DELETE CASCADE, part TEXT NOT NULL, frames INTEGER NOT NULL,
        digest BLOB NOT NULL, PRIMARY KEY (voice, part))
      """)
}

extension Database {
  // MARK: People

  /// A person's clock, as it is at first if they have changed nothing; also that of nobody.
  /// - Parameter isGerman: true for a reader of German. Their clock speaks it at first, unless an agent speaks already.
  func clock(ofPerson person: Int?, isGerman: Bool = false) throws(StoreError) -> PersonClock {
    let row = try first(
      """
      SELECT settings, muted_until, changed_at FROM clock_people WHERE person IN (?, 0) ORDER BY person DESC LIMIT 1
      """, .int(person ?? 0), read: { ($0.text(0), $0.double(1), $0.double(2)) })
    guard let row else {
      guard isGerman, let person else { return PersonClock() }
      let speaks = try statesFollowing(person).values.contains { $0.isOn }
      return speaks ? PersonClock() : .german
    }
    var clock = PersonClock()
    // Written by the hub: what a later version has written beside it is left.
    if let json = try? JSON(parsing: row.0) { try? clock.apply(json) }
    (clock.mutedUntil, clock.changedAt) = (row.1, row.2)
    return clock
  }

  func save(_ clock: PersonClock, ofPerson person: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO clock_people (person, settings, muted_until, changed_at) VALUES (?, ?, ?, ?)
      ON CONFLICT (person) DO UPDATE SET settings = excluded.settings, muted_until = excluded.muted_until,
        changed_at = excluded.changed_at
      """, .int(person), .text(clock.json.text), .double(clock.mutedUntil), .double(clock.changedAt))
  }

  func removeClock(ofPerson person: Int) throws(StoreError) {
    try run("DELETE FROM clock_people WHERE person = ?", .int(person))
  }

  // MARK: Devices

  func clockState(ofDevice device: Int) throws(StoreError) -> ClockState? {
    try first("\(Self.selectStates) WHERE device = ?", .int(device), read: Self.state)?.1
  }

  /// The devices that were switched on once, by their numbers.
  func clockStates() throws(StoreError) -> [Int: ClockState] {
    Dictionary(try rows(Self.selectStates, read: Self.state)) { first, _ in first }
  }

  /// Those of some devices.
  func clockStates(of devices: [PushDevice]) throws(StoreError) -> [Int: ClockState] {
    var states: [Int: ClockState] = [:]
    for device in devices { states[device.id] = try clockState(ofDevice: device.id) }
    return states
  }

  func save(_ state: ClockState, ofDevice device: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO clock_devices (device, is_on, volume, watched_from, woken_at, heard_at, last_at, last_what, last_late,
        last_cause, silent_since) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (device) DO UPDATE SET is_on = excluded.is_on, volume = excluded.volume,
        watched_from = excluded.watched_from, woken_at = excluded.woken_at, heard_at = excluded.heard_at,
        last_at = excluded.last_at, last_what = excluded.last_what, last_late = excluded.last_late,
        last_cause = excluded.last_cause, silent_since = excluded.silent_since
      """, .int(device), Value(state.isOn), .int(state.volume), .double(state.watchedFrom), Value(state.wokenAt),
      Value(state.heardAt), Value(state.last?.at), Value(state.last?.what.rawValue), Value(state.last?.lateness),
      Value(state.last?.cause.rawValue), Value(state.silentSince))
  }

  /// Forgets a device that is rung no more; its number may be another's one day.
  func removeClock(ofDevice device: Int) throws(StoreError) {
    try run("DELETE FROM clock_devices WHERE device = ?", .int(device))
    try run("DELETE FROM clock_history WHERE device = ?", .int(device))
  }

  private static let selectStates = """
    SELECT device, is_on, volume, watched_from, woken_at, heard_at, last_at, last_what, last_late, last_cause,
      silent_since FROM clock_devices
    """

  private static func state(_ row: Row) -> (Int, ClockState) {
    var state = ClockState(
      isOn: row.bool(1), volume: row.int(2), watchedFrom: row.double(3), wokenAt: row.optionalInt(4),
      heardAt: row.optionalInt(5), silentSince: row.optionalDouble(10))
    if let at = row.optionalInt(6), let what = Announced.What(rawValue: row.text(7)) {
      state.last = Announced(
        at: at, what: what, lateness: row.optionalInt(8), cause: Announced.Cause(rawValue: row.text(9)) ?? .own)
    }
    return (row.int(0), state)
  }
}
