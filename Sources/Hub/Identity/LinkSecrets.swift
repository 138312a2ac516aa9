import Crypto

/// The secrets of a one-time link: that in its address, and a code to be typed. The store keeps their digests.
package struct LinkSecrets: Sendable {
  package let secret: String
  /// Eight letters, as "ABCD-EFGH".
  package let code: String

  /// Letters and digits without similar ones: 0 and O, 1, I and L, U and V.
  static let alphabet = Array("23456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)
  static let codeLetters = 8
  private static let groupLetters = 3

  package init() {
    secret = RandomID.secret(bytes: IdentityLimits.secretBytes)
    let letters = String(decoding: Self.randomLetters(Self.codeLetters), as: UTF8.self)
    code = "\(letters.prefix(4))-\(letters.suffix(4))"
  }

  /// Uniformly random letters: bytes that would favour the first ones are discarded.
  private static func randomLetters(_ count: Int) -> [UInt8] {
    let fair = 256 / alphabet.count * alphabet.count
    var letters: [UInt8] = []
    while letters.count < count {
      letters += Digest.random(count).lazy.filter { $0 < fair }.map { alphabet[Int($0) % alphabet.count] }
    }
    return Array(letters.prefix(count))
  }

  var secretDigest: [UInt8] { Digest.sha256(secret.utf8) }
  var codeDigest: [UInt8] { Digest.sha256(Self.typed(code).utf8) }
  var codeGroup: String { Self.group(of: Self.typed(code)) }

  /// A typed code in capitals, without separators.
  static func typed(_ text: String) -> String { text.uppercased().filter { !"-–— ".contains($0) } }

  /// The first letters, by which a code is looked up.
  static func group(of typed: String) -> String { String(typed.prefix(groupLetters)) }
}
