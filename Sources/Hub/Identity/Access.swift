import Lifecycle
import Observe
public import Server
public import Store
import Wire

extension Hub {
  /// The caller, if they have the right: by the request's token or cookie. A write by cookie must come from one of our
  /// pages.
  /// - Throws: 401 without a caller, 403 without the right, or for a page of another site.
  public func authorise(_ request: Request, _ right: Right) async throws(HTTPError) -> Principal {
    guard let principal = try await identify(request) else { throw HTTPError.nobody }
    try principal.demand(right)
    return principal
  }

  /// The person who calls, if they have the right. Tokens are refused.
  /// - Throws: as `authorise`, and 403 for a token.
  public func person(_ request: Request, _ right: Right = .keep) async throws(HTTPError) -> (Principal, Int) {
    let principal = try await authorise(request, .enter)
    guard let person = principal.person else {
      throw HTTPError(
        .noPerson, "\"\(principal.name)\" is a token and no person.", help: "Sign in on the page with a device.")
    }
    try principal.demand(right)
    return (principal, person)
  }

  /// The admission of a route that needs a right: callers without it are told so before the body of their request is
  /// read. The handler asks for its caller by `authorise`, which is looked up once.
  public func needs(_ right: Right) -> Admission {
    { [self] request throws(HTTPError) in _ = try await authorise(request, right) }
  }

  /// The same for a route that is for people, by their devices, and not for tokens.
  public func needsPerson(_ right: Right = .keep) -> Admission {
    { [self] request throws(HTTPError) in _ = try await person(request, right) }
  }

  /// The signed-in caller, for public routes that show more to members; nil without one.
  public func visitor(_ request: Request) async -> Principal? {
    do throws(HTTPError) { return try await identify(request) } catch { return nil }
  }

  /// The caller's name for counting requests; nil for strangers, and for invalid credentials.
  func callerName(_ request: Request) async -> String? {
    guard case .caller(let principal) = await lookUp(request) else { return nil }
    return principal?.caller
  }

  private func identify(_ request: Request) async throws(HTTPError) -> Principal? {
    switch await lookUp(request) {
    case .caller(let principal):
      if let principal { request.noteCaller(principal.caller) }
      return principal
    case .refused(let error): throw error
    case .unknownToken:
      let error = unknownToken(request)
      // Counted and logged once for a request.
      keep(.refused(error), for: request)
      throw error
    }
  }

  /// The result of looking for a request's sender.
  private enum LookUp {
    /// Nil for a stranger.
    case caller(Principal?)
    case refused(HTTPError)
    /// It counts as an attempt only where a route asks for the caller: what other programs post to an address that is
    /// a secret may carry credentials of their own.
    case unknownToken
  }

  /// A recent result. It expires, so that a sign-out during a long body is noticed.
  private struct Found {
    let result: LookUp
    /// The uptime until which it is valid.
    let until: Double
  }

  private func keep(_ result: LookUp, for request: Request) {
    request.keep(foundCaller: Found(result: result, until: time.uptime + IdentityLimits.foundSeconds))
  }

  /// Looks the caller up once for counting, authorising and answering a request.
  private func lookUp(_ request: Request) async -> LookUp {
    if let found = request.foundCaller as? Found, time.uptime < found.until { return found.result }
    let result: LookUp
    do throws(HTTPError) {
      result = try await findCaller(request)
    } catch {
      result = .refused(error)
    }
    keep(result, for: request)
    return result
  }

  private func findCaller(_ request: Request) async throws(HTTPError) -> LookUp {
    if let header = request.head.fields["authorization"] {
      if let guest = try await guest(in: request) { return .caller(guest) }
      // A device that is rung is nobody who signs in: the rooms that have something for it look for its secret.
      guard deviceSecret(in: request) == nil else { return .caller(nil) }
      // A password is for a web server in front: browsers send it with each request, beside our cookie.
      if !header.lowercased().hasPrefix("basic ") { return try await holder(of: header) }
    }
    guard let secret = SessionCookie.secret(in: request) else { return .caller(try await guest(in: request)) }
    let found = try await stored { () throws(StoreError) in try await sessions.session(of: secret) }
    guard let found else { return .caller(try await guest(in: request)) }
    if request.head.method.isWrite || request.opensWebSocket, request.sender != .own {
      throw Self.foreignSender(request)
    }
    return .caller(found.principal)
  }

  /// A guest of the room that the address belongs to.
  private func guest(in request: Request) async throws(HTTPError) -> Principal? {
    let api = "/api/v1/"
    guard request.head.path.hasPrefix(api) else { return nil }
    let id = request.head.path.utf8.dropFirst(api.utf8.count).prefix { $0 != UInt8(ascii: "/") }
    return try await room(String(Substring(id)))?.guest(in: request)
  }

