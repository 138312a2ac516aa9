import Crypto
public import Store
public import Wire

/// The incoming hooks.
extension Database {
  /// Adds a hook.
  /// - Parameter maker: whoever makes it, such as "token 7" or "person 3".
  /// - Returns: its id; nil if there are as many as allowed.
  public func addHook(
    _ name: String, secret: String, to: JSON, template: ContentTemplate, by maker: String? = nil, now: Double
  ) throws(StoreError) -> Int? {
    guard try hooks().count < WebhookLimits.hooks else { return nil }
    // The time, so that a number is not used again when its hook was removed.
    let last = try first("SELECT max(id) FROM webhook_hooks", read: { $0.int(0) }) ?? 0
    let words = maker?.split(separator: " ").map(String.init) ?? []
    var recipients = to
    if words.count == 2, Self.makers.contains(words[0]), let number = Int(words[1]) {
      recipients = .object([.init("to", to), .init(words[0], .int(number))])
    }
    return try inserted(
      """
      INSERT INTO webhook_hooks (id, name, secret, recipients, template, created_at) VALUES (?, ?, ?, ?, ?, ?)
      RETURNING id
      """, .int(max(last + 1, Int(now))), .text(name), .blob(Digest.sha256(secret.utf8)),
      .text(recipients.text), .text(template.json.text), .double(now))
  }

  public func hooks() throws(StoreError) -> [IncomingHook] {
    try rows("\(Self.selectHooks) ORDER BY id", read: Self.hook).compactMap { $0 }
  }

  public func hook(_ id: Int) throws(StoreError) -> IncomingHook? {
    try first("\(Self.selectHooks) WHERE id = ?", .int(id), read: Self.hook) ?? nil
  }

  public func hook(secret: String) throws(StoreError) -> IncomingHook? {
    try first("\(Self.selectHooks) WHERE secret = ?", .blob(Digest.sha256(secret.utf8)), read: Self.hook) ?? nil
  }

  /// - Returns: false if there is none.
  public func removeHook(_ id: Int) throws(StoreError) -> Bool {
    try first("DELETE FROM webhook_hooks WHERE id = ? RETURNING id", .int(id), read: { _ in true }) ?? false
  }

  /// Records that a hook was used; within an hour only the first time, to save writes.
  public func noteHook(_ id: Int, usedAt now: Double) throws(StoreError) {
    try run(
      "UPDATE webhook_hooks SET used_at = ? WHERE id = ? AND (used_at IS NULL OR used_at < ? OR used_at > ?)",
      .double(now), .int(id), .double(now - 3_600), .double(now))
  }

  private static let selectHooks = "SELECT id, name, recipients, template, created_at, used_at FROM webhook_hooks"

  /// The hub itself wrote the JSON; a row that cannot be read is none.
  private static func hook(_ row: Row) -> IncomingHook? {
    guard let to = try? JSON(parsing: row.text(2)), let json = try? JSON(parsing: row.text(3)),
      let template = try? ContentTemplate(json)
    else { return nil }
    // No target is named "to": its maker stands beside the recipients.
    let maker = to["to"].flatMap { _ in makers.compactMap { kind in to[kind]?.int.map { "\(kind) \($0)" } }.first }
    return IncomingHook(
      id: row.int(0), name: row.text(1), to: to["to"] ?? to, template: template, maker: maker,
      createdAt: row.double(4), usedAt: row.optionalDouble(5))
  }

  /// The kinds of makers that are kept.
  private static let makers = ["token", "person"]
}
