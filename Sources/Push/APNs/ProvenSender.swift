import Crypto

/// The proof by which a sender is let in, with what one connection has shown before.
public struct ProvenSender: Sendable {
  private let authorization: String
  private let token: ProviderToken

  private init(_ authorization: String, _ token: ProviderToken) {
    self.authorization = authorization
    self.token = token
  }

  /// The provider of a request that brings a token.
  /// - Parameters:
  ///   - before: what the connection's last request has shown; a token that comes again is not verified again.
  ///   - now: seconds since 1970.
  public static func prove(
    _ authorization: String, after before: ProvenSender?, among providers: ProviderList, now: Double
  ) async throws -> (Provider, ProvenSender) {
    if let before, before.authorization == authorization {
      try before.token.check(at: now)
      // It may have been removed meanwhile.
      let provider = try await providers.provider(keyID: before.token.keyID)
      return (try before.token.checkTeam(provider), before)
    }
    let token = try ProviderToken(authorization: authorization)
    let found = try await providers.provider(keyID: token.keyID)
    let provider = try token.checkTeam(found)
    try token.check(provider)
    try token.check(at: now)
    if let before { try token.check(after: before.token) }
    return (provider, ProvenSender(authorization, token))
  }

  /// The provider of a certificate.
  /// - Parameters:
  ///   - certificate: DER.
  ///   - isValid: true if the hub's authority vouches for it.
  public static func prove(
    certificate: [UInt8], isValid: Bool, among providers: ProviderList, now: Double
  ) async throws -> Provider {
    let provider = try await providers.provider(fingerprint: Digest.sha256(certificate))
    guard isValid, let provider, provider.end ?? 0 > now else { throw Rejection(.badCertificate) }
    return provider
  }
}

extension ProviderToken {
  /// - Throws: `InvalidProviderToken` without a provider, or for one of another team.
  fileprivate func checkTeam(_ provider: Provider?) throws(Rejection) -> Provider {
    guard let provider, provider.team == team else { throw Rejection(.invalidProviderToken) }
    return provider
  }
}
