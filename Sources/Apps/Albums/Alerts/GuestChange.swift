import Hub
import Server
import Store
import Wire

/// The changes of who is in an album.
extension AlbumChange {
  struct Joined: Sendable {
    let guest: Guest
    /// Shown this once.
    let token: String
  }

  /// Lets somebody in by an album's link, or notes that they ask.
  /// - Parameters:
  ///   - found: the album as it was when the link was looked up.
  ///   - member: the member of the hub who asks; nil for anybody else.
  static func join(_ found: Album, _ member: Principal?, name: String?, in change: Change) throws -> Joined {
    let database = change.database
    guard let album = try database.album(found.id), album.secret == found.secret,
      album.options.passphrase == found.options.passphrase
    else {
      throw HTTPError(.noSuchAlbumLink, "The album's link has just changed.", help: "Ask a host for the new one.")
    }
    guard !album.isClosed(at: change.now) else { throw HTTPError.albumClosed }
    let (guest, isNew) = try entrant(album, member, name: name, in: change)
    let token = AlbumSecret.token()
    try database.add(tokenDigest: AlbumSecret.digest(token), to: guest.id, on: member?.device, now: change.now)
    if isNew, guest.state == .asked { try ringAsked(guest.name, album, in: change) }
    change.publish("people", on: album.channel, [:])
    return Joined(guest: guest, token: token)
  }

  /// - Returns: the guest, and false if they were here before.
  private static func entrant(
    _ album: Album, _ member: Principal?, name: String?, in change: Change
  ) throws -> (Guest, Bool) {
    let database = change.database
    let state: Guest.State = album.options.mode == .open ? .in : .asked
    if let person = member?.person, var known = try database.guest(person: person, of: album.id) {
      // A member whom a host has removed asks again.
      let wasHere = known.state.isHere
      if !wasHere {
        known.state = known.state == .left ? state : .asked
        known.role = .guest
        known.joinedAt = change.now
      }
      // A wall that a member opens tells its own name, which is not theirs.
      known.name = wasHere ? known.name ?? name : name ?? known.name
      try database.save(known, now: change.now)
      return (known, !wasHere)
    }
    guard try database.guestCount(of: album.id, nil) < AlbumLimits.guestsKept,
      try database.guestCount(of: album.id, state) < (state == .in ? AlbumLimits.guests : AlbumLimits.asked)
    else {
      throw HTTPError(
        .tooManyGuests, state == .in ? "The album is full of guests." : "Too many wait for a host's yes.",
        help: "Tell one of the hosts: \(AlbumLimits.guests) can be in, and \(AlbumLimits.asked) wait.")
    }
    var guest = Guest(
      album: album.id, address: RandomID.make(), person: member?.person, name: name ?? member?.name, state: state,
      joinedAt: change.now)
    guest.id = try database.add(guest)
    return (guest, true)
  }

  /// Rings the hosts about those who ask, at most once in some minutes: `AlbumWatch` rings about those between.
  static func ringAsked(_ name: String?, _ album: Album, in change: Change) throws {
    let database = change.database
    guard try database.mayRingAsked(album.id, now: change.now) else { return }
    let hosts = try database.hostPeople(of: album.id)
    let waiting = try database.guestCount(of: album.id, .asked)
    guard !hosts.isEmpty else { return }
    try change.ring("albums.asked", AlbumBell.asked(waiting, name: name, album, to: hosts).json)
  }

  /// Takes that back from all hosts once nobody waits any more.
  /// - Parameter before: the guest as they were.
  private static func endAsked(_ before: Guest, _ album: Album, in change: Change) throws {
    guard before.state == .asked, try change.database.guestCount(of: album.id, .asked) == 0 else { return }
    try change.takeBack([AlbumBell.askedID(album)], "albums.answered")
  }

  static func rename(_ caller: AlbumCaller, to name: String?, in change: Change) throws {
    let caller = try current(caller, in: change)
    var guest = caller.guest
    guard guest.name != name else { return }
    guest.name = name
    try change.database.save(guest, now: change.now)
    // Who waits for a yes has no pictures, and is nobody's business but the hosts'.
    if guest.state == .in { tellName(guest, caller.album, in: change) }
    change.publish("people", on: caller.album.channel, [:])
  }

  /// The pages of an album call somebody by their new name, also at the pictures that they show.
  private static func tellName(_ guest: Guest, _ album: Album, in change: Change) {
    change.publish("named", on: album.channel, ["id": .string(guest.address), "name": JSON(guest.name)])
  }

  /// Leaves the album. The pictures stay, unless they are withdrawn with it.
  static func leave(_ caller: AlbumCaller, withdrawing: Bool, in change: Change) throws {
    let caller = try current(caller, in: change)
    var guest = caller.guest
    if guest.isHost { try demandAnotherHost(caller.album, in: change) }
    if withdrawing { try removeAll(of: guest, by: caller, in: change) }
    guest.state = .left
    guest.role = .guest
    try change.database.save(guest, now: change.now)
    try UploadChange.endAll(ofGuest: guest.id, in: change)
    try endAsked(caller.guest, caller.album, in: change)
    change.publish("people", on: caller.album.channel, [:])
  }

