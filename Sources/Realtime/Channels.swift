import Crypto
public import EventLoop
public import Server
import Synchronization
public import Wire

/// The channels of live events, served over the Pusher Channels protocol to pages and third-party clients; public
/// channels also as Server-Sent Events.
///
/// Every loop has its own listeners (`Shard`); `publish` may be called from any thread. A client that was disconnected
/// has missed events and fetches the state again: events are hints, the API is authoritative.
public final class Channels: Sendable {
  /// The app key in the address /app/eightbells. It is not secret: it distinguishes the apps of a Pusher server.
  public static let appKey = "eightbells"

  private let shards: [Shard]
  /// Held while an event is handed to all loops, so that all of them get all events in one order.
  private let publishing = Mutex(())
  private let opened = Atomic(0)
  fileprivate let grants = Grants()
  private let privateNews = PrivateNews()

  public init(loops: [EventLoop]) { shards = loops.map(Shard.init) }

  /// Serves GET /app/{key} as a WebSocket and GET /events/{channel} as an event stream.
  public func addRoutes(to router: inout Router) {
    router.on(
      .get, "/app/{key}",
      .webSocket { [self] request in
        let number = opened.add(1, ordering: .relaxed).newValue
        let random = Digest.random(4).reduce(0) { $0 << 8 | Int($1) }
        let session = PusherSession(socketID: "\(random).\(number)")
        return Client(self, session, key: request.parameters["key"] ?? "", version: request.query["protocol"])
      })
    router.on(
      .get, "/events/{channel}",
      .eventStream { [self] request throws(HTTPError) in
        let name = request.parameters["channel"] ?? ""
        guard PusherSession.isName(name) else {
          throw HTTPError(
            .noSuchPage, "\"\(name)\" is no channel.",
            help: "A channel's name has 1 to \(PusherSession.longestChannelName) of the characters A-Z a-z 0-9 _-=@,.;")
        }
        guard PusherSession.isPublic(name) else {
          throw HTTPError(
            .roleNotAllowed, "The channel \(name) is not public.", help: "Public channels are served here.")
        }
        return Reader(self, channel: name)
      })
  }

  /// Sends an event to all listeners of the channel, in the order of the calls. For a private channel, the listeners'
  /// rights are checked first.
  /// - Parameters:
  ///   - commit: the number of the change that the event reports. Data fetched with a smaller number is older.
  ///   - data: called once, and only if there is a listener.
  public func publish(
    _ event: String, on channel: String, commit: Int? = nil, _ data: @escaping @Sendable @autoclosure () -> JSON
  ) {
    let news = News(event, on: channel, commit: commit, data)
    if channel.hasPrefix(PusherSession.privatePrefix) { checkListeners(of: channel, then: news) } else { tell(news) }
  }

  private func tell(_ news: News) {
    publishing.withLock { _ in
      for shard in shards where shard.isListened(to: news.channel) { shard.loop.execute { shard.tell(news) } }
    }
  }

  // MARK: Private channels

  /// Starts serving private channels.
  public func open(_ gate: ChannelGate) { grants.open(gate) }

  /// True for the name of a private channel.
  public func isPrivate(_ channel: String) -> Bool {
    channel.hasPrefix(PusherSession.privatePrefix) && PusherSession.isName(channel)
  }

  /// The signature with which a socket may subscribe to a private channel for this holder; nil if there is no such
  /// socket or channel.
  public func grant(_ holder: String, socketID: String, channel: String) -> String? {
    guard PusherSession.isSocketID(socketID), isPrivate(channel) else { return nil }
    return grants.grant(holder, socketID: socketID, channel: channel)
  }

  /// Checks the rights of all listeners of private channels again, since somebody was signed out or has another role.
  public func recheck() {
    for channel in grants.channels { recheck(channel) }
  }

  fileprivate func recheck(_ channel: String) { checkListeners(of: channel, then: nil) }

  /// Ends the subscriptions without a right, and then sends the event to the others. One task per channel works through
  /// its queue.
  private func checkListeners(of channel: String, then news: News?) {
    guard let gate = grants.gate, grants.isListenedTo(channel), privateNews.append(news, to: channel) else { return }
    gate.start { [self] in
      while let queue = privateNews.next(of: channel) {
        let ended = await grants.ended(channel)
        if !ended.isEmpty { for shard in shards { shard.loop.execute { shard.end(channel, ended) } } }
        for news in queue.news { tell(news) }
        if queue.isOverrun { for shard in shards { shard.loop.execute { shard.reconnect(channel) } } }
      }
    }
  }

  /// Disconnects all clients such that they reconnect soon: the hub is shutting down.
  public func close() {
    for shard in shards { shard.loop.perform { shard.close() } }
  }

  fileprivate func shard(of loop: EventLoop) -> Shard {
    guard let shard = shards.first(where: { $0.loop === loop }) else {
      preconditionFailure("a connection came on a loop that has no channels")
    }
    return shard
  }
}

extension CloseCode {
  /// The Pusher protocol's code for reconnecting at once.
  fileprivate static let reconnect = CloseCode(rawValue: 4200)
}

/// The listeners of one loop. Confined to it.
private final class Shard: @unchecked Sendable {
  /// One channel's listeners. Each knows its index, so that removing one is quick however many there are.
  final class Channel {
    let name: String
    var clients: ContiguousArray<Client> = []
    var readers: ContiguousArray<Reader> = []
    /// The holder for whom each client listens to a private channel.
    var holders: [ObjectIdentifier: String] = [:]
    init(_ name: String) { self.name = name }
    var isEmpty: Bool { clients.isEmpty && readers.isEmpty }
  }

