import Server
import Wire

extension Request {
  /// True if browsers treat this origin as trustworthy (Secure Contexts section 3.1): over TLS, and on this machine.
  var isTrustworthy: Bool { isSecure || isToLoopback }

  /// True if the request was sent to a name or an address by which only this machine finds the hub.
  var isToLoopback: Bool {
    // Asked for each page: the bytes of the text are looked at where they are.
    let name = Party.parts(host ?? "").name
    let isBracketed = name.utf8.first == UInt8(ascii: "[") && name.utf8.last == UInt8(ascii: "]")
    let address = isBracketed ? Substring(name.utf8.dropFirst().dropLast()) : name
    return Party.isLocal(name) || IPAddress(address)?.isLoopback == true
  }

  /// True for the opening of a WebSocket (RFC 6455 section 4.1).
  var opensWebSocket: Bool { head.fields["sec-websocket-key"] != nil }

  /// The origin of the page that sent a request, as told by the browser.
  enum Sender {
    /// A page of this hub.
    case own
    /// A page of another site.
    case foreign
    /// Not a browser, or one that does not tell.
    case unsaid
  }

  /// Told by browsers in fields that pages cannot set: Sec-Fetch-Site over TLS and on localhost, and Origin with every
  /// write.
  var sender: Sender {
    if let site = head.fields["sec-fetch-site"] { return site == "same-origin" ? .own : .foreign }
    guard let origin = head.fields["origin"] else { return .unsaid }
    let parts = origin.split(separator: "://", maxSplits: 1)
    // A proxy that is not trusted may use TLS without our knowing, but not the other way round.
    guard let host, parts.count == 2, parts[0] == "https" || parts[0] == "http" && !isSecure else { return .foreign }
    let isSecure = parts[0] == "https"
    return Self.authority(parts[1], isSecure) == Self.authority(Substring(host), isSecure) ? .own : .foreign
  }

  /// In lower case, and without the default port.
  private static func authority(_ text: Substring, _ isSecure: Bool) -> Substring {
    let usual = isSecure ? ":443" : ":80"
    let text = text.lowercased()
    return text.hasSuffix(usual) ? text.dropLast(usual.count) : text[...]
  }
}
