import Client
import Wire

/// A mail address that can be written to. Those with letters beyond ASCII before the "@" would need SMTPUTF8, and
/// quoted ones are not in use.
public struct MailAddress: Hashable, Sendable {
  /// As it is sent: a domain with letters beyond ASCII is in Punycode.
  public let text: String

  /// - Returns: nil for what is no address.
  public init?(_ text: String) {
    guard text.utf8.count <= MailLimits.addressBytes else { return nil }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].utf8.count <= 64, Self.isLocal(parts[0]),
      let domain = asciiDomain(String(parts[1])), Self.isDomain(domain)
    else { return nil }
    self.text = "\(parts[0])@\(domain)"
    guard self.text.utf8.count <= MailLimits.addressBytes else { return nil }
  }

  /// The characters of an atom (RFC 5322 section 3.2.3), with single full stops between.
  private static func isLocal(_ text: Substring) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.isAlphanumeric(or: "!#$%&'*+-/=?^_`{|}~")
    }
  }

  private static func isDomain(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
      (1...63).contains(label.utf8.count) && label.utf8.first != UInt8(ascii: "-")
        && label.utf8.last != UInt8(ascii: "-")
        && label.isAlphanumeric(or: "-")
    }
  }
}
