public import Store

/// A hub that runs, or did so a moment ago.
struct Member: Equatable, Sendable {
  /// `Cluster.id`
  var hub: String
  var host: String
  var version: String
  var blobs: String
  /// Seconds since 1970, by the database server's clock.
  var since = 0.0
}

extension Database {
  /// False for tables from before there could be several hubs, which a newer program may look at.
  func hasMembers() throws(StoreError) -> Bool {
    try first(
      "SELECT 1 FROM migrations WHERE room = ? AND number = ?", .text(ClusterTables.migration.room),
      .int(ClusterTables.migration.number)
    ) { _ in true } ?? false
  }

  /// The hubs that run, the longest running first; those that have ended are forgotten after an hour.
  func members() throws(StoreError) -> [Member] {
    try rows(
      "SELECT hub, host, version, blobs, since FROM hub_members WHERE until > ? ORDER BY since, hub",
      .double(try serverTime())
    ) { Member(hub: $0.text(0), host: $0.text(1), version: $0.text(2), blobs: $0.text(3), since: $0.double(4)) }
  }

  /// A hub that runs and keeps large blobs elsewhere, such as "alpha, since 1795000000".
  func member(withoutBlobsAt place: String) throws(StoreError) -> String? {
    try members().first { $0.blobs != place }.map { "\($0.host), since \(Int($0.since))" }
  }

  /// The names of the hubs that run, or did so within the last minute.
  public func hubsOfLate() throws(StoreError) -> [String] {
    try rows("SELECT hub FROM hub_members WHERE until > ?", .double(try serverTime() - 60)) { $0.text(0) }
  }

  func add(_ member: Member, for seconds: Double) throws(StoreError) {
    let now = try serverTime()
    try run("DELETE FROM hub_members WHERE until < ?", .double(now - 3_600))
    try run(
      "INSERT INTO hub_members (hub, host, version, blobs, since, until) VALUES (?, ?, ?, ?, ?, ?)",
      .text(member.hub), .text(member.host), .text(member.version), .text(member.blobs), .double(now),
      .double(now + seconds))
  }

  /// - Returns: false for a hub that was forgotten meanwhile, as one that could not reach the server for an hour.
  @discardableResult
  func renewMember(_ hub: String, for seconds: Double) throws(StoreError) -> Bool {
    let until = try serverTime() + seconds
    let found = try first(
      "UPDATE hub_members SET until = ? WHERE hub = ? RETURNING hub", .double(until), .text(hub)
    ) { _ in true }
    return found ?? false
  }
}
