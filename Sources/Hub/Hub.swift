public import Client
public import EventLoop
public import Lifecycle
public import Observe
public import Realtime
public import Server
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
  public let appearance = Appearance()
  public let place: HubPlace
  /// What owners set, of the hub and of its rooms.
  public let settings: SettingsParts
  private let opened = Mutex<[any Room]>([])
  /// What ends with a lost device beside the hub's own.
  public let belongings = DeviceBelongings()
  public let client: HTTPClient
  /// Web servers in front of the hub whose word it does not take.
  public let unbelievedProxy = UnbelievedProxy()
  /// The folder everything is kept in, absolute.
  public let dataFolder: String
  /// Where people reach the hub, such as "https://hub.example", if the owner says so.
  public let publicURL: String?
  /// Other folders the owner's configuration allows to be read, absolute.
  public let readableFolders: [String]
  /// Where the Google Calendar API is: an address without a slash at its end.
  public let googleCalendarBase: String

  /// Its own name among the rooms.
  static let roomID = "hub"

  /// The migrations of the hub's own tables.
  public static let migrations = [
    Tokens.migration, Pulse.migration, IdentityTables.migration, AuditActors.migration, DeviceOrigins.migration,
    ChannelKeys.migration, PasskeyTables.migration, DeviceOrigins.ofPasskeys, OutboxTable.migration,
    TokenOrigins.migration, AnswerTable.migration, PlaceTable.migration,
  ]

  public init(
    loop: EventLoop, time: any TimeSource, log: Log, metrics: Metrics = Metrics(), store: Store, channels: Channels,
    client: HTTPClient, dataFolder: String, readableFolders: [String], publicURL: String? = nil,
    googleCalendarBase: String = ""
  ) {
    self.loop = loop
    self.time = time
    self.log = log
    self.metrics = metrics
    self.store = store
    tokens = Tokens(store: store, time: time)
    sessions = Sessions(store: store, loop: loop)
    links = Links(store: store, time: time)
    codeFailures = Attempts(IdentityLimits.codeFailures, time: time)
    secretFailures = Attempts(IdentityLimits.secretFailures, time: time)
    self.channels = channels
    commits = Commits(time: time)
    outbox = Outbox(loop: loop)
    place = HubPlace()
    settings = SettingsParts(PlacePart(place: place))
    supervisor = Supervisor(loop: loop, log: log, metrics: metrics)
    self.client = client
    self.dataFolder = dataFolder
    self.readableFolders = readableFolders
    self.publicURL = publicURL
    self.googleCalendarBase = googleCalendarBase
  }

  /// The rooms that there are, once they were made.
  public var rooms: [any Room] { opened.withLock { $0 } }

  /// Tells the hub its rooms, before it serves. A number or a right that two of them call their own is a programmer's
  /// error.
  public func open(_ rooms: [any Room]) {
    let plans = rooms.map { type(of: $0).plan }
    let errors = ErrorCode.ofServer + ErrorCode.ofHub + plans.flatMap(\.errors)
    precondition(Set(errors).count == errors.count, "two errors have the same number")
    let rights = Right.ofHub + plans.flatMap(\.rights)
    precondition(Set(rights.map(\.id)).count == rights.count, "two rights have the same name")
    opened.withLock { $0 = rooms }
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
