import Server
import Wire

extension Request {
  /// Whether browsers trust what comes from here (Secure Contexts section 3.1): over TLS, and on this machine itself.
  var isTrustworthy: Bool {
    guard !isSecure else { return true }
    let name = Party.parts((host ?? "").lowercased()).name
    return Party.isLocal(name) || IPAddress(name.filter { !"[]".contains($0) })?.isLoopback == true
  }

  /// What a browser says of the page that sent this request.
  enum Sender {
    /// A page of this hub.
    case own
    /// A page of another site.
    case foreign
    /// No browser, or one that says nothing.
    case unsaid
  }

  /// Browsers say it of their own accord, and no page can say it otherwise: Sec-Fetch-Site over TLS and on localhost,
  /// and Origin with every write.
  var sender: Sender {
    if let site = head.fields["sec-fetch-site"] { return site == "same-origin" ? .own : .foreign }
    guard let origin = head.fields["origin"] else { return .unsaid }
    let parts = origin.split(separator: "://", maxSplits: 1)
    // A proxy that is not trusted may speak TLS without our knowing, but never the other way round.
    guard let host, parts.count == 2, parts[0] == "https" || parts[0] == "http" && !isSecure else { return .foreign }
    let isSecure = parts[0] == "https"
    return Self.authority(parts[1], isSecure) == Self.authority(Substring(host), isSecure) ? .own : .foreign
  }

  /// In small letters, and without the port that goes without saying.
  private static func authority(_ text: Substring, _ isSecure: Bool) -> Substring {
    let usual = isSecure ? ":443" : ":80"
    let text = text.lowercased()
    return text.hasSuffix(usual) ? text.dropLast(usual.count) : text[...]
  }
}
