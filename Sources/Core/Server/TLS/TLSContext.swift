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
      throw Self.error("Cannot use the certificate \(certificate)")
    }
    guard SSL_CTX_use_PrivateKey_file(context, key, SSL_FILETYPE_PEM) == 1 else {
      throw Self.error("Cannot use the key \(key)")
    }
    guard SSL_CTX_check_private_key(context) == 1 else {
      throw Self.error("The key \(key) does not belong to the certificate \(certificate)")
    }
    if let clientAuthority, copenssl_ask_for_certificates(context, clientAuthority) != 1 {
      throw Self.error("Cannot use the certificate of clients' authority \(clientAuthority)")
    }
  }

  deinit { SSL_CTX_free(context) }

  /// The error with OpenSSL's first message, which tells most.
  private static func error(_ what: String) -> TLSError {
    let code = ERR_get_error()
    let reason = ERR_reason_error_string(code).map { String(cString: $0) }
    let system = errno == ENOENT || errno == EACCES ? String(cString: strerror(errno)) : nil
    ERR_clear_error()
    return TLSError(message: what + ((system ?? reason).map { ": \($0)" } ?? "") + "; PEM files are accepted.")
  }
}
