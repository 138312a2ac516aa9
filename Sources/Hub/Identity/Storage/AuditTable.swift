public import Store

/// Something that somebody did.
package struct AuditEntry: Equatable, Sendable {
  package var id: Int
  /// Seconds since 1970.
  package var at: Double
  /// What kind of somebody did it. Names are chosen freely: they do not say it.
  package var by: Principal.Kind
  /// Who did it, by the name of that time: a person's or a token's.
  package var who: String
  /// What was done, such as "person.invited".
  package var what: String
  /// Whom or what it was done to.
  package var about: String?
}

/// Migration 4: keeps what kind of somebody did it, and finds all entries of one person.
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
  /// Writes down who did what, in the same transaction as what was done. What is too old, or too much, makes room.
  /// - Parameters:
  ///   - what: the subject and what became of it, such as "settings.changed"; pages have words for it.
  ///   - about: whom or what it was done to, as people name it. No secrets.
  ///   - now: seconds since 1970.
  public func audit(
    _ principal: Principal, _ what: String, about: String? = nil, now: Double
  ) throws(StoreError) {
    let id = try inserted(
      "INSERT INTO audit (at, actor, person, who, what, about) VALUES (?, ?, ?, ?, ?, ?) RETURNING id", .double(now),
      .text(principal.kind.rawValue), Value(principal.person), .text(principal.name), .text(what), Value(about))
    // Older ones have smaller numbers: to look at the first few is enough, since more go than come.
    try run(
      "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT 10) AND at < ?",
      .double(now - IdentityLimits.auditDays * 86_400))
    if id % IdentityLimits.auditRoom == 0 { try makeRoomInAudit() }
  }

  /// Counting takes milliseconds where there are many, and a turn of the sign far less.
  private func makeRoomInAudit() throws(StoreError) {
    // People by their numbers, since they can call themselves something else; tokens and commands by their names.
    let name = "CASE WHEN person IS NULL THEN actor || ' ' || who ELSE '' END"
    let talkative = try rows(
      "SELECT person, \(name), count(*) FROM audit GROUP BY person, \(name) HAVING count(*) > ?",
      .int(IdentityLimits.auditEntriesOfOne)
    ) { (person: $0.optionalInt(0), name: $0.text(1), count: $0.int(2)) }
    for (person, name, count) in talkative {
      try run(
        """
        DELETE FROM audit WHERE id IN (
          SELECT id FROM audit WHERE person IS ? AND (person IS NOT NULL OR actor || ' ' || who = ?)
          ORDER BY id LIMIT ?)
        """, Value(person), .text(name), .int(count - IdentityLimits.auditEntriesOfOne))
    }
    let all = try first("SELECT count(*) FROM audit") { $0.int(0) } ?? 0
    if all > IdentityLimits.auditEntriesKept {
      try run(
        "DELETE FROM audit WHERE id IN (SELECT id FROM audit ORDER BY id LIMIT ?)",
        .int(all - IdentityLimits.auditEntriesKept))
    }
  }

  /// The entries before one, newest first.
  func auditEntries(before id: Int?, limit: Int) throws(StoreError) -> [AuditEntry] {
    try rows(
      "SELECT id, at, actor, who, what, about FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?", .int(id ?? Int.max),
      .int(limit)
    ) { row in
      AuditEntry(
        id: row.int(0), at: row.double(1), by: Principal.Kind(rawValue: row.text(2)) ?? .person, who: row.text(3),
        what: row.text(4), about: row.optionalText(5))
    }
  }
}
