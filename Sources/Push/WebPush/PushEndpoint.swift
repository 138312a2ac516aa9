public import Wire

/// The address at a push service that messages for one browser are sent to (RFC 8030 section 2). It comes from clients,
/// so it may be any address at all; and it is a secret, since whoever knows it can use up the browser's patience.
public struct PushEndpoint: Hashable, Sendable {
  public let url: String
  /// Scheme, host and port of the push service (RFC 6454), in lower case and without a default port.
  public let origin: String

  /// - Parameter listed: networks outside of the public Internet that may be sent to. Only there, and only by numeric
  ///   address, may an endpoint be without TLS: that is how tests and closed networks run a push service.
  public init(_ url: String, listed: [AddressRange] = []) throws(WebPushError) {
    let size = url.utf8.count
    guard size <= WebPushLimits.endpointBytes else {
      throw WebPushError(
        .endpoint, "The endpoint has \(size) bytes; up to \(WebPushLimits.endpointBytes) are accepted.")
    }
    guard url.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"\"<>\\^`{|}#".utf8.contains($0) }) else {
      throw WebPushError(.endpoint, "The endpoint has characters that no address has; they must be escaped.")
    }
    let scheme = url.prefix { $0 != ":" }.lowercased()
    let rest = url.dropFirst(scheme.utf8.count)
    guard ["https", "http"].contains(scheme), rest.hasPrefix("://"), let slash = rest.dropFirst(3).firstIndex(of: "/")
    else {
      throw WebPushError(.endpoint, "The endpoint is no address of a push service; https://host/path is accepted.")
    }
    let authority = rest[rest.index(rest.startIndex, offsetBy: 3)..<slash].lowercased()
    guard let (host, port) = Self.parts(of: authority) else {
      throw WebPushError(
        .endpoint, "The endpoint's host cannot be read; a name or an address, and a port, are accepted.")
    }
    let address = IPAddress(host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host)
    let isListed = address.map { address in listed.contains { $0.contains(address) } } ?? false
    if let address, !address.isPublic, !isListed {
      throw WebPushError(.targetRefused, "The endpoint is not on the public Internet, and its network is not listed.")
    }
    guard scheme == "https" || isListed else {
      throw WebPushError(.endpoint, "The endpoint begins with http:; https: is accepted.")
    }
    self.url = url
    origin = "\(scheme)://\(host)" + (port == nil || port == (scheme == "https" ? 443 : 80) ? "" : ":\(port!)")
  }

  /// An endpoint that was checked before it was kept.
  init(kept url: String, origin: String) {
    self.url = url
    self.origin = origin
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
