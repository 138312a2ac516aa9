import COpenSSL
public import Crypto
import Glibc
import Lifecycle

/// The trust of a client: the system's certificate authorities or given ones, and TLS 1.2 and 1.3 alone. Confined to
/// its loop.
public final class TLSTrust {
  fileprivate let context: OpaquePointer

  /// Traps when OpenSSL has no memory.
  ///
  /// A folder of certificates is looked into when one is needed, so that the 140 of them take no memory; a file is read
  /// as a whole, and used where there is no folder, or where `SSL_CERT_FILE` names one.
  public init() {
    guard let context = SSL_CTX_new(TLS_client_method()), copenssl_configure_client(context) == 1 else {
      preconditionFailure("OpenSSL cannot start TLS")
    }
    self.context = context
    let folder = String(cString: X509_get_default_cert_dir())
    if getenv(X509_get_default_cert_file_env()) != nil || !Self.hasCertificates(folder) {
      SSL_CTX_set_default_verify_paths(context)
    } else {
      SSL_CTX_set_default_verify_dir(context)
    }
    ERR_clear_error()
  }

  /// - Parameter authorities: PEM; instead of the system's.
  /// - Returns: nil for texts that have no certificate.
  public convenience init?(authorities: [UInt8]) {
    self.init()
    defer { ERR_clear_error() }
    // The designated initializer has set the system's authorities; an empty store takes their place.
    SSL_CTX_set_cert_store(context, X509_STORE_new())
    let all = Certificate.all(pem: authorities)
    guard !all.isEmpty else { return nil }
    for certificate in all {
      let isAdded = certificate.withOpened { X509_STORE_add_cert(SSL_CTX_get_cert_store(context), $0) == 1 }
      guard isAdded else { return nil }
    }
  }

  /// The trust of a client of HTTP/2, which offers that alone.
  /// - Parameters:
  ///   - authorities: PEM; instead of the system's.
  ///   - identity: shown to a server that asks for a certificate.
  /// - Returns: nil for texts that have no certificate, or an identity that OpenSSL does not take.
  public convenience init?(http2 authorities: [UInt8]?, identity: ClientIdentity?) {
    if let authorities { self.init(authorities: authorities) } else { self.init() }
    SSL_CTX_set_alpn_protos(context, [2, UInt8(ascii: "h"), UInt8(ascii: "2")], 3)
    defer { ERR_clear_error() }
    if let identity {
      guard identity.use(in: context) else { return nil }
    }
  }

  deinit { SSL_CTX_free(context) }

  /// True for a folder with names by hash, such as "4042bcee.0" (openssl-rehash(1)).
  private static func hasCertificates(_ folder: String) -> Bool {
    (namesInFolder(folder) ?? []).contains { $0.utf8.count == 10 && $0.hasSuffix(".0") }
  }
}

/// TLS over one socket, as its client (RFC 8446, RFC 5246), by OpenSSL. The certificate must be valid for the host.
/// Confined to its loop.
final class TLSClient {
  private let session: OpaquePointer

  /// - Parameter host: a name or a numeric address.
  init?(_ trust: TLSTrust, _ descriptor: Int32, host: String, isNumeric: Bool) {
    guard let session = SSL_new(trust.context) else { return nil }
    self.session = session
    let isSet =
      isNumeric
      ? X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(session), host) == 1
      : SSL_set1_host(session, host) == 1 && copenssl_name_host(session, host) == 1
    guard isSet, SSL_set_fd(session, descriptor) == 1 else { return nil }
    SSL_set_connect_state(session)
  }

  deinit { SSL_free(session) }

  var speaksHTTP2: Bool { copenssl_chose_http2(session) == 1 }

  enum Step {
    case done(Int), wouldBlock, ended, failed(String)
  }

  func shakeHands() -> Step { step { SSL_do_handshake(session) } }

  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Step {
    step { SSL_read(session, buffer.baseAddress, Int32(buffer.count)) }
  }

  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Step {
    step { SSL_write(session, bytes.baseAddress, Int32(min(bytes.count, Int(Int32.max)))) }
  }

  /// Tells the server that nothing more follows (close_notify), if that can still be sent.
  func sayGoodbye() {
    guard SSL_is_init_finished(session) == 1 else { return }
    SSL_shutdown(session)
    ERR_clear_error()
  }

  private func step(_ work: () -> Int32) -> Step {
    // OpenSSL's error queue belongs to the thread, and others may have left errors in it (SSL_get_error(3)).
    ERR_clear_error()
    let code = work()
    if code > 0 { return .done(Int(code)) }
    switch SSL_get_error(session, code) {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .wouldBlock
    case SSL_ERROR_ZERO_RETURN: return .ended
    default: return .failed(reason)
    }
  }

  /// The reason of the last failure; what was wrong with a certificate tells most.
  private var reason: String {
    let verdict = SSL_get_verify_result(session)
    if verdict != Int(X509_V_OK) {
      return "its certificate is not accepted: \(String(cString: X509_verify_cert_error_string(verdict)))"
    }
    let code = ERR_get_error()
    defer { ERR_clear_error() }
    if code != 0, let words = ERR_reason_error_string(code) { return "TLS failed: \(String(cString: words))" }
    return "the connection was cut"
  }
}
