public import Client
public import EventLoop
public import Lifecycle
public import Observe
public import Realtime
public import Server
public import Store

/// What an app gets from the hub: everything it may use of the world outside it.
public struct Hub: Sendable {
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
  public let appearance = Appearance.Source()
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

  /// The migrations of the hub's own tables.
  public static let migrations = [
    Tokens.migration, Pulse.migration, IdentityTables.migration, AuditActors.migration, DeviceOrigins.migration,
    ChannelKeys.migration, PasskeyTables.migration, DeviceOrigins.ofPasskeys,
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
    self.client = client
    self.dataFolder = dataFolder
    self.readableFolders = readableFolders
    self.publicURL = publicURL
    self.googleCalendarBase = googleCalendarBase
  }
}

/// What every app fulfils. An app is a room of the hub: rooms look alike and do not know each other.
public protocol Room: Sendable {
  /// The migrations of its tables.
  static var migrations: [Migration] { get }

  /// Reads what it keeps; the hub serves nothing before that.
  init(_ hub: Hub) async throws(StoreError)

  func addRoutes(to router: inout Router)

  /// Begins to watch what it watches. Called on the loop.
  func start()

  /// Looks for itself at what it depends on outside of the hub, for `eightbells doctor`. Changes nothing; the room has
  /// not been started.
  func examine() async -> [Finding]
}

extension Room {
  public func examine() async -> [Finding] { [] }
}
