import COpenSSL
import Glibc

/// The reason why a certificate or key cannot be used.
public struct TLSError: Error, Equatable, Sendable {
  public var message: String
}

/// A certificate with its key, and the options of TLS: versions 1.2 and 1.3, HTTP/2 preferred to HTTP/1.1 (ALPN, RFC
/// 7301). Loading a new one does not affect existing connections.
public final class TLSContext: @unchecked Sendable {
  let context: OpaquePointer

  /// - Parameters:
  ///   - certificate: a PEM file with the certificate and then its chain.
  ///   - key: a PEM file with its private key.
  ///   - clientAuthority: a PEM file with the certificate that vouches for those of clients, which are asked for one;
  ///     nil to ask for none. A client without one is served, and so is one whose certificate is not valid: handlers
  ///     see it in `PeerState`.
  public init(certificate: String, key: String, clientAuthority: String? = nil) throws(TLSError) {
    guard let context = SSL_CTX_new(TLS_server_method()) else { throw Self.error("OpenSSL cannot serve TLS") }
    self.context = context
    guard copenssl_configure_server(context) == 1 else { throw Self.error("OpenSSL has none of the ciphers") }
    guard SSL_CTX_use_certificate_chain_file(context, certificate) == 1 else {
      throw Self.error("Cannot use the certificate \(certificate)", file: certificate)
    }
    // Without it, OpenSSL would ask for a passphrase on the terminal.
    SSL_CTX_set_default_passwd_cb(context) { _, _, _, _ in 0 }
    guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw Self.error("Cannot use the key \(key)", file: key, accepted: "PEM files without a passphrase are accepted")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      ERR_clear_error()
      throw TLSError(message: "The key \(key) does not belong to the certificate \(certificate).")
    }
    if let clientAuthority, copenssl_ask_for_certificates(context, clientAuthority) != 1 {
      throw Self.error("Cannot use the certificate of clients' authority \(clientAuthority)", file: clientAuthority)
    }
  }

  deinit { SSL_CTX_free(context) }

  /// The error with the system's reason for a file that cannot be read, or OpenSSL's first message, which tells most.
  private static func error(
    _ what: String, file: String? = nil, accepted: String = "PEM files are accepted"
  ) -> TLSError {
    let system = file.flatMap { access($0, R_OK) == 0 ? nil : String(cString: strerror(errno)) }
    let reason = ERR_reason_error_string(ERR_get_error()).map { String(cString: $0) }
    ERR_clear_error()
    let why = (system ?? reason).map { ": \($0)" } ?? ""
    return TLSError(message: what + why + (file == nil || system != nil ? "." : "; \(accepted)."))
  }
}
