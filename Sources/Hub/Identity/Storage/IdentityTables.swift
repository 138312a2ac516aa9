import Store

/// The tables of people, their devices, sign-in links, and the audit.
///
/// Rooms may refer to `people (id)`; removing a person removes devices and links.
enum IdentityTables {
  static let migration = Migration(
    room: "hub", number: 3,
    sql: """
      CREATE TABLE people (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        created_at REAL NOT NULL
      );
      -- A device that is signed in: the digest is of the secret in its cookie.
      CREATE TABLE devices (
        id INTEGER PRIMARY KEY,
        person INTEGER NOT NULL REFERENCES people (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        digest BLOB NOT NULL UNIQUE,
        created_at REAL NOT NULL,
        last_seen REAL NOT NULL
      );
      CREATE INDEX devices_person ON devices (person);
      -- One-time links. A code's first letters (code_group) find its row, so that wrong guesses count against it.
      CREATE TABLE links (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        person INTEGER REFERENCES people (id) ON DELETE CASCADE,
        role TEXT NOT NULL,
        name TEXT,
        digest BLOB NOT NULL UNIQUE,
        code_group TEXT NOT NULL,
        code_digest BLOB NOT NULL,
        code_expires_at REAL NOT NULL,
        code_failures INTEGER NOT NULL DEFAULT 0,
        created_at REAL NOT NULL,
        expires_at REAL NOT NULL,
        made_by INTEGER REFERENCES people (id) ON DELETE CASCADE,
        used_at REAL
      );
      CREATE INDEX links_code_group ON links (code_group);
      CREATE INDEX links_person ON links (person);
      CREATE INDEX links_made_by ON links (made_by);
      -- Who did what. The name is as it was then; whom it is about may be gone.
      CREATE TABLE audit (
        id INTEGER PRIMARY KEY,
        at REAL NOT NULL,
        person INTEGER,
        who TEXT NOT NULL,
        what TEXT NOT NULL,
        about TEXT
      );
      CREATE INDEX audit_at ON audit (at);
      -- Where the hub was last reached, for commands beside it.
      CREATE TABLE hub_address (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        url TEXT NOT NULL
      );
      ALTER TABLE tokens ADD COLUMN last_used REAL;
      ALTER TABLE tokens ADD COLUMN made_by INTEGER REFERENCES people (id) ON DELETE SET NULL;
      """)
}

extension Database {
  // MARK: The hub's address

  func hubAddress() throws(StoreError) -> String? {
    try first("SELECT url FROM hub_address WHERE id = 1") { $0.text(0) }
  }

  func save(hubAddress url: String) throws(StoreError) {
    try run(
      """
      INSERT INTO hub_address (id, url) VALUES (1, ?)
      ON CONFLICT (id) DO UPDATE SET url = excluded.url WHERE hub_address.url <> excluded.url
      """, .text(url))
  }
}
