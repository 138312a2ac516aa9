public import Wire

/// What answers a request.
public enum Handler: Sendable {
  /// Answers at once, on the connection's loop: only what is in memory. Several loops may call it at the same time.
  case immediate(@Sendable (Request) throws(HTTPError) -> Response)
  /// May wait. It starts on the loop and comes back to it.
  case task(@Sendable (Request) async throws(HTTPError) -> Response)
  /// Reads the body itself, piece by piece; it begins as soon as the head is there.
  case streaming(@Sendable (Request, RequestBody) async throws(HTTPError) -> Response)
  /// Opens a WebSocket, whatever comes of it.
  case webSocket(MessageBounds = .listeners, @Sendable (Request) -> any WebSocketHandler)
  /// Opens a stream of Server-Sent Events.
  case eventStream(@Sendable (Request) throws(HTTPError) -> any EventStreamHandler)
}

/// Says whether a request may come in, before any of its body is read: it returns, or throws what the request is
/// answered with. It sees the head and who asks; the body is empty.
public typealias Admission = @Sendable (Request) async throws(HTTPError) -> Void

/// Which handler serves which method and path.
public struct Router: Sendable {
  public struct Route: Sendable {
    public var handler: Handler
    /// Bytes a request's body may have.
    public var bodyLimit: Int
    /// Who may call; nil for a route that anybody may, or whose handler finds out.
    public var admit: Admission?
    /// How often one caller may come, and what counts it.
    var rate: (RequestRates, RouteRate)?
    package var countedRate: RouteRate? { rate?.1 }

    /// Whether there is nothing to find out about a request before it may come in.
    var isOpen: Bool { admit == nil && rate == nil }
  }

  package enum Match {
    case route(Route, [String: String])
    /// The path exists, with these methods.
    case otherMethods([Method])
    case none
  }

  /// The methods of one path: few, so looking through them is quicker than hashing.
  private typealias Methods = [(method: Method, route: Route)]
  private var plain: [String: Methods] = [:]
  private var patterns: [(path: String, segments: [Segment], routes: Methods)] = []

  /// What answers GET where nothing else does.
  private var fallback: Route?

  /// What counts requests; nil where nobody does.
  private let rates: RequestRates?

  public init(rates: RequestRates? = nil) { self.rates = rates }

  /// Answers GET, and HEAD, at every address that nothing is served at.
  public mutating func otherwise(_ handler: Handler) { fallback = Route(handler: handler, bodyLimit: 0) }

  /// Serves a path such as "/a/b", or "/a/{id}.ics" whose braces stand for one or more characters but no slash.
  /// - Parameters:
  ///   - bodyLimit: bytes a request's body may have. Whoever may send more than `ServerLimits.bodyBytes` is to be known
  ///     before it is read: such a route needs `admit`.
  ///   - admit: who may call.
  ///   - rate: how often one caller may; unless it is said, `writes` for what changes something, and no limit for
  ///     what is read.
  public mutating func on(
    _ method: Method, _ path: String, bodyLimit: Int = ServerLimits.bodyBytes, admit: Admission? = nil,
    rate: RouteRate? = nil, _ handler: Handler
  ) {
    precondition(
      admit != nil || bodyLimit <= ServerLimits.bodyBytes,
      "\(method.name) \(path) would keep \(bodyLimit) bytes for anybody")
    let rate = rate ?? (method.isWrite ? .writes : nil)
    let counted = rates.flatMap { rates in rate.map { (rates, $0) } }
    let route = Route(handler: handler, bodyLimit: bodyLimit, admit: admit, rate: counted)
    guard path.contains("{") else {
      Self.add(method, route, to: &plain[path, default: []], path)
      return
    }
    let segments = Self.parts(of: path[...]).map(Segment.init)
    if let index = patterns.firstIndex(where: { $0.segments == segments }) {
      Self.add(method, route, to: &patterns[index].routes, path)
    } else {
      patterns.append((path, segments, [(method, route)]))
    }
  }

  /// Everything that is served, but for the fallback, in no order; the paths as they were given.
  public var routes: [(method: Method, path: String)] {
    (plain.map { ($0.key, $0.value) } + patterns.map { ($0.path, $0.routes) })
      .flatMap { path, routes in routes.map { ($0.method, path) } }
  }

  /// An empty part counts: `//a` and `/a/` are other addresses than `/a`, as they are for a web server in front of the
  /// hub whose rules go by the path.
  private static func parts(of path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func add(_ method: Method, _ route: Route, to methods: inout Methods, _ path: String) {
    precondition(!methods.contains { $0.method == method }, "\(method.name) \(path) is served twice")
    methods.append((method, route))
  }

  /// What the server as a whole can do (RFC 9110 section 9.3.7).
  private static let aboutServer = Route(
    handler: .immediate { _ throws(HTTPError) in
      Response(
        status: 204, contentType: "", body: .bytes([]),
        fields: [.init("Allow", "DELETE, GET, HEAD, OPTIONS, POST, PUT")])
    }, bodyLimit: 0)

  package func match(_ method: Method, _ path: Substring) -> Match {
    if path == "*" { return method == .options ? .route(Self.aboutServer, [:]) : .otherMethods([.options]) }
    if let routes = plain[String(path)] { return Self.choose(method, routes, [:]) }
    guard !patterns.isEmpty else { return nothing(method) }
    let parts = Self.parts(of: path)
    for (_, segments, routes) in patterns where segments.count == parts.count {
      var parameters: [String: String] = [:]
      let fits = zip(segments, parts).allSatisfy { segment, part in segment.matches(part, &parameters) }
      if fits { return Self.choose(method, routes, parameters) }
    }
    return nothing(method)
  }

  private func nothing(_ method: Method) -> Match {
    guard let fallback, method == .get || method == .head else { return .none }
    return .route(fallback, [:])
  }

  /// HEAD is served wherever GET is (RFC 9110 section 9.3.2).
  private static func choose(_ method: Method, _ routes: Methods, _ parameters: [String: String]) -> Match {
    func route(_ wanted: Method) -> Route? { routes.first { $0.method == wanted }?.route }
    if let route = route(method) ?? (method == .head ? route(.get) : nil) { return .route(route, parameters) }
    var methods = routes.map(\.method)
    if route(.get) != nil, route(.head) == nil { methods.append(.head) }
    return .otherMethods(methods.sorted { $0.name < $1.name })
  }
}

/// One part of a path pattern: what stands before, between and behind a pair of braces.
private struct Segment: Equatable, Sendable {
  let before: String
  let name: String?
  let behind: String

  init(_ text: Substring) {
    guard let open = text.firstIndex(of: "{"), let close = text.firstIndex(of: "}") else {
      before = String(text)
      name = nil
      behind = ""
      return
    }
    before = String(text[..<open])
    name = String(text[text.index(after: open)..<close])
    behind = String(text[text.index(after: close)...])
  }

  func matches(_ part: Substring, _ parameters: inout [String: String]) -> Bool {
    guard let name else { return part == before }
    guard part.hasPrefix(before), part.hasSuffix(behind), part.utf8.count > before.utf8.count + behind.utf8.count,
      let value = percentDecoded(part.dropFirst(before.count).dropLast(behind.count))
    else { return false }
    parameters[name] = value
    return true
  }
}
