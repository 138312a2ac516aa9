import Hub
import Store

/// The openers of events, and requests for openers.
enum OpenerTables {
  static let migration = Migration(
    room: "programme", number: 3,
    sql: """
      -- Events for which somebody is wanted who opens. `ends` is when the event ends, as it was known then.
      CREATE TABLE programme_wanted (
        event TEXT PRIMARY KEY,
        ends INTEGER NOT NULL
      );
      -- Who has put themselves down.
      CREATE TABLE programme_openers (
        event TEXT NOT NULL,
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        ends INTEGER NOT NULL,
        at INTEGER NOT NULL,
        PRIMARY KEY (event, person)
      );
      CREATE INDEX programme_openers_person ON programme_openers (person)
      """)

  /// Records who has requested an opener, since everybody has a share of the places.
  static let askers = Migration(
    room: "programme", number: 4,
    sql: """
      -- As `Principal.asker` has it; null where it was asked before this was written down.
      ALTER TABLE programme_wanted ADD COLUMN asker TEXT;
      CREATE INDEX programme_wanted_asker ON programme_wanted (asker)
      """)
}

extension Principal {
  /// The key of the person or token, for as long as they exist.
  var asker: String { person.map { "person \($0)" } ?? "token \(token ?? 0)" }
}

/// The openers of one event.
struct Opening: Equatable, Sendable {
  struct Opener: Equatable, Sendable {
    var person: Int
    var name: String
  }

  var event: String
  var isWanted = false
  var openers: [Opener] = []
}

extension Database {
  private static let openersRoles = Set(Right.openFor.roles.map(\.rawValue))

  /// All events with a request or an opener. Only people who still have the right are included.
  func openings() throws(StoreError) -> [Opening] {
    var openings: [String: Opening] = [:]
    for wanted in try rows("SELECT event FROM programme_wanted", read: { $0.text(0) }) {
      openings[wanted] = Opening(event: wanted, isWanted: true)
    }
    let people = try rows(
      """
      SELECT o.event, o.person, p.name, p.role FROM programme_openers o JOIN people p ON p.id = o.person
      ORDER BY o.at, o.person
      """
    ) { (event: $0.text(0), opener: Opening.Opener(person: $0.int(1), name: $0.text(2)), role: $0.text(3)) }
    for (event, opener, role) in people where Self.openersRoles.contains(role) {
      openings[event, default: Opening(event: event)].openers.append(opener)
    }
    return openings.values.sorted { $0.event < $1.event }
  }

  func opening(of event: String) throws(StoreError) -> Opening {
    try openings().first { $0.event == event } ?? Opening(event: event)
  }

  /// The people who open for an event, as far as they still have the right.
  func openers(of event: String) throws(StoreError) -> [Int] {
    let people = try rows(
      """
      SELECT o.person, p.role FROM programme_openers o JOIN people p ON p.id = o.person WHERE o.event = ?
      ORDER BY o.at, o.person
      """, .text(event)
    ) { (person: $0.int(0), role: $0.text(1)) }
    return people.filter { Self.openersRoles.contains($0.role) }.map(\.person)
  }

  /// The events for which a person has put themselves down, and that are not over as far as it is known.
  func events(openedBy person: Int, after now: Int) throws(StoreError) -> [String] {
    try rows(
      "SELECT event FROM programme_openers WHERE person = ? AND ends > ? ORDER BY event", .int(person), .int(now)
    ) { $0.text(0) }
  }

  func removeOpener(_ person: Int) throws(StoreError) {
    try run("DELETE FROM programme_openers WHERE person = ?", .int(person))
  }

  /// When the next event begins that somebody opens for who still has the right; nil if there is none.
  func nextOpening(after now: Int) throws(StoreError) -> Int? {
    let openings = try rows(
      """
      SELECT e.starts, p.role FROM programme_known_events e JOIN programme_openers o ON o.event = e.event
        JOIN people p ON p.id = o.person
      WHERE e.starts > ? AND e.is_cancelled = 0 AND e.is_all_day = 0 ORDER BY e.starts
      """, .int(now)
    ) { (start: $0.int(0), role: $0.text(1)) }
    return openings.first { Self.openersRoles.contains($0.role) }?.start
  }

