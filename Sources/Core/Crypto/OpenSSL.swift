import COpenSSL

/// OpenSSL as a whole.
public enum OpenSSL {
  /// Keeps OpenSSL whole until the process is gone. By itself it frees its tables when a program exits, while other
  /// threads may be in the middle of a digest: a command that ended with an error then ended with signal 11 now and
  /// then. To be called before anything else of OpenSSL.
  public static func staysToTheEnd() {
    OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
  }
}
