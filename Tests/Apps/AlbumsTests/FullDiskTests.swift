import Glibc
import Hub
import HubWorld
import Imaging
import Server
import Store
import Testing
import Wire
import World

@testable import Albums

/// A disk without room while films are made.
@Suite(.timeLimit(.minutes(5)))
struct FullDiskTests {
  @Test func `a film whose conversion fails while the disk is full is not given up`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let address = try await world.send(album, ada, type: "video/mp4")
    let blob = try await world.blob([7])
    let picture = try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      let key = try change.database.album(address: album.id)?.id ?? 0
      let id = try change.database.picture(address: address, of: key)?.id ?? 0
      var made = MadePicture()
      made.kind = .video
      try AlbumChange.take(made, of: id, [(.small, "320", blob)], instead: [.small, .large], in: change)
      guard let picture = try change.database.picture(id) else { throw HTTPError.noSuchPicture }
      // So each try fails.
      try change.database.removeName(picture.original)
      return picture
    }
    let derivatives = Derivatives(world.hub)
    func isGivenUp() async throws -> Bool {
      for _ in 1...AlbumLimits.tries {
        try await derivatives.make(picture, both: false)
        world.time.advance(by: AlbumLimits.lastRetrySeconds)
      }
      return try await world.ask(.get, "/\(album.id)/pictures/\(address)", ada)["unplayable"] == true
    }
    // A file system without room.
    let blobs = "\(world.test.folder.path)/blobs"
    try #require(symlink("/proc", blobs) == 0)
    #expect(try await !isGivenUp())
    unlink(blobs)
    #expect(try await isGivenUp())
    await world.test.end()
  }
}
