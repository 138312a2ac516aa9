public import Delivery
import EventLoop
import Lifecycle
public import Server
import Store
import Synchronization

/// The sockets of devices at `/gateway`: sends what is pending for them, and takes their receipts.
public final class Gateway: PushChannel {
  public let kind = ChannelKind.gateway

  let delivery: Delivery
  private struct State {
    var shards: [ObjectIdentifier: GatewayShard] = [:]
    var connected: [Int: GatewayConnection] = [:]
    var strangers = 0
    var mostStrangers = GatewayLimits.strangers
    var isClosed = false
  }
  private let state = Mutex(State())
  let take: @Sendable (Receipt, Int) async throws -> Recorded

  /// - Parameter taking: writes the answer of a device, with `Database.record` and with what follows from it in the same
  ///   transaction, such as the work of the room that rang: so that no kill comes between the two. The device repeats
  ///   its answer until this has returned.
  public init(
    _ delivery: Delivery, taking: @escaping @Sendable (_ answer: Receipt, _ device: Int) async throws -> Recorded
  ) {
    self.delivery = delivery
    take = taking
  }

  /// - Parameter answered: called on the store's thread after the commit of an answer. It must be short.
  public convenience init(_ delivery: Delivery, answered: @escaping @Sendable (Recorded) -> Void) {
    self.init(delivery) { receipt, device in
      let now = delivery.time.now
      return try await delivery.store.change { database in
        let recorded = try database.record(receipt, device: device, channel: .gateway, now: now)
        database.afterCommit {
          delivery.wake(recorded.changed.wakes)
          answered(recorded)
        }
        return recorded
      }
    }
  }

  /// The handler of `GET /gateway`.
  public var handler: Handler {
    .webSocket(GatewayLimits.bounds) { [self] _ in GatewayConnection(self) }
  }

  /// The number of devices that are connected.
  public var count: Int { state.withLock { $0.connected.count } }

  public func isConnected(_ device: Int) -> Bool { state.withLock { $0.connected[device] != nil } }

  // MARK: PushChannel

  public func wake(_ wakes: [Wake]) {
    var lists: [ObjectIdentifier: (shard: GatewayShard, sends: [(GatewayConnection, Outgoing)])] = [:]
    state.withLock { state in
      if state.connected.isEmpty { return }
      for wake in wakes {
        for device in wake.devices {
          guard let connection = state.connected[device], let shard = connection.shard else { continue }
          lists[ObjectIdentifier(shard), default: (shard, [])].sends.append((connection, wake.message))
        }
      }
    }
    for (shard, sends) in lists.values {
      shard.loop.execute {
        let now = shard.gateway.delivery.time.now
        for (connection, message) in sends { connection.wake(message, now) }
      }
    }
  }

  /// Asks the store for what is pending, for all who are connected: another program may have written it.
  public func lookAgain() {
    for connection in state.withLock({ Array($0.connected.values) }) {
      connection.shard?.loop.perform { connection.lookAgain() }
    }
  }

  public func removed(_ devices: [Int]) {
    for connection in state.withLock({ state in devices.compactMap { state.connected[$0] } }) {
      connection.end(.removed, "The device was removed.")
    }
  }

  /// Ends all connections such that the devices come back: the hub is shutting down.
  public func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return Array(state.connected.values)
    }
    for connection in all { connection.end(.restart, "The hub is restarting.") }
  }

  // MARK: Connections

  /// Counts a connection that has not said who it is.
  /// - Returns: false if there are as many as allowed.
  func addStranger() -> Bool {
    state.withLock { state in
      guard state.strangers < state.mostStrangers, !state.isClosed else { return false }
      state.strangers += 1
      return true
    }
  }

  /// For tests, which have fewer sockets.
  package func limitStrangers(to most: Int) { state.withLock { $0.mostStrangers = most } }

  func removeStranger() { state.withLock { $0.strangers -= 1 } }

  /// A device is connected from now on; an older connection of it ends.
  func add(_ connection: GatewayConnection, for device: Int) {
    let older = state.withLock { $0.connected.updateValue(connection, forKey: device) }
    older?.end(.replaced, "A newer connection has the same secret.")
  }

  func remove(_ connection: GatewayConnection, for device: Int) {
    state.withLock { state in
      if state.connected[device] === connection { state.connected[device] = nil }
    }
  }

  func shard(of loop: EventLoop) -> GatewayShard {
    state.withLock { state in
      if let shard = state.shards[ObjectIdentifier(loop)] { return shard }
      let shard = GatewayShard(self, loop)
      state.shards[ObjectIdentifier(loop)] = shard
      return shard
    }
  }
}
