import Delivery
import Gateway
import Lifecycle
import Store
import Synchronization
import WebPush
import Wire
import World

/// A connection between a device and the hub: what is on its way arrives in order, or not at all.
final class SimulatedLink {
  let device: SimulatedDevice
  var session = GatewaySession()
  var up: [String] = []
  var down: [JSON] = []
  /// False once the hub has closed it, or it broke: what is still on its way to the hub is lost.
  var isOpen = true

  init(_ device: SimulatedDevice) {
    self.device = device
    up = [device.hello.text]
  }
}

/// The store of all simulations of a run. Its threads live as long as the process, so that only the first kills open
/// it anew; the others forget what is in memory, which is the same for the hub.
final class SimulatedDisk {
  private static let migrations = PushTables.migrations + WebPushTables.migrations
  private let path: String
  private var reopenings = 20
  private(set) var store: Store

  init(path: String) async throws {
    self.path = path
    store = try await Store(path: path, migrations: Self.migrations, time: SystemTime())
  }

  func kill() async throws {
    guard reopenings > 0 else { return }
    reopenings -= 1
    await store.close()
    store = try await Store(path: path, migrations: Self.migrations, time: SystemTime())
  }

  /// Nothing is left of the simulation before.
  func clear() async throws {
    try await store.write { database throws(StoreError) in
      for table in ["subscriptions", "topics", "people", "devices", "scheduled", "notifications"] {
        try database.run("DELETE FROM push_\(table)")
      }
    }
  }
}

/// The hub: a real store, the sessions of its connections, and what its loop and its threads have still to do. Each
/// piece of that is done when the simulation says so; a kill forgets it.
final class SimulatedHub {
  private enum Event {
    case wake(device: Int, Outgoing)
    case looked(SimulatedLink, PushDevice?)
    case fetched(SimulatedLink, [Outgoing], isAll: Bool)
    case recorded(SimulatedLink, Receipt, Recorded.Taken?)
  }
  private enum Reading {
    case look(SimulatedLink, digest: [UInt8])
    case fetch(SimulatedLink, limit: Int)
  }
  private struct Cut: Error {}

  let time: VirtualTime
  private let disk: SimulatedDisk
  private var connected: [Int: SimulatedLink] = [:]
  /// The loop's queue, in order.
  private var events: [Event] = []
  private var readings: [Reading] = []
  /// Answers of the reading threads on their way to the loop.
  private var read: [Event] = []
  /// The messages that are being sent to browsers.
  var turns: [PushTurn] = []
  private var receipts: [(link: SimulatedLink, device: Int, receipt: Receipt)] = []

  init(_ disk: SimulatedDisk, time: VirtualTime) { (self.disk, self.time) = (disk, time) }

  var store: Store { disk.store }

  /// True if nothing is left to do but what `push` does.
  var isIdle: Bool { events.isEmpty && readings.isEmpty && read.isEmpty && receipts.isEmpty }

  /// The process ends: all that is not on the disk is gone.
  func kill() async throws {
    for link in connected.values { link.isOpen = false }
    for case .look(let link, _) in readings { link.isOpen = false }
    connected = [:]
    (events, readings, read, receipts) = ([], [], [], [])
    turns = []
    try await disk.kill()
  }

  enum Fate {
    case committed
    /// Killed before the commit: nothing of it happened.
    case cut
    /// Killed behind the commit: nobody was told.
    case untold
  }

  /// - Returns: the result of `body`; nil if it was cut off.
  func commit<T: Sendable>(
    _ fate: Fate, _ body: @escaping @Sendable (Database, Double) throws -> (T, [Wake])
  ) async throws -> T? {
    let (now, isCut) = (time.now, fate == .cut)
    do {
      let (value, wakes) = try await store.change { database in
        let result = try body(database, now)
        if isCut { throw Cut() }
        return result
      }
      if fate == .untold {
        try await kill()
      } else {
        wake(wakes)
      }
      return value
    } catch is Cut {
      try await kill()
      return nil
    }
  }

