package import EventLoop
import Lifecycle
package import Observe
import Store
import Synchronization

/// The limits of this folder.
enum OperationLimits {
  /// Seconds between two looks at what is to be removed from the bucket of large blobs, and from their copies: a short
  /// query each.
  static let bucketSeconds = 10.0
  /// Seconds between two looks whether that bucket answers, so that the log tells when it went away and came back.
  static let bucketLookSeconds = 60.0
  /// Seconds after which owners are told of one that does not.
  static let bucketPatienceSeconds = 600.0
  /// Seconds for which a result is reused, so that a flood of requests costs at most one check a second.
  static let healthSeconds = 1.0
  /// Seconds between two test writes while they succeed: each is a sync, and memory cards wear out.
  static let pulseSeconds = 10.0
  /// Seconds after which a store that does not answer counts as failing. SQLite waits up to 10 s for another process'
  /// write; monitoring programs usually wait less.
  static let patienceSeconds = 5.0
  /// Seconds after which a background task without failures counts as healthy again.
  static let steadySeconds = 600.0

  /// Seconds before a task that has failed so often in a row is run again: 1, 2, 4 … up to 5 minutes, so that one that
  /// fails at once costs little and is never given up.
  static func pause(afterFailures count: Int) -> Double { min(300, Double(1 << min(count - 1, 9))) }
  /// So many count at most where the disk is full, for pauses of 8 s: an alarm at anchor may wait for the end of one.
  static let failuresOfFullDisk = 4

  /// Seconds in which tasks have to end: then the store is closed.
  static let endSeconds = 10.0
}

/// The check that the store can be read and written. May be called from any thread.
package final class Health: Sendable {
  private struct State {
    /// The last result, with nil for no problem, and its uptime.
    var last: (problem: String?, at: Double)?
    var writtenAt = -Double.infinity
    /// The number of checks.
    var number = 0
    var isChecking = false
    /// True if the current check has exceeded its time.
    var isOverdue = false
    var waiting: [CheckedContinuation<String?, Never>] = []
  }
  private enum Next {
    case answer(String?), wait
    case check(Int, writing: Bool)
  }

  private let loop: EventLoop
  private let log: Log
  private let supervisor: Supervisor
  private let read: @Sendable () async -> String?
  private let write: @Sendable () async -> String?
  private let state = Mutex(State())

  /// - Parameters:
  ///   - read: reads the store; returns the problem, nil if there is none.
  ///   - write: writes to it, likewise.
  package init(
    loop: EventLoop, log: Log, supervisor: Supervisor, read: @escaping @Sendable () async -> String?,
    write: @escaping @Sendable () async -> String?
  ) {
    self.loop = loop
    self.log = log
    self.supervisor = supervisor
    self.read = read
    self.write = write
  }

  convenience init(_ hub: Hub) {
    self.init(
      loop: hub.loop, log: hub.log, supervisor: hub.supervisor,
      read: {
        do throws(StoreError) {
          try await hub.store.read { database throws(StoreError) in try database.readPulse() }
          return nil
        } catch {
          return error.message
        }
      },
      write: {
        let now = hub.time.now
        do throws(StoreError) {
          try await hub.store.write { database throws(StoreError) in try database.writePulse(at: now) }
          return nil
        } catch {
          return error.message
        }
      })
  }

  /// The problem in words that everyone may read; nil if all is well. At most a second old.
  package func problem() async -> String? {
    await withCheckedContinuation { continuation in
      switch next(continuation) {
      case .answer(let problem): continuation.resume(returning: problem)
      case .wait: break
      case .check(let number, let writing):
        // Not on the loop, which has to answer while the store does not.
        guard supervisor.once("hub.health", { await self.check(writing: writing) }) != nil else {
          return giveUp(number, "The hub is ending.")
        }
        loop.execute { [loop] in
          loop.schedule(after: OperationLimits.patienceSeconds) {
            self.giveUp(number, "The store has not answered within \(Int(OperationLimits.patienceSeconds)) s.")
          }
        }
      }
    }
  }

  private func next(_ continuation: CheckedContinuation<String?, Never>) -> Next {
    let now = loop.time.uptime
    return state.withLock { state in
      if let last = state.last, now - last.at < OperationLimits.healthSeconds { return .answer(last.problem) }
      if state.isOverdue { return .answer(state.last?.problem) }
      state.waiting.append(continuation)
      if state.isChecking { return .wait }
      state.isChecking = true
      state.number += 1
      return .check(state.number, writing: now - state.writtenAt >= OperationLimits.pulseSeconds)
    }
  }

  private func check(writing: Bool) async {
    var problem = await read().map { "The store cannot be read: \($0)." }
    if problem == nil, writing { problem = await write().map { "The store cannot be written: \($0)." } }
    let isWritten = writing && problem == nil
    let now = loop.time.uptime
    settle(problem) { state in
      state.isChecking = false
      state.isOverdue = false
      if isWritten { state.writtenAt = now }
      // After a failure the next check writes again.
      if problem != nil { state.writtenAt = -.infinity }
      return true
    }
  }

  private func giveUp(_ number: Int, _ problem: String) {
    settle(problem) { state in
      guard state.isChecking, state.number == number else { return false }
      state.isOverdue = true
      return true
    }
  }

  /// Stores a result, answers everyone waiting for it, and logs a change.
  /// - Parameter change: returns true if the result counts.
  private func settle(_ problem: String?, _ change: (inout State) -> Bool) {
    let now = loop.time.uptime
    let (waiting, isNews) = state.withLock { state -> ([CheckedContinuation<String?, Never>], Bool) in
      guard change(&state) else { return ([], false) }
      defer {
        state.last = (problem, now)
        state.waiting = []
      }
      return (state.waiting, (state.last?.problem ?? nil) != problem)
    }
    if isNews {
      if let problem {
        log.error("the hub is not healthy", ["reason": problem])
      } else {
        log.info("the hub is healthy again")
      }
    }
    for continuation in waiting { continuation.resume(returning: problem) }
  }
}
