import Hub
import Store
import Wire

/// The news for agents on the boat: the settings, and if the watch is armed. An agent keeps them, and goes on by
/// itself.
struct AgentPush {
  let anchorage: Anchorage?
  let version: Int
  let isAcknowledged: Bool

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
  /// - Parameter drill: the number of a drill that has just begun.
  static func send(drill: Int? = nil, in change: Change) throws {
    let devices = try change.database.anchorSources().filter { $0.kind == .agent }.compactMap(\.device)
    guard !devices.isEmpty else { return }
    var members = try AgentPush(change.database).members
    if let drill { members.append(.init("drill", JSON(id: drill))) }
    let bell = SilentBell(
      to: .array(devices.map { ["device": JSON(id: $0)] }), userInfo: ["anchor": .object(members)],
      collapseID: drill == nil ? "anchor.settings" : "anchor.drill", lifetime: WatchLimits.newsLifetime)
    try change.ring("anchor.settings", bell.json)
  }
}
