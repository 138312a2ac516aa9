import Crypto
import Wire

/// The token by which a provider shows who it is: a JWT (RFC 7519), signed by ES256 (RFC 7518). It is read without a
/// clock and without a key, so that the key can be looked up in between.
public struct ProviderToken: Equatable, Sendable {
  /// The id of the key that signed it.
  public let keyID: String
  public let team: String
  /// Seconds since 1970.
  public let issuedAt: Double
  private let signed: [UInt8]
  private let signature: [UInt8]

  /// Reads the value of the field `authorization`.
  /// - Throws: `MissingProviderToken` if it is for another way of signing in, `InvalidProviderToken` for anything that
  ///   is no such token.
  public init(authorization: String) throws(Rejection) {
    let words = authorization.split(separator: " ", omittingEmptySubsequences: true)
    guard words.first?.lowercased() == "bearer" else { throw Rejection(.missingProviderToken) }
    guard words.count == 2, authorization.utf8.count <= APNsLimits.authorizationBytes else {
      throw Rejection(words.count == 1 ? .missingProviderToken : .invalidProviderToken)
    }
    let parts = words[1].split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 3, let header = Self.json(parts[0]), let claims = Self.json(parts[1]),
      let signature = Digest.bytes(base64URL: String(parts[2])),
      // Nothing but ES256, whatever the token says of itself: not "none", and no HMAC with the public key.
      header["alg"]?.string == "ES256", header["crit"] == nil,
      let keyID = header["kid"]?.string, Self.isID(keyID),
      let team = claims["iss"]?.string, Self.isID(team),
      let issuedAt = Self.instant(claims["iat"])
    else { throw Rejection(.invalidProviderToken) }
    self.keyID = keyID
    self.team = team
    self.issuedAt = issuedAt
    self.signature = signature
    signed = Array("\(parts[0]).\(parts[1])".utf8)
  }

  private static func json(_ part: Substring) -> JSON? {
    Digest.bytes(base64URL: String(part)).flatMap { try? JSON(parsing: $0) }.flatMap { $0.members == nil ? nil : $0 }
  }

  /// A number, or its digits as a string, as some providers send it.
  private static func instant(_ value: JSON?) -> Double? {
    let seconds = value?.number ?? value?.string.flatMap { text in Int(text).map(Double.init) }
    // Up to the year 9999, so that sums stay exact.
    return seconds.flatMap { (0...253_402_300_799).contains($0) ? $0 : nil }
  }

  /// True for the id of a team or a key: ten letters and digits.
  public static func isID(_ text: String) -> Bool {
    text.utf8.count == APNsLimits.idCharacters && text.isAlphanumeric()
  }

  /// Checks the signature.
  /// - Throws: `InvalidProviderToken` also if the key belongs to another team.
  public func check(_ provider: Provider) throws(Rejection) {
    guard case .key(let id, let key) = provider.credential, id == keyID, provider.team == team,
      key.verifies(signature, of: signed)
    else { throw Rejection(.invalidProviderToken) }
  }

  /// Checks the age: from 0 to 60 minutes.
  /// - Parameter now: seconds since 1970.
  public func check(at now: Double) throws(Rejection) {
    guard issuedAt <= now + APNsLimits.clockSeconds else { throw Rejection(.invalidProviderToken) }
    guard now - issuedAt <= APNsLimits.tokenSeconds else { throw Rejection(.expiredProviderToken) }
  }

  /// Checks whether this token may follow another one on the same connection.
  public func check(after other: ProviderToken) throws(Rejection) {
    guard team == other.team else { throw Rejection(.unrelatedKeyIdInToken) }
    // An older one was made before, perhaps by another thread of the same sender.
    guard
      keyID != other.keyID || issuedAt < other.issuedAt
        || issuedAt - other.issuedAt >= APNsLimits.renewalSeconds
    else { throw Rejection(.tooManyProviderTokenUpdates) }
  }
}
