import Wire

/// An address that names no NATS server.
public struct NATSAddressError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What is wrong, the value without its secrets, and what is accepted.
  public let description: String
}

/// A NATS server: nats://HOST:PORT or tls://HOST:PORT, with or without a user or a token, as NATS writes it.
public struct NATSAddress: Equatable, Sendable {
  package enum Proof: Equatable, Sendable {
    case none
    case user(String, password: String)
    case token(String)
  }

  public let host: String
  public let port: UInt16
  /// True for TLS, whether the server demands it or not.
  public let isSecure: Bool
  package let proof: Proof

  /// The address without its secrets.
  public var shown: String { "\(isSecure ? "tls" : "nats")://\(host.contains(":") ? "[\(host)]" : host):\(port)" }

  /// The servers of an address, in their order: several are separated by commas.
  public static func all(in text: String) throws(NATSAddressError) -> [NATSAddress] {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count <= NATSLimits.servers else { throw error(text, "it has \(parts.count) servers") }
    var found: [NATSAddress] = []
    for (index, part) in parts.enumerated() {
      do throws(Fault) {
        found.append(try NATSAddress(part))
      } catch {
        throw Self.error(text, parts.count == 1 ? error.words : "server \(index + 1): \(error.words)")
      }
    }
    return found
  }

  private struct Fault: Error { var words: String }

  /// Secrets stand before an @; with a comma or an @ in them, also before the last of several.
  private static func error(_ text: String, _ words: String) -> NATSAddressError {
    let seen = text.lastIndex(of: "@").map { "…" + text[$0...] } ?? text
    return NATSAddressError(
      description: """
        The address of NATS cannot be read: \(words): "\(seen)"; accepted are nats://HOST:PORT and tls://HOST:PORT, \
        before the host USER:PASSWORD@ or TOKEN@ (in them, @ is written %40, : %3A, / %2F, a comma %2C), and at most \
        \(NATSLimits.servers) servers, separated by commas
        """)
  }

  private init(_ text: Substring) throws(Fault) {
    guard let scheme = ["nats", "tls"].first(where: { text.hasPrefix("\($0)://") }) else {
      throw Fault(words: "it begins with neither nats:// nor tls://")
    }
    isSecure = scheme == "tls"
    var rest = text.dropFirst(scheme.count + 3)
    if rest.last == "/" { rest.removeLast() }
    if let at = rest.lastIndex(of: "@") {
      proof = try Self.proof(rest[..<at])
      rest = rest[rest.index(after: at)...]
    } else {
      proof = .none
    }
    let isNumericV6 = rest.first == "["
    let end = isNumericV6 ? rest.firstIndex(of: "]").map { rest.index(after: $0) } : rest.firstIndex(of: ":")
    let host = rest[..<(end ?? rest.endIndex)]
    let tail = rest[(end ?? rest.endIndex)...]
    self.host = String(isNumericV6 ? host.dropFirst().dropLast() : host)
    let isHost = isNumericV6 ? end != nil && host.contains(":") && IPAddress(self.host) != nil : Self.isName(host)
    guard isHost else { throw Fault(words: "its host is neither a name nor a numeric address") }
    let digits = tail.dropFirst()
    guard tail.isEmpty || tail.first == ":" && digits.utf8.allSatisfy({ (48...57).contains($0) }),
      let port = tail.isEmpty ? 4222 : UInt16(digits), port > 0
    else { throw Fault(words: "its port is no number from 1 to 65535") }
    self.port = port
  }

  private static func proof(_ text: Substring) throws(Fault) -> Proof {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let first = percentDecoded(parts[0]), !first.isEmpty, let last = percentDecoded(parts.last!),
      !text.contains("@"), !text.contains("/")
    else { throw Fault(words: "what stands before the host is neither a user with a password nor a token") }
    return parts.count == 1 ? .token(first) : .user(first, password: last)
  }

  private static func isName(_ text: Substring) -> Bool {
    (1...253).contains(text.utf8.count) && text.isAlphanumeric(or: "-._")
  }
}
