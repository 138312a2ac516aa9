public import Server
public import Store
public import Wire

/// The requirements of a room of the hub: an app in Sources/Apps. Rooms look alike and do not know each other.
/// Docs/adding-a-room.md shows one from end to end.
public protocol Room: Sendable {
  /// The room's description of itself.
  static var plan: RoomPlan { get }

  /// Loads the room's state; the hub serves nothing before that.
  init(_ hub: Hub) async throws(StoreError)

  func addRoutes(to router: inout Router)

  /// Opens the listeners that the room's options ask for, beside the hub's own. Called once by `serve`, before `run`.
  /// - Returns: lines for people, such as the address.
  func listen() async throws(ListenError) -> [String]

  /// The hub has read its certificate again: a listener of the room's own that has the same one does so, too.
  func certificateRenewed()

  /// Starts the room's background tasks. Each ends when it is cancelled, before the store is closed; its errors are
  /// logged, and it is run again after a pause.
  func run(under supervisor: Supervisor)

  /// The hub is about to end: sockets of the room's own are told so, that their clients come back. Called on the hub's
  /// loop, before the server closes connections.
  func hubEnds()

  /// A command beside the hub has changed something in the store. To be implemented by a room that must not wait for
  /// its next look. Called on the hub's loop.
  func commandEnded()

  /// Other programs have changed rows on the database server: what the room keeps of them in memory is read again.
  /// Called on the writer's thread, before a change of this hub looks at it: it reads a few rows, changes none, and
  /// only wakes what takes longer. Each change of such rows says so (`Database.touch`).
  func refresh(_ touches: Touches, in database: Database) throws(StoreError)

  /// Somebody has answered a notification that this room rang: the first action counts, and is told once, in the change
  /// that records it.
  func answered(_ answer: BellAnswer, in change: Change) throws

  /// Whoever would be woken by this room tonight, named as in `Bell.to`; nil, and by default, if these are the
  /// subscribers of its topics, or, for a room without any, if it has nothing to tell anybody. A drill rings their
  /// devices, one by one.
  /// - Parameter person: whoever asks.
  func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON?

  /// A drill of this room has begun in this change, or a device has answered it.
  /// - Parameter drill: the number of one that has begun, with which programs on devices answer; nil for an answer.
  func drilled(_ drill: Int?, in change: Change) throws

  /// The receivers of rings that the room offers: they run while the hub serves.
  var receivers: [any OutboxReceiver] { get }

  /// A person has joined the hub in this change.
  func personJoined(_ id: Int, as role: Role, in change: Change) throws

  /// A person is removed in this change, with all rows that refer to `people (id)`. To be implemented for other data
  /// about them, and for what is in memory (`change.then`). If the room was off then, it is told when it is on again.
  func personRemoved(_ id: Int, in change: Change) throws

  /// A person has another name from this change on.
  func personRenamed(_ id: Int, in change: Change) throws

  /// A device is signed out, or removed, in this change. A later one may have its key.
  /// - Parameter id: the device's key in the hub's tables.
  func deviceRemoved(_ id: Int, in change: Change) throws

  /// A person gives their device another name in this change.
  /// - Parameter id: the device's key in the hub's tables.
  func deviceRenamed(_ id: Int, to name: String, in change: Change) throws

  /// A person's new role in this change has fewer rights. If the room was off then, it is told when it is on again,
  /// when they may have yet another role.
  func personLostRights(_ id: Int, in change: Change) throws

  /// True if a guest of this room is still welcome: their link is valid, and nobody has removed them. Called in the
  /// transaction of each of their changes (`hub.commit`). False by default.
  /// - Parameter id: the guest's key in the room's tables.
  func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool

  /// The guest who sends a request to one of the room's addresses (/api/v1/ID/…), by a secret of the room's own. A
  /// person's session goes before a guest's cookie.
  /// - Returns: nil for a request without such a secret, and by default.
  /// - Throws: 401 for a secret that nobody has.
  func guest(in request: Request) async throws(HTTPError) -> Principal?

  /// Checks what the room depends on outside of the hub, for `eightbells doctor`. Changes nothing; the room's tasks are
  /// not running.
  func examine() async -> [Finding]

  /// The room's metrics.
  var readings: [Reading] { get }

  /// Fills an empty hub with demonstration data, for `serve --demo`; data of an earlier demonstration is brought up to
  /// date. The room has not been opened.
  /// - Throws: `DemoRefusal` if there is other data.
  static func fillDemo(_ hub: Hub) async throws

  /// Suggestions for somebody who tries the demonstration: lines for a terminal.
  /// - Parameters:
  ///   - program: the program's name, as a word of a shell.
  ///   - url: the hub's address.
  static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String]
}

extension Room {
  public func listen() async throws(ListenError) -> [String] { [] }
  public func certificateRenewed() {}
  public func run(under supervisor: Supervisor) {}
  public func hubEnds() {}
  public func commandEnded() {}
  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {}
  public func answered(_ answer: BellAnswer, in change: Change) throws {}
  public func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON? { nil }
  public func drilled(_ drill: Int?, in change: Change) throws {}
  public var receivers: [any OutboxReceiver] { [] }
  public func personJoined(_ id: Int, as role: Role, in change: Change) throws {}
  public func personRemoved(_ id: Int, in change: Change) throws {}
  public func personRenamed(_ id: Int, in change: Change) throws {}
  public func deviceRemoved(_ id: Int, in change: Change) throws {}
  public func deviceRenamed(_ id: Int, to name: String, in change: Change) throws {}
  public func personLostRights(_ id: Int, in change: Change) throws {}
  public func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool { false }
  public func guest(in request: Request) async throws(HTTPError) -> Principal? { nil }
  public func examine() async -> [Finding] { [] }
  public var readings: [Reading] { [] }
  public static func fillDemo(_ hub: Hub) async throws {}
  public static func demoHints(_ hub: Hub, program: String, url: String) async throws -> [String] { [] }
}
