public import Store

/// Something made or shown on a device that ends with it when it is lost. The hub has its own (passkeys, tokens,
/// links); a room lists others in its plan.
public struct DeviceBelonging: Sendable {
  /// The name for pages, such as "favourites".
  let name: String
  let isThere: @Sendable (Database, Int) throws(StoreError) -> Bool
  let end: @Sendable (Change, Int) throws(StoreError) -> Void
  let endWithToken: (@Sendable (Change, Int) throws(StoreError) -> Void)?

  /// - Parameters:
  ///   - isThere: returns true if a device, given by its key, has one.
  ///   - end: ends it, in the change that removes the device, and adds that to the audit.
  ///   - endWithToken: ends what was made with a token, given by its key, in the change that revokes it; nil for what
  ///     outlasts tokens.
  public init(
    name: String, isThere: @escaping @Sendable (Database, Int) throws(StoreError) -> Bool,
    end: @escaping @Sendable (Change, Int) throws(StoreError) -> Void,
    endWithToken: (@Sendable (Change, Int) throws(StoreError) -> Void)? = nil
  ) {
    (self.name, self.isThere, self.end, self.endWithToken) = (name, isThere, end, endWithToken)
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

  /// Ends what was made with a token, also in rooms that are switched off.
  func endBelongings(ofToken token: Int, in change: Change) throws(StoreError) {
    for kind in belongings { try kind.endWithToken?(change, token) }
  }
}
