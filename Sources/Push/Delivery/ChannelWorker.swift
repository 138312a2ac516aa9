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
  private let kind: ChannelKind
  private let store: Store
  private let loop: EventLoop
  private let log: Log
  private let shares: DeviceShares
  private let due: Due?
  private let tidy: @Sendable (Database) throws(StoreError) -> Void
  private let poller: Poller
  private let state: Mutex<State>

  /// - Parameters:
  ///   - due: nil where turns depend on neither services nor strangers.
  ///   - tidy: removes what the channel knows of removed devices; at the start, and after `removed`.
  public init(
    _ kind: ChannelKind, store: Store, loop: EventLoop, log: Log, shares: DeviceShares, due: Due? = nil,
    tidy: @escaping @Sendable (Database) throws(StoreError) -> Void
  ) {
    self.kind = kind
    self.store = store
    self.loop = loop
    self.log = log
    self.shares = shares
    self.due = due
    self.tidy = tidy
    poller = Poller(loop)
    state = Mutex(State(turns: DeviceTurns(shares)))
  }

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

  private func look() async throws {
    let (isDue, isTidy) = state.withLock { state in
      defer { (state.isDue, state.isTidy) = (false, true) }
      return (state.isDue, state.isTidy)
    }
    if !isTidy { try await store.write(tidy) }
    guard isDue else { return }
    let now = loop.time.now
    let found = try await store.read { [kind, due] database throws(StoreError) in
      if let due { return try due(database, now) }
      return try database.devicesDue(channel: kind, now: now).map { DueDevice($0) }
    }
    state.withLock { state in for one in found { state.turns.add(one) } }
  }
}
