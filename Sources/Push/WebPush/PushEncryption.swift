package import Crypto

/// Encryption of messages so that only the browser can read them, not the push service (RFC 8291).
public enum PushEncryption {
  /// The body of a request to a push service, in the content coding `aes128gcm` (RFC 8188): a header of 86 bytes, and
  /// one record.
  /// - Parameter plaintext: at most `WebPushLimits.plaintextBytes`; more traps, since messages are fitted before.
  public static func encrypt(_ plaintext: [UInt8], for subscription: PushSubscription) -> [UInt8] {
    encrypt(plaintext, for: subscription, key: P256PrivateKey(), salt: Digest.random(16))
  }

  /// - Parameters:
  ///   - key: of this message alone.
  ///   - salt: 16 random bytes.
  package static func encrypt(
    _ plaintext: [UInt8], for subscription: PushSubscription, key: P256PrivateKey, salt: [UInt8]
  ) -> [UInt8] {
    precondition(plaintext.count <= WebPushLimits.plaintextBytes, "A message of \(plaintext.count) bytes was not cut")
    let secret = key.sharedSecret(with: subscription.publicKey)
    let input = HKDF.sha256(
      secret, salt: subscription.authSecret,
      info: Array("WebPush: info\0".utf8) + subscription.publicKey.bytes + key.publicKey.bytes, count: 32)
    // Both come of one extraction; HKDF repeats it, which costs a hundredth of what the curve does.
    let contentKey = HKDF.sha256(input, salt: salt, info: "Content-Encoding: aes128gcm\0".utf8, count: 16)
    let nonce = HKDF.sha256(input, salt: salt, info: "Content-Encoding: nonce\0".utf8, count: AESGCM.nonceBytes)
    // The record's size, 4096, and the length of the key that follows.
    let header = salt + [0, 0, 16, 0, UInt8(key.publicKey.bytes.count)] + key.publicKey.bytes
    // A 2 says that this is the last record.
    return header + AESGCM.seal(plaintext + [2], key: contentKey, nonce: nonce)
  }
}
