import COpenSSL

/// A certificate with its key, and with those that vouch for it, by which a client shows a server who it is.
public struct ClientIdentity: Hashable, Sendable {
  /// The certificates, the client's own first, and the key without encryption (PKCS #8); to be kept secret.
  public let pem: [UInt8]

  public enum Fault: Error, Equatable, Sendable {
    case noCertificate, noKey, keyOfAnother
    /// It is neither PEM nor PKCS #12, or the passphrase is not the right one.
    case unreadable

    /// The fault, as the end of a sentence.
    public var words: String {
      switch self {
      case .noCertificate: "it has no certificate"
      case .noKey: "it has no private key, or the passphrase is not the right one"
      case .keyOfAnother: "its key does not belong to its certificate"
      case .unreadable: "it is neither PEM nor PKCS #12 (.p12), or the passphrase is not the right one"
      }
    }
  }

  /// Reads a PEM text with certificates and a key, or the bytes of a .p12 file.
  public init(_ bytes: [UInt8], passphrase: [UInt8] = []) throws(Fault) {
    let isPEM = String(decoding: bytes, as: UTF8.self).contains("-----BEGIN ")
    self = isPEM ? try Self.read(pem: bytes, passphrase) : try Self.read(pkcs12: bytes, passphrase)
  }

  private init(_ certificates: [Certificate], key: OpaquePointer) throws(Fault) {
    guard let own = certificates.first else { throw .noCertificate }
    defer { ERR_clear_error() }
    guard own.withOpened({ X509_check_private_key($0, key) }) == 1 else { throw .keyOfAnother }
    let text = PEM.write { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
    pem = Array((certificates.map(\.pem).joined() + text).utf8)
  }

  private static func read(pem: [UInt8], _ passphrase: [UInt8]) throws(Fault) -> ClientIdentity {
    guard let key = Self.key(pem, passphrase) else { throw .noKey }
    defer { EVP_PKEY_free(key) }
    return try ClientIdentity(Certificate.all(pem: pem), key: key)
  }

  /// To be freed by the caller.
  private static func key(_ pem: [UInt8], _ passphrase: [UInt8]) -> OpaquePointer? {
    // Without a callback and with a text, OpenSSL takes that for the passphrase, and asks nobody.
    var passphrase = passphrase + [0]
    return passphrase.withUnsafeMutableBytes { passphrase in
      PEM.read(pem) { PEM_read_bio_PrivateKey($0, nil, nil, passphrase.baseAddress) }
    }
  }

  private static func read(pkcs12 bytes: [UInt8], _ passphrase: [UInt8]) throws(Fault) -> ClientIdentity {
    // The files that macOS writes are encrypted in ways that OpenSSL calls legacy; only here they are accepted.
    let library = OSSL_LIB_CTX_new()
    let providers = [OSSL_PROVIDER_load(library, "default"), OSSL_PROVIDER_load(library, "legacy")]
    var opened = PKCS12_init_ex(NID_pkcs7_data, library, nil)
    var (key, certificate, others): (OpaquePointer?, OpaquePointer?, OpaquePointer?) = (nil, nil, nil)
    defer {
      EVP_PKEY_free(key)
      X509_free(certificate)
      copenssl_free_certificates(others)
      PKCS12_free(opened)
      for provider in providers { if let provider { OSSL_PROVIDER_unload(provider) } }
      OSSL_LIB_CTX_free(library)
      ERR_clear_error()
    }
    let isRead = bytes.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_PKCS12(&opened, &start, bytes.count) != nil
    }
    let text = String(decoding: passphrase, as: UTF8.self)
    guard isRead, PKCS12_parse(opened, text, &key, &certificate, &others) == 1 else { throw .unreadable }
    guard let key else { throw .noKey }
    guard let certificate else { throw .noCertificate }
    let chain = (0..<copenssl_certificate_count(others)).compactMap { copenssl_certificate_at(others, $0) }
    return try ClientIdentity(([certificate] + chain).map(Certificate.init(opened:)), key: key)
  }

  /// The client's own certificate.
  public var certificate: Certificate {
    guard let certificate = Certificate(pem: pem) else { preconditionFailure("An identity has a certificate") }
    return certificate
  }

  /// Has a TLS client show it.
  /// - Parameter context: an SSL_CTX.
  package func use(in context: OpaquePointer) -> Bool {
    let all = Certificate.all(pem: pem)
    guard let own = all.first, let key = Self.key(pem, []) else { return false }
    defer { EVP_PKEY_free(key) }
    return own.withOpened { SSL_CTX_use_certificate(context, $0) } == 1
      && SSL_CTX_use_PrivateKey(context, key) == 1
      && all.dropFirst().allSatisfy { $0.withOpened { copenssl_add_chain(context, $0) } == 1 }
  }
}
