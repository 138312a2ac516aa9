import Synchronization

/// The last known state in memory, for metrics and the doctor, which must not wait. Answers come from the store, since
/// a command beside the hub may have changed it.
final class KettleBoard: Sendable {
  private let state: Mutex<Kettle?>

  init(_ kettle: Kettle?) { state = Mutex(kettle) }

  var kettle: Kettle? { state.withLock { $0 } }

  func set(_ kettle: Kettle?) { state.withLock { $0 = kettle } }
}
