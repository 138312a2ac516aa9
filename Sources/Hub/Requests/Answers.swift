public import CivilTime
public import Server
public import Wire

// Answers and addresses that all rooms' routes share.

extension JSON {
  /// An id as text, so that no program calculates with it; null for nil.
  public init(id: Int?) { self = id.map { .string(String($0)) } ?? .null }

  /// A time in UTC; null for nil.
  public init(instant: Double?) {
    self = instant.map { .string(timestamp(EpochSeconds($0), in: .utc)) } ?? .null
  }

  /// A time by a zone's clock; null for nil.
  public init(instant: Int?, in zone: Zone) { self.init(instant.map { timestamp($0, in: zone) }) }
}

extension Response {
  /// The same with `no-store`, since it is for one person.
  public func notStored() -> Response {
    var response = self
    response.cacheControl = "no-store"
    return response
  }

  /// Success without a body.
  public static func nothing(_ fields: [Response.Field] = []) -> Response {
    Response(status: 204, contentType: "", body: .bytes([]), cacheControl: "no-store", fields: fields)
  }

  /// What was asked for is at another address of this hub, for good (RFC 9110 section 15.4.9).
  public static func moved(to path: String) -> Response {
    Response(
      status: 308, contentType: "text/plain; charset=utf-8", body: .bytes([]),
      fields: [Response.Field("Location", path)])
  }
}

extension Request {
  /// The number in the address, such as 7 in /api/v1/people/7; nil for anything else.
  public var id: Int? { parameters["id"].flatMap(Int.init) }

  /// The base address that the request was sent to, such as "http://localhost:8080".
  public var origin: String { scheme + (host ?? "localhost") }
  fileprivate var scheme: String { isSecure ? "https://" : "http://" }

  /// The value of a cookie. Two cookies of the name count as none: somebody else has set one of them.
  public func cookie(_ name: String) -> String? {
    guard let header = head.fields["cookie"] else { return nil }
    let found = header.split(separator: ";").compactMap { part -> Substring? in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      return pair.count == 2 && pair[0].drop { $0 == " " } == name ? pair[1] : nil
    }
    return found.count == 1 ? String(found[0]) : nil
  }
}

extension Hub {
  /// The base address of links in an answer, which other devices are to open: the owner's public address, else that of
  /// the request; instead of this machine's own name, which leads other devices nowhere, its address in the network.
  public func address(_ request: Request) -> String {
    publicURL ?? (hasNetworkURL && request.isToLoopback ? networkURL : nil) ?? request.origin
  }

  /// True if that is this one; it is not put together for the answer where the request alone decides.
  public func address(_ request: Request, is known: String) -> Bool {
    guard publicURL == nil, !hasNetworkURL, let host = request.host else { return address(request) == known }
    let scheme = request.scheme
    return known.utf8.count == scheme.utf8.count + host.utf8.count && known.hasPrefix(scheme) && known.hasSuffix(host)
  }
}
