import COpenSSL
import Glibc

/// Why TLS cannot be served with what was given.
public struct TLSError: Error, Equatable, Sendable {
  public var message: String
}

/// A certificate with its key, and what is agreed on over TLS: versions 1.2 and 1.3, HTTP/2 before HTTP/1.1 (ALPN, RFC
/// 7301). Loading a new one changes nothing for the connections there are.
public final class TLSContext: @unchecked Sendable {
  let context: OpaquePointer

  /// - Parameters:
  ///   - certificate: a PEM file: the certificate, then those that vouch for it.
  ///   - key: a PEM file with its private key.
  public init(certificate: String, key: String) throws(TLSError) {
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
  }

  deinit { SSL_CTX_free(context) }

  /// OpenSSL's first word on what went wrong last is the most telling.
  private static func error(_ what: String) -> TLSError {
    let code = ERR_get_error()
    let reason = ERR_reason_error_string(code).map { String(cString: $0) }
    let system = errno == ENOENT || errno == EACCES ? String(cString: strerror(errno)) : nil
    ERR_clear_error()
    return TLSError(message: what + ((system ?? reason).map { ": \($0)" } ?? "") + "; PEM files are accepted.")
  }
}
