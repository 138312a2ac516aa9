package import Crypto

/// The tokens by which the hub shows Apple's service who it is (JWT with ES256), one after the other.
///
/// Apple refuses a token that is older than an hour, and whoever makes a new one more often than every 20 minutes.
package struct TokenMaker: Sendable {
  private let team: String
  private let keyID: String
  private let key: P256PrivateKey
  private var last: (text: String, issuedAt: Double)?
  /// The time at which the service called one expired, and another was made.
  private var expiredAt: Double?

  package init(team: String, keyID: String, key: P256PrivateKey) {
    self.team = team
    self.keyID = keyID
    self.key = key
  }

  /// The token to send now; made at the first call.
  /// - Parameter now: seconds since 1970.
  package mutating func token(now: Double) -> String {
    // One from the future was made before the clock was set back, and would be refused.
    if let last, (-1..<APNsSenderLimits.renewSeconds).contains(now - last.issuedAt) { return last.text }
    return make(now)
  }

  /// Another token, since the service says that the last one has expired.
  /// - Parameter refused: the one that was sent.
  /// - Returns: nil if that was said a short while ago, too: a further one would fare no better.
  package mutating func token(afterExpired refused: String, now: Double) -> String? {
    if let last, last.text != refused { return last.text }
    if let expiredAt, (0..<APNsSenderLimits.expiredSeconds).contains(now - expiredAt) { return nil }
    expiredAt = now
    return make(now)
  }

  private mutating func make(_ now: Double) -> String {
    let head = Digest.base64URL(Array(#"{"alg":"ES256","kid":"\#(keyID)"}"#.utf8))
    let claims = Digest.base64URL(Array(#"{"iss":"\#(team)","iat":\#(Int(now))}"#.utf8))
    let signature = Digest.base64URL(key.sign(Array("\(head).\(claims)".utf8)))
    let text = "\(head).\(claims).\(signature)"
    last = (text, now)
    return text
  }
}
