public import CivilTime
public import Store
import Synchronization

/// The hub's current place, kept in memory, and the observers of its changes.
public final class HubPlace: Sendable {
  private struct State {
    var current: Place?
    var observers: [Observer] = []
  }
  public typealias Observer = @Sendable (Place, Change) throws -> Void
  private let state = Mutex(State())

  /// Nil until an owner has set it up.
  public var current: Place? { state.withLock { $0.current } }
  /// UTC until an owner has set up the place.
  public var zone: Zone { current?.zone ?? .utc }

  /// Adds an observer, called within each change that saves the place, after it is written. `current` is still the old
  /// place then; in `change.then` it is the new one.
  public func observe(_ observer: @escaping Observer) { state.withLock { $0.observers.append(observer) } }

  /// Reads the place from the store; called before the rooms are made.
  public func load(from store: Store) async throws(StoreError) {
    let kept = try await store.read { database throws(StoreError) in try database.place() }
    state.withLock { $0.current = kept }
  }

  /// Another hub has saved the place.
  func refresh(from database: Database) throws(StoreError) {
    let kept = try database.place()
    state.withLock { $0.current = kept }
  }

  func save(_ place: Place, in change: Change) throws {
    try change.database.save(place: place)
    change.database.touch(.place)
    change.then { [self] in state.withLock { $0.current = place } }
    for observer in state.withLock({ $0.observers }) { try observer(place, change) }
  }
}
