import Crypto
import Store

/// The part of users that no query reaches: their unique names, passwords and sessions.
enum UserTables {
  /// - `apps_users` has a row for each object of `_User`. `name` and `email` are in small letters, so that no two users
  ///   have one that differs in that alone; `anonymous` is the id of a user who came without a name.
  /// - `apps_sessions` has a row for each object of `_Session`, with its token's digest.
  /// - `apps_account_links` has a row for each link in a mail that is still good.
  private static let sql = """
    CREATE TABLE apps_users (
      object INTEGER PRIMARY KEY REFERENCES apps_objects ON DELETE CASCADE,
      app INTEGER NOT NULL REFERENCES apps_apps ON DELETE CASCADE, name TEXT NOT NULL, email TEXT, anonymous TEXT,
      password TEXT, UNIQUE (app, name), UNIQUE (app, email), UNIQUE (app, anonymous));
    CREATE TABLE apps_sessions (
      object INTEGER PRIMARY KEY REFERENCES apps_objects ON DELETE CASCADE,
      person INTEGER NOT NULL REFERENCES apps_users ON DELETE CASCADE, digest BLOB NOT NULL UNIQUE,
      installation TEXT, expires_at INTEGER NOT NULL);
    CREATE INDEX apps_sessions_person ON apps_sessions (person);
    CREATE INDEX apps_sessions_end ON apps_sessions (expires_at);
    CREATE TABLE apps_account_links (
      digest BLOB PRIMARY KEY, person INTEGER NOT NULL REFERENCES apps_users ON DELETE CASCADE,
      purpose TEXT NOT NULL, email TEXT NOT NULL, until REAL NOT NULL);
    CREATE INDEX apps_account_links_person ON apps_account_links (person);
    """

  /// With the tables of files and config.
  static let migration = Migration(room: BackendRoom.id, number: 3, sql: sql + FileTables.sql + ConfigTable.sql)
}

/// A user of an app, as sign-ins look for one.
struct UserRow: Equatable, Sendable {
  /// The number of its object.
  var object: Int
  /// The id of its object.
  var id: String
  var name: String
  var email: String?
  var anonymous: String?
  var password: PasswordHash?
}

extension Database {
  enum UserKey {
    case id(String)
    case name(String)
    case email(String)
    case anonymous(String)
  }

  func user(_ key: UserKey, of app: Int) throws(StoreError) -> UserRow? {
    let ofClass = "objects.class = (SELECT number FROM apps_classes WHERE app = users.app AND name = '_User')"
    let (condition, value) =
      switch key {
      case .id(let id): ("\(ofClass) AND objects.id = ?", id)
      case .name(let name): ("users.name = ?", name.lowercased())
      case .email(let address): ("users.email = ?", address.lowercased())
      case .anonymous(let id): ("users.anonymous = ?", id)
      }
    return try first(
      """
      SELECT users.object, objects.id, users.name, users.email, users.anonymous, users.password FROM apps_users AS users
      JOIN apps_objects AS objects ON objects.number = users.object WHERE users.app = ? AND \(condition)
      """, .int(app), .text(value)
    ) { row in
      UserRow(
        object: row.int(0), id: row.text(1), name: row.text(2), email: row.optionalText(3),
        anonymous: row.optionalText(4), password: row.optionalText(5).map(PasswordHash.init(kept:)))
    }
  }

