import Crypto
import Observe
public import Server
import Wire

/// Devices that can be rung, such as agents, have a secret of their own, with which they connect to the gateway. For
/// some routes they send it in the place of a token.
extension Hub {
  /// The beginning of such a secret, by which it is told from a token.
  public static let deviceSecretPrefix = "ebd_"

  /// The secret that a request carries as Authorization: Bearer, or as the password of Authorization: Basic; nil for
  /// one of a person, a token or nobody.
  public func deviceSecret(in request: Request) -> String? {
    guard let parts = request.head.fields["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2 else {
      return nil
    }
    let secret = parts[0].lowercased() == "basic" ? Self.password(parts[1]) : parts[1]
    guard ["bearer", "basic"].contains(parts[0].lowercased()), let secret,
      secret.hasPrefix(Self.deviceSecretPrefix)
    else { return nil }
    return String(secret)
  }

  /// The password of basic authentication (RFC 7617).
  private static func password(_ credentials: Substring) -> Substring? {
    let plain = credentials.filter { $0 != "=" }.map { $0 == "+" ? "-" : $0 == "/" ? "_" : $0 }
    guard let bytes = Digest.bytes(base64URL: String(plain)) else { return nil }
    return String(decoding: bytes, as: UTF8.self).split(separator: ":", maxSplits: 1).dropFirst().first
  }

  /// The answer to somebody who sends no such secret where one is needed.
  public static let deviceSecretMissing = HTTPError(
    .noToken, "The secret of a device is needed.",
    help: "An agent sends Authorization: Bearer SECRET; eightbells device create makes one.",
    fields: HTTPError.challenge)

  /// The answer to a secret that no device has. Such attempts are counted as those with tokens are.
  public func unknownDeviceSecret(_ request: Request) -> HTTPError {
    if let seconds = secretFailures.begin(request.peer) { return .tooManyFailures(seconds) }
    log.warning("an unknown secret of a device was used", ["from": request.peer, "path": String(request.head.path)])
    return HTTPError(
      .unknownToken, "No device has this secret.",
      help: "It was removed, or has another secret now: eightbells device create makes one.",
      fields: HTTPError.challenge)
  }
}
