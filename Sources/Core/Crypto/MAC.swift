import COpenSSL

extension Digest {
  /// HMAC with SHA-256 (RFC 2104): 32 bytes that only a holder of the key can make.
  public static func hmacSHA256(_ bytes: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    hmac(bytes, key: key, EVP_sha256())
  }

  /// HMAC with SHA-1 (RFC 2104), 20 bytes. Only for protocols that demand it, such as OAuth 1.0a.
  public static func hmacSHA1(_ bytes: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    hmac(bytes, key: key, EVP_sha1())
  }

  private static func hmac(
    _ bytes: some Collection<UInt8>, key: [UInt8], _ algorithm: OpaquePointer?
  ) -> [UInt8] {
    let bytes = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, initialized in
      var size: UInt32 = 0
      let made = HMAC(algorithm, key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &size)
      precondition(made != nil, "OpenSSL cannot compute an HMAC")
      initialized = Int(size)
    }
  }

  /// True when both are equal. The time taken does not depend on where they differ.
  public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
