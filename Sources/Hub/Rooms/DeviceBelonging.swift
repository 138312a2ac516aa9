public import Store

/// Something that a room makes or shows on a device, and that ends with it when it is lost. The hub knows its own
/// (passkeys, tokens, links); a room names its in its plan.
public struct DeviceBelonging: Sendable {
  /// Names it to pages, such as "favourites".
  let name: String
  /// The audit's word for its end, such as "favourites.unsubscribed".
  let ending: String
  let isThere: @Sendable (Database, Int) throws(StoreError) -> Bool
  let end: @Sendable (Database, Int) throws(StoreError) -> Void

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

extension RoomList {
  private var belongings: [DeviceBelonging] { plans.flatMap(\.belongings) }

  /// The names of what a device has.
  func belongings(on device: Int, _ database: Database) throws(StoreError) -> [String] {
    var names: [String] = []
    for kind in belongings where try kind.isThere(database, device) { names.append(kind.name) }
    return names
  }

  /// Ends what a device has, of rooms that are switched off too.
  func endBelongings(on device: Int, in change: Change) throws(StoreError) {
    for kind in belongings where try kind.isThere(change.database, device) {
      try kind.end(change.database, device)
      try change.audit(kind.ending)
    }
  }
}
