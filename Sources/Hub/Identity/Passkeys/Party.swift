import Server

/// WebAuthn's relying party, which passkeys belong to: the host name by which a request reached the hub.
struct Party {
  /// The RP id: the host name in lower case.
  let id: String
  /// The possible origins of this hub's pages, as browsers spell them. The browser tells if it was over TLS; it makes
  /// passkeys over HTTPS and on localhost only.
  let origins: Set<String>

  init(_ request: Request) throws(HTTPError) {
    let host = (request.host ?? "").lowercased()
    let parts = Self.parts(host)
    let (name, port) = (String(parts.name), String(parts.port))
    id = name
    guard Self.isName(name) else {
      throw HTTPError(
        .noPasskeysHere, "There are no passkeys at \(host): they belong to a host name, not to an IP address.",
        help: "Passkeys need HTTPS and a host name: open the hub by its name; on its own machine by localhost.")
    }
    origins = Set((Self.isLocal(name) ? ["https", "http"] : ["https"]).map { Self.origin($0, name, port) })
  }

  /// Browsers leave out the default port.
  private static func origin(_ scheme: String, _ name: String, _ port: String) -> String {
    port.isEmpty || port == (scheme == "https" ? "443" : "80") ? "\(scheme)://\(name)" : "\(scheme)://\(name):\(port)"
  }

  /// True if a name means the machine that the browser runs on.
  static func isLocal(_ name: some StringProtocol) -> Bool {
    let (name, local) = (name.utf8, "localhost".utf8)
    guard name.suffix(local.count).elementsEqual(local, by: { $0 | 0x20 == $1 }) else { return false }
    return name.count == local.count || name.dropLast(local.count).last == UInt8(ascii: ".")
  }

  /// A host's name and port.
  static func parts(_ host: String) -> (name: Substring, port: Substring) {
    let bytes = host.utf8
    guard bytes.last != UInt8(ascii: "]"), let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else {
      return (host[...], "")
    }
    return (host[..<colon], host[bytes.index(after: colon)...])
  }

  /// The last label of a name contains a letter; that of an address does not (RFC 3696 section 2).
  private static func isName(_ name: String) -> Bool {
    guard !name.hasPrefix("["), let last = name.split(separator: ".").last else { return false }
    return last.contains { $0.isLetter }
  }
}
