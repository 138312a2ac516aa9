import Crypto
import Hub

/// The parsers of authenticators' data.
nonisolated(unsafe) let hubTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "passkey": { bytes in
    // The data begins with a digest that random bytes would never match.
    let whole = Digest.sha256("localhost".utf8) + bytes
    guard let data = try? AuthenticatorData(whole, for: "localhost"), let found = try? NewCredential(data) else {
      return
    }
    // An accepted key can be used, and random bytes are never its signature.
    require(!found.key.verifies(Array(bytes.suffix(64)), of: data, Digest.sha256(bytes), for: "localhost"))
  }
]
