public import EventLoop
import Settings
public import TCPClient
import Wire

/// A connection to one of several NATS servers, made again whenever it is lost. A message is delivered at most once:
/// what is published while there is no connection, or was on its way when one broke, is gone, and so is what others
/// publish in that time. Callers look for themselves once they are connected again. Confined to its loop.
public final class NATSConnection: @unchecked Sendable {
  private struct Subscription {
    var subject: String
    var deliver: (_ subject: String, _ payload: [UInt8]) -> Void
  }

  private enum Stage {
    /// It has not begun, is closed, or waits before the next attempt.
    case apart
    /// Waiting for INFO, for TLS, and for the answer to CONNECT.
    case opening, securing, greeting
    case connected
  }

  /// Called when there is a connection, with all subscriptions in place.
  public var whenConnected: () -> Void = {}
  /// Called when a connection is lost or could not be made: with the server and the reason.
  public var whenLost: (String) -> Void = { _ in }
  /// The messages that were not sent: those for which `publish` was false.
  public private(set) var dropped = 0
  public var isConnected: Bool { stage == .connected }

  private let loop: EventLoop
  private let names: NameLookup
  private let servers: [NATSAddress]
  private let name: String
  private let trust: TLSTrust
  private var stage = Stage.apart
  /// By their numbers, from 1; none is given twice.
  private var subscriptions: [Int: Subscription] = [:]
  private var lastSubscription = 0
  private var socket: ClientConnection?
  private var parser = NATSParser()
  /// Of the attempt to connect, of the next PING, or of the next attempt: one at a time.
  private var timer: LoopTimer?
  private var attempts = 0
  private var pause = NATSLimits.firstPause
  /// The uptime since which it is connected.
  private var connectedAt: Double?
  private var unanswered = 0
  /// What is called when the server answers a PING, for each one since it is connected.
  private var answers: [(() -> Void)?] = []
  /// What is written at the end of the turn.
  private var output: [UInt8] = []

  /// - Parameters:
  ///   - servers: of `NATSAddress.all`, tried in turn.
  ///   - name: by which the servers' overviews name this client.
  public init(
    loop: EventLoop, names: NameLookup, servers: [NATSAddress], name: String, trust: TLSTrust = TLSTrust()
  ) {
    precondition(!servers.isEmpty, "no server")
    (self.loop, self.names, self.servers, self.name, self.trust) = (loop, names, servers, name, trust)
  }

  deinit { close() }

  /// Connects, and stays so until `close`.
  public func begin() { if socket == nil, timer == nil { connect() } }

  /// Sends what waits, as far as the server takes it at once, and ends the connection; no callback follows.
  public func close() {
    flush()
    stage = .apart
    answers = []
    socket?.close()
    socket = nil
    timer?.cancel()
    timer = nil
  }

  // MARK: Messages

  /// Has all messages of others with a subject delivered, now and on each later connection.
  /// - Parameter subject: may have wildcards (* and >). One with a space is a mistake of the caller's, and traps.
  /// - Returns: its number, with which it is ended.
  @discardableResult
  public func subscribe(
    _ subject: String, deliver: @escaping (_ subject: String, _ payload: [UInt8]) -> Void
  ) -> Int {
    check(subject)
    lastSubscription += 1
    subscriptions[lastSubscription] = Subscription(subject: subject, deliver: deliver)
    if stage == .greeting || stage == .connected { send("SUB \(subject) \(lastSubscription)\r\n".utf8) }
    return lastSubscription
  }

  /// Ends a subscription: nothing more is delivered.
  public func unsubscribe(_ number: Int) {
    guard subscriptions.removeValue(forKey: number) != nil else { return }
    if stage == .greeting || stage == .connected { send("UNSUB \(number)\r\n".utf8) }
  }

  /// Sends a message to all subscribers but this connection's own.
  /// - Returns: false if it is not sent: there is no connection, too much waits already, or the server takes none of
  ///   that size.
  @discardableResult public func publish(_ subject: String, _ payload: [UInt8]) -> Bool {
    check(subject)
    let waiting = output.count + (socket?.waitingBytes ?? 0)
    guard stage == .connected, payload.count <= parser.payloadLimit,
      waiting + payload.count <= NATSLimits.waitingBytes
    else {
      dropped += 1
      return false
    }
    send("PUB \(subject) \(payload.count)\r\n".utf8)
    send(payload)
    send("\r\n".utf8)
    return true
  }

  /// Calls back once the server has taken all that was sent before, so that subscriptions hold; also if there is no
  /// connection, or none any more, since nothing is to be waited for then.
  public func whenTaken(_ work: @escaping () -> Void) {
    guard stage == .connected else { return work() }
    answers.append(work)
    send("PING\r\n".utf8)
  }

  private func check(_ subject: String) {
    precondition(
      (1...NATSLimits.subjectBytes).contains(subject.utf8.count) && subject.utf8.allSatisfy { $0 > 32 && $0 != 127 },
      "no subject: \(subject)")
  }

  // MARK: Connecting

  private var server: NATSAddress { servers[attempts % servers.count] }

