import COpenSSL

/// A SHA-256 digest of bytes that arrive in parts, such as an upload's.
public final class RunningDigest {
  private let context: OpaquePointer

  public init() {
    guard let context = EVP_MD_CTX_new(), EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
      preconditionFailure("OpenSSL cannot compute a digest")
    }
    self.context = context
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: UnsafeRawBufferPointer) {
    let code = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(code == 1, "OpenSSL cannot compute a digest")
  }

  /// The digest, 32 bytes. To be called once, after the last update.
  public func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Digest.sha256Bytes) { buffer, initialized in
      let code = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
      precondition(code == 1, "OpenSSL cannot compute a digest")
      initialized = Digest.sha256Bytes
    }
  }
}
