import Crypto

/// The token of a user's session: the store has its digest alone, so that who reads the store is not signed in.
enum SessionToken {
  static func make() -> String { "r:\(Digest.hex(Digest.random(16)))" }

  /// Nil for what is no token.
  static func digest(_ token: String) -> [UInt8]? {
    guard token.hasPrefix("r:"), token.utf8.count == 34 else { return nil }
    return Digest.sha256(token.utf8)
  }
}
