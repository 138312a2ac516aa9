import Hub
import Lifecycle
import Observe
import Server
import Store
import Synchronization
import Wire

/// Finds who calls about an album: a guest by the album's token or cookie, or a member of the hub by their session.
final class AlbumAccess: Sendable {
  let hub: Hub
  /// Wrong secrets of links, and tokens.
  private let wrongSecrets: Attempts
  private let wrongPassphrases: Attempts

  private struct Found: Sendable {
    let guest: Guest?
    let album: Album?
    /// The uptime until which it is remembered.
    let until: Double
  }
  private enum Key: Hashable {
    case token([UInt8])
    case person(Int, album: String)
  }
  private let recent = Mutex<[Key: Found]>([:])

  init(_ hub: Hub) {
    self.hub = hub
    wrongSecrets = Attempts(
      Attempts.Limit(perAddress: AlbumLimits.wrongSecrets, overAll: AlbumLimits.wrongInAll), time: hub.time)
    wrongPassphrases = Attempts(
      Attempts.Limit(perAddress: AlbumLimits.wrongPassphrases, overAll: AlbumLimits.wrongInAll), time: hub.time)
  }

  /// Looks everybody up again: somebody was removed, or an album has changed.
  func forget() { recent.withLock { $0 = [:] } }

  // MARK: Callers

  /// The caller, who is in the album of the address or asks to come in.
  /// - Throws: 401 without a caller, 404 for an album that is not theirs, 410 for somebody who is not in it any more.
  func anybody(_ request: Request) async throws(HTTPError) -> AlbumCaller {
    let principal = try await principal(request)
    let address = request.parameters["id"] ?? ""
    guard RandomID.accepts(address) else { throw HTTPError.noSuchAlbum }
    if let person = principal.person {
      let found = try await member(person, address)
      if let album = found.album, let guest = found.guest, guest.state.isHere {
        return AlbumCaller(album: album, guest: guest, principal: principal)
      }
      // Somebody who signed in on a phone that has joined before.
      if let token = cookie(request), let caller = try await guest(token, address) { return caller }
      if let guest = found.guest { throw Self.gone(guest) }
      throw HTTPError.noSuchAlbum
    }
    guard principal.guest != nil, let token = token(in: request) ?? cookie(request),
      let caller = try await guest(token, address)
    else { throw HTTPError.noSuchAlbum }
    return caller
  }

  /// The caller, who is in.
  /// - Throws: as `anybody`, and 403 for somebody who waits for a host's yes.
  func caller(_ request: Request) async throws(HTTPError) -> AlbumCaller {
    let caller = try await anybody(request)
    guard caller.guest.state == .in else { throw HTTPError.notInYet }
    return caller
  }

  /// The caller, who is a host.
  func host(_ request: Request) async throws(HTTPError) -> AlbumCaller {
    let caller = try await caller(request)
    guard caller.isHost else { throw HTTPError.hostsOnly }
    return caller
  }

  /// The picture of the address, and the caller, who may see it.
  func picture(_ request: Request) async throws(HTTPError) -> (Picture, AlbumCaller) {
    let caller = try await caller(request)
    let address = request.parameters["picture"] ?? ""
    guard RandomID.accepts(address) else { throw HTTPError.noSuchPicture }
    let picture = try await hub.read { database throws(StoreError) in
      try database.picture(address: address, of: caller.album.id)
    }
    guard let picture, caller.maySee(picture) else { throw HTTPError.noSuchPicture }
    return (picture, caller)
  }

  /// The admissions of routes: asked before a body is read.
  var admitsAnybody: Admission { { [self] request throws(HTTPError) in _ = try await anybody(request) } }
  var admitsThoseIn: Admission { { [self] request throws(HTTPError) in _ = try await caller(request) } }
  var admitsHosts: Admission { { [self] request throws(HTTPError) in _ = try await host(request) } }

  private func principal(_ request: Request) async throws(HTTPError) -> Principal {
    do throws(HTTPError) {
      return try await hub.authorise(request, .visitAlbums)
    } catch {
      guard error.code == .noToken else { throw error }
      throw HTTPError(
        .noAlbumToken, "The album's token is needed, or a device that is signed in.",
        help: "Open the album's link. Programs send Authorization: Bearer album_…, which joining gives.",
        fields: [Response.Field("WWW-Authenticate", "Bearer")])
    }
  }

  /// The guest who sends a request, for the hub (`Room.guest`).
  func principal(ofGuest request: Request) async throws(HTTPError) -> Principal? {
    if let token = token(in: request) {
      guard let guest = try await find(token).guest else { throw unknown(request) }
      return Self.principal(guest)
    }
    guard request.head.fields["authorization"] == nil, let token = cookie(request),
      let guest = try await find(token).guest
    else { return nil }
    return Self.principal(guest)
  }

  private static func principal(_ guest: Guest) -> Principal {
    .guest(guest.id, of: AlbumsRoom.id, name: guest.name ?? "guest")
  }

  private func guest(_ token: String, _ address: String) async throws(HTTPError) -> AlbumCaller? {
    let found = try await find(token)
    guard let guest = found.guest, let album = found.album, album.address == address else { return nil }
    guard guest.state.isHere else { throw Self.gone(guest) }
    return AlbumCaller(album: album, guest: guest, principal: Self.principal(guest))
  }

