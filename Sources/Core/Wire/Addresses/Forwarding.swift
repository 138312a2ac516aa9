/// Who asks, and how, as told by the proxies between: the fields X-Forwarded-For, -Proto and -Host, which anybody can
/// send and which count from listed proxies only.
public struct Forwarding: Equatable, Sendable {
  /// The client's address.
  public var address: String
  /// `http` or `https`, as the client spoke to the first proxy; nil if no proxy that is trusted says so.
  public var scheme: String?
  /// Host and port as the client asked for them; nil if no proxy that is trusted says so.
  public var host: String?

  /// - Parameters:
  ///   - peer: the other end of the connection, without its port.
  ///   - trusted: the proxies.
  public init(_ fields: Fields, peer: String, trusted: [AddressRange]) {
    address = clientAddress(peer: peer, forwardedFor: fields.list("x-forwarded-for"), trusted: trusted)
    guard isTrusted(peerAddress(peer), trusted) else { return }
    // A proxy that does not replace what was there puts its own word last, and only that is its word.
    if let word = Self.last(of: fields.list("x-forwarded-proto")) {
      scheme = ["http", "https"].first { equalsIgnoringCase($0, word) }
    }
    if let word = Self.last(of: fields.list("x-forwarded-host")), Self.isHost(word) { host = String(word) }
  }

  private static func last(of list: String?) -> Substring? {
    list?.split(separator: ",").last.map(trimmed)
  }

  /// Letters, digits and what stands in names, addresses and ports: nothing that could leave a URL's host.
  private static func isHost(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.count <= 255 + ":65535".utf8.count
      && text.utf8.allSatisfy { byte in
        switch byte {
        case 48...57, 65...90, 97...122: true
        default: "-._:[]".utf8.contains(byte)
        }
      }
  }
}

/// The address of the client at the far end of a chain of proxies: read from the right, where the nearest proxy has put
/// whom it saw, for as long as the one who says so is trusted. What stands further left anybody may have made up.
/// - Parameters:
///   - peer: the other end of the connection, without its port.
///   - forwardedFor: all X-Forwarded-For fields as one list: addresses, some with a port.
///   - trusted: the proxies.
/// - Returns: the first address that is no proxy's, or the last that could be read.
public func clientAddress(peer: String, forwardedFor: String?, trusted: [AddressRange]) -> String {
  guard let forwardedFor, var address = peerAddress(peer), isTrusted(address, trusted) else { return peer }
  for part in forwardedFor.split(separator: ",", omittingEmptySubsequences: false).reversed() {
    guard let next = forwardedAddress(trimmed(part)) else { break }
    address = next
    if !isTrusted(next, trusted) { break }
  }
  return address.description
}

/// The address of a connection's other end. A link-local peer has its zone behind it, such as `fe80::1%eth0`.
public func peerAddress(_ text: String) -> IPAddress? { IPAddress(text.prefix { $0 != "%" }) }

/// Whether it is one of these proxies.
public func isTrusted(_ address: IPAddress?, _ trusted: [AddressRange]) -> Bool {
  guard let address else { return false }
  return trusted.contains { $0.contains(address) }
}

/// `192.0.2.1`, `192.0.2.1:80`, `2001:db8::1`, `[2001:db8::1]` or `[2001:db8::1]:80`.
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
