/// The reason why a passkey's ceremony was refused.
package struct PasskeyError: Error, Equatable {
  package enum Code: Equatable, CaseIterable {
    case malformed, type, origin, crossOrigin, challenge, party, userPresence, backup, algorithm, signature, counter
  }
  package var code: Code
  /// The failure and the value seen.
  package var message: String

  init(_ code: Code, _ message: String) {
    self.code = code
    self.message = message
  }

  static let usedChallenge = PasskeyError(.challenge, "The challenge was used before.")
}
