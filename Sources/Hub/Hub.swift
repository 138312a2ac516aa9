public import Client
public import EventLoop
public import Lifecycle
public import Observe
public import Realtime
public import Server
public import Settings
public import Store
import Synchronization

/// What an app gets from the hub: everything it may use of the world outside it.
public final class Hub: Sendable {
  public let loop: EventLoop
  public let time: any TimeSource
  public let log: Log
  /// What the hub counts of itself, for GET /metrics.
  public let metrics: Metrics
  public let store: Store
  public let tokens: Tokens
  public let sessions: Sessions
  public let links: Links
  /// What was typed or sent wrongly of late.
  let codeFailures: Attempts
  let secretFailures: Attempts
  public let channels: Channels
  public let commits: Commits
  public let outbox: Outbox
  /// What works in the background.
  public let supervisor: Supervisor
  public let appearance = Appearance.Source()
  /// All rooms of the program, whether they are switched on or not.
  public let roomList: RoomList
  let roomChoices = RoomChoices()
  private let opened = Mutex<[any Room]>([])
  public let client: HTTPClient
  /// Web servers in front of the hub whose word it does not take.
  public let unbelievedProxy = UnbelievedProxy()
  /// The folder everything is kept in, absolute.
  public let dataFolder: String
  /// Where people reach the hub, such as "https://hub.example", if the owner says so.
  public let publicURL: String?
  /// What the owner has set. A room reads what its plan names (`RoomPlan.options`).
  public let options: Settings

  /// Its own name among the rooms.
  static let roomID = "hub"

  /// The migrations of the hub's own tables.
  public static let migrations = [
    Tokens.migration, Pulse.migration, IdentityTables.migration, AuditActors.migration, DeviceOrigins.migration,
    ChannelKeys.migration, PasskeyTables.migration, DeviceOrigins.ofPasskeys, OutboxTable.migration,
    TokenOrigins.migration, AnswerTable.migration, CommitNumber.migration, RoomChoiceTable.migration,
  ]

  public init(
    loop: EventLoop, time: any TimeSource, log: Log, metrics: Metrics = Metrics(), store: Store, channels: Channels,
    client: HTTPClient, dataFolder: String, rooms: RoomList, options: Settings, publicURL: String? = nil
  ) {
    self.loop = loop
    self.time = time
    self.log = log
    self.metrics = metrics
    self.store = store
    tokens = Tokens(store: store, time: time)
    links = Links(store: store, time: time)
    codeFailures = Attempts(IdentityLimits.codeFailures, time: time)
    secretFailures = Attempts(IdentityLimits.secretFailures, time: time)
    self.channels = channels
    commits = Commits(time: time)
    outbox = Outbox(loop: loop)
    supervisor = Supervisor(loop: loop, log: log, metrics: metrics)
    sessions = Sessions(store: store, loop: loop, supervisor: supervisor)
    self.client = client
    self.dataFolder = dataFolder
    roomList = rooms
    self.options = options
    self.publicURL = publicURL
  }

  /// The rooms that are switched on, once they were opened.
  public var rooms: [any Room] { opened.withLock { $0 } }

  /// The ids of those that are switched off.
  var roomsOff: [String] {
    let on = rooms.map { type(of: $0).plan.id }
    return roomList.plans.map(\.id).filter { !on.contains($0) }
  }

  /// Tells the hub its rooms, before it serves.
  public func open(_ rooms: [any Room]) { opened.withLock { $0 = rooms } }

  /// Opens rooms: each reads what it keeps, and the hub what the owner has chosen of them.
  public func open(_ types: [any Room.Type]) async throws(StoreError) {
    try await readRoomChoice()
    var rooms: [any Room] = []
    for type in types { rooms.append(try await type.init(self)) }
    open(rooms)
  }

  /// Begins what works in the background.
  /// - Parameter receivers: those who take over what rings.
  public func run(_ receivers: [any OutboxReceiver] = []) {
    if !receivers.isEmpty { supervisor.run("outbox") { [self] in try await outbox.run(self, receivers) } }
    for room in rooms { room.run(under: supervisor) }
  }

  /// Ends what works in the background; to be called before the store is closed.
  public func end() async {
    let late = await supervisor.end(within: OperationLimits.endSeconds)
    if !late.isEmpty { log.warning("tasks did not end when they were told", ["tasks": late.joined(separator: ", ")]) }
    await sessions.writeNotes()
  }
}
