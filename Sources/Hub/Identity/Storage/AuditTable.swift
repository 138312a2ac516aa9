public import Store

/// An entry of the audit.
package struct AuditEntry: Equatable, Sendable {
  package var id: Int
  /// Seconds since 1970.
  package var at: Double
  /// The actor's kind. Names are chosen freely and do not tell it.
  package var by: Principal.Kind
  /// The actor's name at that time: a person's, a token's, a guest's, or a room's id.
  package var who: String
  /// The action, such as "person.invited".
  package var what: String
  /// The person or thing concerned.
  package var about: String?
}

/// Migration 4: adds the actor's kind, and an index for all entries of one person.
enum AuditActors {
  static let migration = Migration(
    room: "hub", number: 4,
    sql: """
      ALTER TABLE audit ADD COLUMN actor TEXT NOT NULL DEFAULT 'person';
      UPDATE audit SET actor = 'token' WHERE person IS NULL;
      UPDATE audit SET actor = 'command', who = 'command line' WHERE person IS NULL AND who = 'eightbells';
      CREATE INDEX audit_person ON audit (person)
      """)
}

extension Database {
  /// Adds an entry to the audit, in the same transaction as the change. Entries that are too old, or too many, are
  /// removed.
  /// - Parameters:
  ///   - what: the subject and the action, such as "settings.changed"; pages have words for it.
  ///   - about: the person or thing concerned, by name. No secrets.
  ///   - now: seconds since 1970.
  public func audit(
    _ principal: Principal, _ what: String, about: String? = nil, now: Double
  ) throws(StoreError) {
    let added = try first(
      """
      INSERT INTO audit (at, actor, person, who, what, about) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING id, (SELECT at FROM audit ORDER BY id LIMIT 1)
      """, .double(now), .text(principal.actor), Value(principal.person), .text(principal.name), .text(what),
      Value(about)
    ) { (id: $0.int(0), first: $0.isNull(1) ? now : $0.double(1)) }
    guard let added else { preconditionFailure("an entry was not added") }
    // Older ones have smaller numbers. Checking the first costs next to nothing; removing a few at a time is enough,
    // since it is more than are added.
    let oldest = now - IdentityLimits.auditDays * 86_400
    if added.first < oldest {
      try run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT 10) AND at < ?", .double(oldest))
    }
    if added.id % IdentityLimits.auditRoom == 0 { try makeRoomInAudit() }
  }

  private func makeRoomInAudit() throws(StoreError) {
    let most = IdentityLimits.auditEntriesOfOne
    // People by their keys, since they can change their names; programs and rooms by name. All guests count as one
    // actor, since somebody with a link can become any number of guests.
    let people = try rows(
      "SELECT person, count(*) FROM audit WHERE person IS NOT NULL GROUP BY person HAVING count(*) > ?", .int(most)
    ) { (person: $0.int(0), count: $0.int(1)) }
    for (person, count) in people {
      try run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE person = ? ORDER BY id LIMIT ?)", .int(person),
        .int(count - most))
    }
    let programs = try rows(
      """
      SELECT actor, who, count(*) FROM audit WHERE person IS NULL AND actor NOT LIKE 'guest %'
      GROUP BY actor, who HAVING count(*) > ?
      """, .int(most)
    ) { (actor: $0.text(0), who: $0.text(1), count: $0.int(2)) }
    for (actor, who, count) in programs {
      try run(
        """
        DELETE FROM audit WHERE id IN (
          SELECT id FROM audit WHERE person IS NULL AND actor = ? AND who = ? ORDER BY id LIMIT ?)
        """, .text(actor), .text(who), .int(count - most))
    }
    let guests = try first("SELECT count(*) FROM audit WHERE actor LIKE 'guest %'") { $0.int(0) } ?? 0
    if guests > most {
      try run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE actor LIKE 'guest %' ORDER BY id LIMIT ?)",
        .int(guests - most))
    }
    let all = try first("SELECT count(*) FROM audit") { $0.int(0) } ?? 0
    if all > IdentityLimits.auditEntriesKept {
      try run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ?)",
        .int(all - IdentityLimits.auditEntriesKept))
    }
  }

  /// Numbers the entries anew by their times: of a demonstration, each room has told its past by itself.
  func sortAudit() throws(StoreError) {
    let last = try first("SELECT max(id) FROM audit", read: { $0.optionalInt(0) }) ?? nil
    try run(
      """
      INSERT INTO audit (at, actor, person, who, what, about)
      SELECT at, actor, person, who, what, about FROM audit ORDER BY at, id
      """)
    try run("DELETE FROM audit WHERE id <= ?", Value(last))
  }

  /// The entries before a number, newest first.
  /// - Parameter actions: nil for all.
  func auditEntries(of actions: [String]?, before id: Int?, limit: Int) throws(StoreError) -> [AuditEntry] {
    let among = actions.map { "AND what IN (\(Array(repeating: "?", count: $0.count).joined(separator: ", ")))" } ?? ""
    var entries: [AuditEntry] = []
    try scan(
      "SELECT id, at, actor, who, what, about FROM audit WHERE id < ? \(among) ORDER BY id DESC LIMIT ?",
      [.int(id ?? Int.max)] + (actions ?? []).map(Value.text) + [.int(limit)], isMade: true
    ) { row in
      entries.append(
        AuditEntry(
          id: row.int(0), at: row.double(1), by: Principal.kind(ofActor: row.text(2)), who: row.text(3),
          what: row.text(4), about: row.optionalText(5)))
      return false
    }
    return entries
  }
}

extension Principal {
  /// The actor's kind in the audit; for a guest its identity, since names are not unique.
  fileprivate var actor: String { kind == .guest ? caller : kind.rawValue }

  fileprivate static func kind(ofActor actor: String) -> Kind {
    Kind(rawValue: String(actor.prefix { $0 != " " })) ?? .person
  }
}
