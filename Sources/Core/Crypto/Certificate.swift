import COpenSSL

/// An X.509 certificate (RFC 5280) that is made here: an authority's own, or one that an authority has issued.
public struct Certificate: Sendable {
  /// DER, the form in which it is sent and of which fingerprints are taken.
  public let bytes: [UInt8]

  /// The subject and the use of a certificate.
  public struct Subject: Equatable, Sendable {
    public enum Use: Equatable, Sendable {
      /// Issues others, which its clients then trust.
      case authority
      /// A TLS server under these names and addresses.
      case server(names: [String], addresses: [String])
      /// A TLS client.
      case client
    }
    public var use: Use
    public var commonName: String
    /// The user id (UID) of the subject, where APNs' certificates have their topic.
    public var userID: String?

    public init(_ use: Use, commonName: String, userID: String? = nil) {
      self.use = use
      self.commonName = commonName
      self.userID = userID
    }
  }

  /// An authority's certificate with its key.
  public struct Issuer: Sendable {
    public var certificate: Certificate
    public var key: P256PrivateKey

    public init(_ certificate: Certificate, _ key: P256PrivateKey) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Makes a certificate.
  /// - Parameters:
  ///   - key: the subject's.
  ///   - issuer: nil for one that the key itself signs.
  ///   - from: seconds since 1970 of its validity; `until` likewise.
  public init(_ subject: Subject, key: P256PublicKey, by issuer: Issuer, from: Int, until: Int) {
    self.init(subject, key: key, signer: issuer.key, issuer: issuer.certificate, from: from, until: until)
  }

  /// Makes an authority's own certificate, which its key signs itself.
  public init(authority commonName: String, key: P256PrivateKey, from: Int, until: Int) {
    self.init(
      Subject(.authority, commonName: commonName), key: key.publicKey, signer: key, issuer: nil, from: from,
      until: until)
  }

  private init(
    _ subject: Subject, key: P256PublicKey, signer: P256PrivateKey, issuer: Certificate?, from: Int, until: Int
  ) {
    let made = X509_new()
    let parent = issuer.map { $0.opened() }
    let publicKey = P256.key(point: key.bytes)
    let signingKey = P256.key(point: signer.publicKey.bytes, number: signer.bytes)
    // 159 bits: positive, and never given twice (RFC 5280 section 4.1.2.2).
    var serial = Digest.random(20)
    serial[0] &= 0x7F
    let number = BN_bin2bn(serial, Int32(serial.count), nil)
    defer {
      X509_free(made)
      if let parent { X509_free(parent) }
      EVP_PKEY_free(publicKey)
      EVP_PKEY_free(signingKey)
      BN_free(number)
    }
    let isDone =
      X509_set_version(made, 2) == 1
      && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(made)) != nil
      && ASN1_TIME_set(X509_getm_notBefore(made), from) != nil
      && ASN1_TIME_set(X509_getm_notAfter(made), until) != nil
      && subject.write(to: X509_get_subject_name(made))
      && X509_set_issuer_name(made, X509_get_subject_name(parent ?? made)) == 1
      && X509_set_pubkey(made, publicKey) == 1
      && subject.extensions.allSatisfy { copenssl_add_extension(made, parent ?? made, $0.kind, $0.value) == 1 }
      && X509_sign(made, signingKey, EVP_sha256()) > 0
    guard isDone, let made else { preconditionFailure("OpenSSL makes no certificate for \(subject.commonName)") }
    self.init(opened: made)
  }

