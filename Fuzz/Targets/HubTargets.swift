import Crypto
import Hub

/// What authenticators send.
nonisolated(unsafe) let hubTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "passkey": { bytes in
    // No chance finds the digest that the data begins with.
    let whole = Digest.sha256("localhost".utf8) + bytes
    guard let data = try? AuthenticatorData(whole, for: "localhost"), let found = try? NewCredential(data) else {
      return
    }
    // A key that was taken can be used, and nothing that chance finds is its signature.
    require(!found.key.verifies(Array(bytes.suffix(64)), of: data, Digest.sha256(bytes), for: "localhost"))
  }
]
