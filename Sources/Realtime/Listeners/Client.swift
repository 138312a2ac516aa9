import EventLoop
import Server
import Wire

/// A client of the Pusher protocol. Confined to its loop, but for what says otherwise.
final class Client: WebSocketHandler, Hashable, @unchecked Sendable {
  /// The data needed until the client's app is known.
  private final class Arrival {
    let key: String
    let version: String?
    /// False at an address below /app where no app is.
    let isPlace: Bool
    var waiting: [String] = []

    init(_ request: Request) {
      key = request.parameters["key"] ?? ""
      version = request.query["protocol"]
      isPlace = !key.isEmpty && request.parameters["more"] == nil
    }
  }

  private let channels: Channels
  private var session: PusherSession
  private var arrival: Arrival?
  /// The client's app; nil before it is known, and for one that is not served.
  private var app: AppChannels?
  private(set) var socket: WebSocket?
  /// Set once, when the connection is opened.
  private var loop: EventLoop?
  private var places: ContiguousArray<(channel: Shard.Channel, index: Int)> = []
  /// A digest of the client's address and program, by which it is recognised when it comes back.
  private let fingerprint: Int
  /// Ends the connection unless it signs in before.
  private var doorTimer: LoopTimer?

  init(_ channels: Channels, _ session: PusherSession, _ request: Request) {
    self.channels = channels
    self.session = session
    arrival = Arrival(request)
    var hasher = Hasher()
    hasher.combine(request.peer)
    hasher.combine(request.head.fields["user-agent"])
    hasher.combine(request.head.fields["origin"])
    fingerprint = hasher.finalize()
  }

