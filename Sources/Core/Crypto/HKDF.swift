/// Derives keys from a shared secret: HKDF with SHA-256 (RFC 5869).
public enum HKDF {
  /// The derived key.
  /// - Parameters:
  ///   - secret: the shared secret, of any length.
  ///   - salt: random bytes that both sides know; empty stands for 32 zeros.
  ///   - info: the purpose of the key, so that another use of the same secret gets another key.
  ///   - count: the length of the key in bytes, 1 to 8160; anything else traps.
  public static func sha256(_ secret: [UInt8], salt: [UInt8], info: some Collection<UInt8>, count: Int) -> [UInt8] {
    precondition((1...255 * Digest.sha256Bytes).contains(count), "HKDF gives 1 to 8160 bytes, not \(count)")
    let extracted = Digest.hmacSHA256(secret, key: salt)
    var key: [UInt8] = []
    var block: [UInt8] = []
    while key.count < count {
      let number = UInt8(key.count / Digest.sha256Bytes + 1)
      block = Digest.hmacSHA256(block + info + [number], key: extracted)
      key += block
    }
    return Array(key.prefix(count))
  }
}
