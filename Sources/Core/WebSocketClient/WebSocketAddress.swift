import Wire

/// The address of a WebSocket, taken from a URL.
public struct WebSocketAddress: Equatable, Sendable {
  /// True for TLS.
  public var isSecure: Bool
  /// A name or a numeric address, without the brackets of IPv6.
  public var host: String
  public var port: UInt16
  /// The path with its query; begins with a slash.
  public var target: String

  /// Reads a URL with the scheme ws, wss, http or https; nil for all else, such as one with a user name in it.
  public init?(_ url: String) {
    guard url.utf8.allSatisfy({ $0 > 32 && $0 < 127 }), let colon = url.firstIndex(of: ":") else { return nil }
    switch url[..<colon].lowercased() {
    case "ws", "http": isSecure = false
    case "wss", "https": isSecure = true
    default: return nil
    }
    guard url[colon...].hasPrefix("://") else { return nil }
    let rest = url[url.index(colon, offsetBy: 3)...].prefix { $0 != "#" }
    let authority = rest.prefix { $0 != "/" && $0 != "?" }
    let tail = rest[authority.endIndex...]
    guard let (host, port) = Self.split(authority) else { return nil }
    self.host = host
    self.port = port ?? (isSecure ? 443 : 80)
    target = tail.hasPrefix("/") ? String(tail) : "/" + tail
  }

  /// The host and the port of an authority (RFC 3986 section 3.2).
  private static func split(_ authority: Substring) -> (String, UInt16?)? {
    let host: Substring
    if authority.hasPrefix("[") {
      guard let end = authority.firstIndex(of: "]") else { return nil }
      host = authority[authority.index(after: authority.startIndex)..<end]
      guard let address = IPAddress(host), address.family == .v6 || host.contains(":") else { return nil }
      return port(authority[authority.index(after: end)...]).map { (String(host), $0) }
    }
    host = authority.prefix { $0 != ":" }
    guard !host.isEmpty, host.isAlphanumeric(or: "-._"), host.utf8.count <= 253 else { return nil }
    return port(authority[host.endIndex...]).map { (String(host), $0) }
  }

  private static func port(_ text: Substring) -> UInt16?? {
    if text.isEmpty { return .some(nil) }
    guard text.hasPrefix(":"), text.utf8.count <= 6, text.utf8.dropFirst().allSatisfy({ $0 >= 48 && $0 <= 57 }),
      let port = UInt16(text.dropFirst()), port > 0
    else { return nil }
    return .some(port)
  }

  /// The value of the field Host: without the port if it is the scheme's own.
  package var hostField: String {
    let name = host.contains(":") ? "[\(host)]" : host
    return port == (isSecure ? 443 : 80) ? name : "\(name):\(port)"
  }

  /// True for an address of this machine, to which nothing is sent over a network.
  public var isLoopback: Bool {
    if let address = IPAddress(host) { return address.isLoopback }
    let name = host.lowercased()
    return name == "localhost" || name.hasSuffix(".localhost")
  }
}
