public import Store
import Synchronization

/// What rooms have made or shown on a device, and what ends with it when it is lost: the hub knows its own (passkeys,
/// tokens, links), and each room tells of its.
public final class DeviceBelongings: Sendable {
  /// One kind of thing.
  public struct Kind: Sendable {
    /// Names it to pages, such as "favourites".
    var name: String
    /// The audit's word for its end, such as "favourites.unsubscribed".
    var ending: String
    var isThere: @Sendable (Database, Int) throws(StoreError) -> Bool
    var end: @Sendable (Database, Int) throws(StoreError) -> Void

    /// - Parameters:
    ///   - isThere: whether there is one for a device, by its key in the store.
    ///   - end: ends it, in the transaction that removes the device.
    public init(
      name: String, ending: String, isThere: @escaping @Sendable (Database, Int) throws(StoreError) -> Bool,
      end: @escaping @Sendable (Database, Int) throws(StoreError) -> Void
    ) {
      (self.name, self.ending, self.isThere, self.end) = (name, ending, isThere, end)
    }
  }
  private let kinds = Mutex<[Kind]>([])

  public func add(_ kind: Kind) { kinds.withLock { $0.append(kind) } }

  /// The names of what a device has.
  func names(on device: Int, _ database: Database) throws(StoreError) -> [String] {
    var names: [String] = []
    for kind in kinds.withLock({ $0 }) where try kind.isThere(database, device) { names.append(kind.name) }
    return names
  }

  func end(on device: Int, in change: Change) throws(StoreError) {
    for kind in kinds.withLock({ $0 }) where try kind.isThere(change.database, device) {
      try kind.end(change.database, device)
      try change.audit(kind.ending)
    }
  }
}
