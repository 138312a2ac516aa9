import Hub
import Store
import Wire

extension Album {
  /// The state as all are told.
  func state(at now: Double) -> String { isClosed(at: now) ? "closed" : "open" }
}

/// An album as `GET /api/v1/albums/ID` tells it, and the list of them no more than that.
struct AlbumAnswer {
  private let caller: AlbumCaller
  private let counts: (shown: Int, waiting: Int, hidden: Int)
  private let guests: Int
  private let asked: Int
  private let now: Double

  init(_ database: Database, _ caller: AlbumCaller, now: Double) throws(StoreError) {
    (self.caller, self.now) = (caller, now)
    counts = try database.pictureCounts(of: caller.album.id, isForHosts: caller.isHost)
    guests = try database.guestCount(of: caller.album.id, .in)
    asked = try database.guestCount(of: caller.album.id, .asked)
  }

  func json(address: String, quota: AlbumQuota, helper: String) -> JSON {
    let (album, guest) = (caller.album, caller.guest)
    let me: JSON = [
      "id": .string(guest.address), "name": JSON(guest.name), "role": .string(guest.role.rawValue),
      "state": .string(guest.state.rawValue),
    ]
    var members: [JSON.Member] = [
      .init("id", .string(album.address)), .init("name", .string(album.name)),
      .init("mode", .string(album.options.mode.rawValue)), .init("state", .string(album.state(at: now))),
      .init("me", me),
    ]
    // Whoever waits for a yes is told no more.
    guard guest.state == .in else { return .object(members) }
    let seesAll = caller.seesAll
    members += [
      .init("options", options), .init("counts", self.counts(seesAll)),
      .init(
        "quota",
        [
          "used": seesAll ? .int(album.bytes) : .null, "limit": .int(quota.album), "mine": .int(guest.bytes),
          "limit_each": .int(quota.guest), "pictures": .int(guest.pictures),
          "limit_pictures": .int(AlbumLimits.picturesOfGuest),
        ]),
      .init("live", ["channel": seesAll ? .string(album.channel.name) : .null]),
      .init("helper", ["state": .string(helper)]),
    ]
    if caller.isHost { members.append(.init("join_url", .string(album.joinURL(on: address)))) }
    return .object(members)
  }

  /// In the list of a member's albums. Whoever waits for a yes, or does not see others' pictures, is told of their own.
  func row(address: String, cover: String?) -> JSON {
    let (album, guest, seesAll) = (caller.album, caller.guest, caller.seesAll)
    return [
      "id": .string(album.address), "name": .string(album.name), "mode": .string(album.options.mode.rawValue),
      "state": .string(album.state(at: now)), "role": .string(guest.role.rawValue),
      "pictures": .int(seesAll ? self.counts.shown : guest.pictures),
      "waiting": .int(caller.isHost ? self.counts.waiting : 0), "asked": .int(caller.isHost ? asked : 0),
      "bytes": .int(seesAll ? album.bytes : guest.bytes),
      "made_at": JSON(instant: album.createdAt),
      "join_url": caller.isHost ? .string(album.joinURL(on: address)) : .null,
      "cover": seesAll ? JSON(cover) : .null,
    ]
  }

  private var options: JSON {
    let options = caller.album.options
    return [
      "review": .bool(options.review), "upload_only": .bool(options.uploadOnly),
      "shows_taken": .bool(options.showsTaken), "plays_sound": .bool(options.playsSound),
      "passphrase": .bool(options.passphrase != nil), "closes_at": JSON(instant: options.closesAt),
    ]
  }

  private func counts(_ seesAll: Bool) -> JSON {
    [
      "pictures": seesAll ? .int(counts.shown) : .null, "waiting": caller.isHost ? .int(counts.waiting) : .null,
      "hidden": caller.isHost ? .int(counts.hidden) : .null, "guests": seesAll ? .int(guests) : .null,
      "asked": caller.isHost ? .int(asked) : .null,
    ]
  }
}
