import CMosquitto
public import EventLoop
public import Lifecycle
import Synchronization

/// A connection to an MQTT broker that is made again whenever it is lost. It has a thread of its own, since the library
/// asks name servers while it connects, and its callbacks come there.
public final class BrokerConnection: Watcher, @unchecked Sendable {
  public struct Message: Equatable, Sendable {
    public var topic: String
    public var payload: [UInt8]
    /// True if the broker keeps it for those who subscribe later.
    public var isRetained: Bool

    public init(_ topic: String, _ payload: [UInt8], isRetained: Bool = false) {
      (self.topic, self.payload, self.isRetained) = (topic, payload, isRetained)
    }
  }

  public enum State: Equatable, Sendable {
    case connecting
    case connected
    /// With the reason.
    case lost(String)
  }

  private let address: BrokerAddress
  private let password: String?
  private let id: String
  private let will: Message?
  private let topics: [String]
  private let take: @Sendable (Message) -> Void
  private let changed: @Sendable (State) -> Void
  private let loop: EventLoop

  // The following is used on the loop only.
  private var client: OpaquePointer?
  private var watched: Int32 = -1
  private var isConnected = false
  private var retry = MQTTLimits.firstRetry
  /// The uptime since which it is connected.
  private var connectedAt: Double?
  /// The messages to be sent once there is a connection: the newest of each topic.
  private var waiting: [String: Message] = [:]

  /// - Parameters:
  ///   - id: the client's, unique at the broker.
  ///   - will: what the broker sends when this connection is lost.
  ///   - topics: those to subscribe to, with their wildcards.
  ///   - take: called for each message, on another thread; it must not wait.
  ///   - changed: called when the connection is made or lost.
  public init(
    _ address: BrokerAddress, password: String?, id: String, will: Message?, topics: [String], time: any TimeSource,
    take: @escaping @Sendable (Message) -> Void, changed: @escaping @Sendable (State) -> Void
  ) {
    (self.address, self.password, self.id, self.will) = (address, password, id, will)
    (self.topics, self.take, self.changed) = (topics, take, changed)
    loop = EventLoop(time: time)
  }

  /// Connects, and stays so until `end`.
  public func begin() {
    _ = Self.library
    loop.runInBackground(name: "mqtt")
    loop.execute { [self] in connect() }
  }

  /// Sends what has to be said at the end, and closes the connection.
  public func end(_ last: Message?) {
    loop.execute { [self] in
      if let last, isConnected { send(last) }
      close(reason: nil)
      loop.stop()
    }
  }

  public func publish(_ message: Message) {
    loop.execute { [self] in
      if isConnected {
        send(message)
      } else if waiting.count < MQTTLimits.waiting || waiting[message.topic] != nil {
        waiting[message.topic] = message
      }
    }
  }

  private static let library: Void = { mosquitto_lib_init() }()

  // MARK: Connecting

