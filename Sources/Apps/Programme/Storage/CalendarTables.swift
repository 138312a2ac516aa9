import Calendar
import Hub
import Store
import Wire

/// The list of calendars, and the last good copy of each.
enum CalendarTables {
  /// Takes over the list from the space's settings, and the copies from a table of the same room, which is created
  /// before this one.
  static let takenOver = Migration(
    room: "programme", number: 6,
    sql: """
      CREATE TABLE programme_settings (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        -- A list of JSON objects, as an owner sends it.
        calendars TEXT NOT NULL
      );
      INSERT INTO programme_settings (id, calendars)
        SELECT 1, coalesce(json -> 'calendars', '[]') FROM space_settings;
      UPDATE space_settings SET json = json_remove(json, '$.calendars');
      ALTER TABLE space_calendars RENAME TO programme_calendars
      """,
    onServer: """
      CREATE TABLE programme_settings (id INTEGER PRIMARY KEY CHECK (id = 1), calendars TEXT NOT NULL);
      INSERT INTO programme_settings (id, calendars)
        SELECT 1, coalesce(json::jsonb -> 'calendars', '[]')::text FROM space_settings;
      UPDATE space_settings SET json = (json::jsonb - 'calendars')::text;
      ALTER TABLE space_calendars RENAME TO programme_calendars
      """, changesRowsOf: ["space_calendars"])
}

extension Database {
  // MARK: The list

  /// Nil before an owner has saved settings.
  func keptCalendarSources() throws(StoreError) -> [CalendarSource]? {
    let found = try first("SELECT calendars FROM programme_settings WHERE id = 1") { $0.text(0) }
    guard let text = found else { return nil }
    if let list = try? JSON(parsing: text) {
      var check = FieldCheck(["calendars": list], known: ["calendars"])
      let sources = check.calendars("calendars", isAllowed: { _ in true })
      // Checked when they were saved.
      if check.errors.isEmpty { return sources }
    }
    throw StoreError(.open, "The list of calendars cannot be read", context: "programme_settings")
  }

  func calendarSources() throws(StoreError) -> [CalendarSource] { try keptCalendarSources() ?? [] }

  func save(calendarSources sources: [CalendarSource]) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_settings (id, calendars) VALUES (1, ?)
      ON CONFLICT (id) DO UPDATE SET calendars = excluded.calendars
      """, .text(JSON.array(sources.map(\.json)).text))
  }

  // MARK: Copies

  func keptCalendars() throws(StoreError) -> [KeptCalendar] {
    try rows("SELECT url, body, etag, last_modified, good_at, problem, problem_since FROM programme_calendars") { row in
      var kept = KeptCalendar(url: row.text(0))
      kept.body = row.optionalBlob(1)
      kept.digest = kept.body.map(KeptCalendar.digest(of:))
      kept.etag = row.optionalText(2)
      kept.lastModified = row.optionalText(3)
      kept.goodAt = row.optionalInt(4)
      kept.problem = row.optionalText(5).map(Reason.init(kept:))
      kept.problemSince = row.optionalInt(6)
      return kept
    }
  }

  func calendarBody(_ url: String) throws(StoreError) -> [UInt8]? {
    try first("SELECT body FROM programme_calendars WHERE url = ?", .text(url)) { $0.optionalBlob(0) } ?? nil
  }

  /// - Parameter withBody: true if the copy itself is new; an unchanged one, which may be large, is not written again.
  ///   A calendar removed from the settings meanwhile is not restored.
  func save(calendar: KeptCalendar, withBody: Bool) throws(StoreError) {
    try run(
      """
      UPDATE programme_calendars SET etag = ?, last_modified = ?, good_at = ?, problem = ?, problem_since = ?
      WHERE url = ?
      """, Value(calendar.etag), Value(calendar.lastModified), Value(calendar.goodAt), Value(calendar.problem?.kept),
      Value(calendar.problemSince), .text(calendar.url))
    if withBody {
      try run("UPDATE programme_calendars SET body = ? WHERE url = ?", Value(calendar.body), .text(calendar.url))
    }
  }

  /// Adds rows for these calendars, and removes the copies of all others.
  /// - Returns: the stored state of these.
  func keepCalendars(_ urls: [String]) throws(StoreError) -> [KeptCalendar] {
    for url in try rows("SELECT url FROM programme_calendars", read: { $0.text(0) }) where !urls.contains(url) {
      // Uploaded files exist nowhere else.
      if url.hasPrefix(CalendarSource.uploadPrefix) { continue }
      try run("DELETE FROM programme_calendars WHERE url = ?", .text(url))
    }
    for url in urls {
      try run("INSERT INTO programme_calendars (url) VALUES (?) ON CONFLICT (url) DO NOTHING", .text(url))
    }
    return try keptCalendars()
  }
}
