import COpenSSL
import Glibc

/// TLS over one socket (RFC 8446, RFC 5246), by OpenSSL. Confined to its loop.
final class TLSSession {
  private let session: OpaquePointer
  private var isBroken = false

  /// Nil when OpenSSL has no memory.
  init?(_ context: TLSContext, _ descriptor: Int32) {
    guard let session = SSL_new(context.context) else { return nil }
    self.session = session
    SSL_set_fd(session, descriptor)
    SSL_set_accept_state(session)
  }

  deinit { SSL_free(session) }

  enum Handshake { case done, unfinished, failed }

  func shakeHands() -> Handshake {
    // OpenSSL's error queue belongs to the thread, and others may have left errors in it (SSL_get_error(3)).
    ERR_clear_error()
    let code = SSL_do_handshake(session)
    if code == 1 { return .done }
    return meaning(of: code) == Connection.wouldBlock ? .unfinished : .failed
  }

  /// True if the client chose HTTP/2 by ALPN.
  var speaksHTTP2: Bool { copenssl_chose_http2(session) != 0 }

  /// The certificate that the client has sent; nil without one.
  var clientCertificate: ClientCertificate? {
    guard let certificate = SSL_get1_peer_certificate(session) else { return nil }
    defer { X509_free(certificate) }
    var encoded: UnsafeMutablePointer<UInt8>?
    let length = i2d_X509(certificate, &encoded)
    guard length > 0, let encoded else { return nil }
    defer { CRYPTO_free(encoded, #file, #line) }
    return ClientCertificate(
      bytes: Array(UnsafeBufferPointer(start: encoded, count: Int(length))),
      isValid: SSL_get_verify_result(session) == Int(X509_V_OK))
  }

  /// - Returns: the count of bytes read, 0 at the end, `Connection.wouldBlock` or `Connection.broken`.
  func read(into buffer: UnsafeMutableBufferPointer<UInt8>) -> Int {
    ERR_clear_error()
    let count = SSL_read(session, buffer.baseAddress, Int32(buffer.count))
    return count > 0 ? Int(count) : meaning(of: count)
  }

  /// - Returns: the count of bytes taken, `Connection.wouldBlock` or `Connection.broken`.
  func write(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
    ERR_clear_error()
    let count = SSL_write(session, bytes.baseAddress, Int32(min(bytes.count, Int(Int32.max))))
    if count > 0 { return Int(count) }
    let meaning = meaning(of: count)
    return meaning == 0 ? Connection.broken : meaning
  }

  /// Tells the peer that nothing more follows (close_notify), if that can still be sent.
  func sayGoodbye() {
    guard !isBroken, SSL_is_init_finished(session) == 1 else { return }
    SSL_shutdown(session)
    ERR_clear_error()
  }

  private func meaning(of code: Int32) -> Int {
    let error = SSL_get_error(session, code)
    switch error {
    case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return Connection.wouldBlock
    case SSL_ERROR_ZERO_RETURN: return 0
    default:
      isBroken = true
      return Connection.broken
    }
  }
}
