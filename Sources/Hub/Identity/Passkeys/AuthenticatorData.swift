import Crypto

/// An authenticator's signed statement (WebAuthn level 3, section 6.1): for which site, with which checks, and its
/// counter.
package struct AuthenticatorData {
  private struct Flags: OptionSet {
    let rawValue: UInt8
    static let userPresent = Flags(rawValue: 1 << 0)
    static let backupEligible = Flags(rawValue: 1 << 3)
    static let backedUp = Flags(rawValue: 1 << 4)
    static let credential = Flags(rawValue: 1 << 6)
    static let extensions = Flags(rawValue: 1 << 7)
  }

  let bytes: [UInt8]
  let counter: UInt32
  /// The passkey can be synchronised to several devices.
  let isBackupEligible: Bool
  /// The passkey is backed up.
  let isBackedUp: Bool
  let hasCredential: Bool

  private static let headBytes = 37

  /// - Parameter party: the RP id, a host's name.
  package init(_ bytes: [UInt8], for party: String) throws(PasskeyError) {
    guard (Self.headBytes...PasskeyLimits.authenticatorDataBytes).contains(bytes.count) else {
      throw PasskeyError(.malformed, "The authenticator's data has \(bytes.count) bytes.")
    }
    guard bytes.prefix(32).elementsEqual(Digest.sha256(party.utf8)) else {
      throw PasskeyError(.party, "The passkey belongs to another address than \(party).")
    }
    let flags = Flags(rawValue: bytes[32])
    guard flags.contains(.userPresent) else {
      throw PasskeyError(.userPresence, "The authenticator did not see that somebody is there.")
    }
    guard flags.contains(.backupEligible) || !flags.contains(.backedUp) else {
      throw PasskeyError(.backup, "The authenticator keeps a copy of a passkey that must have none.")
    }
    guard Self.isWhole(bytes, flags) else {
      throw PasskeyError(.malformed, "The authenticator's data breaks off, or is not in the form of CTAP.")
    }
    self.bytes = bytes
    counter = bytes[33..<37].reduce(0) { $0 << 8 | UInt32($1) }
    isBackupEligible = flags.contains(.backupEligible)
    isBackedUp = flags.contains(.backedUp)
    hasCredential = flags.contains(.credential)
  }

  /// True if the data has exactly the parts that the flags announce.
  private static func isWhole(_ bytes: [UInt8], _ flags: Flags) -> Bool {
    var start = headBytes
    if flags.contains(.credential) {
      // Before the key are the authenticator's model, the length of the id, and the id.
      guard bytes.count >= start + 18 else { return false }
      start += 18 + Int(bytes[start + 16]) << 8 + Int(bytes[start + 17])
      guard start <= bytes.count else { return false }
    }
    var shape = CBORShape(bytes: bytes, position: start)
    if flags.contains(.credential), !shape.passItem() { return false }
    if flags.contains(.extensions), !shape.passItem() { return false }
    return shape.position == bytes.count
  }
}
