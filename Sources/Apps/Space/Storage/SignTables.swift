import Store
import Wire

/// The tables of the sign's turns, and of the door contact's last report.
enum SignTables {
  static let migration = Migration(
    room: "space", number: 3,
    sql: """
      -- Where is_known is 0 the sign says neither, and `open` is what it said last.
      ALTER TABLE space_sign ADD COLUMN is_known INTEGER NOT NULL DEFAULT 1;
      ALTER TABLE space_sign ADD COLUMN source TEXT NOT NULL DEFAULT 'person';
      -- A turn that was taken back: it is as if it had never been, but for whoever asks who did what.
      ALTER TABLE space_sign ADD COLUMN undone_at INTEGER;
      CREATE TABLE space_contact (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        open INTEGER NOT NULL,
        heartbeat REAL NOT NULL,
        heard_at REAL NOT NULL,
        report INTEGER NOT NULL,
        token INTEGER
      )
      """)

  /// Marks turns that are not history: new words for the same state, and undone turns.
  static let passing = Migration(
    room: "space", number: 6,
    sql: "CREATE INDEX space_sign_passing ON space_sign (id) WHERE is_change = 0 OR undone_at IS NOT NULL")
}

/// A stored turn of the sign.
struct KeptTurn: Equatable, Sendable {
  var sign: Sign
  /// 0 before the first.
  var number: Int
  /// The time of the turn, in seconds since 1970.
  var setAt: Int

  static let none = KeptTurn(sign: .unknown, number: 0, setAt: 0)
}

extension Database {
  /// The last turn that was not undone, which is the current sign.
  func sign() throws(StoreError) -> KeptTurn {
    let found = try first(
      """
      SELECT id, open, last_change, message, until, person, is_known, source, set_at FROM space_sign
      WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1
      """
    ) { row in
      KeptTurn(
        sign: Sign(
          open: row.bool(6) ? row.bool(1) : nil, lastChange: row.int(2), message: row.optionalText(3),
          until: row.optionalInt(4), by: row.optionalText(5), source: Sign.Source(rawValue: row.text(7)) ?? .person),
        number: row.int(0), setAt: row.int(8))
    }
    return found ?? .none
  }

  /// Saves a turn, and removes expired ones.
  /// - Parameters:
  ///   - before: the last known state, if the new one is unknown.
  ///   - isChange: true if `open` has changed.
  /// - Returns: the number of this turn.
  func save(
    sign: Sign, before: Bool? = nil, setAt: Int, isChange: Bool, token: Int?
  ) throws(StoreError) -> Int {
    guard let lastChange = sign.lastChange, let source = sign.source else {
      preconditionFailure("a turned sign has a time and a source")
    }
    let added = try first(
      """
      INSERT INTO space_sign (set_at, open, last_change, is_change, message, until, person, token, is_known, source)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id, (SELECT min(set_at) FROM space_sign)
      """, .int(setAt), Value(sign.open ?? before ?? false), .int(lastChange), Value(isChange), Value(sign.message),
      Value(sign.until), Value(sign.by), Value(token), Value(sign.open != nil), .text(source.rawValue)
    ) { (number: $0.int(0), first: $0.optionalInt(1) ?? setAt) }
    guard let added else { preconditionFailure("a turn was not added") }
    try forgetTurns(upTo: added.number, first: added.first, now: setAt)
    return added.number
  }

