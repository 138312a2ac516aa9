public import Wire

/// The keys of a device or a sender: the current one, with which it seals, older ones that still open what comes, and
/// the ids of those that were revoked.
public struct KeyRing: Equatable, Sendable {
  public private(set) var keys: [PrivateKey] = []
  /// The id of the key to seal with; nil without one.
  public private(set) var currentID: String?
  public private(set) var revoked: [String] = []

  public init() {}

  public var current: PrivateKey? { currentID.flatMap { key($0) } }

  public func key(_ id: String) -> PrivateKey? { keys.first { $0.id == id } }

  public enum State: String, Sendable {
    case current, older, revoked
  }

  /// The ids of all keys, the newest first, then those that were revoked.
  public var states: [(id: String, state: State)] {
    keys.reversed().map { ($0.id, $0.id == currentID ? .current : .older) } + revoked.map { ($0, .revoked) }
  }

  /// As commands print `states` for programs.
  public static func json(_ states: [(id: String, state: State)]) -> JSON {
    .array(states.map { ["id": .string($0.id), "state": .string($0.state.rawValue)] })
  }

  /// Adds a key and makes it the current one. The others become older ones.
  /// - Throws: for a key that was revoked, and for one too many.
  public mutating func add(_ key: PrivateKey) throws(SealedError) {
    let id = key.id
    guard !revoked.contains(id) else { throw SealedError("The key \(id) was revoked; a new one is accepted.") }
    if self.key(id) == nil {
      guard keys.count < SealedLimits.keys else {
        throw SealedError("There are \(keys.count) keys; at most \(SealedLimits.keys) are accepted: forget an old one.")
      }
      keys.append(key)
    }
    currentID = id
  }

  /// Forgets a key: what is sealed with it is not opened any more. It may be added again.
  /// - Returns: false if it is not there.
  @discardableResult
  public mutating func forget(_ id: String) -> Bool {
    guard let index = keys.firstIndex(where: { $0.id == id }) else { return false }
    keys.remove(at: index)
    if currentID == id { currentID = nil }
    return true
  }

  /// Forgets a key for good: nothing is sealed with it, and it is not taken again.
  public mutating func revoke(_ id: String) {
    forget(id)
    guard !revoked.contains(id) else { return }
    revoked.append(id)
    if revoked.count > SealedLimits.revoked { revoked.removeFirst() }
  }

  // MARK: JSON

  /// {"v": 1, "current": ID, "keys": [{"id", "key"}], "revoked": [ID]}
  public var json: JSON {
    [
      "v": 1, "current": JSON(currentID),
      "keys": .array(keys.map { ["id": .string($0.id), "key": .string($0.text)] }),
      "revoked": .array(revoked.map(JSON.string)),
    ]
  }

  /// - Throws: a sentence that does not hold the keys.
  public init(_ json: JSON) throws(SealedError) {
    guard json["v"]?.int == 1, let list = json["keys"]?.array, list.count <= SealedLimits.keys,
      let revoked = json["revoked"]?.array?.compactMap(\.string)
    else { throw SealedError("It holds no keys; a file of eightbells key create is accepted.") }
    for (index, one) in list.enumerated() {
      guard let key = one["key"]?.string.flatMap({ PrivateKey($0) }), key.id == one["id"]?.string else {
        throw SealedError("keys[\(index)] is no key, or has another id; 43 characters and their id are accepted.")
      }
      keys.append(key)
    }
    self.revoked = revoked.filter(PrivateKey.isID)
    currentID = json["current"]?.string.flatMap { id in keys.contains { $0.id == id } ? id : nil }
  }
}
