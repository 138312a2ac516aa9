import Hub
import Server
import Store
import Wire

/// The changes of pictures.
extension AlbumChange {
  /// Takes in a picture whose original is complete. The caller wakes `Derivatives` afterwards.
  /// - Returns: the picture; the one that is there already if its guest has sent the same bytes before.
  /// - Throws: 404, 409 for what a host has removed, 410 for a guest who may not send any more, 413 for what does not
  ///   fit.
  static func add(_ new: NewPicture, quota: AlbumQuota, in change: Change) throws -> Picture {
    let database = change.database
    let (album, guest) = try sender(new.guest, to: new.album, in: change)
    if var known = try database.picture(digest: new.blob.digest, ofGuest: guest.id) {
      guard known.removedAt != nil else { return known }
      try demandWanted(known)
      (known.removedAt, known.isWithdrawn) = (nil, false)
      try database.save(known)
      try tell("picture", known, album, in: change)
      return known
    }
    try quota.demand(new.size, in: album, of: guest)
    var picture = Picture(
      album: album.id, address: RandomID.make(), guest: guest.id, at: new.at ?? change.now, tag: AlbumSecret.tag(),
      size: new.size)
    picture.showing = album.options.review && !guest.isHost ? .waiting : .shown
    (picture.name, picture.type, picture.taken, picture.pair) = (new.name, new.type, new.taken, new.pair)
    // By its first bytes; the picture program looks closer.
    if picture.isSentVideo { picture.kind = .video }
    picture.wants = [.small, .large]
    if let preview = new.preview {
      (picture.width, picture.height) = (preview.width, preview.height)
      (picture.placeholder, picture.has) = (preview.placeholder, [.preview])
    }
    try follow(&picture, isCalledPair: true, in: change)
    picture.id = try database.add(picture, digest: new.blob.digest, crc32: new.crc32)
    try database.name(new.blob, as: picture.original)
    if let preview = new.preview {
      try database.name(preview.blob, as: Picture.blob("preview", picture.address))
    }
    try database.count(bytes: new.size, pictures: 1, album: album.id, guest: guest.id)
    try tell("picture", picture, album, in: change)
    return picture
  }

  /// A picture that a host has removed stays so; one that its own guest has withdrawn is wanted again.
  static func demandWanted(_ known: Picture) throws(HTTPError) {
    guard known.removedAt == nil || known.isWithdrawn else { throw HTTPError.removedByHost }
  }

  /// A live photo whose other half is hidden or was removed does not come back by the half that comes later.
  /// - Parameter isCalledPair: true if the sender calls the two a pair. Then a film also follows its photo that was
  ///   withdrawn; one that was sent by itself is wanted.
  static func follow(_ picture: inout Picture, isCalledPair: Bool, in change: Change) throws {
    let halves = try change.database.otherHalves(of: picture)
    guard picture.removedAt == nil, !halves.isEmpty else { return }
    let here = halves.filter { $0.removedAt == nil }
    if here.isEmpty {
      let isFilm = isCalledPair && picture.isSentVideo
      guard let removed = halves.last(where: { !$0.isWithdrawn || isFilm }) else { return }
      (picture.removedAt, picture.isWithdrawn) = (change.now, removed.isWithdrawn)
      if removed.showing == .hidden { picture.showing = .hidden }
    } else if here.allSatisfy({ $0.showing == .hidden }) {
      picture.showing = .hidden
    }
  }

  /// Tells the pages of an album what others see of a picture. Of one that waits or is hidden nothing is told: hosts'
  /// pages ask, and those of its own guest.
  static func tell(_ event: String, _ picture: Picture, _ album: Album, in change: Change) throws {
    if picture.showing != .shown { return tellWaiting(picture, album, in: change) }
    guard picture.isForAll, let listed = try change.database.listed(picture.id) else { return }
    change.publish(event, on: album.channel, listed.json(in: album))
  }

  /// The pages forget a picture.
  static func tellGone(_ picture: Picture, _ album: Album, in change: Change) {
    change.publish("gone", on: album.channel, ["id": .string(picture.address)])
  }

  static func tellWaiting(_ picture: Picture, _ album: Album, in change: Change) {
    change.publish("waiting", on: album.channel, ["id": .string(picture.address)])
  }
}

extension AlbumChange {
  /// The picture as it is now, for a caller who may see it.
  private static func picture(
    _ id: Int, _ caller: AlbumCaller, in change: Change
  ) throws -> (Picture, AlbumCaller) {
    let caller = try whoIsIn(caller, in: change)
    guard let picture = try change.database.picture(id), picture.album == caller.album.id, caller.maySee(picture) else {
      throw HTTPError.noSuchPicture
    }
    return (picture, caller)
  }

  /// A host's decision on who sees a picture.
  /// - Parameter was: the decision that it takes the place of; one that another host has made meanwhile stays. Nil for
  ///   any.
  static func show(
    _ id: Int, _ showing: Picture.Showing, ifStill was: Picture.Showing?, _ caller: AlbumCaller, in change: Change
  ) throws {
    let (picture, caller) = try picture(id, caller, in: change)
    guard caller.isHost else { throw HTTPError.hostsOnly }
    guard was == nil || was == picture.showing else { return }
    for one in try halves(of: picture, in: change) { try show(one, showing, caller.album, in: change) }
    if picture.removedAt == nil, picture.showing == .waiting, showing == .shown {
      try ringShown(picture, caller.album, in: change)
    }
  }

