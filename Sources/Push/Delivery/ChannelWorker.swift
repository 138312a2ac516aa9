public import EventLoop
import Lifecycle
public import Observe
public import Store
import Synchronization

/// Works off the queue of a channel for which the hub makes the attempts, by the turns of `DeviceTurns`.
///
/// Everything due stands in the store: a task that fails loses nothing, since `Delivery` looks again in some seconds.
public final class ChannelWorker: Sendable {
  /// Reads the devices to which something is to be sent at a time (seconds since 1970).
  public typealias Due = @Sendable (Database, Double) throws(StoreError) -> [DueDevice]

  private struct State {
    var turns: DeviceTurns
    /// Something may be due that has no turn yet.
    var isDue = true
    /// False once devices were removed.
    var isTidy = false
  }
  let kind: ChannelKind
  private let store: Store
  private let loop: EventLoop
  private let log: Log
  private let shares: DeviceShares
  private let due: Due?
  private let table: String
  private let holdsInQuietHours: Bool
  private let poller: Poller
  private let state: Mutex<State>
  private let counted = Mutex(AttemptCounts())

  /// - Parameters:
  ///   - holdsInQuietHours: true for devices that ring.
  ///   - due: nil where turns depend on neither services nor strangers.
  ///   - table: what the channel knows of its devices. Rows of removed ones go at the start, and after `removed`.
  public init(
    _ kind: ChannelKind, store: Store, loop: EventLoop, log: Log, shares: DeviceShares,
    holdsInQuietHours: Bool = false, due: Due? = nil, table: String
  ) {
    self.kind = kind
    self.store = store
    self.loop = loop
    self.log = log
    self.shares = shares
    self.holdsInQuietHours = holdsInQuietHours
    self.due = due
    self.table = table
    poller = Poller(loop)
    state = Mutex(State(turns: DeviceTurns(shares)))
  }

  /// The outcomes of all attempts so far.
  public var counts: AttemptCounts { counted.withLock { $0 } }

  /// Has it look for what is due; from any thread.
  public func wake() {
    state.withLock { $0.isDue = true }
    poller.wake()
  }

  /// Has it forget removed devices; from any thread.
  public func removed() {
    state.withLock { $0.isTidy = false }
    poller.wake()
  }

