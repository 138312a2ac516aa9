public import Crypto

/// The key by which push services know the hub again (RFC 8292). Browsers bind their subscriptions to it: a hub that
/// loses it reaches none of them any more.
public struct ApplicationServerKey: Sendable {
  public let key: P256PrivateKey

  /// A new key, to be kept in the store.
  public init() { key = P256PrivateKey() }

  /// The key that was kept: 32 bytes; nil for anything else.
  public init?(_ bytes: [UInt8]) {
    guard let key = P256PrivateKey(bytes) else { return nil }
    self.key = key
  }

  /// The public key in base64url, which a page gives to `PushManager.subscribe` as `applicationServerKey`.
  public var publicText: String { Digest.base64URL(key.publicKey.bytes) }
}
