import Hub
import Store
import Wire

/// The tables of followed spaces: by the hub for everybody, or by a person.
enum FollowedTables {
  static let migration = Migration(
    room: "space", number: 5,
    sql: """
      CREATE TABLE space_followed (
        id INTEGER PRIMARY KEY,
        url TEXT NOT NULL UNIQUE,
        known TEXT,
        etag TEXT,
        last_modified TEXT,
        good_at INTEGER,
        problem TEXT,
        problem_since INTEGER,
        failures INTEGER NOT NULL DEFAULT 0
      );
      -- Who follows it; no person stands for everybody.
      CREATE TABLE space_followers (
        id INTEGER PRIMARY KEY,
        followed INTEGER NOT NULL REFERENCES space_followed (id) ON DELETE CASCADE,
        person INTEGER REFERENCES people (id) ON DELETE CASCADE
      );
      CREATE INDEX space_followers_followed ON space_followers (followed);
      CREATE INDEX space_followers_person ON space_followers (person);
      """)
}

extension Database {
  /// All followed spaces.
  func followedSpaces() throws(StoreError) -> [FollowedSpace] {
    try rows(
      """
      SELECT id, url, known, etag, last_modified, good_at, problem, problem_since, failures,
        EXISTS (SELECT 1 FROM space_followers WHERE followed = space_followed.id AND person IS NULL)
      FROM space_followed
      WHERE EXISTS (SELECT 1 FROM space_followers WHERE followed = space_followed.id) ORDER BY id
      """
    ) { row in
      var space = FollowedSpace(id: row.int(0), url: row.text(1))
      space.known = row.optionalText(2).flatMap { try? JSON(parsing: $0) }.flatMap(OtherSpace.init(kept:))
      space.etag = row.optionalText(3)
      space.lastModified = row.optionalText(4)
      space.goodAt = row.optionalInt(5)
      space.problem = row.optionalText(6).map(Reason.init(kept:))
      space.problemSince = row.optionalInt(7)
      space.failures = row.int(8)
      space.isOwners = row.bool(9)
      return space
    }
  }

  /// The spaces that a person follows, or, for nil, those that everybody is shown; in the order they were added.
  func following(person: Int?) throws(StoreError) -> [Int] {
    if let person {
      return try rows("SELECT followed FROM space_followers WHERE person = ? ORDER BY id", .int(person)) { $0.int(0) }
    }
    return try rows("SELECT followed FROM space_followers WHERE person IS NULL ORDER BY id") { $0.int(0) }
  }

  /// The followers of a space: people, and nil for everybody.
  func followers(of id: Int) throws(StoreError) -> [Int?] {
    try rows("SELECT person FROM space_followers WHERE followed = ? ORDER BY id", .int(id)) { $0.optionalInt(0) }
  }

  /// - Returns: the space's number.
  func follow(_ url: String, person: Int?) throws(StoreError) -> Int {
    try run("INSERT INTO space_followed (url) VALUES (?) ON CONFLICT (url) DO NOTHING", .text(url))
    let id = try number("SELECT id FROM space_followed WHERE url = ?", .text(url))
    if try !following(person: person).contains(id) {
      try run("INSERT INTO space_followers (followed, person) VALUES (?, ?)", .int(id), Value(person))
    }
    return id
  }

  /// A space without followers is removed.
  func unfollow(_ id: Int, person: Int?) throws(StoreError) {
    if let person {
      try run("DELETE FROM space_followers WHERE followed = ? AND person = ?", .int(id), .int(person))
    } else {
      try run("DELETE FROM space_followers WHERE followed = ? AND person IS NULL", .int(id))
    }
    try run(
      """
      DELETE FROM space_followed WHERE NOT EXISTS (SELECT 1 FROM space_followers WHERE followed = space_followed.id)
      """)
  }

  /// Does nothing for a space that was removed meanwhile, whose number another one may have.
  func save(followed space: FollowedSpace) throws(StoreError) {
    try run(
      """
      UPDATE space_followed SET known = ?, etag = ?, last_modified = ?, good_at = ?, problem = ?, problem_since = ?,
        failures = ? WHERE id = ? AND url = ?
      """, Value(space.known?.json.text), Value(space.etag), Value(space.lastModified), Value(space.goodAt),
      Value(space.problem?.kept), Value(space.problemSince), .int(space.failures), .int(space.id),
      .text(space.url))
  }
}
