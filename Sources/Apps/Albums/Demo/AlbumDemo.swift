import CivilTime
import Hub
import Lifecycle
import Server
import Store
import Wire

/// The album of the demonstration's feast.
enum AlbumDemo {
  /// Three members, and one who came along.
  private static let guests: [DemoClub.Somebody?] = [.mira, .jonas, nil, .lena]
  private static let pictures = 9

  /// Makes an owner a host of the demonstration's album, which was made before there were people.
  static func welcome(_ person: Int, _ role: Role, in change: Change) throws {
    let database = change.database
    guard role == .owner, try database.isDemo() == true,
      let id = try database.eventLink(of: DemoClub.feastEvent)?.album, let album = try database.album(id),
      try database.guest(person: person, of: album.id) == nil
    else { return }
    let host = Guest(
      album: album.id, address: RandomID.make(), person: person, name: try database.personName(person), role: .host,
      state: .in, joinedAt: change.now)
    _ = try database.add(host)
  }

  /// Does nothing if there is an album.
  static func fill(_ hub: Hub) async throws {
    let (isThere, zone) = try await hub.store.read { database throws(StoreError) in
      (try database.albumCount() > 0, try database.place()?.zone ?? .utc)
    }
    guard !isThere else { return }
    let day = DemoClub.feast(before: zone.wall(at: Int(hub.time.now)).date)
    var paintings: [(Blob, UInt32, Int)] = []
    for number in 0..<pictures {
      let bytes = DemoPainting(number, isWarm: DemoClub.isWarm(on: day)).png()
      paintings.append((try await hub.store.blobs.keep(bytes), PNG.crc32(bytes), bytes.count))
    }
    let (kept, quota) = (paintings, AlbumQuota(hub))
    try await hub.commit(as: .commandLine) { change in
      let (database, club) = (change.database, try DemoClub(change.database))
      let starts = zone.instant(of: WallTime(date: day, secondOfDay: 16 * 3_600))
      var album = try AlbumChange.make(club.feastName(on: day), AlbumOptions(mode: .open), in: change).album
      var keys: [Int] = []
      for guest in guests {
        let person = try guest.flatMap { try club.person($0, in: database) }
        let new = Guest(
          album: album.id, address: RandomID.make(), person: person, name: guest?.name ?? "Oma Hilde", role: .guest,
          state: .in, joinedAt: Double(starts))
        keys.append(try database.add(new))
      }
      for (number, (blob, crc, size)) in kept.enumerated() {
        let time = starts + number * number * 240 + 1_500
        let wall = zone.wall(at: time)
        let new = NewPicture(
          album: album.id, guest: keys[number * 3 % keys.count], blob: blob, crc32: crc, size: size,
          name: "IMG_\(1001 + number).png", type: "image/png",
          taken: "\(wall.date.text)T\(timeOfDay(wall.secondOfDay)):00", at: Double(time + 40))
        let picture = try AlbumChange.add(new, quota: quota, in: change)
        for key in keys.prefix(number * 5 % 4) { _ = try database.setHeart(true, of: picture.id, by: key) }
      }
      // It is over: the day after, phones had sent what they had.
      let ends = starts + 27_000
      album.options.closesAt = EventLink.end(of: ends)
      if EventLink.end(of: ends) < change.now { album.closedAt = EventLink.end(of: ends) }
      try database.save(album)
      try database.save(
        EventLink(
          event: DemoClub.feastEvent, album: album.id, name: club.feastName(on: day), starts: starts, ends: ends))
    }
  }
}