  /// A host's decision on somebody.
  /// - Parameters:
  ///   - name: another name in this album; nil to leave it as it is.
  ///   - state: in, refused or removed; nil to leave it as it is.
  ///   - role: nil to leave it as it is.
  ///   - removingPictures: true to take out all that they have sent, too.
  static func decide(
    _ caller: AlbumCaller, on address: String, name: String?, state: Guest.State?, role: Guest.Role?,
    removingPictures: Bool, in change: Change
  ) throws -> Guest {
    let caller = try host(caller, in: change)
    let (database, album) = (change.database, caller.album)
    guard var guest = try database.guest(address: address, of: album.id) else { throw HTTPError.noSuchAlbumGuest }
    let before = guest
    if let name { guest.name = name }
    if let state { try move(&guest, to: state, album, in: change) }
    guard role != .host || guest.state == .in else {
      throw FieldErrors([
        FieldError("role", "host; \(guest.name ?? "the guest") is \(guest.state.rawValue) now.")
      ]).refusal(help: "Whoever is in can be made a host: {\"state\": \"in\", \"role\": \"host\"} does both.")
    }
    if let role { guest.role = role }
    if guest.state != .in { guest.role = .guest }
    if before.isHost, !guest.isHost { try demandAnotherHost(album, in: change) }
    if removingPictures { try removeAll(of: guest, by: caller, in: change) }
    guard guest != before else { return guest }
    try database.save(guest, now: change.now)
    if !guest.state.isHere { try UploadChange.endAll(ofGuest: guest.id, in: change) }
    try endAsked(before, album, in: change)
    if guest.name != before.name { tellName(guest, album, in: change) }
    if guest.role != before.role {
      try change.audit(
        guest.isHost ? "albums.host-made" : "albums.host-ended", about: "\(guest.name ?? "guest"): \(album.name)")
    }
    change.publish("people", on: album.channel, [:])
    return guest
  }

  private static func move(_ guest: inout Guest, to state: Guest.State, _ album: Album, in change: Change) throws {
    switch (guest.state, state) {
    case (_, .in) where guest.state != .left:
      guard try guest.state == .in || change.database.guestCount(of: album.id, .in) < AlbumLimits.guests else {
        throw HTTPError(
          .tooManyGuests, "The album is full of guests.", help: "At most \(AlbumLimits.guests) are in at a time.")
      }
      guest.state = .in
    case (.asked, .refused), (.refused, .refused): guest.state = .refused
    case (.in, .removed), (.asked, .removed), (.removed, .removed): guest.state = .removed
    default:
      throw FieldErrors([
        FieldError("state", "\(state.rawValue); \(guest.name ?? "the guest") is \(guest.state.rawValue) now.")
      ]).refusal(help: "Who asks is let in or refused, who is in can be removed, and let in again.")
    }
  }

  private static func demandAnotherHost(_ album: Album, in change: Change) throws {
    guard try change.database.hostCount(of: album.id) > 1 else {
      throw HTTPError(.lastHost, "The album would have no host.", help: "Make somebody else a host first.")
    }
  }

  /// A person goes from the hub: their pictures stay in the albums, without their name.
  static func personRemoved(_ person: Int, in change: Change) throws {
    for var guest in try change.database.albumGuests(ofPerson: person) {
      let before = guest
      (guest.state, guest.role, guest.name) = (.removed, .guest, nil)
      try change.database.save(guest, now: change.now)
      try UploadChange.endAll(ofGuest: guest.id, in: change)
      guard let album = try change.database.album(guest.album) else { continue }
      tellName(guest, album, in: change)
      try endAsked(before, album, in: change)
      if before.isHost { try keepHosted(album, without: person, in: change) }
      change.publish("people", on: album.channel, [:])
    }
  }

  /// With its last host gone from the hub, nobody could let in, moderate, close or delete an album: the member who has
  /// been in it longest is its host from then on. Where no member is in, the owners of the hub are told.
  private static func keepHosted(_ album: Album, without person: Int, in change: Change) throws {
    let database = change.database
    guard try database.hostCount(of: album.id) == 0 else { return }
    guard var next = try database.firstMember(of: album.id), let member = next.person else {
      let owners = try database.personIDs(with: .manage).filter { $0 != person }
      guard !owners.isEmpty else { return }
      return try change.ring("albums.unhosted", AlbumBell.unhosted(album, to: owners).json)
    }
    next.role = .host
    try database.save(next, now: change.now)
    try change.audit("albums.host-made", about: "\(next.name ?? "guest"): \(album.name)")
    try change.ring("albums.hosted", AlbumBell.hosted(album, to: member).json)
  }
}
