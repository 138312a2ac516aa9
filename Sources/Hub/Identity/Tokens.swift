import Crypto
public import Lifecycle
public import Store

/// Tokens: long random texts that programs and commands sign in with (`Authorization: Bearer`, RFC 6750).
///
/// The store keeps only their SHA-256; a token is shown once, when it is made. They hold 192 random bits, so a plain
/// digest is enough: there is nothing to guess that a slow one would protect.
public struct Tokens: Sendable {
  static let migration = Migration(
    room: "hub", number: 1,
    sql: """
      CREATE TABLE tokens (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        role TEXT NOT NULL,
        digest BLOB NOT NULL UNIQUE,
        created_at REAL NOT NULL
      )
      """)

  /// Characters of a token's name.
  public static let longestName = RequestLimits.name
  private static let prefix = "eb_"

  private let store: Store
  private let time: any TimeSource

  public init(store: Store, time: any TimeSource) {
    self.store = store
    self.time = time
  }

  /// Makes a token and returns its text.
  public func create(name: String, role: Role) async throws(StoreError) -> String {
    try await make(name: name, role: role, replacing: false)
  }

  /// Makes a token in place of all others of that name.
  public func replace(name: String, role: Role) async throws(StoreError) -> String {
    try await make(name: name, role: role, replacing: true)
  }

  private func make(name: String, role: Role, replacing: Bool) async throws(StoreError) -> String {
    let (text, digest) = Self.fresh()
    let now = time.now
    try await store.write { database throws(StoreError) in
      if replacing { try database.run("DELETE FROM tokens WHERE name = ?", .text(name)) }
      _ = try database.addToken(name: name, role: role, digest: digest, madeBy: .commandLine, now: now)
      if !replacing { try database.audit(.commandLine, "token.made", about: name, now: now) }
    }
    return text
  }

  /// A token's text that nobody can guess, and what the store keeps of it.
  static func fresh() -> (text: String, digest: [UInt8]) {
    let text = Self.prefix + Digest.base64URL(Digest.random(IdentityLimits.secretBytes))
    return (text, Digest.sha256(text.utf8))
  }

  /// How many tokens of a role there are.
  public func count(of role: Role) async throws(StoreError) -> Int {
    try await store.read { database throws(StoreError) in try database.countTokens(of: role) }
  }

  /// Whose token this is; nil for one that was never made. It looks into the store each time, so a token that a
  /// command has just made beside the running hub counts at once.
  public func principal(of text: String) async throws(StoreError) -> Principal? {
    try await holder(of: text)?.principal
  }

  /// The same, and when the token was last used, in seconds since 1970.
  func holder(of text: String) async throws(StoreError) -> (principal: Principal, lastUsed: Double?)? {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let digest = Digest.sha256(text.utf8)
    return try await store.look { database throws(StoreError) in
      try database.first("SELECT id, name, role, last_used FROM tokens WHERE digest = ?", .blob(digest)) { row in
        Role(rawValue: row.text(2)).map { role in
          (Principal(token: row.int(0), name: row.text(1), role: role), row.isNull(3) ? nil : row.double(3))
        }
      } ?? nil
    }
  }
}

/// A token as the store keeps one.
struct Token: Equatable, Sendable {
  var id: Int
  var name: String
  var role: Role
  /// Seconds since 1970.
  var createdAt: Double
  var lastUsed: Double?
  /// Who made it: nil for a command, and for somebody who is gone.
  var madeBy: String?
}

extension Database {
  func tokens() throws(StoreError) -> [Token] {
    try rows(
      """
      SELECT tokens.id, tokens.name, tokens.role, tokens.created_at, tokens.last_used, people.name
      FROM tokens LEFT JOIN people ON people.id = tokens.made_by ORDER BY tokens.id DESC
      """
    ) { row in
      Role(rawValue: row.text(2)).map { role in
        Token(
          id: row.int(0), name: row.text(1), role: role, createdAt: row.double(3),
          lastUsed: row.isNull(4) ? nil : row.double(4), madeBy: row.optionalText(5))
      }
    }.compactMap { $0 }
  }

  func addToken(
    name: String, role: Role, digest: [UInt8], madeBy: Principal, now: Double
  ) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO tokens (name, role, digest, created_at, made_by, made_on, made_by_token)
      VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(name), .text(role.rawValue), .blob(digest), .double(now), Value(madeBy.person), Value(madeBy.device),
      Value(madeBy.token))
  }

  /// The name of the token that is gone now; nil if there was none.
  func removeToken(_ id: Int) throws(StoreError) -> String? {
    let name = try first("SELECT name FROM tokens WHERE id = ?", .int(id)) { $0.text(0) }
    try run("DELETE FROM tokens WHERE id = ?", .int(id))
    return name
  }

  func countTokens(of role: Role) throws(StoreError) -> Int {
    try first("SELECT count(*) FROM tokens WHERE role = ?", .text(role.rawValue)) { $0.int(0) } ?? 0
  }

  func countTokens() throws(StoreError) -> Int { try first("SELECT count(*) FROM tokens") { $0.int(0) } ?? 0 }

  func note(token id: Int, usedAt: Double) throws(StoreError) {
    try run("UPDATE tokens SET last_used = ? WHERE id = ?", .double(usedAt), .int(id))
  }
}