  /// The number of other events, not over, that a person has requested an opener for, or opens.
  func openings(of principal: Principal, beside event: String, now: Int) throws(StoreError) -> Int {
    try number(
      """
      SELECT count(*) FROM (
        SELECT event FROM programme_wanted WHERE asker = ? AND ends >= ?
        UNION SELECT event FROM programme_openers WHERE person = ? AND ends >= ?
      ) AS events WHERE event <> ?
      """, .text(principal.asker), .int(now), Value(principal.person), .int(now), .text(event))
  }

  /// - Returns: false if nothing changed.
  func save(wanted: Bool, event: String, ends: Int, asker: String) throws(StoreError) -> Bool {
    guard try wanted != hasRow("SELECT 1 FROM programme_wanted WHERE event = ?", .text(event)) else { return false }
    if wanted {
      try run(
        "INSERT INTO programme_wanted (event, ends, asker) VALUES (?, ?, ?)", .text(event), .int(ends), .text(asker))
    } else {
      try run("DELETE FROM programme_wanted WHERE event = ?", .text(event))
    }
    return true
  }

  /// - Returns: false if nothing changed.
  func save(opens: Bool, event: String, person: Int, ends: Int, now: Int) throws(StoreError) -> Bool {
    let opened = try hasRow(
      "SELECT 1 FROM programme_openers WHERE event = ? AND person = ?", .text(event), .int(person))
    guard opens != opened else { return false }
    if opens {
      try run(
        "INSERT INTO programme_openers (event, person, ends, at) VALUES (?, ?, ?, ?)", .text(event), .int(person),
        .int(ends), .int(now))
    } else {
      try run("DELETE FROM programme_openers WHERE event = ? AND person = ?", .text(event), .int(person))
    }
    return true
  }

  /// Moves the request and the openers of an event that has another identifier now; whoever has put themselves down
  /// under the new one already stays so.
  /// - Returns: false if there is neither.
  func rename(opening former: String, _ event: KnownEvent) throws(StoreError) -> Bool {
    let isThere = try hasRow(
      "SELECT 1 FROM programme_wanted WHERE event = ? UNION SELECT 1 FROM programme_openers WHERE event = ?",
      .text(former), .text(former))
    guard isThere else { return false }
    try run(
      """
      INSERT INTO programme_wanted (event, ends, asker)
      SELECT ?, ?, asker FROM programme_wanted WHERE event = ? ON CONFLICT (event) DO NOTHING
      """, .text(event.id), .int(event.end), .text(former))
    try run(
      """
      INSERT INTO programme_openers (event, person, ends, at)
      SELECT ?, person, ?, at FROM programme_openers WHERE event = ? ON CONFLICT (event, person) DO NOTHING
      """, .text(event.id), .int(event.end), .text(former))
    try run("DELETE FROM programme_wanted WHERE event = ?", .text(former))
    try run("DELETE FROM programme_openers WHERE event = ?", .text(former))
    return true
  }

  /// The number of events with requests or openers, after removing those long over; and all past ones, if there would
  /// be too many.
  func countOpenings(now: Int) throws(StoreError) -> Int {
    try forgetOpenings(endedBefore: now - ProgrammeLimits.tombstoneSeconds)
    let count = try countOpenings()
    guard count >= ProgrammeLimits.openings else { return count }
    try forgetOpenings(endedBefore: now)
    return try countOpenings()
  }

  private func forgetOpenings(endedBefore instant: Int) throws(StoreError) {
    try run("DELETE FROM programme_wanted WHERE ends < ?", .int(instant))
    try run("DELETE FROM programme_openers WHERE ends < ?", .int(instant))
  }

  private func countOpenings() throws(StoreError) -> Int {
    try number(
      "SELECT count(*) FROM (SELECT event FROM programme_wanted UNION SELECT event FROM programme_openers) AS events")
  }
}
