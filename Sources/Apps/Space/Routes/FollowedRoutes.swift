import Hub
import Lifecycle
import Realtime
import Server
import Store
import Wire

/// Followed spaces: by the hub for everybody, and by people for themselves.
struct FollowedRoutes: Sendable {
  let hub: Hub
  let watch: FollowedWatch
  let directory: SpaceDirectory

  func add(to router: inout Router) {
    let path = "/api/v1/space/followed"
    router.on(.get, path, .task(followed))
    router.on(.get, "/api/v1/space/directory", rate: .questions, .task(names))
    router.on(.put, path, admit: hub.needs(.manage), .task(replace))
    router.on(.post, path, admit: hub.needs(.follow), .task(follow))
    router.on(.delete, "\(path)/{id}", admit: hub.needs(.follow), .task(unfollow))
  }

  private func followed(_ request: Request) async throws(HTTPError) -> Response {
    let commit = hub.commits.number
    return Response(
      json: try await list(for: await hub.visitor(request)?.person),
      fields: [.anyOrigin, .init("Vary", "Cookie, Authorization")]
    ).asOf(commit: commit)
  }

  /// The spaces that can be followed by name; none while the directory cannot be reached.
  private func names(_ request: Request) async throws(HTTPError) -> Response {
    _ = try await hub.authorise(request, .follow)
    let entries = await directory.entries()
    let list = entries.map { entry -> JSON in ["name": .string(entry.name), "url": .string(entry.url)] }
    return Response(json: ["spaces": .array(list)]).notStored()
  }

  /// The list for everybody, then the person's own.
  private func list(for person: Int?) async throws(HTTPError) -> JSON {
    let (everybody, own) = try await hub.read { database throws(StoreError) -> ([Int], [Int]) in
      (try database.following(person: nil), person == nil ? [] : try database.following(person: person))
    }
    let (now, zone) = (Int(hub.time.now), hub.place.zone)
    let shown = watch.spaces(everybody).map { $0.json(mine: false, zone: zone, now: now) }
    let mine = watch.spaces(own.filter { !everybody.contains($0) }).map { $0.json(mine: true, zone: zone, now: now) }
    return ["followed": .array(shown + mine)]
  }

  /// Replaces the owner's list for everybody.
  private func replace(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .manage)
    var body = try FieldCheck(request, known: ["urls"])
    let entries = body.list("urls", of: "addresses", atMost: SpaceLimits.followed, isNeeded: true) ?? []
    try body.finish(help: "Example: {\"urls\": [\"https://space.example/spaceapi.json\"]}")
    var urls: [String] = []
    for entry in entries { urls.append(try address(entry)) }
    let wanted = urls
    try await commit(as: principal) { change in
      let database = change.database
      let before = try database.following(person: nil)
      var kept: [Int] = []
      for url in wanted { kept.append(try database.follow(url, person: nil)) }
      if kept.contains(where: { !before.contains($0) }) { try hub.show(SpaceRoom.id, in: change) }
      for id in before where !kept.contains(id) { try database.unfollow(id, person: nil) }
      try change.audit("followed.changed", about: "\(wanted.count)")
    }
    return Response(json: try await list(for: principal.person))
  }

  /// `{"url": …}` for everybody, by the owner; `{"url": …, "for": "me"}` by any signed-in person.
  private func follow(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .follow)
    let json = try request.json()
    guard let members = json.members, members.allSatisfy({ ["url", "for"].contains($0.name) }) else {
      throw HTTPError(
        .invalidField, "body: \(json.kind); url and for are accepted.",
        help: "Example: {\"url\": \"https://space.example/spaceapi.json\", \"for\": \"me\"}")
    }
    let person = try person(json["for"], principal)
    let url = try address(json["url"] ?? .null)
    let limit = person == nil ? SpaceLimits.followed : SpaceLimits.followedByPerson
    let isNew = try await hub.commit(ifNew: request, as: principal) { change -> Bool in
      _ = try change.database.follow(url, person: person)
      // One that is followed already is none more.
      guard try change.database.following(person: person).count <= limit else {
        throw HTTPError(
          .tooManyFollowed, "\(limit) spaces are followed already.",
          help: "DELETE /api/v1/space/followed/ID ends one.")
      }
      if person == nil { try change.audit("followed.added", about: url) }
      try hub.show(SpaceRoom.id, in: change)
      try watch.show(in: change)
      return true
    }
    return Response(json: try await list(for: principal.person), fields: isNew == nil ? [.replayed] : [])
  }

  private func unfollow(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .follow)
    guard let id = Int(request.parameters["id"] ?? "") else { throw Self.notFollowed(request) }
    let notFollowed = Self.notFollowed(request)
    try await commit(as: principal) { change in
      let database = change.database
      var isOwn = false
      if let person = principal.person { isOwn = try database.following(person: person).contains(id) }
      let isEverybodys = try database.following(person: nil).contains(id)
      guard isOwn || isEverybodys else { throw notFollowed }
      // The list shows one's own only where it is not everybody's, so an owner means both.
      if isEverybodys, principal.may(.manage) {
        try database.unfollow(id, person: nil)
        try change.audit("followed.removed", about: "\(id)")
      } else if !isOwn {
        throw Self.ownersChoice
      }
      if isOwn { try database.unfollow(id, person: principal.person) }
    }
    return Response(json: try await list(for: principal.person))
  }

  private static let ownersChoice = HTTPError(
    .roleNotAllowed, "What everybody is shown is the owner's to choose.",
    help: "Follow it for yourself: \"for\": \"me\".")

  private static func notFollowed(_ request: Request) -> HTTPError {
    HTTPError(
      .notFollowed, "No space \"\(request.parameters["id"] ?? "")\" is followed.",
      help: "GET /api/v1/space/followed lists those that are.")
  }

  private func person(_ value: JSON?, _ principal: Principal) throws(HTTPError) -> Int? {
    switch value {
    case nil, .null, "everybody":
      guard principal.may(.manage) else { throw Self.ownersChoice }
      return nil
    case "me":
      if let person = principal.person { return person }
      throw HTTPError(.invalidField, "for: a token is nobody's; \"everybody\" is accepted.", help: "Sign in to follow.")
    default:
      throw HTTPError(.invalidField, "for: \(value!.text); \"me\" or \"everybody\" is accepted.", help: "Leave it out.")
    }
  }

  /// True for an address that a space's document may have.
  static func mayFollow(_ text: String) -> Bool {
    FieldCheck.fits(text, SpaceLimits.url) && WebAddress.isValid(text, schemes: ["http", "https"])
      && !text.contains("@")
  }

  private func address(_ value: JSON) throws(HTTPError) -> String {
    guard let text = value.string, Self.mayFollow(text) else {
      let seen = value.string.map { "\"\($0.prefix(100))\"" } ?? value.kind
      throw FieldError("url", Reason(.followedAddress, ["seen": .text(seen)]))
        .refusal(help: "https://directory.spaceapi.io lists them.")
    }
    return text
  }

  private func commit(
    as principal: Principal, _ work: @escaping @Sendable (Change) throws -> Void
  ) async throws(HTTPError) {
    try await hub.commit(as: principal) { change in
      try work(change)
      try watch.show(in: change)
    }
  }
}