  private func connect() {
    stage = .opening
    parser = NATSParser()
    let socket = ClientConnection(
      loop: loop, names: names, host: server.host, port: server.port, trust: nil,
      outputBytes: NATSLimits.waitingBytes + NATSLimits.controlBytes)
    self.socket = socket
    after(NATSLimits.openSeconds) { $0.lose("it did not answer within \(Int(NATSLimits.openSeconds)) s") }
    socket.open { [weak self, weak socket] event in
      guard let self, let socket, self.socket === socket else { return }
      switch event {
      // Once for the connection, whose first word the server has, and once for TLS.
      case .opened: if stage == .securing { greet() }
      case .bytes(let bytes): take(bytes, from: socket)
      case .drained: break
      case .failed(let reason): lose(reason)
      }
    }
  }

  /// Takes the server's first INFO. TLS begins after it, in the same connection, so nothing else may come before.
  private func begin(demandsTLS: Bool, offersTLS: Bool, isAll: Bool, on socket: ClientConnection) {
    guard server.isSecure || demandsTLS else { return greet() }
    guard demandsTLS || offersTLS else { return lose("it offers no TLS, which tls:// asks for") }
    guard isAll else { return lose("it broke the protocol: more than INFO came before TLS") }
    stage = .securing
    socket.secure(trust)
  }

  private func greet() {
    let isSecure = stage == .securing
    stage = .greeting
    var about: [JSON.Member] = [
      .init("verbose", false), .init("pedantic", false), .init("echo", false), .init("tls_required", .bool(isSecure)),
      .init("lang", "swift"), .init("version", .string(productVersion)), .init("name", .string(name)),
    ]
    switch server.proof {
    case .none: break
    case .user(let user, let password): about += [.init("user", .string(user)), .init("pass", .string(password))]
    case .token(let token): about.append(.init("auth_token", .string(token)))
    }
    send("CONNECT \(JSON.object(about).text)\r\n".utf8)
    for (number, one) in subscriptions.sorted(by: { $0.key < $1.key }) { send("SUB \(one.subject) \(number)\r\n".utf8) }
    // Its answer means that all of this was accepted.
    send("PING\r\n".utf8)
  }

  private func connected() {
    stage = .connected
    (connectedAt, unanswered) = (loop.turnUptime, 0)
    after(NATSLimits.pingSeconds) { $0.ping() }
    whenConnected()
  }

  private func ping() {
    guard unanswered < NATSLimits.unansweredPings else { return lose("it left \(unanswered) PINGs unanswered") }
    unanswered += 1
    answers.append(nil)
    send("PING\r\n".utf8)
    after(NATSLimits.pingSeconds) { $0.ping() }
  }

  private func answered() {
    unanswered = 0
    if !answers.isEmpty { answers.removeFirst()?() }
  }

  /// Ends this connection. The next server is tried at once, until each had its turn; then there is a pause.
  private func lose(_ reason: String) {
    let (shown, waiting) = (server.shown, answers)
    // One that lets us in and cuts the connection at once is not tried twice a second for ever.
    if let since = connectedAt, loop.turnUptime - since >= NATSLimits.steadySeconds { pause = NATSLimits.firstPause }
    connectedAt = nil
    output = []
    close()
    attempts += 1
    if attempts % servers.count == 0 {
      after(pause) { $0.connect() }
      pause = min(pause * 2, NATSLimits.longestPause)
    } else {
      after(0) { $0.connect() }
    }
    whenLost("\(shown): \(reason)")
    for work in waiting { work?() }
  }

  private func after(_ seconds: Double, _ work: @escaping (NATSConnection) -> Void) {
    timer?.cancel()
    timer = loop.schedule(after: seconds) { [weak self] in if let self { work(self) } }
  }

  // MARK: The server's words

  private func take(_ bytes: UnsafeBufferPointer<UInt8>, from socket: ClientConnection) {
    var position = 0
    do throws(NATSParser.Fault) {
      while self.socket === socket, let event = try parser.next(bytes, &position) {
        switch event {
        case .info(let demandsTLS, let offersTLS):
          guard stage == .opening else { continue }
          begin(demandsTLS: demandsTLS, offersTLS: offersTLS, isAll: position == bytes.count, on: socket)
        case .message(let id, let subject, let payload):
          subscriptions[id]?.deliver(subject, payload)
        case .ping: send("PONG\r\n".utf8)
        case .pong: if stage == .greeting { connected() } else { answered() }
        case .ok: break
        case .refusal(let words): lose("it refuses: \(words)")
        }
      }
    } catch {
      lose("it broke the protocol: \(error.message)")
    }
  }

  // MARK: Sending

  /// Many small messages of a turn become one.
  private func send(_ bytes: some Sequence<UInt8>) {
    if output.isEmpty { loop.atEndOfTurn { [weak self] in self?.flush() } }
    output.append(contentsOf: bytes)
  }

  private func flush() {
    guard !output.isEmpty else { return }
    let bytes = output
    output = []
    socket?.write(bytes)
  }
}
