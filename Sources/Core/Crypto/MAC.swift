import COpenSSL

extension Digest {
  /// HMAC with SHA-256 (RFC 2104): 32 bytes that only a holder of the key can make.
  public static func hmacSHA256(_ bytes: some Collection<UInt8>, key: [UInt8]) -> [UInt8] {
    let bytes = Array(bytes)
    return [UInt8](unsafeUninitializedCapacity: Int(EVP_MAX_MD_SIZE)) { buffer, initialized in
      var size: UInt32 = 0
      let made = HMAC(EVP_sha256(), key, Int32(key.count), bytes, bytes.count, buffer.baseAddress, &size)
      precondition(made != nil, "OpenSSL cannot compute an HMAC")
      initialized = Int(size)
    }
  }

  /// True when both are equal. The time taken does not depend on where they differ.
  public static func areEqual(_ one: [UInt8], _ other: [UInt8]) -> Bool {
    one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }
}
