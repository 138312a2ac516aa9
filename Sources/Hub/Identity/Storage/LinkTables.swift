import Store

/// A one-time link in the store.
package struct Link: Equatable, Sendable {
  /// The purpose of a link.
  package enum Kind: String, Sendable {
    /// For the hub's first owner.
    case setup
    /// For somebody new.
    case invitation
    /// For another device of an existing person.
    case device
    /// The same, made by a command beside the hub: it gives the person the requested role.
    case recovery
  }

  package var id: Int
  package var kind: Kind
  /// The person who gets the device; nil for somebody new.
  package var person: Int?
  package var role: Role
  /// The new person's name; nil if they choose it themselves.
  package var name: String?
  /// Seconds since 1970.
  package var createdAt: Double
  package var expiresAt: Double
  package var codeExpiresAt: Double
  package var usedAt: Double?
  package var madeBy: Int?
  /// The device it was made on, while that is signed in.
  package var madeOn: Int?
}

extension Database {
  private static let columns = """
    SELECT links.id, links.kind, links.person, links.role, coalesce(people.name, links.name), links.created_at,
      links.expires_at, links.code_expires_at, links.used_at, links.made_by, links.made_on, makers.name
    FROM links LEFT JOIN people ON people.id = links.person LEFT JOIN people AS makers ON makers.id = links.made_by
    """

  private static func link(_ row: Row) -> Link? {
    guard let kind = Link.Kind(rawValue: row.text(1)), let role = Role(rawValue: row.text(3)) else { return nil }
    return Link(
      id: row.int(0), kind: kind, person: row.optionalInt(2), role: role, name: row.optionalText(4),
      createdAt: row.double(5), expiresAt: row.double(6), codeExpiresAt: row.double(7),
      usedAt: row.optionalDouble(8), madeBy: row.optionalInt(9), madeOn: row.optionalInt(10))
  }

  func add(
    _ kind: Link.Kind, person: Int?, role: Role, name: String?, _ secrets: LinkSecrets, madeBy: Principal?,
    now: Double, expiresAt: Double
  ) throws(StoreError) -> Int {
    try inserted(
      """
      INSERT INTO links (kind, person, role, name, digest, code_group, code_digest, code_expires_at, created_at,
        expires_at, made_by, made_on, made_by_token)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
      """, .text(kind.rawValue), Value(person), .text(role.rawValue), Value(name), .blob(secrets.secretDigest),
      .text(secrets.codeGroup), .blob(secrets.codeDigest), .double(now + IdentityLimits.codeSeconds), .double(now),
      .double(expiresAt), Value(madeBy?.person), Value(madeBy?.device), Value(madeBy?.token))
  }

  /// The link with a secret, also a used or expired one.
  func link(digest: [UInt8]) throws(StoreError) -> Link? {
    try first("\(Self.columns) WHERE links.digest = ?", .blob(digest), read: Self.link) ?? nil
  }

  /// The valid link with a code.
  func link(codeGroup: String, codeDigest: [UInt8], now: Double) throws(StoreError) -> Link? {
    try first(
      """
      \(Self.columns) WHERE links.code_group = ? AND links.code_digest = ? AND links.used_at IS NULL
        AND links.code_expires_at > ? AND links.code_failures < ?
      """, .text(codeGroup), .blob(codeDigest), .double(now), .int(IdentityLimits.failuresPerCode), read: Self.link)
      ?? nil
  }

  /// The open links of everybody or of one maker, newest first.
  func openLinks(of maker: Int?, now: Double) throws(StoreError) -> [(link: Link, maker: String?)] {
    let open = "\(Self.columns) WHERE links.used_at IS NULL AND links.expires_at > ?"
    let read = { (row: Row) in Self.link(row).map { (link: $0, maker: row.optionalText(11)) } }
    guard let maker else {
      return try rows("\(open) ORDER BY links.id DESC", .double(now), read: read).compactMap { $0 }
    }
    return try rows(
      "\(open) AND links.made_by = ? ORDER BY links.id DESC", .double(now), .int(maker), read: read
    ).compactMap { $0 }
  }

  /// The open links that a person, or a token, has made.
  func countOpenLinks(madeBy maker: Principal, now: Double) throws(StoreError) -> Int {
    let (column, id) = maker.token.map { ("made_by_token", $0) } ?? ("made_by", maker.person ?? 0)
    return try first(
      "SELECT count(*) FROM links WHERE \(column) = ? AND used_at IS NULL AND expires_at > ?", .int(id), .double(now)
    ) { $0.int(0) } ?? 0
  }

  func link(_ id: Int) throws(StoreError) -> Link? {
    try first("\(Self.columns) WHERE links.id = ?", .int(id), read: Self.link) ?? nil
  }

  func removeLink(_ id: Int) throws(StoreError) { try run("DELETE FROM links WHERE id = ?", .int(id)) }

  /// Removes the invitations, and links for others' devices, of somebody who has lost the right.
  func removeLinksForOthers(madeBy person: Int) throws(StoreError) {
    try run(
      "DELETE FROM links WHERE made_by = ? AND used_at IS NULL AND (person IS NULL OR person <> ?)", .int(person),
      .int(person))
  }

  /// Removes somebody's links for their own devices: a thief may have made one on the lost device.
  func removeLinksForThemselves(of person: Int) throws(StoreError) {
    try run(
      "DELETE FROM links WHERE made_by = ? AND person = ? AND used_at IS NULL", .int(person), .int(person))
  }

  /// Counts a wrong guess against every code with these first letters.
  func countFailure(codeGroup: String) throws(StoreError) {
    try run("UPDATE links SET code_failures = code_failures + 1 WHERE code_group = ?", .text(codeGroup))
  }

  func use(link id: Int, by person: Int, now: Double) throws(StoreError) {
    try run("UPDATE links SET used_at = ?, person = ? WHERE id = ?", .double(now), .int(person), .int(id))
  }

  func removeLinks(_ kind: Link.Kind) throws(StoreError) {
    try run("DELETE FROM links WHERE kind = ? AND used_at IS NULL", .text(kind.rawValue))
  }

  /// Removes a maker's used and expired links, except for the newest.
  func forgetLinks(of maker: Int?, but count: Int, now: Double) throws(StoreError) {
    let over = "made_by IS NOT DISTINCT FROM ? AND (used_at IS NOT NULL OR expires_at <= ?)"
    try run(
      "DELETE FROM links WHERE \(over) AND id NOT IN (SELECT id FROM links WHERE \(over) ORDER BY id DESC LIMIT ?)",
      Value(maker), .double(now), Value(maker), .double(now), .int(count))
  }

  func forgetLinks(endedBefore: Double) throws(StoreError) {
    try run("DELETE FROM links WHERE expires_at < ?", .double(endedBefore))
  }
}