  private func connect() {
    guard client == nil, let made = mosquitto_new(id, true, Unmanaged.passUnretained(self).toOpaque()) else { return }
    client = made
    changed(.connecting)
    if let user = address.user { mosquitto_username_pw_set(made, user, password) }
    // Those of OpenSSL, wherever it looks for them: in a folder by their hashes, or in one file.
    if address.isSecure { mosquitto_int_option(made, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
    if let will {
      mosquitto_will_set(made, will.topic, Int32(will.payload.count), will.payload, 1, will.isRetained)
    }
    mosquitto_connect_callback_set(made) { _, context, code in
      BrokerConnection.of(context).connected(code)
    }
    mosquitto_message_callback_set(made) { _, context, message in
      guard let message = message?.pointee, let topic = message.topic else { return }
      let count = Int(message.payloadlen)
      guard count <= MQTTLimits.messageBytes else { return }
      let bytes = UnsafeRawBufferPointer(start: message.payload, count: count)
      BrokerConnection.of(context).take(Message(String(cString: topic), Array(bytes), isRetained: message.retain))
    }
    // No topic is subscribed to with QoS 2. The library would keep each such message until the broker releases it,
    // which one that means harm never does; only its log tells of them before.
    mosquitto_log_callback_set(made) { _, context, _, line in
      guard let line else { return }
      let (connection, words) = (BrokerConnection.of(context), String(cString: line))
      // A message that is sent again has d1. Only the beginning counts: a topic may have any words.
      guard ["d0", "d1"].contains(where: { words.hasPrefix("Client \(connection.id) received PUBLISH (\($0), q2,") })
      else { return }
      connection.close(reason: "the broker sends with QoS 2, which was not asked for")
    }
    // This waits, on a thread that has nothing else to do: otherwise the library would try only the first of a name's
    // addresses, and a broker that listens on IPv4 alone often has a name with IPv6 too.
    let code = mosquitto_connect(made, address.host, Int32(address.port), MQTTLimits.keepAlive)
    guard code == MOSQ_ERR_SUCCESS.rawValue, mosquitto_socket(made) >= 0 else {
      return close(reason: Self.words(code))
    }
    watched = mosquitto_socket(made)
    loop.watch(watched, for: [.readable, .writable], edge: false, self)
    tick(of: made)
  }

  private static func of(_ context: UnsafeMutableRawPointer?) -> BrokerConnection {
    Unmanaged<BrokerConnection>.fromOpaque(context!).takeUnretainedValue()
  }

  private static func words(_ code: Int32) -> String { String(cString: mosquitto_strerror(code)) }

  private func connected(_ code: Int32) {
    // The library's own word for it would be a second reason, which says less.
    guard code == 0 else { return close(reason: String(cString: mosquitto_connack_string(code))) }
    isConnected = true
    connectedAt = loop.turnUptime
    for topic in topics { mosquitto_subscribe(client, nil, topic, 1) }
    for message in waiting.values { send(message) }
    waiting = [:]
    changed(.connected)
  }

  private func send(_ message: Message) {
    mosquitto_publish(client, nil, message.topic, Int32(message.payload.count), message.payload, 1, message.isRetained)
    wantWriting()
  }

  /// Ends this connection, and has another one made after a pause.
  /// - Parameter reason: nil if there is to be no other.
  private func close(reason: String?) {
    guard let client else { return }
    self.client = nil
    isConnected = false
    if watched >= 0 { loop.unwatch(watched) }
    watched = -1
    guard let reason else {
      mosquitto_disconnect(client)
      return mosquitto_destroy(client)
    }
    // Its callbacks may still be below this one.
    loop.atNextTurn { mosquitto_destroy(client) }
    changed(.lost(reason))
    // One that lets us in and cuts the connection at once is not tried every second for ever.
    if let since = connectedAt, loop.turnUptime - since >= MQTTLimits.steadySeconds { retry = MQTTLimits.firstRetry }
    connectedAt = nil
    loop.schedule(after: retry) { [self] in connect() }
    retry = min(retry * 2, MQTTLimits.longestRetry)
  }

  // MARK: The socket

  public func ready(_ readiness: Readiness) {
    guard let client else { return }
    var code = MOSQ_ERR_SUCCESS.rawValue
    if readiness.contains(.writable) { code = mosquitto_loop_write(client, 1) }
    if code == MOSQ_ERR_SUCCESS.rawValue, !readiness.isDisjoint(with: [.readable, .closed]) {
      code = mosquitto_loop_read(client, 1)
    }
    check(code, client)
  }

  private func check(_ code: Int32, _ client: OpaquePointer) {
    guard client == self.client else { return }
    if code == MOSQ_ERR_SUCCESS.rawValue, mosquitto_socket(client) >= 0 { return wantWriting() }
    // The library has closed its socket.
    watched = -1
    close(reason: Self.words(code))
  }

  private func wantWriting() {
    guard let client, watched >= 0 else { return }
    loop.change(watched, to: mosquitto_want_write(client) ? [.readable, .writable] : .readable, edge: false)
  }

  /// Keeps the connection alive.
  private func tick(of client: OpaquePointer) {
    loop.schedule(after: 1) { [self] in
      guard client == self.client else { return }
      check(mosquitto_loop_misc(client), client)
      tick(of: client)
    }
  }
}
