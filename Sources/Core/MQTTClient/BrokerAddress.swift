/// A broker: mqtt://host, mqtts://host:8883, with or without a user.
public struct BrokerAddress: Equatable, Sendable {
  public let host: String
  public let port: UInt16
  public let isSecure: Bool
  public let user: String?

  /// Nil for anything else. A password does not stand in the address.
  public init?(_ text: String) {
    let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "mqtt" || parts[0] == "mqtts" else { return nil }
    isSecure = parts[0] == "mqtts"
    var rest = parts[1]
    if rest.last == "/" { rest.removeLast() }
    if let at = rest.lastIndex(of: "@") {
      let user = rest[..<at]
      guard !user.isEmpty, !user.contains(":") else { return nil }
      self.user = String(user)
      rest = rest[rest.index(after: at)...]
    } else {
      user = nil
    }
    var port = isSecure ? UInt16(8_883) : 1_883
    if let colon = rest.lastIndex(of: ":"), !rest.hasSuffix("]") {
      guard let given = UInt16(rest[rest.index(after: colon)...]), given > 0 else { return nil }
      port = given
      rest = rest[..<colon]
    }
    if rest.first == "[", rest.last == "]" { rest = rest.dropFirst().dropLast() }
    guard !rest.isEmpty, rest.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !rest.contains("/"), !rest.contains("@")
    else { return nil }
    (host, self.port) = (String(rest), port)
  }
}
