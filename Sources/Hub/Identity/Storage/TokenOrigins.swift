import Store

/// Records which token made a link or another token, which end with it.
enum TokenOrigins {
  static let migration = Migration(
    room: "hub", number: 7,
    sql: """
      ALTER TABLE links ADD COLUMN made_by_token INTEGER REFERENCES tokens (id) ON DELETE CASCADE;
      ALTER TABLE tokens ADD COLUMN made_by_token INTEGER REFERENCES tokens (id) ON DELETE CASCADE;
      CREATE INDEX links_made_by_token ON links (made_by_token);
      CREATE INDEX tokens_made_by_token ON tokens (made_by_token);
      CREATE INDEX tokens_made_by ON tokens (made_by)
      """)
}

extension Change {
  /// Revokes what a former owner made: tokens with all that those have made, invitations, and links for others.
  func revokeMade(by person: Int) throws(StoreError) {
    for token in try database.rows("SELECT id FROM tokens WHERE made_by = ?", .int(person), read: { $0.int(0) }) {
      try revoke(token: token)
    }
    try database.removeLinksForOthers(madeBy: person)
  }

  /// Revokes a token, and what was made with it: tokens, links, and what rooms keep.
  /// - Returns: its name; nil if there was none.
  @discardableResult
  func revoke(token id: Int) throws(StoreError) -> String? {
    for made in try database.rows("SELECT id FROM tokens WHERE made_by_token = ?", .int(id), read: { $0.int(0) }) {
      try revoke(token: made)
    }
    guard let name = try database.removeToken(id) else { return nil }
    try endBelongings(ofToken: id)
    rightsChanged()
    try audit("token.revoked", about: name)
    return name
  }
}
