import COpenSSL

/// scrypt (RFC 7914): makes a key of a password, so that each guess costs time and memory.
public enum Scrypt {
  /// The key.
  /// - Parameters:
  ///   - salt: random bytes, so that equal passwords have different keys.
  ///   - cost: the binary logarithm of the count of blocks that are held in memory, 1 to 20.
  ///   - blockSize: each block has 128 times as many bytes.
  ///   - lanes: how often the work is done, one after the other.
  ///   - count: the length of the key in bytes.
  public static func key(
    _ password: [UInt8], salt: [UInt8], cost: Int, blockSize: Int = 8, lanes: Int, count: Int = 32
  ) -> [UInt8] {
    precondition((1...20).contains(cost) && blockSize > 0 && lanes > 0 && count > 0, "scrypt cannot be so costly")
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
      // All that OpenSSL needs; with 0 it refuses what needs more than 32 MB.
      let memory = 128 * blockSize * (1 << cost + lanes + 4)
      let code = password.map { CChar(bitPattern: $0) }.withUnsafeBufferPointer { password in
        EVP_PBE_scrypt(
          password.baseAddress, password.count, salt, salt.count, 1 << UInt64(cost), UInt64(blockSize), UInt64(lanes),
          UInt64(memory), buffer.baseAddress, count)
      }
      precondition(code == 1, "OpenSSL cannot compute scrypt")
      initialized = count
    }
  }
}