  /// Serves devices with something due until the task is cancelled.
  /// - Parameter serve: sends what is due for a device, one message after the other.
  public func run(_ serve: @escaping @Sendable (_ device: Int) async throws -> Void) async throws {
    // After a failure, nothing is under way any more.
    state.withLock { $0 = State(turns: DeviceTurns(shares)) }
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try await look()
        while let device = state.withLock({ $0.turns.next() }) {
          group.addTask(executorPreference: loop) { [self] in
            do {
              try await serve(device)
            } catch is CancellationError {
              return
            } catch {
              log.error("a channel cannot send", ["channel": kind.name, "error": "\(error)"])
            }
            state.withLock { $0.turns.finish(device) }
            poller.wake()
          }
        }
        try await poller.wait(atMost: nil)
      }
    }
  }

  /// Makes the attempts that are due for a device, one message after the other. The turn of one whose service is slow
  /// ends after each, so that others come in between.
  /// - Parameters:
  ///   - context: reads what they need.
  ///   - attempt: makes one, has its outcome counted and written, and returns it.
  public func attempts<Context: Sendable>(
    for device: Int, with context: @escaping @Sendable (Database) throws(StoreError) -> Context,
    _ attempt: (PendingDelivery, Context) async throws -> Outcome
  ) async throws {
    while true {
      let now = loop.time.now
      if holdsInQuietHours { try await hold(device, now: now) }
      let (context, due) = try await store.read { [kind] database throws(StoreError) in
        let due = try database.pending(device: device, channel: kind, now: now, limit: DeliveryLimits.readAtOnce)
        return (try context(database), due)
      }
      if due.isEmpty { return }
      for one in due {
        switch try await attempt(one, context) {
        // The next messages would hardly fare better now; they are still due when `Delivery` looks again.
        case .retry, .gone: return
        default: if state.withLock({ $0.turns.lineUpIfSlow(device) }) { return }
        }
      }
    }
  }

  /// Holds back what would come in the quiet hours of the device's person.
  package func hold(_ device: Int, now: Double) async throws {
    let isQuiet = try await store.read { database throws(StoreError) in try database.isQuiet(device: device, now: now) }
    guard isQuiet else { return }
    try await store.write { [kind] database throws(StoreError) in
      try database.hold(device: device, channel: kind, now: now)
    }
  }

  /// Counts an outcome; called before it is written.
  public func count(_ outcome: Outcome) { counted.withLock { $0.add(outcome) } }

  /// Counts an outcome of a channel that has many services, and notes whether that of the device is slow.
  /// - Parameter seconds: how long the attempt took.
  public func count(_ outcome: Outcome, of device: Int, took seconds: Double) {
    count(outcome)
    let isSlow = seconds > DeliveryLimits.promptSeconds
    // Some attempts end before anybody is asked.
    let isPrompt = if case .sent = outcome { !isSlow } else { false }
    if isSlow || isPrompt { state.withLock { $0.turns.note(device, isSlow: isSlow) } }
  }

  /// Writes what came of an attempt, and does not give up: what was sent but not written would be sent again.
  /// - Parameter body: gets the time, and the jitter that `Database.finish` wants.
  public func write<T: Sendable>(
    _ body: @escaping @Sendable (Database, _ now: Double, _ jitter: Double) throws(StoreError) -> T
  ) async throws -> T {
    let jitter = Double.random(in: 0..<1)
    while true {
      let now = loop.time.now
      do {
        return try await store.write { database throws(StoreError) in try body(database, now, jitter) }
      } catch {
        log.error("what came of an attempt cannot be written", ["channel": kind.name, "error": "\(error)"])
        try await loop.pause(for: DeliveryLimits.rewriteSeconds)
      }
    }
  }

  private func look() async throws {
    let (isDue, isTidy) = state.withLock { state in
      defer { (state.isDue, state.isTidy) = (false, true) }
      return (state.isDue, state.isTidy)
    }
    if !isTidy {
      try await store.write { [table] database throws(StoreError) in try database.forgetRemovedDevices(in: table) }
    }
    guard isDue else { return }
    let now = loop.time.now
    let found = try await store.read { [kind, due] database throws(StoreError) in
      if let due { return try due(database, now) }
      return try database.devicesDue(channel: kind, now: now).map { DueDevice($0) }
    }
    state.withLock { state in for one in found { state.turns.add(one) } }
  }
}

/// A channel whose queue a worker works off.
public protocol WorkedChannel: PushChannel {
  var worker: ChannelWorker { get }
  /// Sends what is due for a device, one message after the other.
  func serve(_ device: Int) async throws
}

extension WorkedChannel {
  public var kind: ChannelKind { worker.kind }

  /// The outcomes of all attempts so far.
  public var counts: AttemptCounts { worker.counts }

  public func wake(_ wakes: [Wake]) { worker.wake() }

  public func removed(_ devices: [Int]) { worker.removed() }

  /// Sends what is due until the task is cancelled.
  public func run() async throws { try await worker.run { [self] device in try await serve(device) } }
}

/// How many attempts came to what since the start.
public struct AttemptCounts: Equatable, Sendable {
  /// Taken by a service, or a receiver.
  public var sent = 0
  /// Refused, or without an answer; some are tried again.
  public var failed = 0
  /// What it was sent to had ended.
  public var gone = 0

  mutating func add(_ outcome: Outcome) {
    switch outcome {
    case .sent: sent += 1
    case .retry, .failed: failed += 1
    // Nobody was asked.
    case .gone(.channelRemoved), .suppressed, .later: break
    case .gone: gone += 1
    }
  }
}
