import Crypto
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The client's side: whoever has a link, without an account. The link is the secret; a PIN is one more.
struct ClientRoutes: Sendable {
  private static let path = "/api/v1/sent/{sent}"
  private let hub: Hub
  private let rings: SentRings

  init(_ hub: Hub, _ rings: SentRings) { (self.hub, self.rings) = (hub, rings) }

  func add(to router: inout Router) {
    let (reads, writes) = (SentLimits.reads, SentLimits.writes)
    router.on(.get, Self.path, rate: SentLimits.looks, .task(look))
    for name in PortfolioPicture.fileNames + [PortfolioPicture.originalName] {
      router.on(
        .get, "\(Self.path)/files/{picture}/\(name)", rate: reads,
        .task { request throws(HTTPError) in try await file(name, request) })
    }
    router.on(.post, "\(Self.path)/open", rate: writes, .task(open))
    router.on(.post, "\(Self.path)/opened", rate: writes, .task(opened))
    router.on(.post, "\(Self.path)/marks", rate: writes, .task(mark))
  }

  /// The token of whoever knew the PIN, in a field of its own: in `Authorization` it would be taken for a member's.
  private static func token(_ request: Request) -> [UInt8]? {
    request.head.fields["sent-token"].map { Digest.sha256(Array($0.utf8)) }
  }

  /// What was sent, if whoever asks may see it now.
  private static func admitted(
    _ link: String, _ token: [UInt8]?, _ database: Database, now: Double
  ) throws(StoreError) -> Result<SentPortfolio, HTTPError> {
    guard let sent = try database.sent(link) else { return .failure(.noSuchSent) }
    guard sent.isOpen(at: now) else { return .failure(.sentHasEnded) }
    guard !sent.pin.isEmpty else { return .success(sent) }
    guard let token, try database.isToken(token, sent: sent.id, at: now) else { return .failure(.asksForPIN) }
    return .success(sent)
  }

  private func read<T: Sendable>(
    _ request: Request, _ body: @escaping @Sendable (Database, SentPortfolio) throws(StoreError) -> T
  ) async throws(HTTPError) -> T {
    let (link, token, now) = (request.parameters["sent"] ?? "", Self.token(request), hub.time.now)
    let result = try await hub.read { database throws(StoreError) -> Result<T, HTTPError> in
      switch try Self.admitted(link, token, database, now: now) {
      case .success(let sent): .success(try body(database, sent))
      case .failure(let refusal): .failure(refusal)
      }
    }
    return try result.get()
  }

  private func look(_ request: Request) async throws(HTTPError) -> Response {
    let (client, number) = (request.query["client"] ?? "", hub.commits.number)
    let told = try await read(request) { database, sent throws(StoreError) -> PackedJSON in
      PackedJSON(try ClientAnswer(database, sent, client: client).json, for: request)
    }
    return told.response.asOf(commit: number)
  }

  private func file(_ name: String, _ request: Request) async throws(HTTPError) -> Response {
    let address = request.parameters["picture"] ?? ""
    let found = try await read(request) { database, sent throws(StoreError) -> PortfolioPicture? in
      if name == PortfolioPicture.originalName, sent.download != .original { return nil }
      return try database.picture(address, sent: sent.id)
    }
    guard let found else { throw HTTPError.noSuchPortfolioFile }
    return try await found.response(name, request, hub, isForScript: true)
  }

  private func open(_ request: Request) async throws(HTTPError) -> Response {
    let link = request.parameters["sent"] ?? ""
    var check = try FieldCheck(request, known: ["pin"])
    let pin = check.text("pin", longest: 40, isNeeded: true) ?? ""
    try check.finish(help: "Example: {\"pin\": \"2468\"}")
    let token = Digest.base64URL(Digest.random(24))
    let outcome = try await hub.commit(as: .room(PortfolioRoom.id)) { change in
      try ClientChange.open(link, pin: pin, token: Digest.sha256(Array(token.utf8)), in: change)
    }
    switch outcome {
    case .right: return Response(json: ["token": .string(token)]).notStored()
    case .wrong: throw HTTPError.wrongPIN
    case .locked, .nowLocked: throw HTTPError.linkLocked
    case .wait(let seconds): throw HTTPError.pinWaits(seconds)
    }
  }

  private static func client(_ check: inout FieldCheck) -> String {
    let client = check.line("client", longest: SentLimits.idCharacters.upperBound, isNeeded: true) ?? ""
    if !SentLimits.idCharacters.contains(client.utf8.count) { check.fail("client", "8 to 40 characters are accepted.") }
    return client
  }

  private func opened(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["client"])
    let client = Self.client(&check)
    try check.finish(help: "Example: {\"client\": \"x7Qk2m9sVb41nWz8Lc0dTa\"}")
    let (link, token) = (request.parameters["sent"] ?? "", Self.token(request))
    try await hub.commit(as: .room(PortfolioRoom.id)) { change in
      let sent = try Self.admitted(link, token, change.database, now: change.now).get()
      try ClientChange.noteOpening(of: sent, by: client, in: change)
    }
    return .nothing()
  }

  private func mark(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["client", "name", "marks"])
    let client = Self.client(&check)
    let name = check.line("name", longest: SentLimits.name)
    let rows = check.list("marks", of: "marks", atMost: SentLimits.marksAtOnce, isNeeded: true) ?? []
    let wishes = rows.compactMap(MarkWish.init)
    if wishes.count != rows.count {
      check.fail("marks", "id, picture, kind (favourite, remark, large), at, and text or gone are accepted.")
    }
    try check.finish(
      help: "Example: {\"client\": \"x7Qk2m9sVb41nWz8Lc0dTa\", \"marks\": [{\"id\": \"b41nWz8Lc0dTa7Qk2m9sVx\", "
        + "\"picture\": \"ID\", \"kind\": \"favourite\", \"at\": 1795000000}]}")
    let (link, token) = (request.parameters["sent"] ?? "", Self.token(request))
    let marks = try await hub.commit(as: .room(PortfolioRoom.id)) { [rings] change in
      let sent = try Self.admitted(link, token, change.database, now: change.now).get()
      change.database.touch(.clientRings)
      change.then { [rings] in rings.wake() }
      return try ClientChange.mark(wishes, of: sent, by: client, name: name, in: change)
    }
    return Response(json: ["marks": .array(marks.map(\.json))]).notStored()
  }
}
