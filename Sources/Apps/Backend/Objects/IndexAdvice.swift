import EventLoop
import Synchronization

/// Fields by which objects were looked for without an index.
final class IndexAdvice: Sendable {
  struct Field: Hashable, Sendable {
    /// The class' number in the tables.
    var classNumber: Int
    var name: String
  }
  private let counts = Mutex<[Field: Int]>([:])
  /// Woken when a field was noted often, or by `wake`.
  let poller: Poller

  init(_ loop: EventLoop) { poller = Poller(loop) }

  /// To be called when a class was changed: an index may be wanted, or something left to be removed.
  func wake() { poller.wake() }

  func note(_ field: Field) {
    let isOften = counts.withLock { counts in
      if counts.count >= AppsLimits.advised, counts[field] == nil { counts = [:] }
      counts[field, default: 0] += 1
      return counts[field] == AppsLimits.indexAfter
    }
    if isOften { poller.wake() }
  }

  /// Takes the fields that were noted often.
  func take() -> [Field] {
    counts.withLock { counts in
      let often = counts.filter { $0.value >= AppsLimits.indexAfter }.map(\.key)
      for field in often { counts[field] = nil }
      return often
    }
  }
}