  /// Writes a user's row, also a new one's.
  func save(_ user: UserRow, of app: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO apps_users (object, app, name, email, anonymous, password) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (object) DO UPDATE SET name = excluded.name, email = excluded.email, anonymous = excluded.anonymous,
        password = excluded.password
      """, .int(user.object), .int(app), .text(user.name.lowercased()), Value(user.email?.lowercased()),
      Value(user.anonymous), Value(user.password?.text))
  }

  // MARK: Sessions

  /// The ids of the session with a token, and of its user; nil if it has ended.
  /// - Parameter now: seconds since 1970.
  func session(_ token: String, of app: Int, now: Double) throws(StoreError) -> (session: String, user: String)? {
    guard let digest = SessionToken.digest(token) else { return nil }
    return try first(
      """
      SELECT sessions.id, people.id FROM apps_sessions JOIN apps_users ON apps_users.object = apps_sessions.person
      JOIN apps_objects AS sessions ON sessions.number = apps_sessions.object
      JOIN apps_objects AS people ON people.number = apps_sessions.person
      WHERE apps_sessions.digest = ? AND apps_users.app = ? AND apps_sessions.expires_at > ?
      """, .blob(digest), .int(app), .int(Int(now * 1_000))
    ) { ($0.text(0), $0.text(1)) }
  }

  func add(
    session object: Int, of person: Int, _ digest: [UInt8], on installation: String?, until: Int
  ) throws(StoreError) {
    try run(
      "INSERT INTO apps_sessions (object, person, digest, installation, expires_at) VALUES (?, ?, ?, ?, ?)",
      .int(object), .int(person), .blob(digest), Value(installation), .int(until))
  }

  /// A user's sessions by their ids, the newest first, with the installations that they are of.
  func sessions(of person: Int) throws(StoreError) -> [(id: String, installation: String?)] {
    try rows(
      """
      SELECT objects.id, apps_sessions.installation FROM apps_sessions
      JOIN apps_objects AS objects ON objects.number = apps_sessions.object
      WHERE apps_sessions.person = ? ORDER BY apps_sessions.object DESC
      """, .int(person)
    ) { ($0.text(0), $0.optionalText(1)) }
  }

  /// Sessions that have ended, by their apps.
  func endedSessions(at now: Int, limit: Int) throws(StoreError) -> [(app: Int, id: String)] {
    try rows(
      """
      SELECT apps_users.app, objects.id FROM apps_sessions JOIN apps_users ON apps_users.object = apps_sessions.person
      JOIN apps_objects AS objects ON objects.number = apps_sessions.object WHERE apps_sessions.expires_at <= ? LIMIT ?
      """, .int(now), .int(limit)
    ) { ($0.int(0), $0.text(1)) }
  }

  /// Milliseconds since 1970 at which the next session ends; nil if there is none.
  func nextSessionEnd() throws(StoreError) -> Int? {
    try first("SELECT MIN(expires_at) FROM apps_sessions") { $0.optionalInt(0) } ?? nil
  }

  // MARK: Links in mails

  /// Keeps the link in a mail, in the place of the one before.
  func keep(_ digest: [UInt8], of mail: AccountMail, now: Double) throws(StoreError) {
    try removeLinks(of: mail.person, mail.purpose)
    try run(
      "INSERT INTO apps_account_links (digest, person, purpose, email, until) VALUES (?, ?, ?, ?, ?)",
      .blob(digest), .int(mail.person), .text(mail.purpose.rawValue), .text(mail.to.lowercased()),
      .double(now + mail.purpose.seconds))
  }

  /// The user whom a link is for, with the app; nil when it is not good any more, or the user's address is another now.
  func account(_ digest: [UInt8], now: Double) throws(StoreError) -> (
    app: Int, user: String, purpose: AccountMail.Purpose
  )? {
    try first(
      """
      SELECT apps_users.app, objects.id, apps_account_links.purpose FROM apps_account_links
      JOIN apps_users ON apps_users.object = apps_account_links.person
      JOIN apps_objects AS objects ON objects.number = apps_account_links.person
      WHERE apps_account_links.digest = ? AND apps_account_links.until > ?
      AND apps_users.email = apps_account_links.email
      """, .blob(digest), .double(now)
    ) { row in
      AccountMail.Purpose(rawValue: row.text(2)).map { (row.int(0), row.text(1), $0) }
    } ?? nil
  }

  func removeLinks(of person: Int, _ purpose: AccountMail.Purpose) throws(StoreError) {
    try run("DELETE FROM apps_account_links WHERE person = ? AND purpose = ?", .int(person), .text(purpose.rawValue))
  }
}
