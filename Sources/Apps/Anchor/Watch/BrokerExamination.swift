import Crypto
import EventLoop
import Hub
import MQTTClient
import Server
import Synchronization

/// The doctor's look at the MQTT broker: it is connected to as the hub does, under another name, and told nothing.
struct BrokerExamination {
  let hub: Hub

  /// Seconds that it may take.
  private static let patience = 5.0

  func findings() async -> [Finding] {
    guard let address = Broker.address(hub) else { return [] }
    let name = "mqtt \(address.host):\(address.port)"
    do {
      return [finding(name, try await state(of: address, password: try Broker.password(hub)))]
    } catch let error as HTTPError {
      return [.problem(name, error.error, remedy: "Look at anchor_mqtt_password_file.")]
    } catch {
      return []
    }
  }

  private func finding(_ name: String, _ state: BrokerConnection.State) -> Finding {
    switch state {
    case .connected: .ok(name, "the broker takes the hub")
    case .lost(let reason):
      .problem(
        name, "the broker cannot be used: \(reason)",
        remedy: "Look if it runs, and if user and password are those of anchor_mqtt.")
    case .connecting:
      .problem(
        name, "the broker does not answer within \(Int(Self.patience)) s",
        remedy: "Look if it runs, and if this machine reaches it.")
    }
  }

  private func state(of address: BrokerAddress, password: String?) async throws(CancellationError)
    -> BrokerConnection.State
  {
    let first = FirstState(Poller(hub.loop))
    let connection = BrokerConnection(
      address, password: password, id: "eightbells-doctor-\(Digest.hex(Digest.random(4)))", will: nil, topics: [],
      time: hub.time, take: { _ in }, changed: { first.note($0) })
    connection.begin()
    defer { connection.end(nil) }
    try await first.poller.wait(atMost: Self.patience)
    return first.state
  }

  /// The first thing that a connection says of itself.
  private final class FirstState: Sendable {
    let poller: Poller
    private let known = Mutex(BrokerConnection.State.connecting)

    init(_ poller: Poller) { self.poller = poller }

    var state: BrokerConnection.State { known.withLock { $0 } }

    func note(_ new: BrokerConnection.State) {
      guard new != .connecting else { return }
      known.withLock { if $0 == .connecting { $0 = new } }
      poller.wake()
    }
  }
}
