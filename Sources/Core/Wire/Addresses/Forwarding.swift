/// The client of a request as told by proxies in X-Forwarded-For, -Proto and -Host. Anybody can send these fields, so
/// they count from listed proxies only.
public struct Forwarding: Equatable, Sendable {
  /// The client's address.
  public var address: String
  /// `http` or `https`, as used between the client and the first proxy; nil if no trusted proxy tells.
  public var scheme: String?
  /// Host and port as the client asked for them; nil if no trusted proxy tells.
  public var host: String?

  /// - Parameters:
  ///   - peer: the connection's peer, without its port.
  ///   - trusted: the ranges of trusted proxies.
  public init(_ fields: Fields, peer: String, trusted: [AddressRange]) {
    address = clientAddress(peer: peer, forwardedFor: fields.list("x-forwarded-for"), trusted: trusted)
    guard isTrusted(peerAddress(peer), trusted) else { return }
    // A proxy that does not replace an existing field appends to it, so only the last value is the proxy's own.
    if let word = Self.last(of: fields.list("x-forwarded-proto")) {
      // Traefik says ws and wss for a WebSocket.
      let schemes = [("http", "http"), ("https", "https"), ("ws", "http"), ("wss", "https")]
      scheme = schemes.first { equalsIgnoringCase($0.0, word) }?.1
    }
    if let word = Self.last(of: fields.list("x-forwarded-host")), Self.isHost(word) { host = String(word) }
  }

  private static func last(of list: String?) -> Substring? {
    list?.split(separator: ",").last.map(trimmed)
  }

  /// True for letters, digits and the other characters of host names, addresses and ports; none of them can leave a
  /// URL's host.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 + ":65535".utf8.count && text.isAlphanumeric(or: "-._:[]")
  }
}

/// The client's address at the end of a chain of proxies. The list is read from the right, where the nearest proxy put
/// its peer's address, for as long as the writer is trusted. Anybody may have made up what stands further left.
/// - Parameters:
///   - peer: the connection's peer, without its port.
///   - forwardedFor: all X-Forwarded-For fields as one list of addresses, some with a port.
///   - trusted: the ranges of trusted proxies.
/// - Returns: the first address that is not a trusted proxy's, or the last that could be read.
public func clientAddress(peer: String, forwardedFor: String?, trusted: [AddressRange]) -> String {
  guard let forwardedFor, var address = peerAddress(peer), isTrusted(address, trusted) else { return peer }
  for part in forwardedFor.split(separator: ",", omittingEmptySubsequences: false).reversed() {
    guard let next = forwardedAddress(trimmed(part)) else { break }
    address = next
    if !isTrusted(next, trusted) { break }
  }
  return address.description
}

/// The address of a connection's peer. A link-local one has a zone behind it, such as `fe80::1%eth0`.
public func peerAddress(_ text: String) -> IPAddress? { IPAddress(text.prefix { $0 != "%" }) }

/// True if the address is a trusted proxy's.
public func isTrusted(_ address: IPAddress?, _ trusted: [AddressRange]) -> Bool {
  guard let address else { return false }
  return trusted.contains { $0.contains(address) }
}

/// Parses `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
private func forwardedAddress(_ text: Substring) -> IPAddress? {
  func isPort(_ text: Substring) -> Bool {
    let digits = text.utf8.dropFirst()
    return text.isEmpty
      || (text.first == ":" && digits.allSatisfy { $0 >= 48 && $0 <= 57 } && UInt16(text.dropFirst()) != nil)
  }
  if text.first == "[" {
    guard let end = text.firstIndex(of: "]"), isPort(text[text.index(after: end)...]) else { return nil }
    let inside = text[text.index(after: text.startIndex)..<end]
    return inside.contains(":") ? IPAddress(inside) : nil
  }
  if let address = IPAddress(text) { return address }
  guard let colon = text.firstIndex(of: ":"), isPort(text[colon...]) else { return nil }
  return IPAddress(text[..<colon])
}
