import Store

/// The tables of planned events with an album, and the order in which pictures were taken.
enum EventAlbumTables {
  static let migration = Migration(
    room: "albums", number: 3,
    sql: """
      CREATE TABLE albums_events (
        event TEXT PRIMARY KEY,
        -- Null where it was deleted or taken off: no other is made by itself.
        album INTEGER UNIQUE REFERENCES albums_albums (id) ON DELETE SET NULL,
        -- The album's name after the event.
        name TEXT NOT NULL,
        starts INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        -- When the event was found not to take place.
        off_at REAL
      );
      CREATE INDEX albums_events_ends ON albums_events (ends);
      -- Recurring events of which each time gets an album, whose host is this person.
      CREATE TABLE albums_event_series (
        series TEXT PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        mode TEXT NOT NULL
      );
      CREATE INDEX albums_event_series_person ON albums_event_series (person);
      CREATE INDEX albums_pictures_taken ON albums_pictures (album, coalesce(taken, '~'), id);
      """)
}

/// A recurring event of which each time gets an album.
struct EventSeries: Equatable, Sendable {
  let series: String
  /// The key of the person who wished it, the albums' host.
  let person: Int
  let mode: Album.Mode
}

extension Database {
  private static let linkColumns = "event, album, name, starts, ends, off_at"

  private static func link(_ row: Row) -> EventLink {
    EventLink(
      event: row.text(0), album: row.optionalInt(1), name: row.text(2), starts: row.int(3), ends: row.int(4),
      offAt: row.optionalDouble(5))
  }

  func eventLink(of event: String) throws(StoreError) -> EventLink? {
    try first("SELECT \(Self.linkColumns) FROM albums_events WHERE event = ?", .text(event), read: Self.link)
  }

  /// The event that has an album.
  func event(ofAlbum album: Int) throws(StoreError) -> String? {
    try first("SELECT event FROM albums_events WHERE album = ?", .int(album)) { $0.text(0) }
  }

  /// The events with an album that ended after a time, the soonest first.
  /// - Parameter time: seconds since 1970.
  func linkedEvents(endingAfter time: Double, limit: Int) throws(StoreError) -> [String] {
    try rows(
      "SELECT event FROM albums_events WHERE ends > ? AND album IS NOT NULL ORDER BY ends LIMIT ?",
      .int(Int(time.rounded(.down))), .int(limit)
    ) { $0.text(0) }
  }

  /// Keeps what is known of an event and its album.
  func save(_ link: EventLink) throws(StoreError) {
    try run(
      """
      INSERT INTO albums_events (\(Self.linkColumns)) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (event) DO UPDATE SET album = excluded.album, name = excluded.name, starts = excluded.starts,
        ends = excluded.ends, off_at = excluded.off_at
      """, .text(link.event), Value(link.album), .text(link.name), .int(link.starts), .int(link.ends),
      Value(link.offAt))
  }

  /// Removes what is known of an event.
  func removeLink(of event: String) throws(StoreError) {
    try run("DELETE FROM albums_events WHERE event = ?", .text(event))
  }

  /// Forgets events without an album that ended before a time.
  func forgetLinks(endedBefore time: Double) throws(StoreError) {
    try run("DELETE FROM albums_events WHERE album IS NULL AND ends < ?", .int(Int(time.rounded(.up))))
  }

  func eventSeries() throws(StoreError) -> [EventSeries] {
    try rows("SELECT series, person, mode FROM albums_event_series") {
      EventSeries(series: $0.text(0), person: $0.int(1), mode: Album.Mode(rawValue: $0.text(2)) ?? .family)
    }
  }

  func eventSeries(_ series: String) throws(StoreError) -> EventSeries? {
    try eventSeries().first { $0.series == series }
  }

  func save(_ wish: EventSeries) throws(StoreError) {
    try run(
      """
      INSERT INTO albums_event_series (series, person, mode) VALUES (?, ?, ?)
      ON CONFLICT (series) DO UPDATE SET person = excluded.person, mode = excluded.mode
      """, .text(wish.series), .int(wish.person), .text(wish.mode.rawValue))
  }

  func remove(eventSeries series: String) throws(StoreError) {
    try run("DELETE FROM albums_event_series WHERE series = ?", .text(series))
  }
}