  /// A picture, and with it the other half of a live photo: what is done to one is done to both.
  private static func halves(of picture: Picture, in change: Change) throws -> [Picture] {
    try [picture]
      + change.database.otherHalves(of: picture).filter {
        ($0.removedAt == nil) == (picture.removedAt == nil) && $0.isWithdrawn == picture.isWithdrawn
      }
  }

  private static func show(
    _ picture: Picture, _ showing: Picture.Showing, _ album: Album, in change: Change
  ) throws {
    var picture = picture
    guard picture.showing != showing, picture.removedAt == nil else { return }
    let before = picture.showing
    picture.showing = showing
    try change.database.save(picture)
    if showing == .shown { try tell("picture", picture, album, in: change) }
    if before == .shown { tellGone(picture, album, in: change) }
    // A host who takes an answer back has it wait again.
    if before == .waiting || showing == .waiting { tellWaiting(picture, album, in: change) }
  }

  /// The member who sent a picture for review is told that it is there now, where guests see those of others.
  private static func ringShown(_ picture: Picture, _ album: Album, in change: Change) throws {
    guard !album.options.uploadOnly, let person = try change.database.guest(picture.guest)?.person,
      person != change.principal.person
    else { return }
    try change.ring("albums.shown", AlbumBell.shown(album, to: person).json)
  }

  /// The music of one's own picture.
  static func set(_ music: Picture.Music?, of id: Int, _ caller: AlbumCaller, in change: Change) throws {
    var (picture, caller) = try picture(id, caller, in: change)
    guard picture.guest == caller.guest.id else { throw Self.notYours }
    picture.music = music
    try change.database.save(picture)
    try tell("changed", picture, caller.album, in: change)
  }

  private static let notYours = HTTPError(
    .notYours, "That is somebody else's picture.", help: "Only whoever sent it, or a host, may do this.")

  /// Withdraws one's own picture, or removes anybody's as a host. It can be restored for some days; one that is
  /// withdrawn or removed already is deleted for good, unless `mayDelete` is false.
  static func remove(_ id: Int, mayDelete: Bool, _ caller: AlbumCaller, in change: Change) throws {
    let (picture, caller) = try picture(id, caller, in: change)
    guard picture.guest == caller.guest.id || caller.isHost else { throw Self.notYours }
    guard picture.removedAt == nil || mayDelete else { return }
    for one in try halves(of: picture, in: change) { try remove(one, caller, in: change) }
  }

  private static func remove(_ picture: Picture, _ caller: AlbumCaller, in change: Change) throws {
    var picture = picture
    guard picture.removedAt == nil else {
      // One that a host has hidden would be shown once its guest had deleted it and sent it again.
      if caller.isHost || picture.showing != .hidden { try delete(picture, in: change) }
      return
    }
    let before = picture.showing
    (picture.removedAt, picture.isWithdrawn) = (change.now, picture.guest == caller.guest.id)
    try change.database.save(picture)
    if before == .shown {
      tellGone(picture, caller.album, in: change)
    } else {
      tellWaiting(picture, caller.album, in: change)
    }
  }

  /// Withdraws all that one has sent, or as a host removes all of somebody's, at once: cut in the middle, it would
  /// leave some in the album, and nobody who could go on.
  static func removeAll(of guest: Guest, by caller: AlbumCaller, in change: Change) throws {
    try change.database.removePictures(ofGuest: guest.id, isWithdrawn: guest.id == caller.guest.id, now: change.now)
    change.publish("gone", on: caller.album.channel, ["by": .string(guest.address)])
  }

  /// Brings a removed picture back: a host what hosts have removed, a guest what they have withdrawn.
  static func restore(_ address: String, _ caller: AlbumCaller, in change: Change) throws -> Int {
    let caller = try whoIsIn(caller, in: change)
    guard let picture = try change.database.picture(address: address, of: caller.album.id),
      picture.guest == caller.guest.id || caller.isHost
    else { throw HTTPError.noSuchPicture }
    guard picture.removedAt != nil else {
      throw HTTPError(.notRemoved, "The picture is not removed.", help: "It is in the album.")
    }
    if picture.isWithdrawn {
      guard picture.guest == caller.guest.id else { throw HTTPError.noSuchPicture }
    } else if !caller.isHost {
      throw HTTPError.hostsOnly
    }
    for var one in try halves(of: picture, in: change) {
      (one.removedAt, one.isWithdrawn) = (nil, false)
      try change.database.save(one)
      try tell("picture", one, caller.album, in: change)
    }
    return picture.id
  }

  /// Deletes a picture for good, with all its files.
  static func delete(_ picture: Picture, in change: Change) throws {
    for name in Picture.blobs(picture.address) { try change.database.removeName(name) }
    try change.database.removePicture(picture.id)
    try change.database.count(
      bytes: -picture.size - picture.soundSize, pictures: -1, album: picture.album, guest: picture.guest)
  }

  /// Gives or takes back a heart.
  /// - Returns: the count of hearts.
  static func heart(_ id: Int, _ isGiven: Bool, _ caller: AlbumCaller, in change: Change) throws -> Int {
    let (picture, caller) = try picture(id, caller, in: change)
    let hearts = try change.database.setHeart(isGiven, of: picture.id, by: caller.guest.id)
    if hearts != picture.hearts, picture.isForAll {
      change.publish(
        "hearts", on: caller.album.channel, ["id": .string(picture.address), "hearts": .int(hearts)])
    }
    return hearts
  }
}
