import Store

/// A lease that a hub holds.
struct Lease: Equatable, Sendable {
  var name: String
  /// Grows with each new holder.
  var token: Int
}

extension Database {
  /// Renews a hub's leases, and takes those that have ended.
  /// - Returns: those that it holds now.
  func renew(_ names: [String], of hub: String, for seconds: Double) throws(StoreError) -> [Lease] {
    let now = try serverTime()
    var held: [Lease] = []
    for name in names {
      try run(
        "INSERT INTO hub_leases (name, hub, token, until) VALUES (?, ?, 0, 0) ON CONFLICT (name) DO NOTHING",
        .text(name), .text(hub))
      let kept = try first("SELECT hub, token, until FROM hub_leases WHERE name = ?", .text(name)) {
        (hub: $0.text(0), token: $0.int(1), until: $0.double(2))
      }
      guard let kept, kept.until > 0 && kept.hub == hub || kept.until < now else { continue }
      let isNew = kept.hub != hub || kept.until == 0
      let token = isNew ? kept.token + 1 : kept.token
      try run(
        "UPDATE hub_leases SET hub = ?, token = ?, until = ? WHERE name = ?", .text(hub), .int(token),
        .double(now + seconds), .text(name))
      held.append(Lease(name: name, token: token))
    }
    return held
  }

  /// The leases that nobody has held for so many seconds.
  func idleLeases(for seconds: Double) throws(StoreError) -> [String] {
    try rows("SELECT name FROM hub_leases WHERE until < ? ORDER BY name", .double(try serverTime() - seconds)) {
      $0.text(0)
    }
  }

  /// Forgets all leases, some of which may be those of rooms that are off now. Only for the first hub of several: what
  /// one that stands still has of them is worth nothing then.
  func forgetLeases() throws(StoreError) { try run("DELETE FROM hub_leases") }

  func isHeld(_ lease: Lease, by hub: String) throws(StoreError) -> Bool {
    try first(
      "SELECT 1 FROM hub_leases WHERE name = ? AND hub = ? AND token = ?", .text(lease.name), .text(hub),
      .int(lease.token)
    ) { _ in true } ?? false
  }

  /// Ends all of a hub's leases, so that others need not wait.
  func endLeases(of hub: String) throws(StoreError) {
    try run("UPDATE hub_leases SET until = 0 WHERE hub = ?", .text(hub))
  }
}
