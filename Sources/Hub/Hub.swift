public import Client
public import EventLoop
public import Lifecycle
public import Observe
public import Realtime
public import Server
public import Settings
public import Store
import Synchronization
public import Wire

/// Everything that a room may use of the world outside it.
public final class Hub: Sendable {
  public let loop: EventLoop
  /// All event loops, for listeners of rooms; the first is `loop`.
  public let loops: [EventLoop]
  public let time: any TimeSource
  public let log: Log
  /// The hub's metrics, for GET /metrics.
  public let metrics = Metrics()
  public let store: Store
  public let tokens: Tokens
  public let sessions: Sessions
  public let links: Links
  /// Recent wrong codes.
  let codeFailures: Attempts
  let secretFailures: Attempts
  public let channels: Channels
  public let commits: Commits
  public let outbox: Outbox
  /// The requests with an Idempotency-Key that wait for others at this moment (`answer(once:as:)`).
  let underWay = Mutex<Set<[UInt8]>>([])
  private let joined = Mutex<Cluster?>(nil)
  /// The functions by which rooms hear messages of other hubs, by topic.
  let hears = Mutex<[String: @Sendable (JSON) -> Void]>([:])
  /// The others on the same database server; nil where the records are in a file, which has one hub.
  var cluster: Cluster? { joined.withLock { $0 } }
  /// True once the hub sends those who listen to the others (`drain`).
  let isLeaving = Atomic(false)
  /// This hub's name among those on the same database server; nil where the records are in a file.
  public var nameAmongHubs: String? { cluster?.id }
  /// Runs the background tasks.
  public let supervisor: Supervisor
  public let appearance = Appearance()
  public let place: HubPlace
  /// The owner's settings of the hub and its rooms, composed of parts.
  public let settings: SettingsParts
  /// Data that rooms offer to each other.
  public let offers = Offers()
  /// All rooms of the program, also those that are switched off.
  public let roomList: RoomList
  let roomChoices = RoomChoices()
  private let opened = Mutex<(all: [any Room], byID: [String: any Room])>(([], [:]))
  public let client: HTTPClient
  /// Detects web servers in front of the hub that are not trusted.
  public let unbelievedProxy = UnbelievedProxy()
  /// The absolute path of the data folder.
  public let dataFolder: String
  /// The hub's public address, such as "https://hub.example", if the owner has set it.
  public let publicURL: String?
  /// In a list: a closure alone would be wrapped once more, and need more of the stack, each time it is read.
  private let network = Mutex<[@Sendable () -> String?]>([])
  /// False where `networkURL` is always nil; much cheaper to ask.
  var hasNetworkURL: Bool { network.withLock { !$0.isEmpty } }
  /// The base address by which other devices of the network find the hub; nil if none is known, or if `publicURL` is.
  public var networkURL: String? { network.withLock { $0 }.first?() }
  /// Networks that the hub may connect to although they are not the public Internet.
  public let reachable: [AddressRange]
  /// The owner's settings. A room reads those in its plan (`RoomPlan.options`).
  public let options: Settings

  /// The hub's own id, as of a room.
  static let roomID = "hub"

  /// The migrations of the hub's own tables.
  public static let migrations = [
    Tokens.migration, Pulse.migration, IdentityTables.migration, AuditActors.migration, DeviceOrigins.migration,
    ChannelKeys.migration, PasskeyTables.migration, DeviceOrigins.ofPasskeys, OutboxTable.migration,
    IdentityNumbers.migration,
    TokenOrigins.migration, AnswerTable.migration, CommitNumber.migration, RoomChoiceTable.migration,
    PlaceTable.migration, TokenTopics.migration, ClusterTables.migration, PassedTable.migration,
    UntoldTable.migration,
  ]

  public init(
    loop: EventLoop, time: any TimeSource, log: Log, store: Store, channels: Channels, client: HTTPClient,
    dataFolder: String, rooms: RoomList, options: Settings, reachable: [AddressRange] = [],
    publicURL: String? = nil, loops: [EventLoop] = []
  ) {
    self.loop = loop
    self.loops = loops.isEmpty ? [loop] : loops
    self.time = time
    self.log = log
    self.store = store
    tokens = Tokens(store: store, time: time)
    links = Links(store: store, time: time)
    codeFailures = Attempts(IdentityLimits.codeFailures, time: time)
    secretFailures = Attempts(IdentityLimits.secretFailures, time: time)
    self.channels = channels
    commits = Commits(time: time)
    outbox = Outbox(loop: loop)
    place = HubPlace()
    settings = SettingsParts(PlacePart(place: place))
    supervisor = Supervisor(loop: loop, log: log, metrics: metrics)
    sessions = Sessions(store: store, loop: loop, supervisor: supervisor)
    self.client = client
    self.dataFolder = dataFolder
    roomList = rooms
    self.options = options
    self.reachable = reachable
    self.publicURL = publicURL
  }