  /// Removes changes older than the history's retention. Now and then, if something turns the sign without end, it also
  /// removes the first changes of the day, and all but the last turns that are not history, so that neither the disk
  /// nor the history of other days suffers. The current sign, the one before it, and the times of both stay.
  /// - Parameter first: the time of the oldest turn.
  private func forgetTurns(upTo number: Int, first: Int, now: Int) throws(StoreError) {
    let oldest = now - SpaceLimits.signDays * 86_400
    // Checked first, since that costs nothing: otherwise SQLite would scan all turns each time.
    if first < oldest {
      try run("DELETE FROM space_sign WHERE set_at < ? AND \(Self.isPastTurn)", .int(oldest))
    }
    guard number % SpaceLimits.turnsRoom == 0 else { return }
    try run(
      """
      DELETE FROM space_sign WHERE (is_change = 0 OR undone_at IS NOT NULL) AND id <= ?
      AND (undone_at IS NOT NULL OR \(Self.isPastWord))
      """, .int(number - SpaceLimits.turnsOfDay))
    // Turns in the future, from a wrong clock, are not of this day.
    let isOfDay = "set_at >= ? AND set_at <= ? AND is_change = 1 AND undone_at IS NULL"
    let day = now - now % 86_400
    try run(
      """
      DELETE FROM space_sign WHERE \(isOfDay) AND \(Self.isPastTurn)
      AND id <= (SELECT id FROM space_sign WHERE \(isOfDay) ORDER BY id DESC LIMIT 1 OFFSET ?)
      """, .int(day), .int(now), .int(day), .int(now), .int(SpaceLimits.turnsOfDay))
  }

  /// Neither the current sign nor the one before it.
  private static let isPastWord = """
    id < (SELECT id FROM space_sign WHERE undone_at IS NULL ORDER BY id DESC LIMIT 1 OFFSET 1)
    """
  /// Nor those that tell since when.
  private static let isPastTurn = """
    \(isPastWord)
    AND id < (SELECT id FROM space_sign WHERE is_change = 1 AND undone_at IS NULL ORDER BY id DESC LIMIT 1)
    """

  /// The time when a turn was undone; nil if it was not.
  func undone(turn: Int) throws(StoreError) -> Int? {
    try first("SELECT undone_at FROM space_sign WHERE id = ?", .int(turn)) { $0.optionalInt(0) } ?? nil
  }

  func undo(turn: Int, now: Int) throws(StoreError) {
    try run("UPDATE space_sign SET undone_at = ? WHERE id = ?", .int(now), .int(turn))
  }

  func doorContact() throws(StoreError) -> DoorContact? {
    try first("SELECT open, heartbeat, heard_at, report FROM space_contact WHERE id = 1") { row in
      DoorContact(open: row.bool(0), heartbeat: row.double(1), heardAt: row.double(2), report: row.int(3))
    }
  }

  func save(contact: DoorContact, token: Int?) throws(StoreError) {
    try run(
      """
      INSERT INTO space_contact (id, open, heartbeat, heard_at, report, token) VALUES (1, ?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET open = excluded.open, heartbeat = excluded.heartbeat,
        heard_at = excluded.heard_at, report = excluded.report, token = excluded.token
      """, Value(contact.open), .double(contact.heartbeat), .double(contact.heardAt), .int(contact.report),
      Value(token))
  }

  /// The last changes between open, closed and unknown, newest first.
  func pastEvents(limit: Int) throws(StoreError) -> [SpaceAPI.PastEvent] {
    try rows(
      """
      SELECT open, set_at, person, is_known FROM space_sign
      WHERE is_change = 1 AND is_known = 1 AND undone_at IS NULL ORDER BY id DESC LIMIT ?
      """, .int(limit)
    ) { SpaceAPI.PastEvent(open: $0.bool(0), at: $0.int(1), by: $0.optionalText(2)) }
  }

  /// The changes between open, closed and unknown in [from, to), oldest first, preceded by the one in force at `from`.
  func history(from: Int, to: Int, limit: Int) throws(StoreError) -> [SpaceAPI.PastEvent] {
    try rows(
      """
      SELECT open, last_change, person, is_known FROM space_sign
      WHERE is_change = 1 AND undone_at IS NULL AND last_change < ?
        AND id >= coalesce(
          (SELECT max(id) FROM space_sign WHERE is_change = 1 AND undone_at IS NULL AND last_change <= ?), 0)
      ORDER BY id LIMIT ?
      """, .int(to), .int(from), .int(limit)
    ) { SpaceAPI.PastEvent(open: $0.bool(3) ? $0.bool(0) : nil, at: $0.int(1), by: $0.optionalText(2)) }
  }
}
