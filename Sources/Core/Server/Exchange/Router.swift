public import Wire

/// A route's handler.
public enum Handler: Sendable {
  /// Answers at once on the connection's loop, from memory only. Several loops may call it at the same time.
  case immediate(@Sendable (Request) throws(HTTPError) -> Response)
  /// An asynchronous handler. It starts on the loop and returns to it after each wait.
  case task(@Sendable (Request) async throws(HTTPError) -> Response)
  /// Reads the body itself while it arrives; it starts as soon as the head is there.
  case streaming(@Sendable (Request, RequestBody) async throws(HTTPError) -> Response)
  /// Opens a WebSocket.
  case webSocket(MessageBounds = .listeners, @Sendable (Request) -> any WebSocketHandler)
  /// Opens a stream of Server-Sent Events.
  case eventStream(@Sendable (Request) throws(HTTPError) -> any EventStreamHandler)
}

/// The check of a request before any of its body is read: returns to admit it, or throws the error that the request is
/// answered with. It gets the request without its body.
public typealias Admission = @Sendable (Request) async throws(HTTPError) -> Void

/// The condition that the values of a path's placeholders have to meet.
public typealias Fit = @Sendable (_ parameters: [String: String]) -> Bool

/// The manner of another program's protocol, for the routes that its clients call.
public final class Dialect: Sendable {
  /// Puts the caller's credentials where the hub looks for them; called before anything else.
  let adapt: @Sendable (inout Request) -> Void
  /// The answer that tells an error.
  let refusal: @Sendable (HTTPError, Request) -> Response

  public init(
    adapt: @escaping @Sendable (inout Request) -> Void,
    refusal: @escaping @Sendable (HTTPError, Request) -> Response
  ) {
    self.adapt = adapt
    self.refusal = refusal
  }
}

/// Finds the handler of a method and path.
public struct Router: Sendable {
  /// One object, since each request gets it.
  public final class Route: Sendable {
    public let handler: Handler
    /// The most bytes of a request's body.
    public let bodyLimit: Int
    /// The check of who may call; nil for a route that is open to all, or whose handler checks.
    public let admit: Admission?
    /// The limit of one caller's rate, and its counter.
    let rate: (RequestRates, RouteRate)?
    /// The manner of another program's protocol; nil for our own.
    let dialect: Dialect?
    package var countedRate: RouteRate? { rate?.1 }
    /// True if requests are admitted without a check.
    let isOpen: Bool

    init(
      handler: Handler, bodyLimit: Int, admit: Admission? = nil, rate: (RequestRates, RouteRate)? = nil,
      dialect: Dialect? = nil
    ) {
      (self.handler, self.bodyLimit, self.admit, self.rate, self.dialect) = (handler, bodyLimit, admit, rate, dialect)
      isOpen = admit == nil && rate == nil && dialect == nil
    }

    /// The answer that tells an error in the manner of the route's clients.
    func refusal(_ error: HTTPError, _ request: Request) -> Response {
      dialect?.refusal(error, request) ?? error.response
    }
  }

  package enum Match {
    case route(Route, [String: String])
    /// The path exists, with these methods only.
    case otherMethods([Method])
    case none
  }

  /// The methods of one path: so few that a linear search is quicker than hashing.
  private typealias Methods = [(method: Method, route: Route)]
  private var plain: [String: Methods] = [:]
  private var patterns: [Start: [Pattern]] = [:]

  /// The number of a path's segments and the first of them: of some hundred patterns a few have the same.
  private struct Start: Hashable {
    let count: Int
    /// Nil where a placeholder begins the path, as in "/{topic}": what begins with a word goes before.
    let first: String?
  }

  private struct Pattern {
    let path: String
    let segments: [Segment]
    /// The further condition of the placeholders' values; nil if any will do.
    let fits: Fit?
    var routes: Methods

    /// The values of the placeholders; nil if a path is not of this pattern.
    func parameters(of parts: [Substring]) -> [String: String]? {
      let isAlike = zip(segments, parts).allSatisfy { segment, part in segment.word.map { $0 == part } ?? true }
      guard isAlike else { return nil }
      var parameters: [String: String] = [:]
      for (segment, part) in zip(segments, parts) {
        guard let name = segment.name else { continue }
        guard let value = segment.value(in: part) else { return nil }
        parameters[name] = value
      }
      return parameters
    }

    var start: Start { Start(count: segments.count, first: segments.count > 1 ? segments[1].word : nil) }
  }

  /// Answers GET for paths without a route.
  private var fallback: Route?
  /// Answers everything.
  private var whole: Route?

  /// Rewrites an error of the server's own for a protocol with other errors; nil to leave them as they are. It sees all
  /// answers with a status of 400 and more.
  public typealias ErrorForm = @Sendable (Response, RequestHead) -> Response
  public var errorForm: ErrorForm?

  /// Counts requests; nil without limits.
  private let rates: RequestRates?

  public init(rates: RequestRates? = nil) { self.rates = rates }

  /// Sets the handler of GET and HEAD for all paths without a route.
  public mutating func otherwise(_ handler: Handler) { fallback = Route(handler: handler, bodyLimit: 0) }

  /// Sets the handler of all methods and paths, for a protocol with its own answers to wrong ones.
  public mutating func always(_ handler: Handler) { whole = Route(handler: handler, bodyLimit: ServerLimits.bodyBytes) }

  /// The handler of `otherwise`, for routes that know only by the request whether it is for them.
  public var fallbackHandler: Handler? { fallback?.handler }

