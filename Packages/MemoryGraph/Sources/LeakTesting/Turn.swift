import Synchronization

/// Runs one body after the other: concurrent leaks of two could not be distinguished.
final class Turn: Sendable {
  static let next = Turn()
  /// True within a body: a nested one would wait for ever.
  @TaskLocal static var isTaken = false

  private struct Queue {
    var isTaken = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }
  private let queue = Mutex(Queue())

  /// Waits for its turn without blocking a thread. Rethrows what the body throws.
  func run<Answer>(_ body: () async throws -> Answer) async throws -> Answer {
    guard !Self.isTaken else {
      throw LeakTestingError(message: "A body whose leaks are looked for may have none in it whose leaks are, too.")
    }
    await withCheckedContinuation { continuation in
      let isNext = queue.withLock { queue in
        if queue.isTaken { queue.waiting.append(continuation) }
        defer { queue.isTaken = true }
        return !queue.isTaken
      }
      if isNext { continuation.resume() }
    }
    defer {
      let next = queue.withLock { queue in
        queue.isTaken = !queue.waiting.isEmpty
        return queue.waiting.isEmpty ? nil : queue.waiting.removeFirst()
      }
      next?.resume()
    }
    return try await Self.$isTaken.withValue(true) { try await body() }
  }
}
