import Hub
import HubWorld
import Imaging
import Testing
import Wire

@testable import Albums

/// A picture and its film that belong together.
struct LivePhotoTests {
  private static let identifier = "0F3C1B9A-0000-4000-8000-1234567890AB"
  private static let other = "0F3C1B9A-0000-4000-8000-1234567890AC"

  private let world: AlbumsWorld
  private let album: AlbumsWorld.Made
  private let ada: String

  init() async throws {
    world = try await AlbumsWorld()
    album = try await world.make()
    ada = try await world.join(album, "Ada")
  }

  private func pair(_ picture: String) async throws -> JSON? {
    try await world.ask(.get, "/\(album.id)/pictures/\(picture)", ada)["pair"]
  }

  /// The picture program has found an identifier in a file, or none.
  private func made(_ picture: String, _ identifier: String?) async throws {
    var made = MadePicture()
    (made.width, made.height, made.pair) = (40, 30, identifier)
    let (found, album) = (made, album)
    let blob = try await world.blob([1, 2])
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      let key = try change.database.album(address: album.id)?.id ?? 0
      let id = try change.database.picture(address: picture, of: key)?.id ?? 0
      try AlbumChange.take(found, of: id, [(.small, "320", blob)], instead: [.small], in: change)
    }
  }

  @Test func `a picture and a film that were chosen together are halves, two pictures are not`() async throws {
    let picture = try await world.send(album, ada, pair: "together")
    let second = try await world.send(album, ada, pair: "together")
    #expect(try await pair(picture) == nil)
    let film = try await world.send(album, ada, type: "video/quicktime", pair: "together")
    let (one, two) = (try await pair(picture), try await pair(film))
    #expect(one == .string(film) && two == .string(picture), "\(second)")
    await world.test.end()
  }

  @Test func `the files count more than the word, also where only one of them tells`() async throws {
    let picture = try await world.send(album, ada, pair: "together")
    let film = try await world.send(album, ada, type: "video/quicktime", pair: "together")
    try await made(film, nil)
    try await made(picture, Self.identifier)
    #expect(try await pair(film) == .string(picture))
    try await made(film, Self.other)
    #expect(try await pair(film) == nil, "two that only have the same name")
    #expect(try await pair(picture) == nil)
    await world.test.end()
  }

  @Test func `a film that comes after its photo was taken back, hidden or removed does not bring it back`()
    async throws
  {
    let taken = try await world.send(album, ada, pair: "one")
    try await world.ask(.delete, "/\(album.id)/pictures/\(taken)", ada)
    let film = try await world.send(album, ada, type: "video/quicktime", pair: "one")
    #expect(try await world.seen(album, album.host) == [])
    try await world.ask(.post, "/\(album.id)/pictures/\(taken)/restore", ada)
    #expect(try await world.seen(album, album.host) == [taken, film])
    let hidden = try await world.send(album, ada, pair: "two")
    try await world.ask(.patch, "/\(album.id)/pictures/\(hidden)", album.host, ["state": "hidden"])
    let second = try await world.send(album, ada, type: "video/quicktime", pair: "two")
    #expect(try await world.seen(album, album.host, "?state=hidden") == [hidden, second])
    let removed = try await world.send(album, ada)
    try await made(removed, Self.identifier)
    try await world.ask(.delete, "/\(album.id)/pictures/\(removed)", album.host)
    let third = try await world.send(album, ada, type: "video/quicktime")
    try await made(third, Self.identifier)
    let fast = try await world.send(album, ada, pair: "three")
    try await made(fast, Self.other)
    try await world.ask(.delete, "/\(album.id)/pictures/\(fast)", ada)
    let slow = try await world.send(album, ada, type: "video/quicktime", pair: "three")
    try await made(slow, Self.other)
    #expect(try await world.seen(album, album.host) == [taken, film])
    await world.test.end()
  }

  @Test func `a photo stays whose film was taken back before, and so does a film that was chosen by itself`()
    async throws
  {
    let film = try await world.send(album, ada, type: "video/quicktime", pair: "one")
    try await world.ask(.delete, "/\(album.id)/pictures/\(film)", ada)
    let photo = try await world.send(album, ada, pair: "one")
    let taken = try await world.send(album, ada)
    try await made(taken, Self.identifier)
    try await world.ask(.delete, "/\(album.id)/pictures/\(taken)", ada)
    let wanted = try await world.send(album, ada, type: "video/quicktime")
    try await made(wanted, Self.identifier)
    #expect(try await world.seen(album, ada) == [photo, wanted])
    await world.test.end()
  }

  @Test func `what is done to one half is done to both`() async throws {
    let picture = try await world.send(album, ada, pair: "together")
    let film = try await world.send(album, ada, type: "video/quicktime", pair: "together")
    let alone = try await world.send(album, ada)
    try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, ["state": "hidden"])
    #expect(try await world.seen(album, album.host) == [alone])
    try await world.ask(.patch, "/\(album.id)/pictures/\(film)", album.host, ["state": "shown"])
    #expect(try await world.seen(album, album.host) == [picture, film, alone])
    try await world.ask(.delete, "/\(album.id)/pictures/\(picture)", ada)
    #expect(try await world.seen(album, ada) == [alone])
    let removed = try await world.ask(.get, "/\(album.id)/pictures?state=removed", ada)["pictures"]?.array
    #expect(removed?.map { $0["pair"] } == [.string(film), .string(picture)])
    try await world.ask(.post, "/\(album.id)/pictures/\(film)/restore", ada)
    #expect(try await world.seen(album, ada) == [picture, film, alone])
    await world.test.end()
  }
}
