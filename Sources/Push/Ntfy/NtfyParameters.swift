/// The header fields and the address' parameters of a message. A name may be spelt in any case, in several ways, and
/// with "X-" before it; where both have it, the header counts.
public struct NtfyParameters: Sendable {
  private var headers: [String: String] = [:]
  private var query: [String: String] = [:]

  /// - Parameters:
  ///   - headers: names and values as they came; encoded words (RFC 2047) are decoded.
  ///   - query: names and values, percent-decoded.
  public init(headers: [(name: String, value: String)], query: [String: String]) {
    for (name, value) in headers where !Self.isOfHTTP(name, value) {
      let name = Self.plain(name)
      // The first field of a name counts, as everywhere in the hub.
      if self.headers[name] == nil { self.headers[name] = EncodedWords.decoded(value) }
    }
    for (name, value) in query { self.query[Self.plain(name)] = value }
  }

  /// True for the field of RFC 9218 that browsers and proxies add by themselves: "Priority: u=1, i".
  private static func isOfHTTP(_ name: String, _ value: String) -> Bool {
    name.lowercased() == "priority"
      && NtfyWords.list(value).allSatisfy { $0 == "i" || $0.hasPrefix("i=") || $0.hasPrefix("u=") }
  }

  private static func plain(_ name: String) -> String {
    let lower = name.lowercased()
    return lower.hasPrefix("x-") ? String(lower.dropFirst(2)) : lower
  }

  /// The value of the first of these names that is there and not empty.
  /// - Parameter names: in lower case, without "x-".
  public subscript(_ names: String...) -> String? { value(names) }

  func value(_ names: [String]) -> String? {
    for values in [headers, query] {
      for name in names {
        if let value = values[name].map(NtfyWords.trimmed), !value.isEmpty { return value }
      }
    }
    return nil
  }

  /// True for 1, yes and true.
  public func isOn(_ names: String...) -> Bool {
    value(names).map { ["1", "yes", "true"].contains($0.lowercased()) } ?? false
  }

  /// True for 0, no and false.
  func isOff(_ names: String...) -> Bool {
    value(names).map { ["0", "no", "false"].contains($0.lowercased()) } ?? false
  }
}

/// Small work on texts.
enum NtfyWords {
  static func trimmed(_ text: some StringProtocol) -> String {
    var text = Substring(text)
    while let first = text.unicodeScalars.first, isSpace(first) { text.unicodeScalars.removeFirst() }
    while let last = text.unicodeScalars.last, isSpace(last) { text.unicodeScalars.removeLast() }
    return String(text)
  }

  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isWhitespace }

  /// The words between commas, without empty ones.
  static func list(_ text: String) -> [String] { text.split(separator: ",").map(trimmed).filter { !$0.isEmpty } }
}
