import Hub
import Store

/// The tables of the watch on the door: the people who were asked to open for an event, and the last "open until" that
/// has rung.
enum QuestionTables {
  static let migration = Migration(
    room: "space", number: 9,
    sql: """
      -- An event that began while the space was closed. `is_over`: nobody is asked about it any more.
      CREATE TABLE space_questions (
        event TEXT PRIMARY KEY,
        title TEXT NOT NULL,
        starts INTEGER NOT NULL,
        ends INTEGER NOT NULL,
        is_over INTEGER NOT NULL DEFAULT 0
      );
      -- Who was asked about it, and when; or, if they have said no, when they did.
      CREATE TABLE space_asked (
        event TEXT NOT NULL REFERENCES space_questions (event) ON DELETE CASCADE,
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        is_refused INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (event, person)
      );
      CREATE INDEX space_asked_person ON space_asked (person);
      -- The last turn whose "until" has rung, or was missed: the one row there is.
      CREATE TABLE space_rung (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        turn INTEGER NOT NULL
      )
      """)
}

extension Database {
  /// The events about which somebody is asked.
  func openQuestions() throws(StoreError) -> [PlannedEvent] {
    try rows(
      "SELECT event, title, starts, ends FROM space_questions WHERE is_over = 0 ORDER BY starts, event",
      read: Self.event)
  }

  /// A question, also one that is over.
  func question(about event: String) throws(StoreError) -> PlannedEvent? {
    try first("SELECT event, title, starts, ends FROM space_questions WHERE event = ?", .text(event), read: Self.event)
  }

  private static func event(_ row: Row) -> PlannedEvent {
    PlannedEvent(id: row.text(0), title: row.text(1), start: row.int(2), end: row.int(3))
  }

  /// Adds a question, and removes those of long ago. Does nothing for one that is known. A postponed event, which
  /// begins once more, is another question, about which everybody can be asked again.
  func add(question event: PlannedEvent, now: Int) throws(StoreError) {
    try run("DELETE FROM space_questions WHERE starts < ?", .int(now - SpaceLimits.questionDays * 86_400))
    try run("DELETE FROM space_questions WHERE event = ? AND starts <> ?", .text(event.id), .int(event.start))
    try run(
      """
      INSERT INTO space_questions (event, title, starts, ends) VALUES (?, ?, ?, ?) ON CONFLICT (event) DO NOTHING
      """, .text(event.id), .text(event.title), .int(event.start), .int(event.end))
  }

  func end(question event: String) throws(StoreError) {
    try run("UPDATE space_questions SET is_over = 1 WHERE event = ?", .text(event))
  }

  func asked(about event: String) throws(StoreError) -> [OpenerQuestion.Asked] {
    try rows("SELECT person, at, is_refused FROM space_asked WHERE event = ? ORDER BY at, person", .text(event)) {
      OpenerQuestion.Asked(person: $0.int(0), at: $0.int(1), isRefused: $0.bool(2))
    }
  }

  func save(asked: OpenerQuestion.Asked, about event: String) throws(StoreError) {
    try run(
      """
      INSERT INTO space_asked (event, person, at, is_refused) VALUES (?, ?, ?, ?)
      ON CONFLICT (event, person) DO UPDATE SET at = excluded.at, is_refused = excluded.is_refused
      """, .text(event), .int(asked.person), .int(asked.at), Value(asked.isRefused))
  }

  /// Those who may turn the sign, keykeepers before owners; of each role whoever was asked longest ago, or never,
  /// first.
  func keykeepers() throws(StoreError) -> [Int] {
    let last = try rows("SELECT person, max(at) FROM space_asked GROUP BY person") { ($0.int(0), $0.int(1)) }
    let asked = Dictionary(last, uniquingKeysWith: { first, _ in first })
    var people: [Int] = []
    for role in Role.ofPeople.reversed() where Right.turn.roles.contains(role) {
      people += try personIDs(of: role).sorted { (asked[$0] ?? 0, $0) < (asked[$1] ?? 0, $1) }
    }
    return people
  }

  /// The last turn whose "until" has rung; 0 for none.
  func rungTurn() throws(StoreError) -> Int {
    try number("SELECT turn FROM space_rung WHERE id = 1")
  }

  func save(rungTurn turn: Int) throws(StoreError) {
    try run(
      "INSERT INTO space_rung (id, turn) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET turn = excluded.turn",
      .int(turn))
  }
}
