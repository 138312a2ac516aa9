import Synchronization

/// Waits for a time or for a call, whichever comes first. One task waits at a time.
final class Waiting: @unchecked Sendable {
  private struct State {
    var isCalled = false
    var continuation: UnsafeContinuation<Void, Never>?
  }
  private let state = Mutex(State())
  private let loop: EventLoop
  /// The loop's.
  private var timer: LoopTimer?

  init(_ loop: EventLoop) { self.loop = loop }

  /// Ends the wait that is under way, or the next one.
  func call() {
    let continuation = state.withLock { state in
      state.isCalled = state.continuation == nil
      defer { state.continuation = nil }
      return state.continuation
    }
    continuation?.resume()
  }

  /// - Parameter seconds: nil for no limit.
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
  /// Lets so many seconds of uptime pass.
  /// - Throws: as soon as the task is cancelled.
  public func pause(for seconds: Double) async throws(CancellationError) {
    try await Waiting(self).wait(atMost: seconds)
  }
}

/// Does its work again and again: when somebody asks for it, and when the time has come that the work itself named.
public final class Poller: Sendable {
  private let waiting: Waiting

  public init(_ loop: EventLoop) { waiting = Waiting(loop) }

  /// Has the work done soon. Several calls before that are one.
  public func wake() { waiting.call() }

  /// Waits until somebody asks, or so many seconds have passed; nil for no limit.
  public func wait(atMost seconds: Double?) async throws(CancellationError) { try await waiting.wait(atMost: seconds) }

  /// Works until the task is cancelled.
  /// - Parameter work: returns after how many seconds it wants to be done again; nil: when somebody asks for it.
  /// - Throws: what `work` throws, or `CancellationError`.
  public func run(_ work: @Sendable () async throws -> Double?) async throws {
    while true {
      let seconds = try await work()
      try await wait(atMost: seconds)
    }
  }
}
