public import Hub
import Imaging
import Realtime
import Receiving
public import Server
public import Store
public import Wire

/// Albums: everybody's pictures of a day, on every device, before the evening is over.
public struct AlbumsRoom: Room {
  static let id = "albums"
  public static let plan = RoomPlan(
    id: id, name: "Albums", summary: "Shared photos and videos without an account, on every device at once.",
    migrations: AlbumTables.migrations + UploadTables.migrations + [
      EventAlbumTables.migration, AlbumTables.guestsEnd, AlbumTables.picturesRung, AlbumTables.tokensOfDevices,
    ],
    options: AlbumQuota.options + [AlbumMakers.option, Derivatives.option, AlbumCopies.option],
    errors: ErrorCode.ofAlbums + ErrorCode.ofUploads, rights: [.makeAlbums, .manageAlbums, .visitAlbums],
    channels: [
      PrivateChannels(
        of: Album.channels, meant: "whoever is in the album: private-albums-ID", mayListen: AlbumChannels.mayListen)
    ],
    drillName: Bell.Words("Guests who ask to join an album", german: "Gäste, die in ein Album möchten"),
    commands: AlbumCommands.all, commandWords: ["album"],
    // The names of other albums are for those who are in them.
    history: ["albums.made-for-event"])

  private static let guestPages = [
    ("/album", "/albums/album"), ("/album/host", "/albums/host"), ("/album/wall", "/albums/wall"),
    ("/album/card", "/albums/card"),
  ]

  private let hub: Hub
  private let services: AlbumServices
  private let watch: AlbumWatch

  public init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    services = AlbumServices(hub)
    watch = AlbumWatch(services)
    hub.offers.make(.eventAlbums, OfferedAlbums(services))
    hub.offers.make(.pictures, AlbumPictures())
  }

  public func addRoutes(to router: inout Router) {
    AlbumRoutes(services).add(to: &router)
    JoinRoutes(services).add(to: &router)
    GuestRoutes(services).add(to: &router)
    PictureRoutes(services).add(to: &router)
    AlbumLiveRoutes(services).add(to: &router)
    // Guests have never seen the hub: their addresses are short.
    for (path, page) in Self.guestPages {
      WebShell.addPage(path, showing: page, of: hub, to: &router) { _ in nil }
    }
    addShare(to: &router)
    UploadRoutes(services).add(to: &router)
    MediaRoutes(services).add(to: &router)
    ZipRoutes(services).add(to: &router)
  }

  /// Where a phone has thrown the service worker away, its share sheet's pictures come to the hub, which knows of no
  /// album for them: none of them is kept, whoever sends it, and the page asks to share them once more.
  private func addShare(to router: inout Router) {
    let again = Response(
      status: 303, contentType: "text/plain; charset=utf-8", body: .bytes([]), cacheControl: "no-store",
      fields: [Response.Field("Location", "/albums/share#again")])
    let dialect = Dialect(adapt: { _ in }, refusal: { _, _ in again })
    router.on(
      .post, "/albums/share", bodyLimit: UploadLimits.sharedBytes, admit: hub.needs(.enter), dialect: dialect,
      .streaming { request, body throws(HTTPError) in
        // Over HTTP/1.1 browsers look for an answer when they have sent all, and else tell of a broken connection. Of
        // others than members the hub takes no more than of any refused request.
        if request.head.version != .http2 { while try await body.next() != nil {} }
        return again
      })
  }

  public func run(under supervisor: Supervisor) {
    let (derivatives, watch) = (services.derivatives, watch)
    supervisor.run("albums.pictures") { try await derivatives.workshop.run(after: AlbumLimits.restSeconds) }
    supervisor.run("albums.derivatives", lease: "albums.derivatives") { try await derivatives.run() }
    supervisor.run("albums.watch") { try await watch.run() }
    let (copies, uploads) = (services.copies, UploadExpiry(hub, UploadTables.rows))
    supervisor.run("albums.copies", lease: "albums.copies") { try await copies.run() }
    supervisor.run("albums.uploads") { try await uploads.run() }
  }

  public func commandEnded() {
    services.access.forget()
    watch.wake()
  }

  public func guest(in request: Request) async throws(HTTPError) -> Principal? {
    try await services.access.principal(ofGuest: request)
  }

  public func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool {
    guard let guest = try database.guest(id), guest.state.isHere else { return false }
    return try database.album(guest.album) != nil
  }

  public func woken(askedBy person: Int?, in database: Database) throws(StoreError) -> JSON? {
    let hosts = try database.hostPeople()
    return hosts.isEmpty ? nil : .array(hosts.map { ["person": JSON(id: $0)] })
  }

  public func personJoined(_ id: Int, as role: Role, in change: Change) throws {
    try AlbumDemo.welcome(id, role, in: change)
  }

  public func personRemoved(_ id: Int, in change: Change) throws {
    try AlbumChange.personRemoved(id, in: change)
    change.database.touch(.albumCallers)
    change.then { [services] in services.access.forget() }
  }

  /// The tokens that were shown on it have ended with its row.
  public func deviceRemoved(_ id: Int, in change: Change) throws {
    services.callersChange(losing: false, in: change)
  }

  public func examine() async -> [Finding] { await AlbumExamination(hub: hub, services: services).findings() }

  public var readings: [Reading] { services.derivatives.readings }

  public func refresh(_ touches: Touches, in database: Database) throws(StoreError) {
    if touches.has(.albumCallers) {
      services.access.forget()
      hub.channels.recheck()
    }
    if touches.has(.derivatives) {
      services.derivatives.wake()
      services.copies.wake(anew: true)
    }
  }

  public static func fillDemo(_ hub: Hub) async throws { try await AlbumDemo.fill(hub) }
}

extension Touch {
  /// Guests come in, or may do less.
  static let albumCallers = Touch("albums.callers")
  /// Pictures wait to be made small, and originals to be copied.
  static let derivatives = Touch("albums.making")
}
