/// The reason why a subscription is not accepted.
public struct WebPushError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Sendable {
    /// The endpoint is no address that can be sent to.
    case endpoint
    /// The endpoint's address is not on the public Internet, and not listed.
    case targetRefused
    /// The browser's public key, `p256dh`.
    case publicKey
    /// The browser's secret, `auth`.
    case authSecret
  }
  public var code: Code
  /// A sentence that does not contain the endpoint or the secret: whoever knows these can reach the device.
  public var message: String
  public var description: String { message }

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
