/// The limits of passkeys.
enum PasskeyLimits {
  /// A person's passkeys: one on every device, and some to spare.
  static let perPerson = 20
  /// Seconds for a ceremony: WebAuthn recommends five minutes where people have to act.
  static let challengeSeconds = 300.0
  /// Bytes of the user handle by which authenticators know a person: random, and half of what WebAuthn allows.
  static let handleBytes = 32
  /// Bytes of a credential's id (WebAuthn section 5.8.3: at most 1023).
  static let credentialIDBytes = 1023
  /// Bytes of the client's data: a challenge, an origin and a few words; browsers send some 200.
  static let clientDataBytes = 4096
  /// Bytes of the authenticator's data: 37, an id, the largest key accepted, and unrequested extensions.
  static let authenticatorDataBytes = 4096
  /// Bytes of a signature: RS256 with the largest key has 256.
  static let signatureBytes = 1024
  /// Bytes of a request, in base64: all of the above at their largest.
  static let bodyBytes = 32 << 10
  /// Transports kept for each passkey, and the characters of each ("hybrid", "internal" …).
  static let transports = 8
  static let transportLength = 32
}
