import Crypto
import Hub
import Server
import Store

/// An album for those who look at a demonstration.
enum AlbumDemo {
  private static let guests = ["Ada", "Ben", "Cleo"]
  private static let pictures = 9

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
      let album = try AlbumChange.make("Summer party", AlbumOptions(mode: .open), in: change).album
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