  /// Sets how the address in the network is found: asked anew each time, since a machine may join one later.
  public func findNetworkURL(_ find: @escaping @Sendable () -> String?) { network.withLock { $0 = [find] } }

  /// The rooms that are switched on, once they are open.
  public var rooms: [any Room] { opened.withLock { $0.all } }

  /// One of them by its id.
  func room(_ id: String) -> (any Room)? { opened.withLock { $0.byID[id] } }

  /// The rights of the hub and of the rooms that are switched on.
  var rights: [Right] { Right.ofHub + rooms.flatMap { type(of: $0).plan.rights } }

  /// The ids of the rooms that are switched off.
  var roomsOff: [String] {
    let on = rooms.map { type(of: $0).plan.id }
    return roomList.plans.map(\.id).filter { !on.contains($0) }
  }

  /// Sets the hub's rooms, before it serves.
  public func open(_ rooms: [any Room]) {
    let byID = Dictionary(rooms.map { (type(of: $0).plan.id, $0) }) { first, _ in first }
    opened.withLock { $0 = (rooms, byID) }
  }

  /// Opens rooms: each loads its state, and the hub the owner's choice of rooms.
  public func open(_ types: [any Room.Type]) async throws(StoreError) {
    try await place.load(from: store)
    try await readRoomChoice()
    var rooms: [any Room] = []
    for type in types { rooms.append(try await type.init(self)) }
    open(rooms)
  }

  /// Others may change the store too from now on. To be called when the rooms are open.
  /// - Parameters:
  ///   - number: that of the last change before the rooms have read the store.
  ///   - serves: false for a command, of which the others need not know.
  /// - Throws: `.inUse` if other hubs have another folder of large blobs.
  public func join(_ bus: any Bus = NoBus(), asOf number: Int, serves: Bool) async throws(StoreError) {
    let cluster = Cluster(self, bus, asOf: number)
    if serves { try await cluster.enter() }
    joined.withLock { $0 = cluster }
    supervisor.share(cluster.leases)
    try await store.share(cluster)
  }

  /// Others have changed the store: what is in memory is read again. Called on the writer's thread.
  func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.place) { try place.refresh(from: database) }
    if touches.has(.rooms) { roomChoices.set(try database.roomChoice(), commit: touches.commit) }
    if touches.has(.rights) { channels.recheck() }
    if touches.has(.outbox) { outbox.wakeForOthers() }
    if touches.has(.leases) { cluster?.leases.wake() }
    for room in rooms { try room.refresh(touches, in: database) }
  }

  /// Starts the background tasks.
  /// - Parameter receivers: the receivers of rings. `serve` passes those of the rooms.
  public func run(_ receivers: [any OutboxReceiver] = []) {
    if let cluster {
      supervisor.run("cluster") { try await cluster.run() }
      supervisor.run("cluster.channels") { try await cluster.runChannels() }
      supervisor.run("leases") { try await cluster.leases.keep() }
      supervisor.run("leases.watch") { try await cluster.leases.watch() }
      supervisor.run("leases.stalled") { try await cluster.leases.endStalled() }
    }
    if !receivers.isEmpty { supervisor.run("outbox") { [self] in try await outbox.run(self, receivers) } }
    if store.blobs.hasBucket { tendBlobs() }
    for room in rooms { room.run(under: supervisor) }
  }

  /// A command beside the hub has changed something: rings are delivered, and the rooms look at once.
  public func commandEnded() {
    outbox.wake()
    for room in rooms { room.commandEnded() }
  }

  /// Ends the background tasks; to be called before the store is closed.
  public func end() async {
    let late = await supervisor.end(within: OperationLimits.endSeconds)
    if !late.isEmpty { log.warning("tasks did not end when they were told", ["tasks": late.joined(separator: ", ")]) }
    await cluster?.leases.end()
    // Behind all that tasks have said when they ended.
    cluster?.bus.end()
    await sessions.writeNotes()
  }
}
