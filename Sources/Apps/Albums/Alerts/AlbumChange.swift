import Hub
import Server
import Store
import Wire

/// The changes of albums. Each is called in one `hub.commit`, and looks again who its caller is.
enum AlbumChange {
  /// A new album with its first host.
  struct Made: Sendable {
    let album: Album
    /// The host's token, shown this once.
    let token: String
  }

  /// Makes an album with its first host.
  /// - Parameters:
  ///   - host: the key and the name of a person; without one it is whoever makes the change.
  ///   - isOfEvent: true for an album that has the name of an event, which everybody who belongs here may read.
  static func make(
    _ name: String, _ options: AlbumOptions, for host: (person: Int, name: String)? = nil, isOfEvent: Bool = false,
    in change: Change
  ) throws -> Made {
    let (database, person) = (change.database, host?.person ?? change.principal.person)
    guard try database.hasRoom(forAlbumOf: person, now: change.now) else {
      throw HTTPError(
        .tooManyAlbums, "There are too many albums.",
        help: "\(AlbumLimits.albums) fit on a hub; of one person \(AlbumLimits.albumsOfPerson), of which "
          + "\(AlbumLimits.openAlbumsOfPerson) are open. Close or delete one first.")
    }
    var album = Album(
      address: RandomID.make(), name: name, options: options, secret: AlbumSecret.link(), person: person,
      createdAt: change.now)
    album.id = try database.add(album)
    let hostName = person == nil ? nil : host?.name ?? change.principal.name
    let made = try addHost(to: album, person, name: hostName, in: change)
    try change.audit(isOfEvent ? "albums.made-for-event" : "albums.made", about: name)
    return made
  }

  private static func addHost(to album: Album, _ person: Int?, name: String?, in change: Change) throws -> Made {
    let host = Guest(
      album: album.id, address: RandomID.make(), person: person, name: name, role: .host, state: .in,
      joinedAt: change.now)
    let (key, token) = (try change.database.add(host), AlbumSecret.token())
    let device = change.principal.device
    try change.database.add(tokenDigest: AlbumSecret.digest(token), to: key, on: device, now: change.now)
    return Made(album: album, token: token)
  }

  /// Another host without an account, for an album whose hosts have lost their devices.
  static func addHost(to album: Album, in change: Change) throws -> Made {
    let made = try addHost(to: album, nil, name: nil, in: change)
    try change.audit("albums.host-made", about: album.name)
    change.publish("people", on: album.channel, [:])
    return made
  }

  /// Changes name, options, secret or end.
  static func change(
    _ caller: AlbumCaller, in change: Change, _ work: (inout Album) throws -> Void
  ) throws -> (AlbumCaller, Album) {
    let caller = try host(caller, in: change)
    var album = caller.album
    try work(&album)
    guard album != caller.album else { return (caller, album) }
    try change.database.save(album)
    try change.audit("albums.changed", about: album.name)
    change.publish("album", on: album.channel, [:])
    return (caller, album)
  }

  /// The pages of its event show an album as it is now: the code that is there may lead nowhere any more.
  static func tellEvent(of album: Album, _ hub: Hub, in change: Change) throws {
    guard let event = try change.database.event(ofAlbum: album.id) else { return }
    hub.offers[.plannedEvents]?.albumChanged(of: event, in: change)
  }

  /// Ends an album for everybody. Its pictures are deleted at the next look, within a minute (`AlbumWatch`).
  static func delete(_ album: Album, in change: Change) throws {
    try change.database.deleteAlbum(album.id, now: change.now)
    change.database.touch(.albumCallers)
    try change.takeBack([AlbumBell.askedID(album)], "albums.deleted")
    try change.audit("albums.deleted", about: album.name)
    change.publish("album", on: album.channel, [:])
  }

  // MARK: Callers

  /// The caller as they are at this moment.
  static func current(_ caller: AlbumCaller, in change: Change) throws -> AlbumCaller {
    guard let album = try change.database.album(caller.album.id),
      let guest = try change.database.guest(caller.guest.id)
    else { throw HTTPError.noSuchAlbum }
    guard guest.state.isHere else { throw AlbumAccess.gone(guest) }
    return AlbumCaller(album: album, guest: guest, principal: caller.principal)
  }

  static func whoIsIn(_ caller: AlbumCaller, in change: Change) throws -> AlbumCaller {
    let caller = try current(caller, in: change)
    guard caller.guest.state == .in else { throw HTTPError.notInYet }
    return caller
  }

  /// The same of who sends something that may have been begun long ago.
  static func sender(_ guest: Int, to album: Int, in change: Change) throws -> (Album, Guest) {
    guard let album = try change.database.album(album), let guest = try change.database.guest(guest),
      guest.album == album.id
    else { throw HTTPError.noSuchAlbum }
    guard guest.state.isHere else { throw AlbumAccess.gone(guest) }
    guard guest.state == .in else { throw HTTPError.notInYet }
    guard !album.isClosed(at: change.now) else { throw HTTPError.albumClosed }
    return (album, guest)
  }

  static func host(_ caller: AlbumCaller, in change: Change) throws -> AlbumCaller {
    let caller = try whoIsIn(caller, in: change)
    guard caller.isHost else { throw HTTPError.hostsOnly }
    return caller
  }
}
