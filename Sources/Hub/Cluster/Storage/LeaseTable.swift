import Store

/// A lease that a hub holds.
struct Lease: Equatable, Sendable {
  var name: String
  /// Grows with each new holder.
  var token: Int
}

extension Database {
  /// Renews a hub's leases, and takes those that have ended. Few trips to the server, so that one that is far away, or
  /// slow, is asked in time.
  /// - Returns: those that it holds now.
  func renew(_ names: [String], of hub: String, for seconds: Double) throws(StoreError) -> [Lease] {
    let now = try serverTime()
    let kept = try rows("SELECT name, hub, token, until FROM hub_leases") {
      ($0.text(0), KeptLease(hub: $0.text(1), token: $0.int(2), until: $0.double(3)))
    }
    let before = Dictionary(uniqueKeysWithValues: kept)
    var held: [Lease] = []
    for name in names {
      let free = KeptLease(hub: hub, token: 0, until: 0)
      guard let lease = (before[name] ?? free).asked(by: hub, now: now, for: seconds) else { continue }
      try run(
        """
        INSERT INTO hub_leases (name, hub, token, until) VALUES (?, ?, ?, ?)
        ON CONFLICT (name) DO UPDATE SET hub = excluded.hub, token = excluded.token, until = excluded.until
        """, .text(name), .text(lease.hub), .int(lease.token), .double(lease.until))
      held.append(Lease(name: name, token: lease.token))
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
