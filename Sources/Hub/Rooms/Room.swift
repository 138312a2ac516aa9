public import Server
public import Store

/// What every app fulfils. An app is a room of the hub: rooms look alike and do not know each other.
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

  /// Looks for itself at what it depends on outside of the hub, for `eightbells doctor`. Changes nothing; the room has
  /// not been started.
  func examine() async -> [Finding]
}

extension Room {
  public func run(under supervisor: Supervisor) {}
  public func personRemoved(_ id: Int, in change: Change) throws {}
  public func personLostRights(_ id: Int, in change: Change) throws {}
  public func examine() async -> [Finding] { [] }
}
