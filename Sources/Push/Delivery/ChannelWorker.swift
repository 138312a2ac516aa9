public import EventLoop
import Lifecycle
public import Observe
public import Store
import Synchronization

/// Works off the queue of a channel for which the hub makes the attempts. Each device is served by one task at a time,
/// so that its messages keep their order, and at most so many at once; the others wait for their turn.
///
/// Everything due stands in the store: a task that fails loses nothing, since `Delivery` looks again in some seconds.
public final class ChannelWorker: Sendable {
  private struct State {
    var turns = DeviceTurns()
    /// Something may be due that has no turn yet.
    var isDue = true
  }
  private let kind: ChannelKind
  private let store: Store
  private let loop: EventLoop
  private let log: Log
  private let most: Int
  private let poller: Poller
  private let state = Mutex(State())

  /// - Parameter most: devices that are served at once.
  public init(_ kind: ChannelKind, store: Store, loop: EventLoop, log: Log, most: Int) {
    self.kind = kind
    self.store = store
    self.loop = loop
    self.log = log
    self.most = most
    poller = Poller(loop)
  }

  /// Has it look for what is due; from any thread.
  public func wake() {
    state.withLock { $0.isDue = true }
    poller.wake()
  }

  /// Serves devices with something due until the task is cancelled.
  /// - Parameter serve: sends what is due for a device, one message after the other.
  public func run(_ serve: @escaping @Sendable (_ device: Int) async throws -> Void) async throws {
    // After a failure, nothing is under way any more.
    state.withLock { $0 = State() }
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        try await look()
        while let device = state.withLock({ $0.turns.next(most: most) }) {
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
    let isDue = state.withLock { state in
      defer { state.isDue = false }
      return state.isDue
    }
    guard isDue else { return }
    let (kind, now) = (kind, loop.time.now)
    let due = try await store.read { database throws(StoreError) in
      try database.devicesDue(channel: kind, now: now)
    }
    state.withLock { state in for device in due { state.turns.add(device) } }
  }
}

/// The devices that wait for their turn, and those that are being served.
package struct DeviceTurns {
  private var waiting: [Int] = []
  private var isWaiting: Set<Int> = []
  /// True for a device for which more has come while it was being served.
  private var running: [Int: Bool] = [:]

  package init() {}

  package mutating func add(_ device: Int) {
    if running[device] != nil {
      running[device] = true
    } else if isWaiting.insert(device).inserted {
      waiting.append(device)
    }
  }

  /// The next device, which counts as being served from now on.
  package mutating func next(most: Int) -> Int? {
    guard running.count < most, !waiting.isEmpty else { return nil }
    let device = waiting.removeFirst()
    isWaiting.remove(device)
    running[device] = false
    return device
  }

  package mutating func finish(_ device: Int) {
    if running.removeValue(forKey: device) == true { add(device) }
  }
}
