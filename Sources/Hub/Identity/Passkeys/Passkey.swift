import CivilTime
import Wire

/// A passkey, with which a person signs in by a finger, a face or a PIN. Its private key never leaves their
/// authenticator.
struct Passkey: Equatable, Sendable {
  var id: Int
  var person: Int
  /// The credential id, by which the authenticator finds it.
  var credential: [UInt8]
  var key: PublicKey
  /// The authenticator's count of uses; 0 for those that do not count.
  var counter: UInt32
  /// The RP id that it belongs to: a hub with two addresses needs one for each.
  var party: String
  var name: String
  var transports: [String]
  var isBackupEligible: Bool
  var isBackedUp: Bool
  /// Seconds since 1970.
  var createdAt: Double
  var lastUsed: Double?
  /// The device it was made on; nil if that is removed, or an older version made the passkey. The devices that it signs
  /// in do not matter here, since they may be borrowed.
  var madeOn: Int?

  var json: JSON {
    [
      "id": JSON(id: id), "name": .string(name), "address": .string(party), "synced": .bool(isBackedUp),
      "created_at": .string(timestamp(Int(createdAt), in: .utc)),
      "last_used": JSON(lastUsed.map { timestamp(Int($0), in: .utc) }),
    ]
  }

  /// The passkey after one more use.
  /// - Throws: unless the signature was made with its key, here, now, and once only.
  func used(
    _ data: AuthenticatorData, signature: [UInt8], clientDigest: [UInt8], now: Double
  ) throws(PasskeyError) -> Passkey {
    guard key.verifies(signature, of: data, clientDigest, for: party) else {
      throw PasskeyError(.signature, "The signature is not this passkey's.")
    }
    // The same count twice means an original and a copy (WebAuthn section 6.1.1).
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
