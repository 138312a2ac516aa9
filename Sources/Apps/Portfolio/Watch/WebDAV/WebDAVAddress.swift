import Client
import Wire

/// The address of a folder at a WebDAV server, as somebody types it. The address of a share's page at Nextcloud is
/// taken for what the share offers by WebDAV.
struct WebDAVAddress: Sendable {
  /// One way in: a folder, with the user's name where the address itself says it.
  struct Way: Equatable, Sendable {
    /// Ends in a slash.
    let path: String
    var user: String?
  }
  /// Scheme, host and port.
  let origin: String
  let host: String
  /// In the order in which they are tried.
  let ways: [Way]

  struct Fault: Error {
    let words: String
  }

  /// - Parameter listed: networks outside of the public Internet that may be asked, also without TLS.
  init(_ text: String, listed: [AddressRange]) throws(Fault) {
    var text = Self.tidied(text)
    if text.last != "/" { text += "/" }
    let target: TargetAddress
    do {
      target = try TargetAddress(text, longest: PortfolioLimits.source, listed: listed)
    } catch {
      throw Fault(words: Self.words(error))
    }
    guard !target.url.contains("?") else { throw Fault(words: "a folder's address has no question mark in it") }
    origin = target.origin
    host = origin.split(separator: "/").last.map(String.init) ?? origin
    // Upper-case letters of the host are written small in the origin, and a usual port is left out.
    let rest = target.url.drop { $0 != ":" }.dropFirst(3)
    let path = String(rest[(rest.firstIndex(of: "/") ?? rest.endIndex)...])
    ways = Self.share(path) ?? [Way(path: path)]
  }

  /// The ways to a share of Nextcloud whose page has this path: the one of version 29 and later, and the older one.
  private static func share(_ path: String) -> [Way]? {
    let parts = path.split(separator: "/").map(String.init)
    guard let place = parts.firstIndex(of: "s"), parts.count == place + 2 else { return nil }
    let token = parts[place + 1]
    let before = parts[..<place].filter { $0 != "index.php" }.map { "/" + $0 }.joined()
    return [
      Way(path: "\(before)/public.php/dav/files/\(token)/", user: "anonymous"),
      Way(path: "\(before)/public.php/webdav/", user: token),
    ]
  }

  /// True where a folder's entity tag changes with everything below it, as at Nextcloud and ownCloud. Elsewhere it may
  /// stay the same when a file in it changes.
  static func hasDeepTags(_ path: String) -> Bool { path.contains("/remote.php/") || path.contains("/public.php/") }

  private static func words(_ fault: TargetAddress.Fault) -> String {
    switch fault {
    case .tooLong: "the address is too long"
    case .characters: "the address has characters that none has"
    case .form, .host: "an address begins with https:// and a host; a user's name is given separately"
    case .notPublic: "it is not on the public Internet; the setting reachable_networks allows others"
    case .notSecure: "http:// is accepted for networks in reachable_networks alone"
    }
  }
}

extension WebDAVAddress {
  /// The text with what an address cannot have encoded; what is encoded already stays.
  static func tidied(_ text: String) -> String { percentEncoded(text, keeping: "-._~/:@!$&'()*+,;=%[]?") }
}
