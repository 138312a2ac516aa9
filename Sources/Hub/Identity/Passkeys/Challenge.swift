import Crypto

/// What an authenticator has to sign: made by this hub, for one ceremony, for a few minutes, good for one time.
///
/// It carries its end and a code over all that it is bound to, so that handing it out keeps nothing: whoever asks for
/// millions of them fills no store. Only one that has been used is noted, until its end.
package struct Challenge: Equatable {
  /// What it is for: one made to sign in registers nothing, and one person's registers nothing for another.
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

  /// A new one.
  /// - Parameter party: the RP id it is for.
  package init(for purpose: Purpose, party: String, secret: [UInt8], now: Double) {
    nonce = Digest.random(Self.nonceBytes)
    end = (now + PasskeyLimits.challengeSeconds).rounded(.down)
    let head = nonce + withUnsafeBytes(of: UInt64(end).bigEndian, Array.init)
    text = Digest.base64URL(head + Self.code(head, purpose, party, secret))
  }

  /// One that came back.
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