  /// The first certificate in a PEM text; nil without one.
  public init?(pem: [UInt8]) {
    guard let certificate = PEM.read(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
    defer { X509_free(certificate) }
    self.init(opened: certificate)
  }

  /// The PEM text.
  public var pem: String { withOpened { certificate in PEM.write { PEM_write_bio_X509($0, certificate) } } }

  /// SHA-256 of the certificate, by which it is recognised.
  public var fingerprint: [UInt8] { Digest.sha256(bytes) }

  /// Seconds since 1970 until which it is valid.
  public var end: Int? {
    let certificate = opened()
    defer { X509_free(certificate) }
    var (days, seconds): (Int32, Int32) = (0, 0)
    let epoch = ASN1_TIME_set(nil, 0)
    defer { ASN1_STRING_free(epoch) }
    guard ASN1_TIME_diff(&days, &seconds, epoch, X509_get0_notAfter(certificate)) == 1 else { return nil }
    return Int(days) * 86_400 + Int(seconds)
  }

  /// All certificates in a PEM text, in their order.
  public static func all(pem: [UInt8]) -> [Certificate] {
    PEM.readAll(pem, { PEM_read_bio_X509($0, nil, nil, nil) }).map { certificate in
      defer { X509_free(certificate) }
      return Certificate(opened: certificate)
    }
  }

  /// A copy of OpenSSL's.
  init(opened certificate: OpaquePointer) {
    var encoded: UnsafeMutablePointer<UInt8>?
    let length = i2d_X509(certificate, &encoded)
    precondition(length > 0, "OpenSSL encodes no certificate")
    bytes = Array(UnsafeBufferPointer(start: encoded, count: Int(length)))
    CRYPTO_free(encoded, #file, #line)
  }

  /// Has OpenSSL's form of it used by `body`.
  package func withOpened<T>(_ body: (OpaquePointer) -> T) -> T {
    let certificate = opened()
    defer { X509_free(certificate) }
    return body(certificate)
  }

  /// The user id (UID) of its subject: the topic, in certificates of APNs.
  public var userID: String? { subjectText(NID_userId) }

  /// The unit (OU) of its subject: the team, in certificates of Apple's.
  public var unit: String? { subjectText(NID_organizationalUnitName) }

  private func subjectText(_ kind: Int32) -> String? {
    withOpened { certificate in
      var text = [CChar](repeating: 0, count: 256)
      let count = X509_NAME_get_text_by_NID(X509_get_subject_name(certificate), kind, &text, Int32(text.count))
      guard count > 0 else { return nil }
      return String(decoding: text.prefix(Int(count)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
  }

  /// True if it has an extension of this kind.
  /// - Parameter number: the object identifier, such as "2.5.29.15".
  public func hasExtension(_ number: String) -> Bool {
    guard let kind = OBJ_txt2obj(number, 1) else { return false }
    defer { ASN1_OBJECT_free(kind) }
    return withOpened { X509_get_ext_by_OBJ($0, kind, -1) >= 0 }
  }

  /// To be freed by the caller.
  private func opened() -> OpaquePointer {
    let certificate = bytes.withUnsafeBufferPointer { bytes in
      var start = bytes.baseAddress
      return d2i_X509(nil, &start, bytes.count)
    }
    guard let certificate else { preconditionFailure("OpenSSL does not read its own certificate") }
    return certificate
  }
}

extension Certificate.Subject {
  fileprivate func write(to name: OpaquePointer?) -> Bool {
    func add(_ kind: Int32, _ text: String) -> Bool {
      let bytes = Array(text.utf8)
      return X509_NAME_add_entry_by_NID(name, kind, MBSTRING_FLAG, bytes, Int32(bytes.count), -1, 0) == 1
    }
    return add(NID_commonName, commonName) && (userID.map { add(NID_userId, $0) } ?? true)
  }

  fileprivate var extensions: [(kind: Int32, value: String)] {
    let all: [(kind: Int32, value: String)]
    switch use {
    case .authority:
      all = [(NID_basic_constraints, "critical,CA:TRUE,pathlen:0"), (NID_key_usage, "critical,keyCertSign,cRLSign")]
    case .server(let names, let addresses):
      let known = names.map { "DNS:\($0)" } + addresses.map { "IP:\($0)" }
      all = [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "serverAuth"), (NID_subject_alt_name, known.joined(separator: ",")),
      ]
    case .client:
      all = [
        (NID_basic_constraints, "critical,CA:FALSE"), (NID_key_usage, "critical,digitalSignature"),
        (NID_ext_key_usage, "clientAuth"),
      ]
    }
    return all + [(NID_subject_key_identifier, "hash"), (NID_authority_key_identifier, "keyid:always")]
  }
}

extension P256PrivateKey {
  /// The key as PEM (PKCS #8, RFC 5958), unencrypted, as Apple hands out its `.p8` files.
  public var pem: String {
    let key = P256.key(point: publicKey.bytes, number: bytes)
    defer { EVP_PKEY_free(key) }
    return PEM.write { PEM_write_bio_PKCS8PrivateKey($0, key, nil, nil, 0, nil, nil) }
  }

  /// Reads a PEM text; nil unless it has an unencrypted key on P-256.
  public init?(pem: [UInt8]) {
    // Without a callback, OpenSSL would ask for a password on the terminal.
    guard let key = PEM.read(pem, { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in 0 }, nil) }) else { return nil }
    defer { EVP_PKEY_free(key) }
    var number: OpaquePointer?
    guard EVP_PKEY_get_bn_param(key, "priv", &number) == 1, let number else { return nil }
    defer { BN_clear_free(number) }
    guard BN_num_bits(number) <= 256 else { return nil }
    self.init(P256.bytes(of: number))
  }
}

/// Texts of OpenSSL's PEM functions.
enum PEM {
  static func write(_ write: (OpaquePointer?) -> Int32) -> String {
    let memory = BIO_new(BIO_s_mem())
    defer { BIO_free(memory) }
    precondition(write(memory) == 1, "OpenSSL writes no PEM")
    var text: [UInt8] = []
    var piece = [UInt8](repeating: 0, count: 4096)
    while case let count = BIO_read(memory, &piece, Int32(piece.count)), count > 0 { text += piece[..<Int(count)] }
    return String(decoding: text, as: UTF8.self)
  }

  static func read(_ text: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?) -> OpaquePointer? {
    // The buffer is read in place.
    text.withUnsafeBufferPointer { text in
      let memory = BIO_new_mem_buf(text.baseAddress, Int32(text.count))
      defer {
        BIO_free(memory)
        ERR_clear_error()
      }
      return read(memory)
    }
  }

  /// Reads until there is nothing more of that kind.
  static func readAll(_ text: [UInt8], _ read: (OpaquePointer?) -> OpaquePointer?) -> [OpaquePointer] {
    var found: [OpaquePointer] = []
    _ = Self.read(text) { memory in
      while let next = read(memory) { found.append(next) }
      return nil
    }
    return found
  }
}
