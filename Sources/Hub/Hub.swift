public import Client
public import EventLoop
public import Lifecycle
public import Observe
public import Realtime
public import Server
public import Store
import Wire

/// What an app gets from the hub: everything it may use of the world outside it.
public struct Hub: Sendable {
  public let loop: EventLoop
  public let time: any TimeSource
  public let log: Log
  /// What the hub counts of itself, for GET /metrics.
  public let metrics: Metrics
  public let store: Store
  public let tokens: Tokens
  public let channels: Channels
  public let client: HTTPClient
  /// The folder everything is kept in, absolute.
  public let dataFolder: String
  /// Other folders the owner's configuration allows to be read, absolute.
  public let readableFolders: [String]
  /// Where the Google Calendar API is: an address without a slash at its end.
  public let googleCalendarBase: String

  /// The migrations of the hub's own tables.
  public static let migrations = [Tokens.migration, Pulse.migration]

  public init(
    loop: EventLoop, time: any TimeSource, log: Log, metrics: Metrics = Metrics(), store: Store, channels: Channels,
    client: HTTPClient, dataFolder: String, readableFolders: [String], googleCalendarBase: String = ""
  ) {
    self.loop = loop
    self.time = time
    self.log = log
    self.metrics = metrics
    self.store = store
    tokens = Tokens(store: store, time: time)
    self.channels = channels
    self.client = client
    self.dataFolder = dataFolder
    self.readableFolders = readableFolders
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

extension Hub {
  /// Who asks, if the request carries a token of one of these roles.
  /// - Throws: 401 without a known token, 403 for another role.
  public func authorise(_ request: Request, _ roles: Set<Role>) async throws(HTTPError) -> Principal {
    let challenge = [Response.Field("WWW-Authenticate", "Bearer")]
    let help = "Send Authorization: Bearer TOKEN; eightbells token create makes one."
    guard let header = request.head.fields["authorization"] else {
      throw HTTPError(.noToken, "A token is needed.", help: help, fields: challenge)
    }
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let principal = try await stored({ () throws(StoreError) in try await tokens.principal(of: String(parts[1])) })
    else {
      // Whoever guesses can be told from the log, and held off by what reads it.
      log.warning("an unknown token was used", ["from": request.peer, "path": String(request.head.path)])
      throw HTTPError(.unknownToken, "The token is unknown.", help: help, fields: challenge)
    }
    guard roles.contains(principal.role) else {
      let accepted = Role.allCases.filter(roles.contains).map(\.rawValue).joined(separator: " or ")
      throw HTTPError(
        .roleNotAllowed, "The token is a \(principal.role.rawValue)'s.", help: "The role \(accepted) is accepted here.")
    }
    return principal
  }

  /// Turns the store's failure into an answer, and writes it down: a client can do nothing about it, an owner can.
  public func stored<T>(_ work: () async throws(StoreError) -> T) async throws(HTTPError) -> T {
    do throws(StoreError) {
      return try await work()
    } catch {
      log.error("the store failed", ["error": error.message, "context": error.context])
      guard error.code != .diskFull else {
        throw HTTPError(
          .diskFull, "There is no room left where the hub keeps its data.",
          help: "What was sent is not kept; what is kept can be read. The owner has to make room.")
      }
      throw HTTPError(
        .failed, "The hub could not read or write its data.", help: "The hub's log says why; what was sent is not kept."
      )
    }
  }
}
