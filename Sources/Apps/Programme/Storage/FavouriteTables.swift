import Hub
import Store
import Wire

/// The tables of favourites and of their feeds.
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

  /// The secret address of a feed, which somebody with a lost device could read.
  static let secretAddress = DeviceBelonging(
    name: "favourites",
    isThere: { database, device throws(StoreError) in try database.knowsSubscription(device: device) },
    end: { change, device throws(StoreError) in
      try change.database.removeSubscription(knownOn: device)
      try change.audit("favourites.unsubscribed")
    })

  /// Records the devices that know a secret address, so that it ends with a lost one.
  static let knownOn = Migration(
    room: "programme", number: 5,
    sql: """
      CREATE TABLE programme_subscription_devices (
        device INTEGER PRIMARY KEY REFERENCES devices (id) ON DELETE CASCADE,
        person INTEGER NOT NULL REFERENCES programme_subscriptions (person) ON DELETE CASCADE
      );
      CREATE INDEX programme_subscription_devices_person ON programme_subscription_devices (person);
      -- Any of the devices there are may have shown an address that was made before.
      INSERT INTO programme_subscription_devices (device, person)
        SELECT devices.id, programme_subscriptions.person
        FROM programme_subscriptions JOIN devices ON devices.person = programme_subscriptions.person
      """)
}

extension Database {
  func favourites(of person: Int) throws(StoreError) -> [Favourite] {
    try favouriteRows(of: person).map(\.favourite)
  }

  private func favouriteRows(of person: Int) throws(StoreError) -> [(favourite: Favourite, ends: Int?)] {
    try rows(
      "SELECT event, kept, at, seen, ends FROM programme_favourites WHERE person = ? ORDER BY event", .int(person)
    ) {
      // Written by the hub, so it is valid.
      let seen = $0.optionalText(3).flatMap { try? JSON(parsing: $0) }.flatMap { try? EventGlance($0, path: "seen") }
      return (
        favourite: Favourite(event: $0.text(0), kept: $0.bool(1), at: $0.int(2), seen: seen), ends: $0.optionalInt(4)
      )
    }
  }

  /// Merges a device's records into the stored ones.
  /// - Parameters:
  ///   - ends: the known ends of events.
  ///   - now: seconds since 1970.
  /// - Returns: nil if there would be too many; then nothing is changed.
  func merge(
    _ sent: [Favourite], of person: Int, ends: [String: Int], now: Int
  ) throws(StoreError) -> (favourites: [Favourite], hasChanged: Bool)? {
    let rows = try favouriteRows(of: person)
    let known = Dictionary(rows.map { ($0.favourite.event, $0) }, uniquingKeysWith: { first, _ in first })
    func end(_ favourite: Favourite) -> Int? {
      ends[favourite.event] ?? favourite.seen?.ends ?? known[favourite.event]?.ends
    }
    let all = merged(rows.map(\.favourite), sent)
    let left = all.filter { $0.kept || $0.forgottenAt(ends: end($0)) > now }
    guard left.count <= ProgrammeLimits.favourites || left.count <= rows.count else { return nil }
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
    return (left, hasChanged)
  }

  // MARK: Feeds

  func subscription(of person: Int) throws(StoreError) -> String? {
    try first("SELECT secret FROM programme_subscriptions WHERE person = ?", .int(person)) { $0.text(0) }
  }

  /// Saves a new address, which ends the previous one.
  func save(subscription secret: String, of person: Int, now: Int) throws(StoreError) {
    try run("DELETE FROM programme_subscription_devices WHERE person = ?", .int(person))
    try run(
      """
      INSERT INTO programme_subscriptions (person, secret, created_at) VALUES (?, ?, ?)
      ON CONFLICT (person) DO UPDATE SET secret = excluded.secret, created_at = excluded.created_at
      """, .int(person), .text(secret), .int(now))
  }

  /// True if the secret address was made or shown on this device.
  func knowsSubscription(device: Int) throws(StoreError) -> Bool {
    try hasRow("SELECT 1 FROM programme_subscription_devices WHERE device = ?", .int(device))
  }

  /// Does nothing for a device or feed that was removed meanwhile.
  func noteSubscription(knownOn principal: Principal) throws(StoreError) {
    try run(
      """
      INSERT INTO programme_subscription_devices (device, person)
      SELECT devices.id, programme_subscriptions.person
      FROM devices JOIN programme_subscriptions ON programme_subscriptions.person = devices.person
      WHERE devices.id = ? ON CONFLICT (device) DO NOTHING
      """, .int(principal.device ?? 0))
  }

  /// Ends the address that was made or shown on a device.
  func removeSubscription(knownOn device: Int) throws(StoreError) {
    try run(
      """
      DELETE FROM programme_subscriptions
      WHERE person = (SELECT person FROM programme_subscription_devices WHERE device = ?)
      """, .int(device))
  }

  func removeSubscription(of person: Int) throws(StoreError) {
    try run("DELETE FROM programme_subscriptions WHERE person = ?", .int(person))
  }

  /// The person's name and the favourites for a secret; nil for an unknown one.
  func favourites(secret: String) throws(StoreError) -> (name: String, favourites: [Favourite])? {
    let found = try first(
      "SELECT s.person, p.name FROM programme_subscriptions s JOIN people p ON p.id = s.person WHERE s.secret = ?",
      .text(secret)
    ) { (person: $0.int(0), name: $0.text(1)) }
    guard let found else { return nil }
    return (found.name, try favourites(of: found.person).filter(\.kept))
  }
}
