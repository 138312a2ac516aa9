import Store
import Wire

/// What people want to keep in sight.
enum FavouriteTables {
  static let migration = Migration(
    room: "programme", number: 2,
    sql: """
      -- The last word on each event: kept, or removed (a mark that other devices have to hear of). `at` is when \
      the person
      -- did it, in milliseconds; `seen` the event as they saw it then, in JSON; `ends` when it ends, as far as known.
      CREATE TABLE programme_favourites (
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        event TEXT NOT NULL,
        kept INTEGER NOT NULL,
        at INTEGER NOT NULL,
        seen TEXT,
        ends INTEGER,
        PRIMARY KEY (person, event)
      );
      -- A secret address under which a calendar program gets a person's favourites.
      CREATE TABLE programme_subscriptions (
        person INTEGER PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
        secret TEXT NOT NULL UNIQUE,
        created_at INTEGER NOT NULL
      )
      """)
}

/// A person's favourites after a merge.
struct FavouriteMerge: Sendable {
  var favourites: [Favourite]
  var hasChanged: Bool
}

extension Database {
  func favourites(of person: Int) throws(StoreError) -> [Favourite] {
    try favouriteRows(of: person).map(\.favourite)
  }

  private func favouriteRows(of person: Int) throws(StoreError) -> [(favourite: Favourite, ends: Int?)] {
    try rows(
      "SELECT event, kept, at, seen, ends FROM programme_favourites WHERE person = ? ORDER BY event", .int(person)
    ) {
      // We wrote it, so it is what we write.
      let seen = $0.optionalText(3).flatMap { try? JSON(parsing: $0) }.flatMap { try? EventGlance($0, path: "seen") }
      return (
        favourite: Favourite(event: $0.text(0), kept: $0.bool(1), at: $0.int(2), seen: seen), ends: $0.optionalInt(4)
      )
    }
  }

  /// Merges what a device sends into what is kept.
  /// - Parameters:
  ///   - ends: when events end that are known now.
  ///   - now: seconds since 1970.
  /// - Returns: nil when they would be too many; nothing has changed then.
  func merge(
    _ sent: [Favourite], of person: Int, ends: [String: Int], now: Int
  ) throws(StoreError) -> FavouriteMerge? {
    let rows = try favouriteRows(of: person)
    let known = Dictionary(rows.map { ($0.favourite.event, $0) }, uniquingKeysWith: { first, _ in first })
    func end(_ favourite: Favourite) -> Int? {
      ends[favourite.event] ?? favourite.seen?.ends ?? known[favourite.event]?.ends
    }
    let all = merged(rows.map(\.favourite), sent)
    let left = all.filter { $0.kept || $0.forgottenAt(ends: end($0)) > now }
    guard left.count <= SpaceLimits.favourites || left.count <= rows.count else { return nil }
    var hasChanged = false
    for favourite in left where favourite != known[favourite.event]?.favourite {
      hasChanged = true
      try run(
        """
        INSERT INTO programme_favourites (person, event, kept, at, seen, ends) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (person, event) DO UPDATE
          SET kept = excluded.kept, at = excluded.at, seen = excluded.seen, ends = excluded.ends
        """, .int(person), .text(favourite.event), Value(favourite.kept), .int(favourite.at),
        Value(favourite.seen?.json.text), Value(end(favourite)))
    }
    let staying = Set(left.map(\.event))
    for event in known.keys where !staying.contains(event) {
      hasChanged = true
      try run("DELETE FROM programme_favourites WHERE person = ? AND event = ?", .int(person), .text(event))
    }
    return FavouriteMerge(favourites: left, hasChanged: hasChanged)
  }

  // MARK: Subscriptions

  func subscription(of person: Int) throws(StoreError) -> String? {
    try first("SELECT secret FROM programme_subscriptions WHERE person = ?", .int(person)) { $0.text(0) }
  }

  /// Ends the address there was before.
  func save(subscription secret: String, of person: Int, now: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_subscriptions (person, secret, created_at) VALUES (?, ?, ?)
      ON CONFLICT (person) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
      """, .int(person), .text(secret), .int(now))
  }

  func removeSubscription(of person: Int) throws(StoreError) {
    try run("DELETE FROM programme_subscriptions WHERE person = ?", .int(person))
  }

  /// Whose favourites a secret stands for: their name and what they keep.
  func favourites(secret: String) throws(StoreError) -> (name: String, favourites: [Favourite])? {
    let found = try first(
      "SELECT s.person, p.name FROM programme_subscriptions s JOIN people p ON p.id = s.person WHERE s.secret = ?",
      .text(secret)
    ) { (person: $0.int(0), name: $0.text(1)) }
    guard let found else { return nil }
    return (found.name, try favourites(of: found.person).filter(\.kept))
  }
}
