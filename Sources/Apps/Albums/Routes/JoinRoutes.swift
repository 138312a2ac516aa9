import Crypto
import Hub
import Lifecycle
import Server
import Store
import Wire

/// Joining an album by its link, and coming back to it.
struct JoinRoutes: Sendable {
  private let services: AlbumServices
  private var hub: Hub { services.hub }

  init(_ services: AlbumServices) { self.services = services }

  func add(to router: inout Router) {
    router.on(.post, "\(AlbumRoutes.path)/join", rate: AlbumLimits.joins, .task(join))
    router.on(.post, "\(AlbumRoutes.path)/look", rate: AlbumLimits.joins, .task(look))
    router.on(.get, "\(AlbumRoutes.path)/{id}/me/token", .task(comeBack))
  }

  /// Tells where a link leads, to whoever has it and has not joined.
  private func look(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["secret"])
    let secret = check.text("secret", longest: 100, isNeeded: true)
    try check.finish(help: "Example: {\"secret\": \"what stands behind the # of the link\"}")
    let digest = AlbumSecret.digest(secret ?? "")
    let found = try await services.hub.read { database throws(StoreError) -> (Album, Int)? in
      guard let album = try database.album(secretDigest: digest) else { return nil }
      return (album, try database.guestCount(of: album.id, .in))
    }
    guard let (album, guests) = found else { throw try noSuchLink(request) }
    return Response(json: [
      "id": .string(album.address), "name": .string(album.name), "mode": .string(album.options.mode.rawValue),
      "state": .string(album.state(at: hub.time.now)), "guests": .int(guests),
      "passphrase": .bool(album.options.passphrase != nil), "upload_only": .bool(album.options.uploadOnly),
    ]).notStored()
  }

  private func noSuchLink(_ request: Request) throws(HTTPError) -> HTTPError {
    try services.access.noteWrongSecret(request)
    return HTTPError(
      .noSuchAlbumLink, "No album has this link.", help: "It may have been changed. Ask a host for the new one.")
  }

  private func join(_ request: Request) async throws(HTTPError) -> Response {
    var check = try FieldCheck(request, known: ["secret", "name", "passphrase"], nullIsNothing: true)
    let secret = check.text("secret", longest: 100, isNeeded: true)
    let name = check.line("name")
    let passphrase = check.text("passphrase", longest: AlbumLimits.passphrase)
    try check.finish(help: "Example: {\"secret\": \"what stands behind the # of the link\", \"name\": \"Ada\"}")
    try Self.demandGoodKey(request)
    let member = await hub.visitor(request).flatMap { $0.person == nil ? nil : $0 }
    let digest = AlbumSecret.digest(secret ?? "")
    let found = try await services.hub.read { database throws(StoreError) in try database.album(secretDigest: digest) }
    guard let album = found else { throw try noSuchLink(request) }
    guard !album.isClosed(at: hub.time.now) else { throw HTTPError.albumClosed }
    try await demand(passphrase, of: album, request)
    var response = try await hub.commit(once: request, as: .room(AlbumsRoom.id)) { [services] change in
      // Else the token of a device that was signed out at this moment would end with nothing.
      if let member { try services.hub.demandCurrent(member, in: change.database) }
      let joined = try AlbumChange.join(album, member, name: name, in: change)
      services.callersChange(losing: false, in: change)
      let answer = Self.answer(joined.token, joined.guest, album)
      return Response(status: 201, json: answer).notStored().asOf(commit: change.number)
    }
    // Also for a repeated request, whose answer is kept without its fields.
    if case .bytes(let bytes) = response.body, let token = (try? JSON(parsing: bytes))?["token"]?.string {
      response.fields.append(AlbumAccess.cookie(token, of: album, isSecure: request.isSecure))
    }
    return response
  }

  private static func answer(_ token: String, _ guest: Guest, _ album: Album) -> JSON {
    [
      "token": .string(token), "album": ["id": .string(album.address), "name": .string(album.name)],
      "state": .string(guest.state.rawValue), "role": .string(guest.role.rawValue),
    ]
  }

  /// Answers as joining has, for a browser that has only the cookie of it left: Safari deletes what pages have kept
  /// when nobody has visited them for seven days.
  private func comeBack(_ request: Request) async throws(HTTPError) -> Response {
    guard let (guest, album, token) = try await services.access.guest(ofCookie: request) else { return .nothing() }
    return Response(json: Self.answer(token, guest, album)).notStored()
  }

  /// Everybody who joins is a stranger yet: a key that somebody else could choose too would give them a token that is
  /// not theirs.
  private static func demandGoodKey(_ request: Request) throws(HTTPError) {
    guard let key = request.head.fields["idempotency-key"], key.utf8.count < AlbumLimits.joinKey else { return }
    throw HTTPError(
      .malformedRequest, "Idempotency-Key: \(key.utf8.count) bytes; \(AlbumLimits.joinKey) or more are accepted here.",
      help: "Send a random one, such as a UUID.")
  }

  private func demand(_ passphrase: String?, of album: Album, _ request: Request) async throws(HTTPError) {
    guard let kept = album.options.passphrase else { return }
    guard let passphrase else {
      throw HTTPError(
        .passphraseNeeded, "The album asks for a passphrase.", help: "The hosts know it; send it with the secret.")
    }
    try services.access.beginPassphrase(request, of: album)
    let isRight = await services.passphrases.run(for: request.peer) {
      PasswordHash.matches(passphrase, PasswordHash(kept: kept))
    }
    // What was right, or was not looked at, does not count.
    if isRight != false { services.access.takeBackPassphrase(request, of: album) }
    guard let isRight else { throw AlbumServices.passphrasesBusy }
    guard isRight else {
      throw HTTPError(.passphraseWrong, "That is not the passphrase.", help: "Ask a host how it is spelt.")
    }
  }
}
