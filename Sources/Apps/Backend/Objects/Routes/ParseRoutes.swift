import Hub
import Lifecycle
import Objects
import Server
import Store
import Wire

/// The answer to a request for objects: in a batch its JSON alone counts.
struct ParseAnswer: Sendable {
  var status = 200
  var json: JSON
  var fields: [Response.Field] = []
}

/// The routes below /parse. They are kept in a table, since a request's method may stand in its body, and since a batch
/// has requests within it.
struct ParseRoutes: Sendable {
  typealias Handler = @Sendable (ParseRequest) async throws(HTTPError) -> ParseAnswer

  struct Route: Sendable {
    let method: Method
    /// The path's parts; those in braces are anything.
    let parts: [String]
    let handler: Handler
  }

  static let mount = "/parse"

  let objects: AppObjects
  let register: AppRegister
  private(set) var routes: [Route] = []

  init(_ objects: AppObjects, _ register: AppRegister) { (self.objects, self.register) = (objects, register) }

  /// Adds a handler for a path such as "/classes/{class}".
  mutating func on(_ method: Method, _ path: String, _ handler: @escaping Handler) {
    let parts = path.split(separator: "/").map(String.init)
    let inTurn: Handler = { [objects] request throws(HTTPError) in
      try await objects.inTurn(request) { () async throws(HTTPError) in try await handler(request) }
    }
    routes.append(Route(method: method, parts: parts, handler: inTurn))
  }

  /// The addresses that Parse's own classes have beside those below /classes.
  private static let ownClasses = [
    "users": "_User", "roles": "_Role", "sessions": "_Session", "installations": "_Installation",
  ]

  /// A path with the class in it, such as ["classes", "_Role", "id"] for ["roles", "id"].
  static func whole(_ path: [String]) -> [String] {
    guard let first = path.first, let name = ownClasses[first], path.count < 2 || path[1] != "me" else { return path }
    return ["classes", name] + path.dropFirst()
  }

  /// True if a path is one of those that a pattern stands for.
  private static func fits(_ pattern: [String], _ path: [String]) -> Bool {
    pattern.count == path.count && zip(pattern, path).allSatisfy { part, given in part.hasPrefix("{") || part == given }
  }

  func handler(_ method: Method, _ path: [String]) -> Handler? {
    routes.first { $0.method == method && Self.fits($0.parts, path) }?.handler
  }

  /// Adds all of them to the hub's routes, each path with and without a slash at its end. A path is open to POST
  /// whatever it answers, because the method may stand in the body.
  func add(to router: inout Router) {
    var mounted = Set(routes.map(\.parts))
    for name in Self.ownClasses.keys { mounted.formUnion([[name], [name, "{id}"]]) }
    for parts in mounted {
      // A path like "/classes/_User" needs no place beside "/classes/{class}".
      if mounted.contains(where: { $0 != parts && Self.fits($0, parts) }) { continue }
      let path = "/" + parts.joined(separator: "/")
      let own = routes.filter { Self.fits(parts, $0.parts) || Self.fits($0.parts, Self.whole(parts)) }.map(\.method)
      for spelling in [path, path + "/"] {
        for method in Set(own + [.post]) {
          router.on(
            method, Self.mount + spelling, bodyLimit: AppsLimits.requestBytes,
            admit: { request throws(HTTPError) in try await admit(request) }, rate: AppsLimits.parse,
            dialect: ParseDialect.usual, .task(answer))
        }
        router.on(.options, Self.mount + spelling, .immediate { _ throws(HTTPError) in ParseDialect.preflight })
      }
    }
  }

  /// Whoever has no key is refused before anything of the body is read; a page's keys are in the body.
  func admit(_ request: Request) async throws(HTTPError) {
    if Self.hasKeysInBody(request) { return }
    let (app, isMaster) = try await ParseKeys(request).app(of: register, from: request.peer, now: objects.hub.time.now)
    try objects.requests.take(app)
    // The other keys can be read in the app's pages: whoever has them is a stranger still.
    if isMaster { request.noteCaller("app \(app.id) \(request.peer)") }
  }

  /// True for a request of a page: whose it is, is known when its body is.
  private static func hasKeysInBody(_ request: Request) -> Bool {
    request.head.method == .post && request.head.fields["x-parse-application-id"] == nil
      && (request.head.fields["content-type"] ?? "").hasPrefix("text/plain")
  }

  private func answer(_ request: Request) async throws(HTTPError) -> Response {
    let parsed = try await parsed(request)
    guard let handler = handler(parsed.method, parsed.path) else {
      throw HTTPError(
        .noSuchPage, "Nothing answers to \(parsed.method.name) /parse/\(parsed.path.joined(separator: "/")).",
        help: "Docs/apps.md lists what there is.")
    }
    let answer = try await handler(parsed)
    let json = FileAddresses(parsed.app, objects.hub, for: request).renewed(answer.json)
    return Response(status: answer.status, json: json, fields: ParseDialect.cors + answer.fields).notStored()
  }

