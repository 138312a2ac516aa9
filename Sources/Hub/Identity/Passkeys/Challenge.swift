import Crypto

/// A challenge for an authenticator to sign: made by this hub, for one ceremony, valid once and for a few minutes.
///
/// It contains its expiry and a MAC over all that it is bound to, so that issuing one stores nothing: requesting
/// millions of them fills no store. Only used ones are stored, until they expire.
package struct Challenge: Equatable {
  /// The purpose: a challenge for signing in registers nothing, and one person's registers nothing for another.
  package enum Purpose: Equatable {
    case registration(person: Int)
    case signIn

    fileprivate var text: String {
      switch self {
      case .registration(let person): "registration \(person)"
      case .signIn: "sign in"
      }
    }
  }

  package static let secretBytes = 32
  private static let nonceBytes = 16
  private static let endBytes = 8
  private static let codeBytes = 32

  package let nonce: [UInt8]
  /// Seconds since 1970.
  package let end: Double
  package let text: String

  /// Makes a new challenge.
  /// - Parameter party: the RP id it is for.
  package init(for purpose: Purpose, party: String, secret: [UInt8], now: Double) {
    nonce = Digest.random(Self.nonceBytes)
    end = (now + PasskeyLimits.challengeSeconds).rounded(.down)
    let head = nonce + withUnsafeBytes(of: UInt64(end).bigEndian, Array.init)
    text = Digest.base64URL(head + Self.code(head, purpose, party, secret))
  }

  /// Parses a challenge that came back.
  package init(
    _ text: String, for purpose: Purpose, party: String, secret: [UInt8], now: Double
  ) throws(PasskeyError) {
    let unknown = PasskeyError(.challenge, "The challenge is not one that this hub made for this.")
    guard let bytes = Digest.bytes(base64URL: text),
      bytes.count == Self.nonceBytes + Self.endBytes + Self.codeBytes
    else { throw unknown }
    let head = Array(bytes.dropLast(Self.codeBytes))
    guard Digest.areEqual(Array(bytes.suffix(Self.codeBytes)), Self.code(head, purpose, party, secret)) else {
      throw unknown
    }
    nonce = Array(head.prefix(Self.nonceBytes))
    end = Double(head.dropFirst(Self.nonceBytes).reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    self.text = text
    guard now < end else { throw PasskeyError(.challenge, "The challenge has expired.") }
  }

  private static func code(_ head: [UInt8], _ purpose: Purpose, _ party: String, _ secret: [UInt8]) -> [UInt8] {
    Digest.hmacSHA256(head + Array("\(purpose.text)\n\(party)".utf8), key: secret)
  }
}
