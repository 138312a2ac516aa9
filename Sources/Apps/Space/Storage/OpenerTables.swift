import Store

/// Who opens the space for an event.
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
}

/// Who opens for one event.
struct Opening: Equatable, Sendable {
  struct Opener: Equatable, Sendable {
    var person: Int
    var name: String
  }

  var event: String
  var isWanted: Bool
  var openers: [Opener]
}

extension Database {
  /// All events for which somebody is wanted or has come forward. Only who may still open counts.
  func openings(event: String? = nil) throws(StoreError) -> [Opening] {
    var openings: [String: Opening] = [:]
    for wanted in try rows("SELECT event FROM programme_wanted", read: { $0.text(0) }) {
      openings[wanted] = Opening(event: wanted, isWanted: true, openers: [])
    }
    let people = try rows(
      """
      SELECT o.event, o.person, p.name FROM programme_openers o JOIN people p ON p.id = o.person
      WHERE p.role IN ('owner', 'keykeeper') ORDER BY o.at, o.person
      """
    ) { (event: $0.text(0), opener: Opening.Opener(person: $0.int(1), name: $0.text(2))) }
    for (event, opener) in people {
      openings[event, default: Opening(event: event, isWanted: false, openers: [])].openers.append(opener)
    }
    return openings.values.filter { event == nil || $0.event == event }.sorted { $0.event < $1.event }
  }

  func opening(of event: String) throws(StoreError) -> Opening {
    try openings(event: event).first ?? Opening(event: event, isWanted: false, openers: [])
  }

  /// - Returns: false if that is what it was already, or there are too many of them.
  func save(wanted: Bool, event: String, ends: Int) throws(StoreError) -> Bool {
    let isWanted = try first("SELECT 1 FROM programme_wanted WHERE event = ?", .text(event)) { _ in true } ?? false
    guard wanted != isWanted else { return false }
    if wanted {
      try run("INSERT INTO programme_wanted (event, ends) VALUES (?, ?)", .text(event), .int(ends))
    } else {
      try run("DELETE FROM programme_wanted WHERE event = ?", .text(event))
    }
    return true
  }

  /// - Returns: false if that is what it was already.
  func save(opens: Bool, event: String, person: Int, ends: Int, now: Int) throws(StoreError) -> Bool {
    let opened =
      try first(
        "SELECT 1 FROM programme_openers WHERE event = ? AND person = ?", .text(event), .int(person)
      ) { _ in true } ?? false
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

  /// How many events there are with something to tell, after what is long over was forgotten.
  func countOpenings(now: Int) throws(StoreError) -> Int {
    let oldest = Value.int(now - SpaceLimits.tombstoneSeconds)
    try run("DELETE FROM programme_wanted WHERE ends < ?", oldest)
    try run("DELETE FROM programme_openers WHERE ends < ?", oldest)
    return try first(
      "SELECT count(*) FROM (SELECT event FROM programme_wanted UNION SELECT event FROM programme_openers) AS events"
    ) { $0.int(0) } ?? 0
  }
}
