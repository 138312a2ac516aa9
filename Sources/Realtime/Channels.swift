import Crypto
public import EventLoop
public import Server
import Synchronization
public import Wire

/// The channels of live events, served over the Pusher Channels protocol to pages and third-party clients: those of the
/// hub itself, and of apps (Apps/ChannelsOfApps.swift). Public channels of the hub are also served as Server-Sent
/// Events.
///
/// `publish` may be called from any thread. A client of the hub that was disconnected has missed events and fetches the
/// state again: events are hints, the API is authoritative.
public final class Channels: Sendable {
  /// The hub's own app, in the address /app/eightbells. Its key is not secret: it distinguishes the apps of a Pusher
  /// server.
  public static let appKey = "eightbells"

  /// The hub's own channels.
  let own: AppChannels
  let apps: Apps
  private let opened = Atomic(0)
  let grants = Grants()
  private let privateNews = PrivateNews()

  public init(loops: [EventLoop]) {
    apps = Apps(loops: loops)
    own = AppChannels(
      RealtimeApp(id: Self.appKey, key: Self.appKey, secrets: []), loops: loops, directory: nil, budget: apps.budget)
  }

  /// Serves GET /app/{key} as a WebSocket and GET /events/{channel} as an event stream.
  public func addRoutes(to router: inout Router) {
    // At the other two there is nothing: a client learns that by a code, for which it has to be connected.
    for path in ["/app/{key}", "/app", "/app/{key}/{more}"] {
      router.on(
        .get, path,
        .webSocket(RealtimeLimits.messages) { [self] request in
          let number = opened.add(1, ordering: .relaxed).newValue
          let random = Digest.random(4).reduce(0) { $0 << 8 | Int($1) }
          return Client(self, PusherSession(socketID: "\(random).\(number)"), request)
        })
    }
    router.on(
      .get, "/events/{channel}", rate: .questions,
      .eventStream { [self] request throws(HTTPError) in
        let name = request.parameters["channel"] ?? ""
        guard ChannelName.isRight(name) else {
          throw HTTPError(.noSuchPage, "\"\(name)\" is no channel.", help: ChannelName.rule)
        }
        guard ChannelName(name).isPublic else {
          throw HTTPError(
            .roleNotAllowed, "The channel \(name) is not public.", help: "Public channels are served here.")
        }
        return Reader(own, channel: name)
      })
  }

  /// Sends an event to all listeners of one of the hub's channels, in the order of the calls. For a private channel,
  /// the listeners' rights are checked first.
  /// - Parameters:
  ///   - commit: the number of the change that the event reports. Data fetched with a smaller number is older.
  ///   - data: called once, and only if there is a listener.
  public func publish(
    _ event: String, on channel: String, commit: Int? = nil, _ data: @escaping @Sendable @autoclosure () -> JSON
  ) {
    let news = News(event, on: channel, commit: commit, text: data().text)
    if ChannelName(channel).isPrivate { checkListeners(of: channel, then: news) } else { own.tell(news) }
  }

  // MARK: Private channels

  /// Starts serving private channels.
  public func open(_ gate: ChannelGate) { grants.open(gate) }

  /// True for the name of a private channel.
  public func isPrivate(_ channel: String) -> Bool { ChannelName(channel).isPrivate && ChannelName.isRight(channel) }

  /// The signature with which a socket may subscribe to a private channel for this holder; nil if there is no such
  /// socket or channel.
  public func grant(_ holder: String, socketID: String, channel: String) -> String? {
    guard SocketID.isRight(socketID), isPrivate(channel) else { return nil }
    return grants.gate?.signature(holder, socketID: socketID, channel: channel)
  }

  /// Checks the rights of all listeners of private channels again, since somebody was signed out or has another role.
  public func recheck() {
    for channel in grants.channels { recheck(channel) }
  }

  /// Listeners of one of the hub's channels may have missed an event: they are told to connect again, and ask then.
  public func missed(_ channel: String) {
    for shard in own.shards { shard.loop.execute { shard.reconnect(channel) } }
  }

  func recheck(_ channel: String) { checkListeners(of: channel) }

  /// Checks the right of one listener again.
  func check(_ holder: String, on channel: String) { checkListeners(of: channel, only: holder) }

  /// Ends the subscriptions without a right, and then sends the event to the others. One task per channel works through
  /// its queue.
  /// - Parameter holder: the one to be checked; nil for all.
  private func checkListeners(of channel: String, only holder: String? = nil, then news: News? = nil) {
    guard let gate = grants.gate, grants.isListenedTo(channel),
      privateNews.append(news, afterCheckOf: holder, to: channel)
    else { return }
    gate.start { [self] in
      while let queue = privateNews.next(of: channel) {
        guard let ended = await grants.ended(channel, among: queue.holders) else {
          // Nobody gets what may be for others only. The rights of those who come back are looked at anew.
          missed(channel)
          continue
        }
        if !ended.isEmpty { for shard in own.shards { shard.loop.execute { shard.end(ended, of: channel) } } }
        for news in queue.news { own.tell(news) }
        if queue.isOverrun { missed(channel) }
      }
    }
  }

  // MARK: Connections

  /// Disconnects all clients such that they reconnect soon: the hub is shutting down.
  public func close() {
    for app in [own] + apps.all { app.close(CloseCode.reconnectNow, "The hub is restarting.") }
  }
}
