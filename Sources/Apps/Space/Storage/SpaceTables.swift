import Calendar
import Crypto
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
    SignTables.passing,
  ]
}

extension Database {
  // MARK: Settings

  func spaceSettings() throws(StoreError) -> JSON? {
    let text = try first("SELECT json FROM space_settings WHERE id = 1") { $0.text(0) }
    // We wrote it, so it is JSON.
    return text.flatMap { try? JSON(parsing: $0) }
  }

  func isDemo() throws(StoreError) -> Bool {
    try first("SELECT is_demo FROM space_settings WHERE id = 1") { $0.bool(0) } ?? false
  }

  func save(settings: JSON, isDemo: Bool = false) throws(StoreError) {
    try run(
      """
      INSERT INTO space_settings (id, json, is_demo) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET json = excluded.json
      """, .text(settings.text), Value(isDemo))
  }

  // MARK: Calendars

  func keptCalendars() throws(StoreError) -> [KeptCalendar] {
    try rows("SELECT url, body, etag, last_modified, good_at, problem, problem_since FROM space_calendars") { row in
      var kept = KeptCalendar(url: row.text(0))
      kept.body = row.isNull(1) ? nil : row.blob(1)
      kept.digest = kept.body.map(Digest.sha256)
      kept.etag = row.optionalText(2)
      kept.lastModified = row.optionalText(3)
      kept.goodAt = row.optionalInt(4)
      kept.problem = row.optionalText(5).map(Reason.init(kept:))
      kept.problemSince = row.optionalInt(6)
      return kept
    }
  }

  func calendarBody(_ url: String) throws(StoreError) -> [UInt8]? {
    try first("SELECT body FROM space_calendars WHERE url = ?", .text(url)) { $0.isNull(0) ? nil : $0.blob(0) } ?? nil
  }

  /// - Parameter withBody: whether the copy itself is new; it may be large, so an unchanged one is not written again. A
  ///   calendar that has left the settings meanwhile is not brought back.
  func save(calendar: KeptCalendar, withBody: Bool) throws(StoreError) {
    try run(
      """
      UPDATE space_calendars SET etag = ?, last_modified = ?, good_at = ?, problem = ?, problem_since = ? WHERE url = ?
      """, Value(calendar.etag), Value(calendar.lastModified), Value(calendar.goodAt), Value(calendar.problem?.kept),
      Value(calendar.problemSince), .text(calendar.url))
    if withBody {
      try run("UPDATE space_calendars SET body = ? WHERE url = ?", Value(calendar.body), .text(calendar.url))
    }
  }

  /// Makes room for these calendars, and forgets the copies of all others.
  /// - Returns: what is kept of them.
  func keepCalendars(_ urls: [String]) throws(StoreError) -> [KeptCalendar] {
    for url in try rows("SELECT url FROM space_calendars", read: { $0.text(0) }) where !urls.contains(url) {
      // Files that were sent are nowhere else.
      if url.hasPrefix(CalendarSource.uploadPrefix) { continue }
      try run("DELETE FROM space_calendars WHERE url = ?", .text(url))
    }
    for url in urls { try run("INSERT INTO space_calendars (url) VALUES (?) ON CONFLICT (url) DO NOTHING", .text(url)) }
    return try keptCalendars()
  }
}

extension Reason {
  /// As the store keeps it.
  var kept: String { json.text }

  /// What `kept` wrote; mere words are of an earlier version.
  init(kept text: String) {
    self = (try? JSON(parsing: text)).flatMap(Reason.init(_:)) ?? Reason(.inWordsAlone, ["words": .text(text)])
  }
}

extension Reason.Kind {
  fileprivate static let inWordsAlone = Self("in-words-alone", "{words}")
}
