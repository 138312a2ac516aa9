import Synchronization

/// Lets so many in at a time.
final class Gate: Sendable {
  private let count = Mutex(0)
  private let most: Int

  init(_ most: Int) { self.most = most }

  /// False where it is full.
  func enter() -> Bool {
    count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
  }

  func leave() { count.withLock { $0 -= 1 } }
}
