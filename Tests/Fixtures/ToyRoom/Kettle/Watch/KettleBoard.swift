import Synchronization

/// What was last known, for what must not wait: readings, and the doctor. What is answered comes from the store, since
/// a command beside the hub may have changed it.
final class KettleBoard: Sendable {
  private let state: Mutex<Kettle?>

  init(_ kettle: Kettle?) { state = Mutex(kettle) }

  var kettle: Kettle? { state.withLock { $0 } }

  func set(_ kettle: Kettle?) { state.withLock { $0 = kettle } }
}
