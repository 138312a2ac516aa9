import Crypto
import Hub
import Imaging
import Lifecycle
import Server
import Store
import Wire

/// Albums as such: the list, making, changing and deleting them.
struct AlbumRoutes: Sendable {
  static let path = "/api/v1/albums"
  private let services: AlbumServices
  private let makers: AlbumMakers
  private var hub: Hub { services.hub }
  private var access: AlbumAccess { services.access }

  init(_ services: AlbumServices) { (self.services, makers) = (services, AlbumMakers(services.hub)) }

  func add(to router: inout Router) {
    router.on(.get, Self.path, .task(list))
    router.on(.post, Self.path, admit: hub.needs(.makeAlbums), .task(make))
    let path = "\(Self.path)/{id}"
    router.on(.get, path, .task(details))
    router.on(.patch, path, admit: access.admitsHosts, .task(change))
    router.on(.delete, path, admit: access.admitsHosts, .task(delete))
  }

  // MARK: For members

  private func list(_ request: Request) async throws(HTTPError) -> Response {
    let (principal, person) = try await hub.person(request, .makeAlbums)
    let now = hub.time.now
    let address = hub.address(request)
    let rows = try await services.hub.read { database throws(StoreError) in
      var rows: [JSON] = []
      for album in try database.albums(ofPerson: person) {
        guard let guest = try database.guest(person: person, of: album.id) else { continue }
        let caller = AlbumCaller(album: album, guest: guest, principal: principal)
        let answer = try AlbumAnswer(database, caller, now: now)
        rows.append(answer.row(address: address, cover: try database.cover(of: album)))
      }
      return rows
    }
    return Response(json: ["albums": .array(rows), "may_make": .bool(makers.mayMake(principal))]).notStored()
  }

  private func make(_ request: Request) async throws(HTTPError) -> Response {
    let principal = try await hub.authorise(request, .makeAlbums)
    try makers.demand(principal)
    let form = try AlbumForm(request, isNew: true, now: hub.time.now)
    let hash = try await services.hash(form.typedPassphrase, request)
    let address = hub.address(request)
    var options = AlbumOptions()
    form.change(&options, hash: hash)
    return try await hub.commit(once: request, as: principal) { [hub, options] change in
      try hub.show(AlbumsRoom.id, in: change)
      let made = try AlbumChange.make(form.newName, options, in: change)
      return Response(status: 201, json: made.json(on: address)).notStored().asOf(commit: change.number)
    }
  }

  // MARK: For whoever is in

  private func details(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.anybody(request)
    let (now, number, helper) = (hub.time.now, hub.commits.number, services.derivatives.stateName)
    let (address, quota) = (hub.address(request), services.quota)
    let answer = try await services.hub.read { database throws(StoreError) -> JSON? in
      // The caller may be a second old, the album too.
      guard let album = try database.album(caller.album.id), let guest = try database.guest(caller.guest.id) else {
        return nil
      }
      let caller = AlbumCaller(album: album, guest: guest, principal: caller.principal)
      return try AlbumAnswer(database, caller, now: now).json(address: address, quota: quota, helper: helper)
    }
    guard let answer else { throw HTTPError.noSuchAlbum }
    // Its page keeps the token for years; with a cookie that has ended no picture in it would be shown.
    let cookie = access.cookie(of: caller, request).map { [$0] } ?? []
    return Response(json: answer, fields: cookie).notStored().asOf(commit: number)
  }

  // MARK: For hosts

  private func change(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    let now = hub.time.now
    let form = try AlbumForm(request, isNew: false, now: now)
    let hash = try await services.hash(form.typedPassphrase, request)
    try await hub.commit(as: caller.principal) { [services] change in
      let (_, album) = try AlbumChange.change(caller, in: change) { form.change(&$0, hash: hash, now: now) }
      try AlbumChange.tellEvent(of: album, services.hub, in: change)
      services.callersChange(in: change)
    }
    return try await details(request)
  }

  private func delete(_ request: Request) async throws(HTTPError) -> Response {
    let caller = try await access.host(request)
    try await hub.commit(as: caller.principal) { [services] change in
      let album = try AlbumChange.host(caller, in: change).album
      try AlbumChange.delete(album, in: change)
      try AlbumChange.tellEvent(of: album, services.hub, in: change)
      services.callersChange(in: change)
    }
    return .nothing()
  }
}

extension AlbumChange.Made {
  /// The answer to whoever made it.
  func json(on hub: String) -> JSON {
    [
      "id": .string(album.address), "name": .string(album.name), "mode": .string(album.options.mode.rawValue),
      "join_url": .string(album.joinURL(on: hub)), "host_token": .string(token),
    ]
  }
}

extension AlbumServices {
  /// The hash of a passphrase; nil for none.
  /// - Throws: 503 while too many passphrases wait.
  func hash(_ passphrase: String?, _ request: Request) async throws(HTTPError) -> PasswordHash? {
    guard let passphrase else { return nil }
    guard let hash = await passphrases.run(for: request.peer, { PasswordHash(of: passphrase) }) else {
      throw Self.passphrasesBusy
    }
    return hash
  }

  static let passphrasesBusy = HTTPError(
    .passphrasesBusy, "Many passphrases are being looked at.", help: "Try again in a few seconds.",
    fields: [Response.Field("Retry-After", "5")])
}