  static func == (a: Client, b: Client) -> Bool { a === b }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }

  /// May be read on any thread.
  var socketID: String { session.socketID }

  /// - Parameter member: its user in a presence channel.
  func visitor(member: String?) -> History.Visitor {
    History.Visitor(user: session.user?.id ?? member, fingerprint: fingerprint)
  }

  // MARK: The connection

  func opened(_ socket: WebSocket) {
    self.socket = socket
    loop = socket.loop
    guard let arrival else { return }
    guard arrival.isPlace else {
      return perform(PusherSession.refusal(4005, "There is nothing at this address; /app/KEY is served."))
    }
    if arrival.key == Channels.appKey { return enter(channels.own, arrival) }
    guard let directory = channels.apps.directory else { return found(nil) }
    let (loop, key) = (socket.loop, arrival.key)
    // It asks once; the answer to a client that has left meanwhile is dropped.
    Task(executorPreference: loop) { [self] in
      let app = await directory.find(key)
      loop.perform { [self] in found(app) }
    }
  }

  private func found(_ app: RealtimeApp?) {
    guard socket != nil, let arrival else { return }
    guard let app = app.flatMap({ channels.apps.serve($0) }) else {
      return perform(PusherSession.refusal(4001, "There is no app with the key \(arrival.key.prefix(100))."))
    }
    enter(app, arrival)
  }

  private func enter(_ app: AppChannels, _ arrival: Arrival) {
    if let refusal = PusherSession.refusal(ofVersion: arrival.version) { return perform(refusal) }
    guard let socket else { return }
    if let (code, reason) = channels.apps.enter(self, app) { return perform(PusherSession.refusal(code, reason)) }
    self.app = app
    app.shard(of: socket.loop).add(self)
    if !app.isHubs { socket.accept(RealtimeLimits.appMessages) }
    let loop = socket.loop
    app.whenHeard { [self] in loop.perform { [self] in welcome() } }
  }

  /// Tells the client that it is connected.
  private func welcome() {
    // It may have left while it waited.
    guard let app, let socket, let arrival else { return }
    self.arrival = nil
    perform(session.open())
    if !app.isHubs, app.options.authorizedOnly {
      doorTimer = socket.loop.schedule(after: RealtimeLimits.authorizationSeconds) { [weak self] in
        self?.refuse(4009, "The connection has neither signed in nor subscribed with a signature in time.")
      }
    }
    for text in arrival.waiting { received(text) }
  }

  func received(_ text: String) {
    if let arrival {
      guard arrival.waiting.count < RealtimeLimits.waitingMessages else {
        return close(.policy, "Wait for pusher:connection_established.")
      }
      return arrival.waiting.append(text)
    }
    guard let app, let socket else { return }
    let options = app.isHubs ? nil : app.options
    perform(session.receive(text, options: options, uptime: socket.loop.turnUptime))
  }

  func serverCloses(_ socket: WebSocket) { refuse(CloseCode.reconnectNow, "The hub is restarting.") }

  func closed() {
    depart()
    socket = nil
  }

  /// Leaves all channels, and the app.
  private func depart() {
    doorTimer?.cancel()
    doorTimer = nil
    arrival = nil
    guard let app, let socket else { return }
    for channel in session.subscribed {
      leave(channel, .lost(at: socket.tookAll ? place(in: channel)?.channel.serial : nil), on: socket.loop)
    }
    if let user = session.user { app.signOut(self, user) }
    app.shard(of: socket.loop).remove(self)
    channels.apps.left(self, app)
    self.app = nil
  }

  /// Closes; the client is not there any more, though its connection may take a moment to end.
  private func close(_ code: CloseCode, _ reason: String) {
    socket?.close(code, reason)
    depart()
  }

  /// Tells the client why it may not stay, and closes.
  func refuse(_ code: Int, _ reason: String) {
    if code != CloseCode.reconnectNow { send(PusherMessage.error(reason, code: code)) }
    close(CloseCode(rawValue: UInt16(code)), reason)
  }

  private func send(_ message: JSON) { socket?.send(EncodedMessage(text: message.bytes)) }

  /// May be called on any thread, once the client is signed in.
  func send(later message: JSON) {
    loop?.execute { [self] in send(message) }
  }

  /// May be called on any thread, once the client is signed in.
  func refuse(later code: Int, _ reason: String) {
    loop?.execute { [self] in refuse(code, reason) }
  }

  // MARK: The protocol

  private func perform(_ actions: [PusherSession.Action]) {
    for action in actions {
      switch action {
      case .send(let message): send(message)
      case .refuse(let message, let channel, let reason):
        app?.note(ConsoleEntry("refused", channel: channel, socketID: socketID, reason: reason))
        send(message)
      case .join(let subscription): join(subscription)
      case .authenticate(let subscription): authenticate(subscription)
      case .leave(let name): if let loop { leave(name, .willingly, on: loop) }
      case .authenticateUser(let auth, let userData):
        let isRight = app?.isSigned(auth, [AppSignature.text(socketID, userData: userData)]) ?? false
        perform(session.userAuthenticated(userData, isRight: isRight, help: wrongSignature))
      case .signedIn(let user):
        proved()
        app?.signIn(self, user)
      case .tell(let event): app?.tell(event, from: self)
      case .close(let code, let reason): close(CloseCode(rawValue: UInt16(code)), reason)
      }
    }
  }

  private var wrongSignature: String {
    app?.isHubs == true
      ? "The signature is not one that POST /api/v1/realtime/auth gave for it."
      : "The signature does not fit: seen is none that the app's key and secret make for this connection."
  }

  private func authenticate(_ subscription: Subscription) {
    guard let app, let loop else { return }
    var subscription = subscription
    let isRight: Bool
    if app.isHubs {
      subscription.holder = channels.grants.use(subscription.auth, socketID: socketID, channel: subscription.channel)
      isRight = subscription.holder != nil
    } else {
      subscription.takeSession()
      isRight = app.isSigned(subscription.auth, AppSignature.texts(socketID, subscription))
    }
    perform(session.authenticated(subscription, isRight: isRight, help: wrongSignature))
    guard isRight else { return }
    proved()
    guard let holder = subscription.holder else { return }
    // The right may have ended since the signature was made.
    if app.isHubs { channels.check(holder, on: subscription.channel) } else { app.check(holder, on: loop) }
  }

  /// Notes that somebody has vouched for the connection.
  private func proved() {
    doorTimer?.cancel()
    doorTimer = nil
    socket?.signedIn()
  }

  /// True while it is signed in, or listens to a channel that needs a signature.
  var isVouchedFor: Bool { session.user != nil || session.subscribed.contains { ChannelName($0).needsSignature } }

  func end(_ name: String) { perform(session.end(name)) }

  // MARK: Its channels

  private func join(_ subscription: Subscription) {
    guard let app, let socket else { return }
    if !app.join(self, subscription, on: socket.loop) { perform(session.isFull(subscription.channel)) }
  }

  /// Becomes a listener, after all news from before.
  func joined(_ welcome: Welcome, _ shard: Shard) {
    let channel = shard.channel(welcome.channel)
    if let holder = welcome.holder { channel.holders[ObjectIdentifier(self)] = holder }
    if let serial = welcome.serial { channel.serial = serial }
    places.append((channel, channel.clients.count))
    channel.clients.append(self)
    for message in welcome.messages { send(message) }
  }

  private func place(in name: String) -> (channel: Shard.Channel, index: Int)? {
    places.first { $0.channel.name == name }
  }

  /// Hears no more of a channel. Where it has not become a listener yet, it does so before it leaves.
  private func leave(_ name: String, _ leaving: AppChannels.Leaving, on loop: EventLoop) {
    guard let app else { return }
    let (shard, member) = (app.shard(of: loop), session.takeMember(of: name))
    let isListening = removePlace(name, shard)
    app.leave(self, name, member: member, leaving, on: loop)
    if !isListening { loop.execute { [self] in removePlace(name, shard) } }
  }

  @discardableResult
  private func removePlace(_ name: String, _ shard: Shard) -> Bool {
    guard let own = places.firstIndex(where: { $0.channel.name == name }) else { return false }
    let (channel, index) = places.remove(at: own)
    if let holder = channel.holders.removeValue(forKey: ObjectIdentifier(self)) {
      channels.grants.left(holder, channel.name)
    }
    if let moved = channel.clients.removeQuickly(at: index) { moved.moved(in: channel, to: index) }
    shard.drop(channel)
    return true
  }

  private func moved(in channel: Shard.Channel, to index: Int) {
    guard let own = places.firstIndex(where: { $0.channel === channel }) else { return }
    places[own].index = index
  }
}
