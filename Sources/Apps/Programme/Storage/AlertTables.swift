import CivilTime
import Store

/// The tables of the programme's rings: the events of the last look, the time until which all has rung, and reminders.
enum AlertTables {
  static let migration = Migration(
    room: "programme", number: 7,
    sql: """
      -- The events that are to come, as people were told of them last. `is_new`: what is new waits to be told.
      CREATE TABLE programme_known_events (
        event TEXT PRIMARY KEY,
        calendar TEXT NOT NULL,
        title TEXT NOT NULL,
        starts INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        is_all_day INTEGER NOT NULL,
        is_cancelled INTEGER NOT NULL,
        location TEXT,
        is_new INTEGER NOT NULL DEFAULT 0
      );
      CREATE INDEX programme_known_events_starts ON programme_known_events (starts);
      -- Up to when the events of a calendar are known, and in which zone.
      CREATE TABLE programme_known_calendars (
        calendar TEXT PRIMARY KEY,
        until INTEGER NOT NULL,
        zone TEXT NOT NULL
      );
      -- Up to when everything has rung: the one row there is.
      CREATE TABLE programme_rung (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        done INTEGER NOT NULL
      );
      -- How many minutes before an event a person is reminded of it; null for never. Without a row as most people want.
      CREATE TABLE programme_reminders (
        person INTEGER PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        minutes INTEGER
      );
      CREATE INDEX programme_favourites_event ON programme_favourites (event)
      """)
}

extension AlertTables {
  static let times = Migration(
    room: "programme", number: 8,
    sql: """
      -- When it rings by itself: HH:MM, or off; null for as the hub's options say. The one row there is.
      CREATE TABLE programme_ring_times (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        tonight TEXT,
        news TEXT
      )
      """)
}

/// The times that owners have chosen on the page: "HH:MM", or "off"; nil where nothing was chosen.
struct RingTimes: Equatable, Sendable {
  var tonight: String?
  var news: String?
}

/// A reminder of an event, for one person.
struct Reminder: Equatable, Sendable {
  var person: Int
  var event: KnownEvent
  /// Seconds since 1970.
  var at: Int
}

extension Database {
  // MARK: Times

  func ringTimes() throws(StoreError) -> RingTimes {
    try first("SELECT tonight, news FROM programme_ring_times WHERE id = 1") {
      RingTimes(tonight: $0.optionalText(0), news: $0.optionalText(1))
    } ?? RingTimes()
  }

