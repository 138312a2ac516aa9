import Glibc
import Wire

/// The mail server that mails are handed to, as the owner has set it.
public struct MailServer: Equatable, Sendable {
  /// smtp://host:port or smtps://host:port.
  public let url: String
  public let user: String?
  public var password: String?

  /// Reads `smtp://user@host:587`; without a user the server is asked without a name. An `@` in the user may be written
  /// as `%40`.
  /// - Returns: nil for what is no such address.
  public init?(_ text: String) {
    guard let scheme = ["smtps://", "smtp://"].first(where: text.hasPrefix),
      text.utf8.allSatisfy({ $0 > 32 && $0 < 127 && !"/?#\"<>\\".utf8.contains($0) || $0 == UInt8(ascii: "/") })
    else { return nil }
    var rest = text.dropFirst(scheme.count)
    if let at = rest.lastIndex(of: "@") {
      guard at > rest.startIndex, !rest[..<at].contains(":") else { return nil }
      user = percentDecoded(rest[..<at]) ?? String(rest[..<at])
      rest = rest[rest.index(after: at)...]
    } else {
      user = nil
    }
    if rest.hasSuffix("/") { rest.removeLast() }
    guard !rest.isEmpty, !rest.contains("/") else { return nil }
    url = scheme + rest
  }

  /// True if the password may go there without encryption: to the machine itself.
  var isLocal: Bool {
    let host = url.drop { $0 != "/" }.dropFirst(2)
    return ["127.", "localhost:", "[::1]"].contains { host.hasPrefix($0) } || host == "localhost"
  }

  /// The first line of a file.
  /// - Returns: nil for a file that cannot be read, or has none.
  public static func password(inFile path: String) -> String? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: MailLimits.passwordBytes)
    let count = fread(&bytes, 1, bytes.count, file)
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