  private func parsed(_ request: Request) async throws(HTTPError) -> ParseRequest {
    var keys = ParseKeys(request)
    var method = request.head.method == .head ? .get : request.head.method
    let members = try Self.members(of: request)
    keys.take(members)
    var parameters = Self.parameters(request.head.query ?? "")
    let body = members.filter { !ParseKeys.envelope.contains($0.name) }
    if method == .post, let meant = members.first(where: { $0.name == "_method" })?.value.string {
      method = Self.methods[meant.uppercased()] ?? .post
      if method == .get { parameters = body }
    }
    let now = objects.hub.time.now
    let (app, isMaster) = try await keys.app(of: register, from: request.peer, now: now)
    if Self.hasKeysInBody(request) { try objects.requests.take(app) }
    for case let text? in [keys.session, keys.installation, keys.requestID]
    where text.utf8.count > AppsLimits.headerBytes {
      throw ObjectError.json("A token or id has \(text.utf8.count) bytes; \(AppsLimits.headerBytes) are accepted.").http
    }
    let path = Self.whole(request.head.path.split(separator: "/").dropFirst().map { percentDecoded($0) ?? "" })
    // A session that has ended keeps nobody from signing in anew.
    if method == .post, Self.signingIn.contains(Array(path)), keys.session != nil {
      let isCurrent = (try? await caller(keys, isMaster, app)) != nil
      if !isCurrent { keys.session = nil }
    }
    let caller = try await caller(keys, isMaster, app)
    return ParseRequest(
      app: app, caller: caller, method: method, path: path, body: .object(body), parameters: parameters,
      requestID: method == .get ? nil : keys.requestID, raw: request)
  }

  private static let signingIn = [["users"], ["classes", "_User"], ["login"]]
  static let methods: [String: Method] = ["GET": .get, "POST": .post, "PUT": .put, "DELETE": .delete]

  /// The paths whose bodies may be something else than JSON: files, and the form of Pusher's libraries.
  private static let othersThanJSON = [mount + "/files/", mount + "/channels/auth"]

  /// The members of the body. It is JSON whatever its type says, since curl calls everything a form; but where a body
  /// may be something else, its type counts.
  private static func members(of request: Request) throws(HTTPError) -> [JSON.Member] {
    guard !request.body.isEmpty else { return [] }
    let type = request.head.fields["content-type"]?.lowercased() ?? "application/json"
    if othersThanJSON.contains(where: { request.head.path.hasPrefix($0) }) {
      guard type.hasPrefix("application/json") || type.hasPrefix("text/plain") else { return [] }
    }
    // Parse's library for Ruby sends a question of more than 2,000 characters as a form.
    if request.body.starts(with: "_method=GET&".utf8), type.hasPrefix("application/x-www-form-urlencoded"),
      request.body.count(where: { $0 == UInt8(ascii: "&") }) < AppsLimits.requestValues
    {
      return parameters(Substring(decoding: request.body, as: UTF8.self))
    }
    let json: JSON
    do throws(JSONError) {
      json = try JSON(fromBrowser: request.body, values: AppsLimits.requestValues)
    } catch {
      throw ObjectError.json(
        "The body cannot be taken: line \(error.line), column \(error.column): \(error.message)"
      ).http
    }
    guard let members = json.parseBody.members else {
      throw ObjectError.json("The body is \(json.kind), no object.").http
    }
    return members
  }

  /// The parameters in the query string, in their order.
  static func parameters(_ query: Substring) -> [JSON.Member] {
    query.split(separator: "&").compactMap { part in
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = percentDecoded(pair[0], plusIsSpace: true) else { return nil }
      return .init(name, .string(pair.count > 1 ? percentDecoded(pair[1], plusIsSpace: true) ?? "" : ""))
    }
  }

  /// The caller with the user of a session.
  /// - Throws: 209 if the session is not valid any more.
  func caller(_ keys: ParseKeys, _ isMaster: Bool, _ app: App) async throws(HTTPError) -> Objects.Caller {
    let caller = Objects.Caller(isMaster: isMaster, session: keys.session, installation: keys.installation)
    guard keys.session != nil, !isMaster else { return caller }
    let (cache, now) = (objects.cache, objects.hub.time.now)
    let found = try await objects.hub.look { database throws(StoreError) in
      try caller.current(in: database, app.id, cache, now: now)
    }
    guard let found else { throw ObjectError.invalidSession.http }
    return found
  }
}
