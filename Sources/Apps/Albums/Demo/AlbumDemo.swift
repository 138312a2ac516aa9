import Crypto
import Hub
import Server
import Store

/// An album for those who look at a demonstration.
enum AlbumDemo {
  private static let name = "Summer party"
  private static let guests = ["Ada", "Ben", "Cleo"]
  private static let pictures = 9

  /// Makes an owner a host of the demonstration's album, which was made before there were people.
  static func welcome(_ person: Int, _ role: Role, in change: Change) throws {
    let database = change.database
    guard role == .owner, try database.isDemo() == true,
      let album = try database.albums().first(where: { $0.person == nil && $0.name == name }),
      try database.guest(person: person, of: album.id) == nil
    else { return }
    let host = Guest(
      album: album.id, address: AlbumSecret.id(), person: person, name: try database.personName(person), role: .host,
      state: .in, joinedAt: change.now)
    _ = try database.add(host)
  }

  /// Does nothing if there is an album.
  static func fill(_ hub: Hub) async throws {
    let isThere = try await hub.store.read { database throws(StoreError) in try database.albumCount() > 0 }
    guard !isThere else { return }
    var paintings: [(Blob, UInt32, Int)] = []
    for number in 0..<pictures {
      let bytes = DemoPainting.png(number)
      let upload = hub.store.blobs.upload(limit: bytes.count)
      try await upload.append(bytes)
      paintings.append((try await upload.finish(), DemoPainting.crc32(bytes), bytes.count))
    }
    let (kept, quota) = (paintings, AlbumQuota(hub))
    try await hub.commit(as: .commandLine) { change in
      let album = try AlbumChange.make(name, AlbumOptions(mode: .open), in: change).album
      var keys: [Int] = []
      for name in guests {
        keys.append(try AlbumChange.join(album, nil, name: name, in: change).guest.id)
      }
      for (number, (blob, crc, size)) in kept.enumerated() {
        let new = NewPicture(
          album: album.id, guest: keys[number % keys.count], blob: blob, crc32: crc, size: size,
          name: "IMG_\(1001 + number).png", type: "image/png")
        _ = try AlbumChange.add(new, quota: quota, in: change)
      }
    }
  }
}
