import Synchronization

/// Waits for a time or for a call, whichever comes first. One task waits at a time.
final class Waiting: @unchecked Sendable {
  private struct State {
    var isCalled = false
    var continuation: UnsafeContinuation<Void, Never>?
  }
  private let state = Mutex(State())
  private let loop: EventLoop
  /// Used on the loop only.
  private var timer: LoopTimer?

  init(_ loop: EventLoop) { self.loop = loop }

  /// Ends the current wait, or the next one if none is under way.
  func call() {
    let continuation = state.withLock { state in
      state.isCalled = state.continuation == nil
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }

  /// Waits for a call.
  /// - Parameter seconds: the longest wait; nil for no limit.
  /// - Throws: once the task is cancelled.
  func wait(atMost seconds: Double?) async throws(CancellationError) {
    await withTaskCancellationHandler {
      await withUnsafeContinuation { continuation in
        let isOver = state.withLock { state in
          defer { state.isCalled = false }
          if !state.isCalled { state.continuation = continuation }
          return state.isCalled
        }
        if isOver { continuation.resume() } else { set(seconds) }
      }
    } onCancel: {
      call()
    }
    set(nil)
    if Task.isCancelled { throw CancellationError() }
  }

  private func set(_ seconds: Double?) {
    loop.perform { [self] in
      timer?.cancel()
      timer = seconds.map { loop.schedule(after: $0) { [self] in call() } }
    }
  }
}

extension EventLoop {
  /// Waits for so many seconds of uptime.
  /// - Throws: as soon as the task is cancelled.
  public func pause(for seconds: Double) async throws(CancellationError) {
    try await Waiting(self).wait(atMost: seconds)
  }
}

/// Repeats its work: when it is woken, and at the time that the work itself asked for.
public final class Poller: Sendable {
  private let waiting: Waiting

  public init(_ loop: EventLoop) { waiting = Waiting(loop) }

  /// Has the work done soon. Several calls before that count as one.
  public func wake() { waiting.call() }

  /// Waits until it is woken, or so many seconds have passed; nil for no limit.
  public func wait(atMost seconds: Double?) async throws(CancellationError) { try await waiting.wait(atMost: seconds) }

  /// Repeats `work` until the task is cancelled.
  /// - Parameter work: returns the seconds until it is to be done again; nil: not before it is woken.
  /// - Throws: what `work` throws, or `CancellationError`.
  public func run(_ work: @Sendable () async throws -> Double?) async throws {
    while true {
      let seconds = try await work()
      try await wait(atMost: seconds)
    }
  }
}
