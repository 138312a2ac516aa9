import COpenSSL

/// AES in Galois/Counter Mode (NIST SP 800-38D): encryption that also detects changes.
///
/// A nonce must never be used twice with the same key: whoever has both messages could decrypt them and forge others.
public enum AESGCM {
  public static let nonceBytes = 12
  /// The bytes of the authentication tag at the end.
  public static let tagBytes = 16

  /// The encrypted bytes, then the tag.
  /// - Parameters:
  ///   - key: 16 or 32 bytes; any other count traps.
  ///   - nonce: 12 bytes; any other count traps.
  ///   - visible: additional authenticated data: sent in the clear, but protected against changes.
  public static func seal(_ bytes: [UInt8], key: [UInt8], nonce: [UInt8], visible: [UInt8] = []) -> [UInt8] {
    let context = begin(key: key, nonce: nonce, visible: visible, sealing: true)
    defer { EVP_CIPHER_CTX_free(context) }
    return [UInt8](unsafeUninitializedCapacity: bytes.count + tagBytes) { buffer, initialized in
      var count: Int32 = 0
      let tag = buffer.baseAddress! + bytes.count
      let isDone =
        EVP_CipherUpdate(context, buffer.baseAddress, &count, bytes, Int32(bytes.count)) == 1
        && EVP_CipherFinal_ex(context, tag, &count) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, Int32(tagBytes), tag) == 1
      precondition(isDone, "OpenSSL cannot encrypt")
      initialized = bytes.count + tagBytes
    }
  }

  /// The decrypted bytes; nil if key, nonce, visible bytes or the sealed bytes are not those of `seal`.
  public static func open(_ sealed: [UInt8], key: [UInt8], nonce: [UInt8], visible: [UInt8] = []) -> [UInt8]? {
    guard sealed.count >= tagBytes else { return nil }
    let context = begin(key: key, nonce: nonce, visible: visible, sealing: false)
    defer { EVP_CIPHER_CTX_free(context) }
    let size = sealed.count - tagBytes
    var tag = Array(sealed[size...])
    var isWhole = false
    let bytes = [UInt8](unsafeUninitializedCapacity: size + 1) { buffer, initialized in
      var count: Int32 = 0
      let isDone =
        EVP_CipherUpdate(context, buffer.baseAddress, &count, sealed, Int32(size)) == 1
        && EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, Int32(tagBytes), &tag) == 1
      precondition(isDone, "OpenSSL cannot decrypt")
      isWhole = EVP_CipherFinal_ex(context, buffer.baseAddress! + size, &count) == 1
      initialized = size
    }
    return isWhole ? bytes : nil
  }

  private static func begin(key: [UInt8], nonce: [UInt8], visible: [UInt8], sealing: Bool) -> OpaquePointer {
    precondition(key.count == 16 || key.count == 32, "AES-GCM has keys of 16 or 32 bytes here, not \(key.count)")
    precondition(nonce.count == nonceBytes, "AES-GCM has nonces of 12 bytes here, not \(nonce.count)")
    let cipher = key.count == 16 ? EVP_aes_128_gcm() : EVP_aes_256_gcm()
    guard let context = EVP_CIPHER_CTX_new(),
      EVP_CipherInit_ex(context, cipher, nil, key, nonce, sealing ? 1 : 0) == 1
    else { preconditionFailure("OpenSSL knows no AES-GCM") }
    var count: Int32 = 0
    let isTaken = visible.isEmpty || EVP_CipherUpdate(context, nil, &count, visible, Int32(visible.count)) == 1
    precondition(isTaken, "OpenSSL cannot authenticate")
    return context
  }
}
