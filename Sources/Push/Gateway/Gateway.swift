public import Delivery
import EventLoop
import Lifecycle
public import Server
import Synchronization

/// The sockets of devices at `/gateway`: sends what is pending for them, and takes their receipts.
public final class Gateway: PushChannel {
  public let kind = ChannelKind.gateway

  let delivery: Delivery
  private struct State {
    var shards: [ObjectIdentifier: GatewayShard] = [:]
    var connected: [Int: GatewayConnection] = [:]
    /// The runs of those who are connected, if they have told.
    var runs: [Int: DeviceRun] = [:]
    /// Those that have not said who they are, the longest waiting first.
    var strangers: [GatewayConnection] = []
    var mostStrangers = GatewayLimits.strangers
    var isClosed = false
  }
  private let state = Mutex(State())
  let take: @Sendable (Receipt, Int) async throws -> Recorded

  /// - Parameter taking: writes the answer of a device with `Database.record`, and in the same transaction all that
  ///   follows from it, such as the work of the room that rang, so that a crash cannot come in between. The device
  ///   repeats its answer until this has returned.
  public init(
    _ delivery: Delivery, taking: @escaping @Sendable (_ answer: Receipt, _ device: Int) async throws -> Recorded
  ) {
    self.delivery = delivery
    take = taking
  }

  /// The handler of `GET /gateway`.
  public var handler: Handler {
    .webSocket(GatewayLimits.bounds) { [self] _ in GatewayConnection(self) }
  }

  /// The number of devices that are connected.
  public var count: Int { state.withLock { $0.connected.count } }

  /// The devices that are connected.
  public var devices: [Int] { state.withLock { Array($0.connected.keys) } }

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

  /// Asks the store for pending messages of all connected devices, since another program may have written some.
  public func lookAgain() { look(for: nil) }

  public func look(for devices: Set<Int>?) {
    for connection in state.withLock({ state in
      devices.map { $0.compactMap { state.connected[$0] } } ?? Array(state.connected.values)
    }) {
      connection.shard?.loop.perform { connection.lookAgain() }
    }
  }

  public func connectedElsewhere(_ devices: Set<Int>) {
    for connection in state.withLock({ state in devices.compactMap { state.connected[$0] } }) {
      connection.endForAnotherHub()
    }
  }

  public func removed(_ devices: [Int]) {
    for connection in state.withLock({ state in devices.compactMap { state.connected[$0] } }) {
      connection.end(.removed, "The device was removed.")
    }
  }

  /// Ends all connections because the hub shuts down; the devices are told to come back.
  public func close() {
    let all = state.withLock { state in
      state.isClosed = true
      return Array(state.connected.values)
    }
    for connection in all { connection.end(.restart, "The hub is restarting.") }
  }

  // MARK: Connections

  /// Counts a connection that has not said who it is. If there are too many the longest waiting ends: whoever opens
  /// sockets and says nothing must not keep devices out.
  func addStranger(_ connection: GatewayConnection) {
    let surplus: GatewayConnection? = state.withLock { state in
      if state.isClosed { return connection }
      state.strangers.append(connection)
      return state.strangers.count > state.mostStrangers ? state.strangers.removeFirst() : nil
    }
    surplus?.end(.busy, "Too many are connecting.")
  }

  /// For tests, which have fewer sockets.
  package func limitStrangers(to most: Int) { state.withLock { $0.mostStrangers = most } }

  func removeStranger(_ connection: GatewayConnection) {
    state.withLock { state in
      if let place = state.strangers.firstIndex(where: { $0 === connection }) { state.strangers.remove(at: place) }
    }
  }

  /// A device is connected from now on, and an older connection of it ends; unless that one is the newer one.
  /// - Parameter run: the new connection's.
  /// - Returns: false if it must not take the other's place.
  func add(_ connection: GatewayConnection, for device: Int, run: DeviceRun?) -> Bool {
    let (isNewest, older) = state.withLock { state -> (Bool, GatewayConnection?) in
      if run?.isBefore(state.runs[device]) == true { return (false, nil) }
      state.runs[device] = run
      return (true, state.connected.updateValue(connection, forKey: device))
    }
    older?.end(.replaced, "A newer connection has the same secret.")
    return isNewest
  }

  func remove(_ connection: GatewayConnection, for device: Int) {
    state.withLock { state in
      if state.connected[device] === connection { (state.connected[device], state.runs[device]) = (nil, nil) }
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
