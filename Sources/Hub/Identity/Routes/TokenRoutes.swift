import Server
public import Store
public import Wire

/// The routes of tokens, with which programs sign in.
struct TokenRoutes: Sendable {
  let hub: Hub

  func add(to router: inout Router) {
    router.on(.get, "/api/v1/tokens", .task(list))
    router.on(.post, "/api/v1/tokens", admit: hub.needs(.manage), .task(make))
    router.on(.delete, "/api/v1/tokens/{id}", admit: hub.needs(.manage), .task(remove))
  }

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .manage)
    let tokens = try await hub.stored { () throws(StoreError) in try await hub.tokens.list() }
    return Response(json: .array(tokens)).notStored()
  }

  /// Makes a token. Its text is shown only once.
  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    var body = try FieldCheck(request, known: ["name", "role", "topics"])
    let name = body.line("name", isNeeded: true) ?? ""
    let role = body.choice("role", among: Role.allCases, isNeeded: true) ?? .reader
    let topics = body.topics("topics")
    try body.finish(help: "Example: {\"name\": \"door contact\", \"role\": \"sensor\"}")
    let (text, digest) = Tokens.fresh()
    return try await hub.commit(once: request, as: principal) { change in
      let count = try change.database.countTokens()
      guard count < IdentityLimits.tokens else {
        throw HTTPError.tooMany("There are \(count) tokens.", help: "At most \(IdentityLimits.tokens); revoke some.")
      }
      if let missing = try hub.offers[.bellTopics]?.missing(among: topics ?? [], in: change.database) {
        throw HTTPError.noTopic(missing)
      }
      let id = try change.database.addToken(
        name: name, role: role, topics: topics, digest: digest, madeBy: principal, now: change.now)
      try change.audit("token.made", about: "\(name): \(role.rawValue)")
      let token = Token(
        id: id, name: name, role: role, topics: topics, createdAt: change.now, lastUsed: nil,
        madeBy: principal.person == nil ? nil : principal.name)
      return Response(json: .object(token.members + [.init("token", .string(text))])).notStored()
    }
  }

  private func remove(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    let id = request.id ?? 0
    try await hub.commit(as: principal) { change in
      guard try change.revoke(token: id) != nil else {
        throw HTTPError(.noSuchToken, "There is no token \(id).", help: "GET /api/v1/tokens lists those there are.")
      }
    }
    return .nothing()
  }
}

extension HTTPError {
  fileprivate static func noTopic(_ id: String) -> HTTPError {
    let fault = "There is no topic \"\(id)\"."
    var refusal = HTTPError(.invalidField, "topics: \(fault)", help: "Make it first, or leave it out.")
    refusal.problems = [Problem("topics", fault)]
    return refusal
  }
}

extension FieldCheck {
  /// The ids of topics to which a token is limited; nil if the field is missing, for no limit.
  fileprivate mutating func topics(_ field: String) -> [String]? {
    guard has(field) else { return nil }
    guard let list = list(field, of: "topics", atMost: IdentityLimits.topicsOfToken) else { return [] }
    let topics = list.compactMap(\.string).filter(TokenTopics.isID)
    if topics.count != list.count || topics.isEmpty {
      fail(field, "\(JSON.array(list).text.prefix(100)); one or more ids of topics: \(TokenTopics.accepted)")
    }
    return topics
  }
}

extension Tokens {
  /// All tokens, the newest first, as the hub tells its owners.
  public func list() async throws(StoreError) -> [JSON] {
    try await stored().map { .object($0.members) }
  }
}

extension Token {
  fileprivate var members: [JSON.Member] {
    [
      .init("id", JSON(id: id)), .init("name", .string(name)), .init("role", .string(role.rawValue)),
      .init("topics", topics.map { .array($0.map(JSON.string)) } ?? .null),
      .init("created_at", JSON(instant: createdAt)), .init("last_used", JSON(instant: lastUsed)),
      .init("made_by", JSON(madeBy)),
    ]
  }
}
