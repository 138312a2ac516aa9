public import Wire

/// A request with its body, as handlers receive it.
public struct Request: Sendable {
  public var head: RequestHead
  /// Empty where the handler reads the body itself.
  public var body: [UInt8]
  /// The values of the placeholders in the route's path, decoded.
  public var parameters: [String: String]
  /// The client's address, without its port: the peer's, or the one that a trusted proxy names.
  public var peer: String
  /// True if the client uses TLS, to us or to a trusted proxy.
  public var isSecure: Bool
  /// The host that the client asked a trusted proxy for; nil where none names it.
  public var forwardedHost: String?
  /// The facts about the connection, where the server was told to keep some (`HTTPServer.init`).
  public var connection: PeerState?
  /// Records that the caller was identified; nil for requests that are answered at once, without asking for the caller.
  var caller: Caller?

  public init(
    head: RequestHead, body: [UInt8] = [], parameters: [String: String] = [:], peer: String = "",
    isSecure: Bool = false, connection: PeerState? = nil
  ) {
    self.head = head
    self.body = body
    self.parameters = parameters
    self.peer = peer
    self.isSecure = isSecure
    self.connection = connection
  }

  /// The host that the client asked for, with its port if it named one.
  public var host: String? { forwardedHost ?? head.fields["host"] }

  /// The query's values by name; the last one counts if a name comes twice.
  public var query: [String: String] { Self.values(head.query ?? "") }

  /// The body's values by name, as forms send them (application/x-www-form-urlencoded).
  public var form: [String: String] { Self.values(Substring(decoding: body, as: UTF8.self)) }

  private static func values(_ text: some StringProtocol) -> [String: String] {
    var values: [String: String] = [:]
    for part in Substring(text).split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(pair[0], plusIsSpace: true) else { continue }
      values[name] = pair.count > 1 ? percentDecoded(pair[1], plusIsSpace: true) ?? "" : ""
    }
    return values
  }

  /// The body as JSON.
  /// - Parameter isForeign: true for what a program wrote without us in mind, which is read as
  ///   `JSON.init(fromBrowser:)` does.
  public func json(isForeign: Bool = false) throws(HTTPError) -> JSON {
    do throws(JSONError) {
      return isForeign ? try JSON(fromBrowser: body) : try JSON(parsing: body)
    } catch {
      let coding = head.fields["content-encoding"]?.lowercased() ?? ""
      if ["gzip", "x-gzip", "deflate", "br", "zstd"].contains(coding) {
        throw HTTPError(
          .invalidJSON, "The body is packed (\(coding)).", help: "Send it as it is, without Content-Encoding.")
      }
      throw HTTPError(
        .invalidJSON, "The body is no JSON: line \(error.line), column \(error.column): \(error.message)",
        help: "Send one JSON value in UTF-8.")
    }
  }
}
