import Crypto
import Wire

/// Locks what stands in a file: AES-256-GCM by a key that PBKDF2 makes of a passphrase, since browsers have both.
struct OneFileLock: Sendable {
  private let salt: [UInt8]
  private let key: [UInt8]

  init(_ passphrase: String) {
    salt = Digest.random(ExportLimits.saltBytes)
    key = PBKDF2.sha256(Array(passphrase.utf8), salt: salt, iterations: ExportLimits.iterations)
  }

  /// Needed to make the key again.
  var json: JSON { ["salt": .string(Digest.base64(salt)), "iterations": .int(ExportLimits.iterations)] }

  /// A fresh nonce, the encrypted bytes and the tag. The name is part of what is authenticated, so that no item can
  /// stand in for another.
  func seal(_ bytes: [UInt8], named name: String) -> [UInt8] {
    let nonce = Digest.random(AESGCM.nonceBytes)
    return nonce + AESGCM.seal(bytes, key: key, nonce: nonce, visible: Array(name.utf8))
  }
}
