import COpenSSL

/// PBKDF2 with HMAC-SHA-256 (RFC 8018 section 5.2): makes a key of a passphrase where a browser has to make the same,
/// and offers nothing costlier. Elsewhere `Scrypt` costs whoever guesses more.
public enum PBKDF2 {
  /// The key.
  /// - Parameters:
  ///   - salt: random bytes, so that equal passphrases have different keys.
  ///   - iterations: how often the work is done, one after the other.
  ///   - count: the length of the key in bytes.
  public static func sha256(_ password: [UInt8], salt: [UInt8], iterations: Int, count: Int = 32) -> [UInt8] {
    precondition(iterations > 0 && count > 0, "PBKDF2 works at least once")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      let code = password.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { password in
        PKCS5_PBKDF2_HMAC(
          password.baseAddress, Int32(password.count), salt, Int32(salt.count), Int32(iterations), EVP_sha256(),
          Int32(count), buffer.baseAddress)
      }
      precondition(code == 1, "OpenSSL cannot compute PBKDF2")
      initialized = count
    }
  }
}
