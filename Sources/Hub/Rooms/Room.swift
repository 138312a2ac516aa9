public import Server
public import Store

/// What every app fulfils. An app is a room of the hub: rooms look alike and do not know each other.
/// Docs/adding-a-room.md shows one from end to end.
public protocol Room: Sendable {
  /// What it says of itself.
  static var plan: RoomPlan { get }

  /// Reads what it keeps; the hub serves nothing before that.
  init(_ hub: Hub) async throws(StoreError)

  func addRoutes(to router: inout Router)

  /// Names what it does in the background. Each task ends when it is cancelled, before the store is closed; what it
  /// throws is written to the log, and it is run again after a while.
  func run(under supervisor: Supervisor)

  /// A person is removed in this change, and what refers to `people (id)` goes with them. For all else that the room
  /// keeps of them, and for what it has in memory (`change.then`).
  func personRemoved(_ id: Int, in change: Change) throws

  /// A person has another role now, by which they may less.
  func personLostRights(_ id: Int, in change: Change) throws

  /// Whether a guest of this room may still come in: their link is good, and nobody has turned them out. It is asked in
  /// the transaction of each change that they make (`hub.commit`). A room without guests says no.
  /// - Parameter id: the guest's key in the room's tables.
  func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool

  /// Looks for itself at what it depends on outside of the hub, for `eightbells doctor`. Changes nothing; the room has
  /// not been started.
  func examine() async -> [Finding]

  /// What it tells of itself at /metrics.
  var readings: [Reading] { get }

  /// Fills an empty hub with something to look at, for `serve --demo`; where it is filled already, brings that up to
  /// date. The room has not been opened.
  /// - Throws: `DemoRefusal` where there is somebody's own.
  static func fillDemo(_ hub: Hub) async throws

  /// What somebody who looks at the demo may do next: lines for a terminal.
  /// - Parameters:
  ///   - program: how the program is called.
  ///   - url: where the hub listens.
  static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String]
}

extension Room {
  public func run(under supervisor: Supervisor) {}
  public func personRemoved(_ id: Int, in change: Change) throws {}
  public func personLostRights(_ id: Int, in change: Change) throws {}
  public func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool { false }
  public func examine() async -> [Finding] { [] }
  public var readings: [Reading] { [] }
  public static func fillDemo(_ hub: Hub) async throws {}
  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] { [] }
}
