import Crypto
public import Lifecycle
import Synchronization
import Wire

/// Signed tokens that tell push services who sends (RFC 8292), one for each origin. A signature costs as much as
/// encrypting a message, so a token is used until shortly before its end.
public final class ServerTokens: Sendable {
  private struct Token {
    var field: String
    var expiresAt: Double
  }
  private let key: ApplicationServerKey
  private let publicText: String
  private let contact: String?
  private let time: any TimeSource
  private let tokens = Mutex<[String: Token]>([:])

  /// - Parameter contact: where the operators of a push service can complain: an address that begins with `mailto:` or
  ///   `https:`. Apple's service takes no message without one.
  public init(_ key: ApplicationServerKey, contact: String?, time: any TimeSource) {
    self.key = key
    publicText = key.publicText
    self.contact = contact
    self.time = time
  }

  /// The value of the field `Authorization` for a push service.
  /// - Parameter origin: the service's, as `PushEndpoint` has it.
  public func authorization(for origin: String) -> String {
    let now = time.now
    // A clock that was set back would make an old token one that is valid for too long.
    let usable = WebPushLimits.tokenMargin...WebPushLimits.tokenSeconds
    if let kept = tokens.withLock({ $0[origin] }), usable.contains(kept.expiresAt - now) { return kept.field }
    let token = make(for: origin, now: now)
    tokens.withLock { tokens in
      if tokens.count >= WebPushLimits.tokens, tokens[origin] == nil {
        let first = tokens.min { $0.value.expiresAt < $1.value.expiresAt }!.key
        tokens[first] = nil
      }
      tokens[origin] = token
    }
    return token.field
  }

  /// Has the next token for this origin signed anew, after one was refused.
  func forget(_ origin: String) { tokens.withLock { $0[origin] = nil } }

  private func make(for origin: String, now: Double) -> Token {
    let expiresAt = (now + WebPushLimits.tokenSeconds).rounded(.down)
    var claims: [JSON.Member] = [.init("aud", .string(origin)), .init("exp", .int(Int(expiresAt)))]
    if let contact { claims.append(.init("sub", .string(contact))) }
    let parts = [["typ": "JWT", "alg": "ES256"], JSON.object(claims)].map { Digest.base64URL($0.bytes) }
    let signed = parts.joined(separator: ".")
    let signature = Digest.base64URL(key.key.sign(Array(signed.utf8)))
    // Without a space behind the comma, which some programs do not expect.
    return Token(field: "vapid t=\(signed).\(signature),k=\(publicText)", expiresAt: expiresAt)
  }
}
