public import Terminal

extension Verb {
  /// The base address of a hub in a setting or an option: a scheme and a host, without a path.
  /// - Returns: the address without a slash at its end; nil for anything else.
  public static func baseAddress(_ text: String) -> String? {
    let parts = text.split(separator: "://", maxSplits: 1)
    let host = parts.count == 2 ? parts[1].drop { $0 == "/" }.prefix { $0 != "/" } : ""
    guard parts.count == 2, ["http", "https"].contains(parts[0].lowercased()), !host.isEmpty,
      parts[1] == host || parts[1] == "\(host)/", !host.contains(where: { "?#@ ".contains($0) }), hasUsablePort(host)
    else { return nil }
    return "\(parts[0].lowercased())://\(host)"
  }

  /// True without a port, or with one that there is.
  private static func hasUsablePort(_ host: Substring) -> Bool {
    guard let colon = host.lastIndex(of: ":"), host.last != "]" else { return true }
    return (1...65_535).contains(Int(host[host.index(after: colon)...]) ?? 0)
  }

  /// The address that an option names: what is printed with it is of no use with any other text.
  public static func baseAddress(_ text: String, of option: String) throws(CommandError) -> String {
    guard let address = baseAddress(text) else {
      throw CommandError(
        usage: "--\(option): \"\(text.prefix(80))\"; http://HOST:PORT and https://HOST:PORT are accepted.")
    }
    return address
  }
}
