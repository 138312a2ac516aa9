public import EventLoop
import Lifecycle
public import Observe
import Server
import Store
import Synchronization

/// Runs background tasks: each under a name, restarted with a growing pause when it fails, until all are told to end.
public final class Supervisor: Sendable {
  /// A task's state, for `/metrics` and `doctor`.
  public struct Report: Equatable, Sendable {
    public var restarts = 0
    /// The last failure, and its uptime.
    public var problem: String?
    public var failedAt = -Double.infinity
    public init() {}
  }
  private struct State {
    var reports: [String: Report] = [:]
    var tasks: [String: Task<Void, Never>] = [:]
    /// The number of one-time tasks started.
    var begun = 0
    var isEnding = false
    var whenEnded: UnsafeContinuation<Void, Never>?
  }
  private let state = Mutex(State())
  /// Set before the first task is run, where there are other hubs.
  private let leases = Mutex<Leases?>(nil)
  private let loop: EventLoop
  private let log: Log
  private let metrics: Metrics

  public init(loop: EventLoop, log: Log, metrics: Metrics) {
    self.loop = loop
    self.log = log
    self.metrics = metrics
  }

  /// There are other hubs: work with a lease is done by one of them at a time.
  func share(_ leases: Leases) { self.leases.withLock { $0 = leases } }

  public var reports: [String: Report] { state.withLock { $0.reports } }

  /// The names of tasks that have failed recently.
  public var failing: [String] {
    let now = loop.time.uptime
    return reports.filter { now - $0.value.failedAt < OperationLimits.steadySeconds }.keys.sorted()
  }

  /// Runs `work` on the loop until `end`. If it fails or returns, it is run again.
  /// - Parameters:
  ///   - name: such as "kettle"; unique among the tasks.
  ///   - lease: the name of a lease, for work that only one of several hubs may do at a time: all work with the same
  ///     lease is done by one hub. By default every hub does it.
  public func run(_ name: String, lease: String? = nil, _ work: @escaping @Sendable () async throws -> Void) {
    metrics.counter(
      "eightbells_task_restarts_total", help: "How often a task in the background was run again since it had failed.",
      labels: ["task": name]
    ) { [self] in Double(reports[name]?.restarts ?? 0) }
    state.withLock { state in
      guard !state.isEnding else { return }
      precondition(state.tasks[name] == nil, "two tasks are called \(name)")
      state.reports[name] = Report()
      state.tasks[name] = Task(executorPreference: loop) { [self] in
        if let lease, let leases = leases.withLock({ $0 }) {
          await `repeat`(name) { try await leases.run(lease, work) }
        } else {
          await `repeat`(name, work)
        }
        leave(name)
      }
    }
  }

  /// Runs `work` once. At the end it is cancelled and waited for like the other tasks.
  /// - Parameters:
  ///   - name: such as "kettle.look"; several may share it.
  ///   - loop: the loop on which it runs; on any thread without one.
  /// - Returns: nil if the supervisor is ending and starts nothing any more.
  @discardableResult
  public func once(
    _ name: String, on loop: EventLoop? = nil, _ work: @escaping @Sendable () async -> Void
  ) -> Task<Void, Never>? {
    state.withLock { state in
      guard !state.isEnding else { return nil }
      state.begun += 1
      let own = "\(name) \(state.begun)"
      let task = Task(executorPreference: loop) { [self] in
        await work()
        leave(own)
      }
      state.tasks[own] = task
      return task
    }
  }

  private func `repeat`(_ name: String, _ work: @Sendable () async throws -> Void) async {
    var failures = 0
    var wasOfPlace = false
    while !Task.isCancelled {
      let began = loop.time.uptime
      var problem = "it ended by itself"
      var most = Int.max
      do { try await work() } catch {
        problem = (error as? HTTPError)?.error ?? "\(error)"
        let (ofStore, ofHub) = (error as? StoreError, (error as? HTTPError)?.code)
        if ofStore?.isOfServer == true || ofHub == .databaseAway { most = 1 }
        if ofStore?.code == .diskFull || ofHub == .diskFull { most = OperationLimits.failuresOfFullDisk }
      }
      if Task.isCancelled { return }
      // After a long run, the next failure counts as the first.
      let isFirst = loop.time.uptime - began > OperationLimits.steadySeconds
      failures = isFirst ? 1 : failures + 1
      // A database server that was away a few times is no reason to do nothing for minutes once it is back, nor is a
      // disk that was full once it has room.
      failures = min(failures, most)
      let pause = OperationLimits.pause(afterFailures: failures)
      // As long as that lasts, each attempt fails.
      let isOfPlace = most < .max
      if !isOfPlace || !wasOfPlace || isFirst {
        log.error("a task failed", ["task": name, "error": problem, "again_in_s": "\(Int(pause))"])
      }
      wasOfPlace = isOfPlace
      state.withLock { state in
        state.reports[name, default: Report()].restarts += 1
        state.reports[name]?.problem = problem
        state.reports[name]?.failedAt = loop.time.uptime
      }
      do { try await loop.pause(for: pause) } catch { return }
    }
  }

  /// Cancels all tasks, and waits for them for at most so many seconds.
  /// - Returns: the names of those that have not ended.
  public func end(within seconds: Double) async -> [String] {
    for task in state.withLock({ state in
      state.isEnding = true
      return Array(state.tasks.values)
    }) {
      task.cancel()
    }
    await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
      state.withLock { $0.whenEnded = continuation }
      loop.perform { [self] in loop.schedule(after: seconds) { [self] in stopWaiting() } }
      if state.withLock({ $0.tasks.isEmpty }) { stopWaiting() }
    }
    return state.withLock { $0.tasks.keys.sorted() }
  }

  private func leave(_ name: String) {
    let isLast = state.withLock { state in
      state.tasks[name] = nil
      return state.tasks.isEmpty
    }
    if isLast { stopWaiting() }
  }

  private func stopWaiting() {
    let continuation = state.withLock { state in
      defer { state.whenEnded = nil }
      return state.whenEnded
    }
    continuation?.resume()
  }
}
