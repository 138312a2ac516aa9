public import Crypto
public import Wire

/// The means to reach one browser, as its `PushManager.subscribe` gives it (Push API section 8).
public struct PushSubscription: Hashable, Sendable {
  public let endpoint: PushEndpoint
  /// The browser's public key, `p256dh`.
  public let publicKey: P256PublicKey
  /// The secret of 16 bytes that the browser shares with whoever may send to it, `auth`.
  public let authSecret: [UInt8]

  /// Reads `{"endpoint": …, "keys": {"p256dh": …, "auth": …}}`; other members are ignored, as browsers add some.
  /// - Parameter listed: as for `PushEndpoint`.
  public init(_ json: JSON, listed: [AddressRange] = []) throws(WebPushError) {
    guard let endpoint = json["endpoint"]?.string else {
      throw WebPushError(.endpoint, "The subscription has no endpoint; a text is accepted.")
    }
    try self.init(
      endpoint: PushEndpoint(endpoint, listed: listed), p256dh: json["keys"]?["p256dh"]?.string ?? "",
      auth: json["keys"]?["auth"]?.string ?? "")
  }

  /// - Parameters:
  ///   - p256dh: an uncompressed point of 65 bytes, in base64url without padding.
  ///   - auth: 16 bytes, in base64url without padding.
  public init(endpoint: PushEndpoint, p256dh: String, auth: String) throws(WebPushError) {
    guard p256dh.utf8.count == 87, let point = Digest.bytes(base64URL: p256dh), let key = P256PublicKey(point) else {
      throw WebPushError(
        .publicKey,
        "The key p256dh of \(p256dh.utf8.count) characters is no point on the curve P-256; 65 bytes in base64url are "
          + "accepted.")
    }
    guard auth.utf8.count == 22, let secret = Digest.bytes(base64URL: auth) else {
      throw WebPushError(
        .authSecret,
        "The key auth has \(auth.utf8.count) characters; \(WebPushLimits.authSecretBytes) bytes in base64url, "
          + "22 characters, are accepted.")
    }
    self.init(endpoint: endpoint, publicKey: key, authSecret: secret)
  }

  /// A subscription that was checked before.
  init(endpoint: PushEndpoint, publicKey: P256PublicKey, authSecret: [UInt8]) {
    self.endpoint = endpoint
    self.publicKey = publicKey
    self.authSecret = authSecret
  }
}
