import Crypto
import EventLoop
import Glibc
import Hub
import Lifecycle
import MQTTClient
import Observe
import Positions
import Server
import Settings
import Store
import Synchronization
import Wire

/// The hub at an MQTT broker, for those who have one: reports of OwnTracks come in, the watch is told to Home Assistant
/// and to instruments.
final class Broker: Sendable {
  private static let server = Setting(
    "anchor_mqtt", "URL", fallback: "",
    help: "an MQTT broker that tells positions and is told the anchor watch: mqtt://user@host or mqtts://user@host:8883"
  ) { value throws(SettingsError) in
    guard value.isEmpty || BrokerAddress(value) != nil else {
      // It may have a password in it.
      throw SettingsError(
        "anchor_mqtt: \(value.contains("@") ? "" : "\"\(value)\"; ")mqtt://user@host:1883 or mqtts://user@host is "
          + "accepted, and the password in the file of anchor_mqtt_password_file.")
    }
  }
  private static let passwordFile = Setting(
    "anchor_mqtt_password_file", "FILE", fallback: "", help: "a file with the broker's password in its first line")
  static let options = [server, passwordFile]

  /// Messages that may wait to be taken; the oldest go.
  private static let incoming = 1_000
  /// Reports of one phone that may wait, half a minute of them: an older place is of no use to the watch.
  private static let ofPhone = 150
  /// Seconds between two lines in the log about reports that are lost, of which anybody at the broker can cause many.
  private static let lossSeconds = 60.0
  /// Bytes of a password's file.
  private static let passwordBytes = 4_096

  private struct State {
    var incoming: [BrokerConnection.Message] = []
    /// Reports that were lost since the last line about them, why the last one was, and the uptime of that line.
    var lost = 0
    var reason = ""
    var toldAt = -Double.infinity
    var connection = BrokerConnection.State.connecting
    /// True once the broker has to be told everything: it may have forgotten all, or it has told others that nobody
    /// keeps the watch.
    var knowsNothing = false
    /// The reason that the log has last, since there was a connection.
    var fault: String?
  }

  private let hub: Hub
  private let phones: Phones
  private let watch: SecondWatch
  private let address: BrokerAddress
  private let poller: Poller
  private let state = Mutex(State())

  /// Nil if the settings name no broker.
  init?(_ hub: Hub, phones: Phones, watch: SecondWatch) {
    guard let address = Self.address(hub) else { return nil }
    (self.hub, self.phones, self.watch, self.address) = (hub, phones, watch, address)
    poller = Poller(hub.loop)
  }

  var connection: BrokerConnection.State { state.withLock { $0.connection } }

  /// Connected until the task is cancelled.
  func run() async throws {
    let connection = BrokerConnection(
      address, password: try Self.password(hub), id: "eightbells-\(Digest.hex(Digest.random(4)))",
      will: Self.online(false), topics: ["owntracks/+/+", "owntracks/+/+/event", WatchTold.online], time: hub.time,
      take: { [self] in keep($0) }, changed: { [self] in note($0) })
    connection.begin()
    defer { connection.end(Self.online(false)) }
    var told: WatchTold?
    while true {
      let (isConnected, knowsNothing) = state.withLock { state in
        let isConnected = state.connection == .connected
        defer { if isConnected { state.knowsNothing = false } }
        return (isConnected, state.knowsNothing)
      }
      if isConnected, knowsNothing {
        for message in WatchTold.discovery + [Self.online(true)] { connection.publish(message) }
        told = nil
      }
      let now = WatchTold(watch.watch)
      if now != told, isConnected {
        for message in now.messages(now: Int(hub.time.now)) { connection.publish(message) }
        told = now
      }
      let isAllTaken = await takeIncoming(connection)
      tellLosses()
      if isAllTaken { try await poller.wait(atMost: 1) } else { try await hub.loop.pause(for: 1) }
    }
  }

  private static func online(_ isOnline: Bool) -> BrokerConnection.Message {
    BrokerConnection.Message(WatchTold.online, Array((isOnline ? "online" : "offline").utf8), isRetained: true)
  }

  /// The broker that the settings name.
  static func address(_ hub: Hub) -> BrokerAddress? { BrokerAddress(hub.options[server.name]) }

  /// - Throws: `HTTPError` for a file that cannot be read.
  static func password(_ hub: Hub) throws -> String? {
    let path = hub.options[passwordFile.name]
    guard !path.isEmpty else { return nil }
    guard let file = fopen(path, "r") else {
      throw HTTPError(.failed, "Cannot read \(path): \(String(cString: strerror(errno))).", help: "It is a setting.")
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: passwordBytes)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes.prefix(count).prefix { $0 != 10 && $0 != 13 }, as: UTF8.self)
  }

  private func note(_ new: BrokerConnection.State) {
    let old = state.withLock { state in
      defer {
        state.connection = new
        switch new {
        case .connecting: break
        // Also one that is back before `run` has seen that it was away.
        case .connected: (state.knowsNothing, state.fault) = (true, nil)
        case .lost(let reason): state.fault = reason
        }
      }
      return state.fault
    }
    switch new {
    case .connected: hub.log.info("connected to the MQTT broker", ["host": address.host])
    // One that is switched off in winter is tried each minute.
    case .lost(let reason) where reason != old:
      hub.log.warning("no MQTT broker", ["host": address.host, "reason": reason])
    case .connecting, .lost: break
    }
    poller.wake()
  }

  // MARK: In

  private func keep(_ message: BrokerConnection.Message) {
    if message.topic == WatchTold.online {
      // By the will of an older connection, or of the hub before this one: it comes minutes after a machine has gone.
      if message.payload != Self.online(true).payload { state.withLock { $0.knowsNothing = true } }
      return
    }
    guard phone(of: message) != nil else { return }
    state.withLock { state in
      state.incoming.append(message)
      Self.limit(&state)
    }
    poller.wake()
  }

  /// A phone that was added here under the name of the topic: "user/device", or the device alone. Others on the broker
  /// are nobody's business.
  private func phone(of message: BrokerConnection.Message) -> Phone? {
    // A retained message is old, and not a sign of life.
    guard !message.isRetained, !message.payload.isEmpty, let (user, device) = Self.names(message) else { return nil }
    return phones.phone(named: "\(user)/\(device)") ?? phones.phone(named: device)
  }

  private static func names(_ message: BrokerConnection.Message) -> (user: String, device: String)? {
    let parts = message.topic.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    return parts.count >= 3 ? (parts[1], parts[2]) : nil
  }

  private static func limit(_ state: inout State) {
    let surplus = state.incoming.count - incoming
    guard surplus > 0 else { return }
    state.incoming.removeFirst(surplus)
    state.lost += surplus
    state.reason = "too many are waiting"
  }

  /// Takes what has come. The broker sends nothing twice, so reports of a phone that come too fast wait here.
  /// - Returns: false if some wait.
  private func takeIncoming(_ connection: BrokerConnection) async -> Bool {
    let messages = state.withLock { state in
      defer { state.incoming = [] }
      return state.incoming
    }
    var (fast, left): ([Int: Int], [(phone: Int, message: BrokerConnection.Message)]) = ([:], [])
    for message in messages {
      guard let phone = phone(of: message) else { continue }
      if fast[phone.id] == nil, await take(message, of: phone, connection) { continue }
      fast[phone.id, default: 0] += 1
      left.append((phone.id, message))
    }
    // The oldest go.
    let kept = left.filter { one in
      defer { fast[one.phone]! -= 1 }
      return fast[one.phone]! <= Self.ofPhone
    }
    state.withLock { [kept, lost = left.count - kept.count] state in
      state.incoming.insert(contentsOf: kept.map(\.message), at: 0)
      if lost > 0 { (state.lost, state.reason) = (state.lost + lost, "too many of one phone are waiting") }
      Self.limit(&state)
    }
    return kept.isEmpty
  }

  /// - Returns: false if it comes too fast.
  private func take(
    _ message: BrokerConnection.Message, of phone: Phone, _ connection: BrokerConnection
  ) async -> Bool {
    do {
      let report = try OwnTracksReport.read(message.payload)
      // The broker itself sends a phone's will, up to hours after the phone has died: it is no sign of life.
      if report == PhoneReport() { return true }
      if let asked = try await phones.take(report, of: phone), let (user, device) = Self.names(message) {
        connection.publish(BrokerConnection.Message("owntracks/\(user)/\(device)/cmd", asked.command.bytes))
      }
    } catch let fault as PhoneReport.Fault {
      hub.log.debug("a message of a phone was not taken", ["phone": phone.name, "reason": fault.message])
    } catch let error as HTTPError where error.code == .tooOften {
      return false
    } catch {
      state.withLock { state in
        state.lost += 1
        state.reason = (error as? HTTPError)?.error ?? "\(error)"
      }
    }
    return true
  }

  private func tellLosses() {
    let now = hub.time.uptime
    let told = state.withLock { state -> (count: Int, reason: String)? in
      guard state.lost > 0, now - state.toldAt >= Self.lossSeconds else { return nil }
      defer { (state.lost, state.toldAt) = (0, now) }
      return (state.lost, state.reason)
    }
    guard let told else { return }
    hub.log.warning("reports of phones were lost", ["count": "\(told.count)", "reason": told.reason])
  }
}
