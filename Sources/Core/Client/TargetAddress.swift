public import Wire

/// An address that somebody else has chosen for the hub to send to: a browser's push service, the receiver of a
/// webhook. Only `https:` is accepted, without user information and unusual characters, so that every program reads the
/// same host in it. An address inside is refused; what a name stands for, `AddressPolicy` checks at each connection.
public struct TargetAddress: Hashable, Sendable {
  public let url: String
  /// Scheme, host and port (RFC 6454), in lower case and without a default port.
  public let origin: String

  /// The reason why an address is refused.
  public enum Fault: Error, Equatable, Sendable {
    case tooLong(bytes: Int)
    /// Characters that no address has.
    case characters
    /// Anything but https://host/path.
    case form
    /// The host or the port cannot be read.
    case host
    /// Neither on the public Internet nor in a listed network.
    case notPublic
    /// `http:` to what is not listed.
    case notSecure
  }

  /// - Parameters:
  ///   - longest: the most bytes.
  ///   - listed: networks outside of the public Internet that may be sent to. There, by numeric address, an address may
  ///     be without TLS: that is how tests and closed networks work.
  ///   - plain: hosts, in lower case, whose addresses may be without TLS, too.
  public init(
    _ url: String, longest: Int, listed: [AddressRange] = [], plain: Set<String> = []
  ) throws(Fault) {
    guard url.utf8.count <= longest else { throw .tooLong(bytes: url.utf8.count) }
    guard url.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"\"<>\\^`{|}#".utf8.contains($0) }) else { throw .characters }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let rest = url.dropFirst(scheme.utf8.count)
    guard ["https", "http"].contains(scheme), rest.hasPrefix("://"), let slash = rest.dropFirst(3).firstIndex(of: "/")
    else { throw .form }
    let authority = rest[rest.index(rest.startIndex, offsetBy: 3)..<slash].lowercased()
    guard let (host, port) = Self.parts(of: authority) else { throw .host }
    let address = IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    let isListed = address.map { address in listed.contains { $0.contains(address) } } ?? false
    if let address, !address.isPublic, !isListed { throw .notPublic }
    guard scheme == "https" || isListed || plain.contains(host) else { throw .notSecure }
    self.url = url
    origin = "\(scheme)://\(host)" + (port == nil || port == (scheme == "https" ? 443 : 80) ? "" : ":\(port!)")
  }

  /// True if an address has a number for a host, in any of the spellings that programs accept (`127.0.0.1`, `[::1]`,
  /// `127.1`, `0x7f000001`): it leads to the same place for ever, while a name may lead elsewhere the next time.
  public static func hasNumericHost(_ url: String) -> Bool {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
    guard parts.count == 3 else { return false }
    let authority = parts[2].prefix { $0 != "/" }
    guard !authority.hasPrefix("[") else { return true }
    // No name ends with a number.
    guard let last = authority.prefix(while: { $0 != ":" }).split(separator: ".").last else { return false }
    return last.utf8.allSatisfy { $0 >= 48 && $0 <= 57 } || last.lowercased().hasPrefix("0x")
  }

  /// Host and port of an authority without user information; nil for characters that programs read differently.
  private static func parts(of authority: String) -> (host: String, port: Int?)? {
    var host = authority[...]
    var port: Int?
    let end = authority.lastIndex(of: "]") ?? authority.startIndex
    if let colon = authority[end...].lastIndex(of: ":") {
      let digits = authority[authority.index(after: colon)...]
      guard digits.utf8.count <= 5, digits.first != "0", digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }),
        let number = Int(digits),
        (1...65_535).contains(number)
      else { return nil }
      port = number
      host = authority[..<colon]
    }
    if host.hasPrefix("[") {
      let inside = host.dropFirst().dropLast()
      // With a colon, so that no IPv4 address stands in brackets; one that is mapped into IPv6 may.
      guard host.hasSuffix("]"), inside.contains(":"), IPAddress(inside) != nil else { return nil }
    } else {
      let isName = host.utf8.allSatisfy { byte in
        (97...122).contains(byte) || (48...57).contains(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      }
      guard isName, !host.isEmpty, host.utf8.count <= 253 else { return nil }
    }
    return (String(host), port)
  }
}
