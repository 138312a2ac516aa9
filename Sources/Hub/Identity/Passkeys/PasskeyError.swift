/// Why a passkey's ceremony was refused.
struct PasskeyError: Error, Equatable {
  enum Code: Equatable, CaseIterable {
    case malformed, type, origin, crossOrigin, challenge, party, userPresence, backup, algorithm, signature, counter
  }
  var code: Code
  /// What failed and the value seen.
  var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }
}