  let loop: EventLoop
  private var channels: [String: Channel] = [:]
  private var clients: Set<Client> = []
  /// The names of `channels` for other threads: a loop without listeners is not woken for an event.
  private let names = Mutex<Set<String>>([])

  init(_ loop: EventLoop) { self.loop = loop }

  /// May be called on any thread.
  func isListened(to channel: String) -> Bool { names.withLock { $0.contains(channel) } }

  func tell(_ news: News) {
    guard let channel = channels[news.channel] else { return }
    let encoded = news.encoded
    for client in channel.clients { client.socket?.send(encoded.message) }
    for reader in channel.readers { reader.stream?.send(encoded.event) }
  }

  /// Disconnects the channel's listeners such that they reconnect and fetch what they have missed.
  func reconnect(_ name: String) {
    for client in channels[name]?.clients ?? [] { client.socket?.close(.reconnect, "There was too much to tell.") }
  }

  func close() {
    for client in clients { client.socket?.close(.reconnect, "The hub is restarting.") }
    for reader in channels.values.flatMap(\.readers) { reader.stream?.close() }
  }

  /// Ends the subscriptions made for these holders.
  func end(_ name: String, _ holders: Set<String>) {
    guard let channel = channels[name] else { return }
    for client in channel.clients where holders.contains(channel.holders[ObjectIdentifier(client)] ?? "") {
      client.end(name)
    }
  }

  func add(_ client: Client) { clients.insert(client) }
  func remove(_ client: Client) { clients.remove(client) }

  func channel(_ name: String) -> Channel {
    if let channel = channels[name] { return channel }
    let channel = Channel(name)
    channels[name] = channel
    names.withLock { _ = $0.insert(name) }
    return channel
  }

  func drop(_ channel: Channel) {
    guard channel.isEmpty else { return }
    channels[channel.name] = nil
    names.withLock { _ = $0.remove(channel.name) }
  }
}

/// A client of the Pusher protocol.
private final class Client: WebSocketHandler, Hashable {
  private let channels: Channels
  private var session: PusherSession
  private let key: String
  private let version: String?
  private(set) var socket: WebSocket?
  private var shard: Shard?
  private var places: ContiguousArray<(channel: Shard.Channel, index: Int)> = []

  init(_ channels: Channels, _ session: PusherSession, key: String, version: String?) {
    self.channels = channels
    self.session = session
    self.key = key
    self.version = version
  }

  static func == (a: Client, b: Client) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  func opened(_ socket: WebSocket) {
    self.socket = socket
    let shard = channels.shard(of: socket.loop)
    self.shard = shard
    shard.add(self)
    perform(session.open(appKey: key, expectedKey: Channels.appKey, version: version))
  }

  func received(_ text: String) { perform(session.receive(text)) }

  func closed() {
    while let place = places.last { leave(place.channel) }
    shard?.remove(self)
    socket = nil
  }

  private func perform(_ actions: [PusherSession.Action]) {
    for action in actions {
      switch action {
      case .send(let message): socket?.send(message.text)
      case .subscribe(let name): join(name)
      case .authenticate(let name, let signature): authenticate(name, signature)
      case .unsubscribe(let name):
        if let place = places.first(where: { $0.channel.name == name }) { leave(place.channel) }
      case .close(let code, let reason): socket?.close(CloseCode(rawValue: UInt16(code)), reason)
      }
    }
  }

  private func authenticate(_ name: String, _ signature: String) {
    let holder = channels.grants.use(signature, socketID: session.socketID, channel: name)
    if let holder { shard?.channel(name).holders[ObjectIdentifier(self)] = holder }
    perform(session.authenticated(name, isRight: holder != nil))
    if holder != nil { socket?.signedIn() }
    // The right may have ended while the signature was being checked.
    if holder != nil { channels.recheck(name) }
  }

  func end(_ name: String) { perform(session.end(name)) }

  private func join(_ name: String) {
    guard let channel = shard?.channel(name) else { return }
    places.append((channel, channel.clients.count))
    channel.clients.append(self)
  }

  /// The last listener moves to the place of the one removed.
  private func leave(_ channel: Shard.Channel) {
    guard let own = places.firstIndex(where: { $0.channel === channel }) else { return }
    let index = places.remove(at: own).index
    if let holder = channel.holders.removeValue(forKey: ObjectIdentifier(self)) {
      channels.grants.left(holder, channel.name)
    }
    let last = channel.clients.removeLast()
    if last !== self {
      channel.clients[index] = last
      last.moved(in: channel, to: index)
    }
    shard?.drop(channel)
  }

  private func moved(in channel: Shard.Channel, to index: Int) {
    guard let own = places.firstIndex(where: { $0.channel === channel }) else { return }
    places[own].index = index
  }
}

/// A client that reads one channel as Server-Sent Events.
private final class Reader: EventStreamHandler {
  private let channels: Channels
  private let name: String
  private(set) var stream: EventStream?

  init(_ channels: Channels, channel: String) {
    self.channels = channels
    name = channel
  }

  func opened(_ stream: EventStream) {
    self.stream = stream
    channels.shard(of: stream.loop).channel(name).readers.append(self)
  }

  func closed() {
    guard let stream else { return }
    self.stream = nil
    let shard = channels.shard(of: stream.loop)
    let channel = shard.channel(name)
    channel.readers.removeAll { $0 === self }
    shard.drop(channel)
  }
}
