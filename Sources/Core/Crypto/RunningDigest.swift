import COpenSSL

/// A digest of bytes that arrive in parts, such as an upload's: SHA-256, or SHA-1 for protocols that demand it.
public final class RunningDigest {
  /// FIPS 180-4. SHA-1 tells a damaged line, and is broken for all else.
  public enum Kind: Sendable {
    case sha256, sha1

    /// Bytes of the digest.
    public var bytes: Int { self == .sha256 ? Digest.sha256Bytes : 20 }
  }
  private let kind: Kind
  private let context: OpaquePointer

  public init(_ kind: Kind = .sha256) {
    guard let context = EVP_MD_CTX_new(),
      EVP_DigestInit_ex(context, kind == .sha256 ? EVP_sha256() : EVP_sha1(), nil) == 1
    else { preconditionFailure("OpenSSL cannot compute a digest") }
    (self.kind, self.context) = (kind, context)
  }

  /// A digest that has been given what this one has, and goes its own way from here.
  public func copy() -> RunningDigest {
    let other = RunningDigest(kind)
    precondition(EVP_MD_CTX_copy_ex(other.context, context) == 1, "OpenSSL cannot compute a digest")
    return other
  }

  deinit { EVP_MD_CTX_free(context) }

  public func update(_ bytes: UnsafeRawBufferPointer) {
    let code = EVP_DigestUpdate(context, bytes.baseAddress, bytes.count)
    precondition(code == 1, "OpenSSL cannot compute a digest")
  }

  /// The digest, 32 or 20 bytes. To be called once, after the last update.
  public func finish() -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: kind.bytes) { buffer, initialized in
      let code = EVP_DigestFinal_ex(context, buffer.baseAddress, nil)
      precondition(code == 1, "OpenSSL cannot compute a digest")
      initialized = kind.bytes
    }
  }
}