  /// Adds a route for a path such as "/a/b", or "/a/{id}.ics", where the braces stand for one or more characters but no
  /// slash.
  /// - Parameters:
  ///   - bodyLimit: the most bytes of a request's body. A route that accepts more than `ServerLimits.bodyBytes` needs
  ///     `admit`, so that callers are known before the body is read.
  ///   - admit: the check of who may call.
  ///   - rate: the limit of one caller's rate; by default `writes` for methods that change something, and none for
  ///     others.
  ///   - dialect: the manner of another program's protocol, whose clients the route serves.
  ///   - fits: the condition of the placeholders' values, the same for all methods of a path; where it is not met, the
  ///     path is as if the route were not there.
  public mutating func on(
    _ method: Method, _ path: String, bodyLimit: Int = ServerLimits.bodyBytes, admit: Admission? = nil,
    rate: RouteRate? = nil, dialect: Dialect? = nil, where fits: Fit? = nil, _ handler: Handler
  ) {
    precondition(
      admit != nil || bodyLimit <= ServerLimits.bodyBytes,
      "\(method.name) \(path) would keep \(bodyLimit) bytes for anybody")
    let rate = rate ?? (method.isWrite ? .writes : nil)
    let counted = rates.flatMap { rates in rate.map { (rates, $0) } }
    let route = Route(handler: handler, bodyLimit: bodyLimit, admit: admit, rate: counted, dialect: dialect)
    guard path.contains("{") else {
      Self.add(method, route, to: &plain[path, default: []], path)
      return
    }
    let segments = Self.parts(of: path[...]).map(Segment.init)
    let pattern = Pattern(path: path, segments: segments, fits: fits, routes: [(method, route)])
    var alike = patterns.removeValue(forKey: pattern.start) ?? []
    if let index = alike.firstIndex(where: { $0.segments == segments }) {
      Self.add(method, route, to: &alike[index].routes, path)
    } else {
      alike.append(pattern)
    }
    patterns[pattern.start] = alike
  }

  /// All routes but the fallback, in no order; the paths as they were given.
  public var routes: [(method: Method, path: String)] {
    byPath.flatMap { path, routes in routes.map { ($0.method, path) } }
  }

  private var byPath: [(String, Methods)] {
    plain.map { ($0.key, $0.value) } + patterns.values.joined().map { ($0.path, $0.routes) }
  }

  /// The admissions of the routes that change something, by method and path; nil for one that is open to all.
  package var admissions: [String: Admission?] {
    var found: [String: Admission?] = [:]
    for (path, routes) in byPath {
      for (method, route) in routes where method.isWrite { found["\(method.name) \(path)"] = .some(route.admit) }
    }
    return found
  }

  /// The path's segments. Empty ones count: `//a` and `/a/` differ from `/a`, as they do for the rules of a web server
  /// in front of the hub.
  private static func parts(of path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  private static func add(_ method: Method, _ route: Route, to methods: inout Methods, _ path: String) {
    precondition(!methods.contains { $0.method == method }, "\(method.name) \(path) is served twice")
    methods.append((method, route))
  }

  /// The answer to `OPTIONS *`, about the server as a whole (RFC 9110 section 9.3.7).
  private static let aboutServer = Route(
    handler: .immediate { _ throws(HTTPError) in
      Response(
        status: 204, contentType: "", body: .bytes([]),
        fields: [.init("Allow", "DELETE, GET, HEAD, OPTIONS, POST, PUT")])
    }, bodyLimit: 0)

  package func match(_ method: Method, _ path: Substring) -> Match {
    if let whole { return .route(whole, [:]) }
    if path == "*" { return method == .options ? .route(Self.aboutServer, [:]) : .otherMethods([.options]) }
    if let routes = plain[String(path)] { return Self.choose(method, routes, [:]) }
    guard !patterns.isEmpty else { return nothing(method) }
    let parts = Self.parts(of: path)
    let first = parts.count > 1 ? String(parts[1]) : nil
    for start in [Start(count: parts.count, first: first), Start(count: parts.count, first: nil)] {
      for pattern in patterns[start] ?? [] {
        guard let parameters = pattern.parameters(of: parts), pattern.fits?(parameters) ?? true else { continue }
        return Self.choose(method, pattern.routes, parameters)
      }
    }
    return nothing(method)
  }

  private func nothing(_ method: Method) -> Match {
    guard let fallback, method == .get || method == .head else { return .none }
    return .route(fallback, [:])
  }

  /// The route of a method; HEAD is served wherever GET is (RFC 9110 section 9.3.2).
  private static func choose(_ method: Method, _ routes: Methods, _ parameters: [String: String]) -> Match {
    // By index: a route that is only looked at is not copied.
    func index(_ wanted: Method) -> Int? { routes.indices.first { routes[$0].method == wanted } }
    if let index = index(method) ?? (method == .head ? index(.get) : nil) {
      return .route(routes[index].route, parameters)
    }
    var methods = routes.map(\.method)
    if index(.get) != nil, index(.head) == nil { methods.append(.head) }
    return .otherMethods(methods.sorted { $0.name < $1.name })
  }
}

/// One segment of a route's path: the text before, between and after a pair of braces.
private struct Segment: Equatable, Sendable {
  let before: String
  let name: String?
  let behind: String

  /// The segment's text; nil if it has a placeholder.
  var word: String? { name == nil ? before : nil }

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

  /// The placeholder's value in a part of a path; nil if the text around it differs.
  func value(in part: Substring) -> String? {
    guard part.hasPrefix(before), part.hasSuffix(behind), part.utf8.count > before.utf8.count + behind.utf8.count else {
      return nil
    }
    return percentDecoded(part.dropFirst(before.count).dropLast(behind.count))
  }
}
