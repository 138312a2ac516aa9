/// A password as it is kept: what scrypt makes of it, with the numbers that it was made with.
public struct PasswordHash: Equatable, Sendable {
  /// `scrypt$14$8$5$SALT$KEY`: cost, block size, lanes, and two texts of base64url.
  public let text: String

  /// The cost of new ones (OWASP's Password Storage Cheat Sheet): 16 MB and a fifth of a second on a small machine.
  private static let (cost, blockSize, lanes) = (14, 8, 5)
  private static let saltBytes = 16

  /// Makes the hash of a new password. It takes long, so it has a thread of its own.
  public init(of password: String) {
    let salt = Digest.random(Self.saltBytes)
    let key = Scrypt.key(
      Array(password.utf8), salt: salt, cost: Self.cost, blockSize: Self.blockSize, lanes: Self.lanes)
    text =
      "scrypt$\(Self.cost)$\(Self.blockSize)$\(Self.lanes)$\(Digest.base64URL(salt))$\(Digest.base64URL(key))"
  }

  public init(kept text: String) { self.text = text }

  /// True for the password that it was made of. Without a hash the same work is done, so that nobody learns by the time
  /// it takes which users there are.
  public static func matches(_ password: String, _ kept: PasswordHash?) -> Bool {
    guard let kept else {
      _ = PasswordHash(of: password)
      return false
    }
    let parts = kept.text.split(separator: "$", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 6, parts[0] == "scrypt", let cost = Int(parts[1]), (1...20).contains(cost),
      let blockSize = Int(parts[2]), (1...32).contains(blockSize), let lanes = Int(parts[3]), (1...32).contains(lanes),
      let salt = Digest.bytes(base64URL: parts[4]), let key = Digest.bytes(base64URL: parts[5]), !key.isEmpty
    else { return false }
    return Digest.areEqual(
      Scrypt.key(
        Array(password.utf8), salt: salt, cost: cost, blockSize: blockSize, lanes: lanes, count: key.count), key)
  }
}