  func save(ringTimes times: RingTimes) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_ring_times (id, tonight, news) VALUES (1, ?, ?)
      ON CONFLICT (id) DO UPDATE SET tonight = excluded.tonight, news = excluded.news
      """, Value(times.tonight), Value(times.news))
  }

  // MARK: Events

  func knownEvents() throws(StoreError) -> [String: KnownEvent] {
    let all = try rows("SELECT \(Self.eventColumns) FROM programme_known_events", read: { Self.event($0) })
    return Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  private static let eventColumns = "event, calendar, title, starts, ends, is_all_day, is_cancelled, location"

  private static func event(_ row: Row) -> KnownEvent {
    KnownEvent(
      id: row.text(0), calendar: row.text(1), title: row.text(2), start: row.int(3), end: row.int(4),
      isAllDay: row.bool(5), isCancelled: row.bool(6), location: row.optionalText(7))
  }

  /// Saves an event; one that is known as new stays so.
  func save(known event: KnownEvent, isNew: Bool) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_known_events (\(Self.eventColumns), is_new) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (event) DO UPDATE SET calendar = excluded.calendar, title = excluded.title,
        starts = excluded.starts, ends = excluded.ends, is_all_day = excluded.is_all_day,
        is_cancelled = excluded.is_cancelled, location = excluded.location
      """, .text(event.id), .text(event.calendar), .text(event.title), .int(event.start), .int(event.end),
      Value(event.isAllDay), Value(event.isCancelled), Value(event.location), Value(isNew))
  }

  /// Has an event that has another identifier now wait to be told as new if it waited under the former one, and only
  /// then.
  func rename(known former: String, _ event: KnownEvent) throws(StoreError) {
    try run(
      """
      UPDATE programme_known_events
      SET is_new = COALESCE((SELECT former.is_new FROM programme_known_events former WHERE former.event = ?), 0)
      WHERE event = ?
      """, .text(former), .text(event.id))
  }

  func forget(known event: String) throws(StoreError) {
    try run("DELETE FROM programme_known_events WHERE event = ?", .text(event))
  }

  func cancel(known event: String) throws(StoreError) {
    try run("UPDATE programme_known_events SET is_cancelled = 1 WHERE event = ?", .text(event))
  }

  func forgetKnown(endedBefore instant: Int) throws(StoreError) {
    try run("DELETE FROM programme_known_events WHERE ends < ? AND starts < ?", .int(instant), .int(instant))
    try run("DELETE FROM programme_known_calendars WHERE zone = '' AND until < ?", .int(instant))
  }

  /// The events that wait to be told as new, in their order: of each recurring one the next date, since the one with
  /// which it came may be over or cancelled by then.
  func newEvents(after now: Int) throws(StoreError) -> [KnownEvent] {
    var new = try newSeries()
    return try rows(
      """
      SELECT \(Self.eventColumns) FROM programme_known_events WHERE is_cancelled = 0 AND starts > ?
      ORDER BY starts, event
      """, .int(now), read: { Self.event($0) }
    ).filter { new.remove($0.series) != nil }
  }

  /// The first parts of the identifiers of events that wait to be told as new.
  func newSeries() throws(StoreError) -> Set<Substring> {
    Set(try rows("SELECT event FROM programme_known_events WHERE is_new = 1") { $0.text(0).prefix(12) })
  }

  func noNewEvents() throws(StoreError) {
    try run("UPDATE programme_known_events SET is_new = 0 WHERE is_new = 1")
  }

  /// The events that begin in [from, to), in their order, without those cancelled and those of whole days.
  func beginning(from: Int, to: Int) throws(StoreError) -> [KnownEvent] {
    try rows(
      """
      SELECT \(Self.eventColumns) FROM programme_known_events
      WHERE starts >= ? AND starts < ? AND is_cancelled = 0 AND is_all_day = 0 ORDER BY starts, event
      """, .int(from), .int(to), read: { Self.event($0) })
  }

  /// When the next of these begins.
  func nextBeginning(after now: Int) throws(StoreError) -> Int? {
    try first(
      """
      SELECT starts FROM programme_known_events WHERE starts > ? AND is_cancelled = 0 AND is_all_day = 0
      ORDER BY starts LIMIT 1
      """, .int(now), read: { $0.int(0) })
  }

  // MARK: Calendars

  func knownCalendars() throws(StoreError) -> [String: KnownCalendar] {
    let all = try rows("SELECT calendar, until, zone FROM programme_known_calendars") {
      KnownCalendar(id: $0.text(0), until: $0.int(1), zone: $0.text(2))
    }
    return Dictionary(all.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  func save(known calendar: KnownCalendar) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_known_calendars (calendar, until, zone) VALUES (?, ?, ?)
      ON CONFLICT (calendar) DO UPDATE SET until = excluded.until, zone = excluded.zone
      """, .text(calendar.id), .int(calendar.until), .text(calendar.zone))
  }

  /// Forgets the events of a calendar that is not in the owner's list any more. Its row stays for as long as they were
  /// known ahead, in no zone, as it may come back under another address.
  func forgetEvents(knownCalendar id: String) throws(StoreError) {
    try run("DELETE FROM programme_known_events WHERE calendar = ?", .text(id))
    try run("UPDATE programme_known_calendars SET zone = '' WHERE calendar = ?", .text(id))
  }

  /// The events that people keep in sight or open for, and that are not over as far as it is known.
  func marked(after now: Int) throws(StoreError) -> [String] {
    try rows(
      """
      SELECT event FROM programme_favourites WHERE kept = 1 AND (ends IS NULL OR ends > ?)
      UNION SELECT event FROM programme_openers WHERE ends > ? UNION SELECT event FROM programme_wanted WHERE ends > ?
      """, .int(now), .int(now), .int(now), read: { $0.text(0) })
  }

  // MARK: Favourites

  /// The people who have one of these events as a favourite.
  func keepers(of events: [String]) throws(StoreError) -> [Int] {
    var found: Set<Int> = []
    for event in events {
      found.formUnion(
        try rows("SELECT person FROM programme_favourites WHERE event = ? AND kept = 1", .text(event)) { $0.int(0) })
    }
    return found.sorted()
  }

  /// The people who come to one of these events: they have it as a favourite, or open for it.
  func concerned(by events: [String]) throws(StoreError) -> [Int] {
    var found = Set(try keepers(of: events))
    for event in events { found.formUnion(try openers(of: event)) }
    return found.sorted()
  }

  /// Keeps an event that has another identifier now in sight for those who kept the former. Other devices hear of it
  /// as if the person had done it: `seen` stays, so that they are shown what has changed.
  /// - Parameter now: seconds since 1970.
  /// - Returns: these people.
  func rename(favourite former: String, _ event: KnownEvent, now: Double) throws(StoreError) -> [Int] {
    let at = Value.int(Int(now * 1000))
    let people = try keepers(of: [former])
    for person in people {
      try run(
        """
        INSERT INTO programme_favourites (person, event, kept, at, seen, ends)
        SELECT person, ?, 1, ?, seen, ? FROM programme_favourites WHERE person = ? AND event = ?
        ON CONFLICT (person, event) DO UPDATE
          SET kept = excluded.kept, at = excluded.at, seen = excluded.seen, ends = excluded.ends
        """, .text(event.id), at, .int(event.end), .int(person), .text(former))
      try run(
        "UPDATE programme_favourites SET kept = 0, at = ? WHERE person = ? AND event = ?", at, .int(person),
        .text(former))
    }
    return people
  }

  /// The reminders that come after an instant, in their order, and before them some that came earlier. (One of no
  /// minutes comes when its event begins, and one of whole days may come on the first of them.)
  /// - Parameter zone: that of the place.
  func reminders(after instant: Int, zone: Zone) throws(StoreError) -> [Reminder] {
    let all: [Reminder] = try rows(
      """
      SELECT e.event, e.calendar, e.title, e.starts, e.ends, e.is_all_day, e.is_cancelled, e.location, f.person,
        CASE WHEN r.person IS NULL THEN \(ProgrammeLimits.usualReminder) ELSE r.minutes END
      FROM programme_known_events e JOIN programme_favourites f ON f.event = e.event AND f.kept = 1
        LEFT JOIN programme_reminders r ON r.person = f.person
      WHERE e.starts > ? AND e.is_cancelled = 0 AND (r.person IS NULL OR r.minutes IS NOT NULL)
      """, .int(instant - secondsPerDay)
    ) {
      let event = Self.event($0)
      return Reminder(person: $0.int(8), event: event, at: event.reminder(minutesBefore: $0.int(9), zone: zone))
    }
    return all.sorted { ($0.at, $0.event.id, $0.person) < ($1.at, $1.event.id, $1.person) }
  }

  /// The minutes before an event at which a person is reminded; nil for never.
  func reminder(of person: Int) throws(StoreError) -> Int? {
    let kept = try first("SELECT minutes FROM programme_reminders WHERE person = ?", .int(person)) {
      $0.optionalInt(0)
    }
    guard let kept else { return ProgrammeLimits.usualReminder }
    return kept
  }

  func save(reminder minutes: Int?, of person: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_reminders (person, minutes) VALUES (?, ?)
      ON CONFLICT (person) DO UPDATE SET minutes = excluded.minutes
      """, .int(person), Value(minutes))
  }

  // MARK: Rings

  func rungUntil() throws(StoreError) -> Int? {
    try first("SELECT done FROM programme_rung WHERE id = 1") { $0.int(0) }
  }

  func save(rungUntil done: Int) throws(StoreError) {
    try run(
      "INSERT INTO programme_rung (id, done) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET done = excluded.done",
      .int(done))
  }
}
