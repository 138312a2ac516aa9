import CivilTime
import Wire

/// What a person signs in with by a finger, a face or a PIN: a key whose private half never leaves their authenticator.
struct Passkey: Equatable, Sendable {
  var id: Int
  var person: Int
  /// By which the authenticator knows it.
  var credential: [UInt8]
  var key: PublicKey
  /// How often the authenticator has used it; 0 for those that do not count.
  var counter: UInt32
  /// The RP id it was made for: a hub with two addresses needs one for each.
  var party: String
  var name: String
  var transports: [String]
  var isBackupEligible: Bool
  var isBackedUp: Bool
  /// Seconds since 1970.
  var createdAt: Double
  var lastUsed: Double?
  /// The device it was made on; nil when that is gone, or an older version made it. A device that it signs in may be a
  /// borrowed one: it is no origin.
  var madeOn: Int?

  var json: JSON {
    [
      "id": JSON(id: id), "name": .string(name), "address": .string(party), "synced": .bool(isBackedUp),
      "created_at": .string(timestamp(Int(createdAt), in: .utc)),
      "last_used": JSON(lastUsed.map { timestamp(Int($0), in: .utc) }),
    ]
  }

  /// This passkey after one more use.
  /// - Throws: unless the signature is its key's, made here, now, and once only.
  func used(
    _ data: AuthenticatorData, signature: [UInt8], clientDigest: [UInt8], now: Double
  ) throws(PasskeyError) -> Passkey {
    guard key.verifies(signature, of: data, clientDigest, for: party) else {
      throw PasskeyError(.signature, "The signature is not this passkey's.")
    }
    // Two that count on from the same number are an original and a copy (WebAuthn section 6.1.1).
    guard data.counter > counter || data.counter == 0 && counter == 0 else {
      throw PasskeyError(.counter, "The passkey's counter went from \(counter) to \(data.counter): it may be a copy.")
    }
    guard data.isBackupEligible == isBackupEligible else {
      throw PasskeyError(.backup, "The passkey changed whether it may be copied, which it must not.")
    }
    var passkey = self
    passkey.counter = data.counter
    passkey.isBackedUp = data.isBackedUp
    passkey.lastUsed = now
    return passkey
  }
}
