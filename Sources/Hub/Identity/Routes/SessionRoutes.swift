import CivilTime
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Wire

/// Signing a device in and out.
struct SessionRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/session", .task(session))
    router.on(.post, "/api/v1/session", .task(signIn))
    router.on(.delete, "/api/v1/session", admit: hub.needs(.enter), .task(signOut))
    router.on(.post, "/api/v1/links/look", .task(look))
  }

  /// The signed-in person. A page that has found its session ended asks the browser by this answer to clear its cache,
  /// in which a member's pictures may be kept for up to a year. It is an answer of its own, as browsers hold it back
  /// until they have looked through all they keep, which takes seconds.
  private func session(_ request: Request) async throws(HTTPError) -> Response {
    var response = try await known(request)
    if request.query["ended"] != nil, request.sender != .foreign {
      response.fields.append(Response.Field("Clear-Site-Data", "\"cache\""))
    }
    return response
  }

  /// Browsers delete a cookie after 400 days at most, so it is renewed for a year, at most every few minutes. The
  /// answer to a device that just signed in anew must not reach it with the cookie of before: so one that is used all
  /// the time is not sent again, and one that is worth nothing is not taken away.
  private func known(_ request: Request) async throws(HTTPError) -> Response {
    guard let secret = SessionCookie.secret(in: request) else { return answer(nil, device: nil, request) }
    let found = try await hub.stored { () throws(StoreError) in try await hub.sessions.session(of: secret) }
    guard let (principal, device) = found else { return answer(nil, device: nil, request) }
    let isDue = hub.time.now - device.lastSeen > IdentityLimits.seenSeconds
    return answer(
      principal, device: device.name, request, isDue ? SessionCookie.set(secret, isSecure: request.isSecure) : nil)
  }

  /// The answer to a device that was signed in.
  func answer(_ signIn: Links.SignIn, _ request: Request) -> Response {
    var response = answer(
      signIn.principal, device: signIn.device, request, SessionCookie.set(signIn.secret, isSecure: request.isSecure))
    if signIn.isRepeated { response.fields.append(.replayed) }
    return response
  }

  private func answer(
    _ principal: Principal?, device: String?, _ request: Request, _ cookie: Response.Field? = nil
  ) -> Response {
    let rights = principal.map { principal in hub.rights.filter(principal.may) } ?? []
    return Response(
      json: [
        "person": principal.map {
          ["id": JSON(id: $0.person), "name": .string($0.name), "role": .string($0.role.rawValue)]
        }
          ?? .null,
        "device": principal.map { ["id": JSON(id: $0.device), "name": JSON(device)] } ?? .null,
        "rights": .array(rights.map { .string($0.id) }), "address": .string(hub.address(request)),
      ], fields: cookie.map { [$0] } ?? []
    ).notStored()
  }

  private func signIn(_ request: Request) async throws(HTTPError) -> Response {
    // Another site could sign its visitors in as somebody else.
    guard request.sender != .foreign else { throw Hub.foreignSender(request) }
    var body = try FieldCheck(request, known: ["link", "code", "device", "name"])
    let key = body.linkKey()
    let device = body.line("device") ?? deviceName(userAgent: request.head.fields["user-agent"])
    let name = body.line("name")
    try body.finish(help: "Example: {\"code\": \"ABCD-EFGH\", \"device\": \"Ada's phone\"}")
    let old = SessionCookie.secret(in: request)
    let once = try IdempotencyKey(request, signingInBy: key.bytes)
    let signIn = try await counting(request, key) { () throws(HTTPError) in
      try await hub.signIn(by: key, device: device, name: name, replacing: old, once: once)
    }
    hub.log.info("a device was signed in", ["person": signIn.principal.name, "from": request.peer])
    return answer(signIn, request)
  }

  private func signOut(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .enter)
    guard let device = principal.device else {
      throw HTTPError(.noPerson, "A token is not signed in.", help: "DELETE /api/v1/tokens/{id} revokes a token.")
    }
    try await hub.commit(as: principal) { change in
      try change.removeDevice(device)
      try change.audit("device.signed_out")
      change.rightsChanged()
      if let person = principal.person { change.tell(person: person) }
    }
    return answer(nil, device: nil, request, SessionCookie.clear(isSecure: request.isSecure))
  }

  /// The person whom a link is for. It is not used up.
  private func look(_ request: Request) async throws(HTTPError) -> Response {
    var body = try FieldCheck(request, known: ["link", "code"])
    let key = body.linkKey()
    try body.finish(help: "Example: {\"code\": \"ABCD-EFGH\"}")
    let link = try await counting(request, key) { () throws(HTTPError) in
      try await hub.stored { () throws(StoreError) in try await hub.links.look(key) }
    }
    return Response(json: link.json).notStored()
  }

  /// Limits guesses: a code may be wrong a few times. Unknown secrets do not count, since they cannot be guessed, so a
  /// valid one is always accepted.
  private func counting<Value>(
    _ request: Request, _ key: Links.Key, _ find: () async throws(HTTPError) -> Links.Outcome<Value>
  ) async throws(HTTPError) -> Value {
    guard case .code = key else {
      let outcome = try await find()
      if case .none = outcome, let seconds = hub.secretFailures.begin(request.peer) { throw .tooManyFailures(seconds) }
      return try Self.found(outcome)
    }
    if let seconds = hub.codeFailures.begin(request.peer) {
      hub.log.warning("codes are being guessed", ["from": request.peer])
      throw .tooManyFailures(seconds)
    }
    let outcome = try await find()
    if case .none = outcome {} else { hub.codeFailures.succeeded(request.peer) }
    return try Self.found(outcome)
  }

  private static func found<Value>(_ outcome: Links.Outcome<Value>) throws(HTTPError) -> Value {
    let help = "Ask for a new one. Whoever runs the hub makes one by eightbells link --data DIR --role owner."
    switch outcome {
    case .found(let value): return value
    case .none: throw HTTPError(.noSuchLink, "There is no such link or code, or it is not good any more.", help: help)
    case .used(let at):
      throw HTTPError(
        .linkUsed, "The link was used at \(timestamp(EpochSeconds(at), in: .utc)).",
        help: "If it was not you, tell an owner: somebody else may be signed in by it. \(help)")
    case .ended(let at):
      throw HTTPError(.linkEnded, "The link was good until \(timestamp(EpochSeconds(at), in: .utc)).", help: help)
    }
  }
}

extension FieldCheck {
  /// The link's secret or the code, exactly one of them.
  mutating func linkKey() -> Links.Key {
    let (link, code) = (line("link"), line("code"))
    switch (link, code) {
    case (let link?, nil): return .secret(link)
    case (nil, let code?): return .code(code)
    default:
      if !has("link"), !has("code") { fail("link", "missing; link or code is needed.") }
      if has("link"), has("code") { fail("link", "given beside code; one of them is accepted.") }
      return .secret("")
    }
  }
}

extension HTTPError {
  static func tooManyFailures(_ seconds: Int) -> HTTPError {
    HTTPError(
      .tooManyFailures, "Too much was wrong of late.",
      help: "Wait \(seconds) s. A link, or its QR code, can be used meanwhile.",
      fields: [Response.Field("Retry-After", "\(seconds)")])
  }
}

extension Link {
  /// The data about a link that its holder may know.
  var json: JSON {
    [
      "kind": .string(kind == .recovery ? "device" : kind.rawValue), "role": .string(role.rawValue),
      "name": JSON(name), "expires_at": .string(timestamp(EpochSeconds(expiresAt), in: .utc)),
    ]
  }
}
