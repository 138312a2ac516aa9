public import EventLoop
public import Server
public import Wire

/// Public channels that pages and other people's clients listen to, over the Pusher Channels protocol.
///
/// `publish` may be called from anywhere; all else belongs to the loop. Whoever was away misses events and fetches the
/// state again when it is back: channels carry news, the API carries truth.
public final class Channels: @unchecked Sendable {
  /// The app key in the address /app/eightbells. It is no secret: it tells one app of a Pusher server from another.
  public static let appKey = "eightbells"

  private let loop: EventLoop
  private var subscribers: [String: [ObjectIdentifier: Client]] = [:]
  private var clients: [ObjectIdentifier: Client] = [:]
  private var opened = 0

  public init(loop: EventLoop) { self.loop = loop }

  /// Serves GET /app/{key} as a WebSocket.
  public func addRoutes(to router: inout Router) {
    router.on(
      .get, "/app/{key}",
      .webSocket { [self] request in
        opened += 1
        let random = Digest.random(4).reduce(0) { $0 << 8 | Int($1) }
        let session = PusherSession(socketID: "\(random).\(opened)")
        return Client(
          self, session, key: request.parameters["key"] ?? "", version: request.query["protocol"])
      })
  }

  /// Tells everyone who listens to the channel. The event is encoded once for all of them.
  public func publish(_ event: String, on channel: String, _ data: JSON) {
    let message = PusherSession.event(event, channel: channel, data: data)
    let frame = WebSocketFrame.encode(.text, message.bytes)
    loop.execute { [self] in
      for client in (subscribers[channel] ?? [:]).values { client.socket?.send(frame: frame) }
    }
  }

  /// Sends everyone away in a way that makes them come back soon: the hub is going down.
  public func close() {
    loop.assertCurrent()
    for client in clients.values { client.socket?.close(CloseCode(rawValue: 4200), "The hub is restarting.") }
  }

  /// How many listen to a channel.
  public func count(of channel: String) -> Int { subscribers[channel]?.count ?? 0 }

  private final class Client: WebSocketHandler {
    private unowned let channels: Channels
    private var session: PusherSession
    private let key: String
    private let version: String?
    private(set) var socket: WebSocket?

    init(_ channels: Channels, _ session: PusherSession, key: String, version: String?) {
      self.channels = channels
      self.session = session
      self.key = key
      self.version = version
    }

    func opened(_ socket: WebSocket) {
      self.socket = socket
      channels.clients[ObjectIdentifier(self)] = self
      perform(session.open(appKey: key, expectedKey: Channels.appKey, version: version))
    }

    func received(_ text: String) { perform(session.receive(text)) }

    func closed() {
      for channel in session.subscribed { leave(channel) }
      channels.clients[ObjectIdentifier(self)] = nil
      socket = nil
    }

    private func perform(_ actions: [PusherSession.Action]) {
      for action in actions {
        switch action {
        case .send(let message): socket?.send(message.text)
        case .subscribe(let channel): channels.subscribers[channel, default: [:]][ObjectIdentifier(self)] = self
        case .unsubscribe(let channel): leave(channel)
        case .close(let code, let reason): socket?.close(CloseCode(rawValue: UInt16(code)), reason)
        }
      }
    }

    private func leave(_ channel: String) {
      channels.subscribers[channel]?[ObjectIdentifier(self)] = nil
      if channels.subscribers[channel]?.isEmpty == true { channels.subscribers[channel] = nil }
    }
  }
}
