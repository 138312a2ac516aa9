import Wire

/// A mail address that can be written to. Those with letters beyond ASCII before the "@" would need SMTPUTF8, and
/// quoted ones are not in use.
public struct MailAddress: Hashable, Sendable {
  public let text: String

  /// - Returns: nil for what is no address.
  public init?(_ text: String) {
    guard (3...MailLimits.addressBytes).contains(text.utf8.count) else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, parts[0].utf8.count <= 64, Self.isLocal(parts[0]),
      Self.isDomain(parts[1])
    else { return nil }
    self.text = text
  }

  /// The characters of an atom (RFC 5322 section 3.2.3), with single full stops between.
  private static func isLocal(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.isAlphanumeric(or: "!#$%&'*+-/=?^_`{|}~")
    }
  }

  private static func isDomain(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
        && label.utf8.last != UInt8(ascii: "-")
        && label.isAlphanumeric(or: "-")
    }
  }
}