  static func gone(_ guest: Guest) -> HTTPError {
    let seen =
      switch guest.state {
      case .refused: "A host has not let you in."
      case .removed: "A host has removed you from the album."
      default: "You have left the album."
      }
    return HTTPError(.albumLeft, seen, help: "Ask the hosts if that was a mistake, and open the link again.")
  }

  /// A member of the hub in an album, also one who is not in it any more.
  private func member(_ person: Int, _ address: String) async throws(HTTPError) -> Found {
    try await remembered(.person(person, album: address)) { database throws(StoreError) in
      guard let album = try database.album(address: address) else { return (nil, nil) }
      return (try database.guest(person: person, of: album.id), album)
    }
  }

  // MARK: Secrets

  /// The token in the header, if it is an album's.
  private func token(in request: Request) -> String? {
    guard let parts = request.head.fields["authorization"]?.split(separator: " ", maxSplits: 1), parts.count == 2,
      parts[0].lowercased() == "bearer", parts[1].hasPrefix(AlbumSecret.tokenPrefix)
    else { return nil }
    return String(parts[1])
  }

  /// The token in the cookie that joining has set. It counts for reading alone, as of pictures in pages and downloads:
  /// a page of another site could send it with a write.
  private func cookie(_ request: Request) -> String? {
    guard !request.head.method.isWrite, let token = request.cookie("album"), token.hasPrefix(AlbumSecret.tokenPrefix)
    else { return nil }
    return token
  }

  /// The guest of the cookie, with their token: nil without one, for somebody who is not here any more, and for a
  /// member, who has a session.
  func guest(ofCookie request: Request) async throws(HTTPError) -> (guest: Guest, album: Album, token: String)? {
    guard let token = cookie(request) else { return nil }
    let found = try await find(token)
    guard let guest = found.guest, let album = found.album, album.address == request.parameters["id"],
      guest.state.isHere, guest.person == nil
    else { return nil }
    return (guest, album, token)
  }

  /// The cookie for a page that has a token; nil for a member, who has a session.
  func cookie(of caller: AlbumCaller, _ request: Request) -> Response.Field? {
    token(in: request).map { Self.cookie($0, of: caller.album, isSecure: request.isSecure) }
  }

  /// The cookie of a guest, sent with requests about this album alone.
  static func cookie(_ token: String, of album: Album, isSecure: Bool) -> Response.Field {
    let path = "\(AlbumRoutes.path)/\(album.address)"
    return Response.Field(
      "Set-Cookie",
      "album=\(token); Max-Age=\(AlbumLimits.cookieSeconds); Path=\(path); HttpOnly; SameSite=Lax"
        + (isSecure ? "; Secure" : ""))
  }

  private func find(_ token: String) async throws(HTTPError) -> Found {
    let digest = AlbumSecret.digest(token)
    return try await remembered(.token(digest)) { database throws(StoreError) in
      guard let guest = try database.guest(tokenDigest: digest), let album = try database.album(guest.album) else {
        return (nil, nil)
      }
      return (guest, album)
    }
  }

  private func remembered(
    _ key: Key, _ look: @escaping @Sendable (Database) throws(StoreError) -> (Guest?, Album?)
  ) async throws(HTTPError) -> Found {
    let now = hub.time.uptime
    if let found = recent.withLock({ $0[key] }), now < found.until { return found }
    let (guest, album) = try await hub.look(look)
    let found = Found(guest: guest, album: album, until: now + AlbumLimits.callerSeconds)
    // Strangers' guesses are not kept.
    guard guest != nil else { return found }
    recent.withLock { recent in
      if recent.count >= AlbumLimits.callers { recent = [:] }
      recent[key] = found
    }
    return found
  }

  // MARK: Wrong secrets

  private func unknown(_ request: Request) -> HTTPError {
    if let seconds = wrongSecrets.begin(request.peer) { return Self.tooManyWrong(seconds) }
    hub.log.warning("an unknown token of an album was used", ["from": request.peer])
    return HTTPError(
      .unknownAlbumToken, "Nobody has this token of an album.", help: "Open the album's link to join again.",
      fields: [Response.Field("WWW-Authenticate", "Bearer")])
  }

  /// - Throws: 429 for an address with too many wrong secrets.
  func noteWrongSecret(_ request: Request) throws(HTTPError) {
    if let seconds = wrongSecrets.begin(request.peer) { throw Self.tooManyWrong(seconds) }
  }

  /// Counts a guess before its outcome is known.
  func beginPassphrase(_ request: Request, of album: Album) throws(HTTPError) {
    if let seconds = wrongPassphrases.begin(Self.guesser(request, album)) { throw Self.tooManyWrong(seconds) }
  }

  func takeBackPassphrase(_ request: Request, of album: Album) {
    wrongPassphrases.succeeded(Self.guesser(request, album))
  }

  /// One party behind an address must not keep another one out.
  private static func guesser(_ request: Request, _ album: Album) -> String {
    "\(Attempts.network(of: request.peer)) \(album.address)"
  }

  private static func tooManyWrong(_ seconds: Int) -> HTTPError {
    HTTPError(
      .tooManyWrong, "There were too many wrong tries from you.", help: "Wait \(seconds) s, then try again.",
      fields: [Response.Field("Retry-After", "\(seconds)")])
  }
}
