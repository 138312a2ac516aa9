public import Store

/// Something that somebody did.
package struct AuditEntry: Equatable, Sendable {
  package var id: Int
  /// Seconds since 1970.
  package var at: Double
  /// Who did it, by the name of that time: a person, or a token.
  package var who: String
  /// What was done, such as "person.invited".
  package var what: String
  /// Whom or what it was done to.
  package var about: String?
}

extension Database {
  /// Writes down who did what, in the same transaction as what was done. Where something is done in a loop, its last
  /// entries of a day stay, and those of all else.
  /// - Parameters:
  ///   - what: the subject and what became of it, such as "settings.changed"; pages have words for it.
  ///   - about: whom or what it was done to, as people name it. No secrets.
  ///   - now: seconds since 1970.
  public func audit(
    _ principal: Principal, _ what: String, about: String? = nil, now: Double
  ) throws(StoreError) {
    let id = try inserted(
      "INSERT INTO audit (at, person, who, what, about) VALUES (?, ?, ?, ?, ?) RETURNING id", .double(now),
      Value(principal.person), .text(principal.name), .text(what), Value(about))
    // Each entry comes by here once, when so many more have followed it.
    let subject = what.prefix { $0 != "." }
    try run(
      "DELETE FROM audit WHERE id = ? AND at > ? AND what LIKE ?", .int(id - IdentityLimits.auditOfDay),
      .double(now - 86_400), .text("\(subject).%"))
  }

  /// The entries before one, newest first.
  func auditEntries(before id: Int?, limit: Int) throws(StoreError) -> [AuditEntry] {
    try rows(
      "SELECT id, at, who, what, about FROM audit WHERE id < ? ORDER BY id DESC LIMIT ?", .int(id ?? Int.max),
      .int(limit)
    ) { AuditEntry(id: $0.int(0), at: $0.double(1), who: $0.text(2), what: $0.text(3), about: $0.optionalText(4)) }
  }

  func forgetAudit(before: Double) throws(StoreError) { try run("DELETE FROM audit WHERE at < ?", .double(before)) }
}
