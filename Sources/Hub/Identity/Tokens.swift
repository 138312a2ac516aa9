import Crypto
public import Lifecycle
public import Store

/// Tokens: long random texts with which programs and commands sign in (`Authorization: Bearer`, RFC 6750).
///
/// The store keeps only their SHA-256; a token is shown once, when it is made. They have 192 random bits, so a plain
/// digest is enough: guessing is hopeless, and a slow hash would add nothing.
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
  /// - Parameter topics: the topics of notifications to which it is limited; nil for no limit.
  public func create(name: String, role: Role, topics: [String]? = nil) async throws(StoreError) -> String {
    try await make(name: name, role: role, topics: topics, replacing: false)
  }

  /// Makes a token that replaces all others with that name.
  public func replace(name: String, role: Role) async throws(StoreError) -> String {
    try await make(name: name, role: role, topics: nil, replacing: true)
  }

  private func make(name: String, role: Role, topics: [String]?, replacing: Bool) async throws(StoreError) -> String {
    let (text, digest) = Self.fresh()
    let now = time.now
    try await store.write { database throws(StoreError) in
      if replacing { try database.run("DELETE FROM tokens WHERE name = ?", .text(name)) }
      _ = try database.addToken(name: name, role: role, topics: topics, digest: digest, madeBy: .commandLine, now: now)
      if !replacing { try database.audit(.commandLine, "token.made", about: "\(name): \(role.rawValue)", now: now) }
    }
    return text
  }

  /// A random token's text, and the digest for the store.
  static func fresh() -> (text: String, digest: [UInt8]) {
    let text = Self.prefix + Digest.base64URL(Digest.random(IdentityLimits.secretBytes))
    return (text, Digest.sha256(text.utf8))
  }

  func stored() async throws(StoreError) -> [Token] {
    try await store.read { database throws(StoreError) in try database.tokens() }
  }

  /// The holder of a token, and its last use in seconds since 1970; nil for an unknown one. It reads the store each
  /// time, so a token made by a command beside the running hub is valid at once.
  package func holder(of text: String) async throws(StoreError) -> (principal: Principal, lastUsed: Double?)? {
    guard text.hasPrefix(Self.prefix) else { return nil }
    let digest = Digest.sha256(text.utf8)
    return try await store.look { database throws(StoreError) in
      try database.first("SELECT id, name, role, last_used, topics FROM tokens WHERE digest = ?", .blob(digest)) {
        row in
        Role(rawValue: row.text(2)).map { role in
          (
            Principal(token: row.int(0), name: row.text(1), role: role, topics: TokenTopics.list(row.optionalText(4))),
            row.optionalDouble(3)
          )
        }
      } ?? nil
    }
  }
}

/// A token in the store.
struct Token: Equatable, Sendable {
  var id: Int
  var name: String
  var role: Role
  /// The topics of notifications to which it is limited; nil for no limit.
  var topics: [String]?
  /// Seconds since 1970.
  var createdAt: Double
  var lastUsed: Double?
  /// The maker's name; nil for a command, and for a removed person.
  var madeBy: String?
}

extension Database {
  func tokens() throws(StoreError) -> [Token] {
    try rows(
      """
      SELECT tokens.id, tokens.name, tokens.role, tokens.created_at, tokens.last_used, people.name, tokens.topics
      FROM tokens LEFT JOIN people ON people.id = tokens.made_by ORDER BY tokens.id DESC
      """
    ) { row in
      Role(rawValue: row.text(2)).map { role in
        Token(
          id: row.int(0), name: row.text(1), role: role, topics: TokenTopics.list(row.optionalText(6)),
          createdAt: row.double(3), lastUsed: row.optionalDouble(4), madeBy: row.optionalText(5))
      }
    }.compactMap { $0 }
  }

  func addToken(
    name: String, role: Role, topics: [String]?, digest: [UInt8], madeBy: Principal, now: Double
  ) throws(StoreError) -> Int {
    let id = try inserted(
      """
      INSERT INTO tokens (name, role, topics, digest, created_at, made_by, made_on, made_by_token)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(name), .text(role.rawValue), Value(TokenTopics.text(topics)), .blob(digest), .double(now),
      Value(madeBy.person), Value(madeBy.device), Value(madeBy.token))
    return try neverReused(id, of: "tokens")
  }

  /// Removes a token and returns its name; nil if there was none.
  func removeToken(_ id: Int) throws(StoreError) -> String? {
    let name = try first("SELECT name FROM tokens WHERE id = ?", .int(id)) { $0.text(0) }
    try run("DELETE FROM tokens WHERE id = ?", .int(id))
    return name
  }

  public func tokenName(_ id: Int) throws(StoreError) -> String? {
    try first("SELECT name FROM tokens WHERE id = ?", .int(id)) { $0.text(0) }
  }

  /// Without those that are limited to topics, which have less than their role.
  func countTokens(of role: Role) throws(StoreError) -> Int {
    try first("SELECT count(*) FROM tokens WHERE role = ? AND topics IS NULL", .text(role.rawValue)) { $0.int(0) } ?? 0
  }

  func countTokens() throws(StoreError) -> Int { try first("SELECT count(*) FROM tokens") { $0.int(0) } ?? 0 }

  func note(token id: Int, usedAt: Double) throws(StoreError) {
    try run("UPDATE tokens SET last_used = ? WHERE id = ?", .double(usedAt), .int(id))
  }
}
