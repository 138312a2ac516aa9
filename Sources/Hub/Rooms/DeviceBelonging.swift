public import Store

/// Something made or shown on a device that ends with it when it is lost. The hub has its own (passkeys, tokens,
/// links); a room lists others in its plan.
public struct DeviceBelonging: Sendable {
  /// The name for pages, such as "favourites".
  let name: String
  let isThere: @Sendable (Database, Int) throws(StoreError) -> Bool
  let end: @Sendable (Change, Int) throws(StoreError) -> Void

  /// - Parameters:
  ///   - isThere: returns true if a device, given by its key, has one.
  ///   - end: ends it, in the change that removes the device, and adds that to the audit.
  public init(
    name: String, isThere: @escaping @Sendable (Database, Int) throws(StoreError) -> Bool,
    end: @escaping @Sendable (Change, Int) throws(StoreError) -> Void
  ) {
    (self.name, self.isThere, self.end) = (name, isThere, end)
  }
}

extension RoomList {
  private var belongings: [DeviceBelonging] { plans.flatMap(\.belongings) }

  /// The names of a device's belongings.
  func belongings(on device: Int, _ database: Database) throws(StoreError) -> [String] {
    var names: [String] = []
    for kind in belongings where try kind.isThere(database, device) { names.append(kind.name) }
    return names
  }

  /// Ends a device's belongings, also of rooms that are switched off.
  func endBelongings(on device: Int, in change: Change) throws(StoreError) {
    for kind in belongings where try kind.isThere(change.database, device) {
      try kind.end(change, device)
    }
  }
}
