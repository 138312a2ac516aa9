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
    var text = PercentCoding.tidied(text)
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

/// Percent-encoding of paths (RFC 3986).
enum PercentCoding {
  private static let plain = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:@!$&'()*+,;=%[]?".utf8)

  /// The text with what a path cannot have encoded; what is encoded already stays.
  static func tidied(_ text: String) -> String {
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if plain.contains(byte) {
        bytes.append(byte)
      } else {
        let digits = Array("0123456789ABCDEF".utf8)
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Nil for what is not well-formed, or is no UTF-8.
  static func decoded(_ text: some StringProtocol) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap(hex), let low = rest.popFirst().flatMap(hex) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