  private func wake(_ wakes: [Wake]) {
    for wake in wakes { for device in wake.devices { events.append(.wake(device: device, wake.message)) } }
  }

  // MARK: One step

  func receive(_ text: String, _ link: SimulatedLink) { perform(link.session.received(text), link) }

  /// Does one of the things that wait, if there are any; which one is not certain where threads are not in step.
  func step(_ choice: Int, _ fate: Fate) async throws {
    var ways: [Int] = []
    if !events.isEmpty { ways.append(0) }
    if !readings.isEmpty { ways.append(1) }
    if !read.isEmpty { ways.append(2) }
    if !receipts.isEmpty { ways.append(3) }
    if ways.isEmpty { return }
    switch ways[choice % ways.count] {
    case 0: handle(events.removeFirst())
    case 1: try await look(readings.remove(at: choice / 4 % readings.count))
    case 2: events.append(read.remove(at: choice / 4 % read.count))
    default: try await write(fate)
    }
  }

  private func handle(_ event: Event) {
    switch event {
    case .wake(let device, let message):
      guard let link = connected[device] else { return }
      perform(link.session.woken(message, now: time.now), link)
    case .looked(let link, let device):
      guard link.isOpen else { return }
      let actions = link.session.authenticated(device)
      if let device, link.session.isOpen {
        if let older = connected.updateValue(link, forKey: device.id) { perform(older.session.end(.replaced), older) }
      }
      perform(actions, link)
    case .fetched(let link, let messages, let isAll):
      perform(link.session.fetched(messages, isAll: isAll, now: time.now), link)
    case .recorded(let link, let receipt, let taken): perform(link.session.recorded(receipt, taken: taken), link)
    }
  }

  private func perform(_ actions: [GatewaySession.Action], _ link: SimulatedLink) {
    for action in actions {
      switch action {
      case .send(let message): link.down.append(message.json(now: time.now))
      case .deliver(let message): link.down.append(try! JSON(parsing: message.gatewayText))
      case .look(let digest, _): readings.append(.look(link, digest: digest))
      case .fetch(let limit): readings.append(.fetch(link, limit: limit))
      case .record(let receipt): receipts.append((link, link.session.device, receipt))
      case .close: close(link)
      }
    }
  }

  /// The connection is gone.
  func close(_ link: SimulatedLink) {
    link.isOpen = false
    link.session.closed()
    if connected[link.session.device] === link { connected[link.session.device] = nil }
  }

  private func look(_ reading: Reading) async throws {
    switch reading {
    case .look(let link, let digest):
      let device = try await store.look { database throws(StoreError) in
        try database.pushDevice(secretDigest: digest)
      }
      read.append(.looked(link, device))
    case .fetch(let link, let limit):
      let (device, now) = (link.session.device, time.now)
      if try await store.read({ database throws(StoreError) in try database.isQuiet(device: device, now: now) }) {
        try await store.write { database throws(StoreError) in
          try database.hold(device: device, channel: .gateway, now: now)
        }
      }
      let messages = try await store.read { database throws(StoreError) in
        try database.pending(device: device, channel: .gateway, now: now, limit: limit).map(\.message)
      }
      read.append(.fetched(link, messages, isAll: messages.count < limit))
    }
  }

  private func write(_ fate: Fate) async throws {
    let batch = receipts
    receipts = []
    let rows = batch.map { ($0.device, $0.receipt) }
    let answers = try await commit(fate) { database, now in
      let answers = try database.record(rows, channel: .gateway, now: now)
      return (answers, answers.flatMap(\.recorded.changed.wakes))
    }
    guard let answers, fate == .committed else { return }
    for (index, each) in batch.enumerated() {
      let taken = answers.first { $0.index == index }?.recorded.taken
      events.append(.recorded(each.link, each.receipt, taken))
    }
  }
}
