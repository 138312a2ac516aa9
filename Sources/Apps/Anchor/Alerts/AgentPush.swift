import Hub
import Store
import Wire

/// The news for agents on the boat: the settings, and if the watch is armed. An agent keeps them, and goes on by
/// itself.
struct AgentPush {
  let anchorage: Anchorage?
  let version: Int
  var isAcknowledged: Bool

  init(_ database: Database) throws(StoreError) {
    anchorage = try database.anchorage()
    let last = try database.lastAnchorVersion()
    version = anchorage?.version ?? last
    let open = try database.openAlarms()
    isAcknowledged = !open.isEmpty && open.allSatisfy { $0.acknowledgedBy != nil }
  }

  /// The answer to a report.
  var members: [JSON.Member] {
    [
      .init("version", .int(version)), .init("armed", .bool(anchorage?.isArmed ?? false)),
      .init("settings", anchorage?.settings ?? .null), .init("acknowledged", .bool(isAcknowledged)),
    ]
  }

  /// Tells all agents that report positions.
  /// - Parameters:
  ///   - drill: the number of a drill that has just begun.
  ///   - silences: true if somebody is on whatever rings on the boat, of which no alarm is open here.
  static func send(drill: Int? = nil, silences: Bool = false, in change: Change) throws {
    let devices = try change.database.anchorSources().filter { $0.kind == .agent }.compactMap(\.device)
    guard !devices.isEmpty else { return }
    var push = try AgentPush(change.database)
    if silences { push.isAcknowledged = true }
    var members = push.members
    if let drill { members.append(.init("drill", JSON(id: drill))) }
    // Settings that follow must not take the place of the word that silences.
    let collapseID = silences ? "anchor.silence" : drill == nil ? "anchor.settings" : "anchor.drill"
    let bell = SilentBell(
      to: .array(devices.map { ["device": JSON(id: $0)] }), userInfo: ["anchor": .object(members)],
      collapseID: collapseID, lifetime: WatchLimits.newsLifetime)
    try change.ring("anchor.settings", bell.json)
  }
}
