import Server
import Synchronization

/// Lets so many in at a time, and refuses others.
final class DownloadGate: Sendable {
  private let count = Mutex(0)
  private let most: Int

  init(_ most: Int) { self.most = most }

  /// A place inside, which is free again when this goes.
  final class Place: Sendable {
    private let gate: DownloadGate

    fileprivate init(_ gate: DownloadGate) { self.gate = gate }
    deinit { gate.count.withLock { $0 -= 1 } }
  }

  /// - Throws: 503 while so many are inside.
  func enter() throws(HTTPError) -> Place {
    let mayEnter = count.withLock { count in
      guard count < most else { return false }
      count += 1
      return true
    }
    guard mayEnter else { throw HTTPError.tooManyDownloads }
    return Place(self)
  }
}
