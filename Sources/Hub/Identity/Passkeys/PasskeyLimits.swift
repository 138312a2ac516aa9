/// What passkeys are bounded by.
enum PasskeyLimits {
  /// A person's passkeys: one on every device, and some to spare.
  static let perPerson = 20
  /// Seconds in which a ceremony has to be finished: WebAuthn recommends five minutes where somebody is asked.
  static let challengeSeconds = 300.0
  /// Bytes that a person is known by to authenticators: random, and half of what WebAuthn allows.
  static let handleBytes = 32
  /// Bytes of a credential's id (WebAuthn section 5.8.3: at most 1023).
  static let credentialIDBytes = 1023
  /// Bytes of the client's data: a challenge, an origin and a few words; browsers send some 200.
  static let clientDataBytes = 4096
  /// Bytes of the authenticator's data: 37, an id, the largest key we take, and extensions that nobody asked for.
  static let authenticatorDataBytes = 4096
  /// Bytes of a signature: RS256 with the largest key has 256.
  static let signatureBytes = 1024
  /// Bytes of a request, in Base64: all of the above at their largest.
  static let bodyBytes = 32 << 10
  /// Ways to reach an authenticator that are kept for each passkey, and the letters of one ("hybrid", "internal" …).
  static let transports = 8
  static let transportLength = 32
}
