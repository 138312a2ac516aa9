public import Store
import Synchronization

/// The providers of a hub, kept in memory. One that is not there is looked up in the store, so that one that was just
/// made by a command is known at once; one that was removed is forgotten at the next `load`.
public final class ProviderList: Sendable {
  private let store: Store
  private let list = Mutex<[Provider]>([])

  public init(_ store: Store) { self.store = store }

  /// Reads them again.
  public func load() async throws(StoreError) {
    let found = try await store.look { database throws(StoreError) in try database.providers() }
    list.withLock { $0 = found }
  }

  /// The provider whose key this is; nil for an unknown one.
  public func provider(keyID: String) async throws(StoreError) -> Provider? {
    try await provider { if case .key(let id, _) = $0 { id == keyID } else { false } }
  }

  /// The provider of a certificate; nil for an unknown one.
  public func provider(fingerprint: [UInt8]) async throws(StoreError) -> Provider? {
    try await provider { if case .certificate(let own, _) = $0 { own == fingerprint } else { false } }
  }

  private func provider(
    with isWanted: @Sendable (Provider.Credential) -> Bool
  ) async throws(StoreError) -> Provider? {
    if let known = known(with: isWanted) { return known }
    try await load()
    return known(with: isWanted)
  }

  private func known(with isWanted: @Sendable (Provider.Credential) -> Bool) -> Provider? {
    list.withLock { list in list.first { isWanted($0.credential) } }
  }
}
