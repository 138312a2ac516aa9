import Crypto

/// The secret that a webhook's receiver shares with the hub, and the signature made with it, as Standard Webhooks
/// describes them (https://www.standardwebhooks.com, specification 1.0).
public struct WebhookSecret: Hashable, Sendable {
  public let bytes: [UInt8]

  /// A new one.
  public init() { bytes = Digest.random(WebhookLimits.secretBytes) }

  /// One that was kept.
  public init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// "whsec_" and the bytes in base64, as libraries for receivers want it.
  public var text: String { "whsec_" + Digest.base64(bytes) }

  /// The value of `webhook-signature`.
  /// - Parameters:
  ///   - id: of the message; without a full stop.
  ///   - timestamp: whole seconds since 1970 of this attempt.
  public func signature(id: String, timestamp: Int, body: [UInt8]) -> String {
    "v1," + Digest.base64(Digest.hmacSHA256(Array("\(id).\(timestamp).".utf8) + body, key: bytes))
  }
}