  private func holder(of header: String) async throws(HTTPError) -> LookUp {
    let parts = header.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, parts[0].lowercased() == "bearer",
      let (principal, lastUsed) = try await stored({ () throws(StoreError) in
        try await tokens.holder(of: String(parts[1]))
      })
    else { return .unknownToken }
    if let token = principal.token { sessions.used(token: token, lastUsed: lastUsed) }
    return .caller(principal)
  }

  private func unknownToken(_ request: Request) -> HTTPError {
    if let seconds = secretFailures.begin(request.peer) { return .tooManyFailures(seconds) }
    // The log shows attempts to guess, for programs that block their source.
    log.warning("an unknown token was used", ["from": request.peer, "path": Self.beginning(of: request)])
    return .unknownToken
  }

  /// The beginning of a request's path, for the log: behind it there may be a secret, such as a link's.
  private static func beginning(of request: Request) -> String {
    let parts = String(request.head.path).split(separator: "/")
    let shown = parts.prefix(parts.first == "api" ? 3 : 1)
    return "/" + shown.joined(separator: "/") + (shown.count < parts.count ? "/…" : "")
  }

  /// The error for a write by cookie that does not come from one of our pages: it may be forged by another site (CSRF).
  /// So it is for a WebSocket, which a page of another site could read, as it could not read an answer.
  static func foreignSender(_ request: Request) -> HTTPError {
    let seen = request.head.fields["origin"] ?? request.head.fields["sec-fetch-site"] ?? "no Origin"
    return HTTPError(
      .foreignSender, "The request came from another site: \(seen).",
      help: "Only the hub's own pages may change something with its cookie; programs send a token. A web server in "
        + "front of the hub must pass Host on, or be named in trusted_proxies.")
  }

  /// Turns an error of the store into an answer, and logs it: a client can do nothing about it, an owner can.
  public func stored<T>(_ work: () async throws(StoreError) -> T) async throws(HTTPError) -> T {
    do throws(StoreError) {
      return try await work()
    } catch {
      throw failure(error)
    }
  }

  /// What the store has, for an answer (`Store.read`).
  public func read<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(HTTPError) -> T {
    try await stored { () throws(StoreError) in try await store.read(body) }
  }

  /// What the store has that is found at once (`Store.look`).
  public func look<T: Sendable>(
    _ body: @escaping @Sendable (Database) throws(StoreError) -> T
  ) async throws(HTTPError) -> T {
    try await stored { () throws(StoreError) in try await store.look(body) }
  }

  func failure(_ error: StoreError) -> HTTPError {
    // Once the log has told that the database server is away, or takes no changes, it needs no line for each request.
    if !error.isOfServer || cluster?.leases.isServerAway != true {
      log.error("the store failed", ["error": error.message, "context": error.context])
    }
    guard error.code != .diskFull else {
      return HTTPError(
        .diskFull, "There is no room left where the hub keeps its data.",
        help: "What was sent is not kept; what is kept can be read. The owner has to make room.")
    }
    guard ![.bucket, .bucketAway].contains(error.code) else {
      return HTTPError(
        .blobsAway, "The store of large files does not answer as it should.",
        help: "What was sent is not kept. Try again in a while; the hub's log says why.")
    }
    guard error.code != .unavailable else {
      return HTTPError(
        .databaseAway, "The hub has lost its database server, and looks for it.",
        help: "What was sent is probably not kept: look, and send it again in a moment.")
    }
    if error.isOfServer {
      return HTTPError(
        .databaseAway, "The database server does not do this just now.",
        help: "What was sent is not kept; what is kept can probably be read. Try again in a while; eightbells doctor "
          + "tells an owner more.")
    }
    return HTTPError(
      .failed, "The hub could not read or write its data.", help: "The hub's log says why; what was sent is not kept.")
  }
}

extension HTTPError {
  static let challenge = [Response.Field("WWW-Authenticate", "Bearer")]

  /// Nobody is signed in, and there is no token.
  static let nobody = HTTPError(
    .noToken, "A token is needed, or a device that is signed in.",
    help: "Sign in on the page. Programs send Authorization: Bearer TOKEN; eightbells token create makes one.",
    fields: challenge)

  /// The token was never made, or has been withdrawn.
  static let unknownToken = HTTPError(
    .unknownToken, "The token is unknown.",
    help: "Send Authorization: Bearer TOKEN; eightbells token create makes one.", fields: challenge)
}

extension Principal {
  /// The person's key.
  /// - Throws: 403 for a token, which belongs to no person.
  func demandPerson() throws(HTTPError) -> Int {
    guard let person else {
      throw HTTPError(.noPerson, "A token is no person.", help: "Sign a device in, and use its cookie.")
    }
    return person
  }
}
