public import CivilTime
import Lifecycle
public import Store
import Synchronization

/// The hub's place as it is now, for whoever needs it without asking the store; and those who want to hear when it
/// changes.
public final class HubPlace: Sendable {
  private struct State {
    var current: Place?
    var observers: [Observer] = []
  }
  public typealias Observer = @Sendable (Place, Change) throws -> Void
  private let state = Mutex(State())

  /// Nil until an owner has said something.
  public var current: Place? { state.withLock { $0.current } }
  /// UTC until an owner has said something.
  public var zone: Zone { current?.zone ?? .utc }

  /// Has somebody called in each change that saves the place, once it is written. `current` is still the place before;
  /// what is done in `change.then` finds the new one.
  public func observe(_ observer: @escaping Observer) { state.withLock { $0.observers.append(observer) } }

  /// Reads what is kept; to be called before the rooms are made.
  public func load(from store: Store) async throws(StoreError) {
    let kept = try await store.read { database throws(StoreError) in try database.place() }
    state.withLock { $0.current = kept }
  }

  func save(_ place: Place, in change: Change) throws {
    try change.database.save(place: place)
    change.then { [self] in state.withLock { $0.current = place } }
    for observer in state.withLock({ $0.observers }) { try observer(place, change) }
  }
}
