import Hub
import HubWorld
import Server
import Store
import Testing
import Wire
import World

@testable import Albums

/// Who comes in, and who stays out.
@Suite(.timeLimit(.minutes(5)))
struct JoinTests {
  @Test func `an open album lets in whoever has the link, and nobody by another secret`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    #expect(ada.hasPrefix("album_") && ada.utf8.count > 22)
    let me = try await world.ask(.get, "/\(album.id)", ada)
    #expect(me["me"]?["name"] == "Ada" && me["me"]?["role"] == "guest" && me["me"]?["state"] == "in")
    #expect(me["join_url"] == nil && me["counts"]?["waiting"] == .null)
    #expect(await world.refusal(.post, "/join", nil, ["secret": "2vQ8hQ0cJmC4mJ7v0cBq3n5tY6uP1wXz"]) == 40468)
    #expect(await world.refusal(.get, "/\(album.id)", "album_2vQ8hQ0cJmC4mJ7v0cBq3n5tY6uP1wXz") == 40166)
    #expect(await world.refusal(.get, "/\(album.id)", nil) == 40165)
    let other = try await world.make()
    #expect(await world.refusal(.get, "/\(other.id)", ada) == 40465)
    #expect(await world.refusal(.get, "/\(album.id)", world.owner) == 40465)
    await world.test.end()
  }

  @Test func `an album that has ended by itself is open again when its end is put off, one that was closed is not`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum([
      "name": "Party", "mode": "open", "closes_at": "2026-11-20T19:00:00Z",
    ])
    world.time.advance(by: 1_300)
    try await world.hub.store.write { database throws(StoreError) in
      try database.run("UPDATE albums_albums SET closed_at = closes_at")
    }
    let putOff: JSON = ["closes_at": "2026-11-20T23:00:00Z"]
    #expect(try await world.ask(.patch, "/\(album.id)", album.host, ["name": "Feast"])["state"] == "closed")
    #expect(try await world.ask(.patch, "/\(album.id)", album.host, putOff)["state"] == "open")
    try await world.ask(.patch, "/\(album.id)", album.host, ["closed": true])
    #expect(try await world.ask(.patch, "/\(album.id)", album.host, putOff)["state"] == "closed")
    await world.test.end()
  }

  @Test func `a link tells where it leads before one joins, and no more`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Wedding", "passphrase": "three dry oars"])
    let ask: JSON = ["secret": .string(album.secret)]
    #expect(
      try await world.ask(.post, "/look", nil, ask)
        == [
          "id": .string(album.id), "name": "Wedding", "mode": "family", "state": "open", "guests": 1,
          "passphrase": true, "upload_only": false,
        ])
    let other: JSON = ["closed": true, "mode": "open", "passphrase": .null, "upload_only": true]
    try await world.ask(.patch, "/\(album.id)", album.host, other)
    #expect(
      try await world.ask(.post, "/look", nil, ask)
        == [
          "id": .string(album.id), "name": "Wedding", "mode": "open", "state": "closed", "guests": 1,
          "passphrase": false, "upload_only": true,
        ])
    #expect(await world.refusal(.post, "/look", nil, ["secret": "2vQ8hQ0cJmC4mJ7v0cBq3n5tY6uP1wXz"]) == 40468)
    #expect(await world.refusal(.post, "/look", nil, ["secret": .string(album.id)]) == 40468, "an id is no secret")
    #expect(await world.refusal(.post, "/look", nil, [:]) == 40003)
    try await world.ask(.patch, "/\(album.id)", album.host, ["new_link": true])
    #expect(await world.refusal(.post, "/look", nil, ask) == 40468)
    await world.test.end()
  }

  @Test func `in a family album one waits for a host's yes, and sees nothing before`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Family"])
    let ben = try await world.join(album, "Ben")
    let details = try await world.ask(.get, "/\(album.id)", ben)
    #expect(details["me"]?["state"] == "asked" && details["counts"] == nil && details["live"] == nil)
    #expect(await world.refusal(.get, "/\(album.id)/pictures", ben) == 40367)
    #expect(await world.refusal(.get, "/\(album.id)/people", ben) == 40367)
    try await world.decide(album, "Ben", ["state": "in"])
    #expect(await world.refusal(.get, "/\(album.id)/pictures", ben) == nil)
    let cy = try await world.join(album, "Cy")
    await #expect(throws: HTTPError.self) { try await world.decide(album, "Cy", ["role": "host"]) }
    await #expect(throws: HTTPError.self) { try await world.decide(album, "Cy", [:]) }
    try await world.decide(album, "Cy", ["state": "refused"])
    #expect(await world.refusal(.get, "/\(album.id)", cy) == 41066)
    await world.test.end()
  }

  @Test func `a passphrase is asked for, checked, and not guessed`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum([
      "name": "Wedding", "mode": "open", "passphrase": "three dry oars",
    ])
    let secret = JSON.string(album.secret)
    #expect(await world.refusal(.post, "/join", nil, ["secret": secret]) == 40365)
    let right: JSON = ["secret": secret, "passphrase": "three dry oars"]
    #expect(await world.refusal(.post, "/join", nil, right) == nil)
    let wrong: JSON = ["secret": secret, "passphrase": "oars"]
    var guesses = 0
    while guesses < 60, await world.refusal(.post, "/join", nil, wrong) == 40366 { guesses += 1 }
    // A second passes with each.
    #expect((30...40).contains(guesses))
    #expect(await world.refusal(.post, "/join", nil, right) == 42965, "after so many guesses")
    let other = try await world.make(["name": "Other", "mode": "open", "passphrase": "oars"])
    let there: JSON = ["secret": .string(other.secret), "passphrase": "oars"]
    #expect(await world.refusal(.post, "/join", nil, there) == nil, "another album")
    world.time.advance(by: 60)
    #expect(await world.refusal(.post, "/join", nil, right) == nil)
    try await world.ask(.patch, "/\(album.id)", album.host, ["passphrase": nil])
    #expect(await world.refusal(.post, "/join", nil, ["secret": secret]) == nil)
    await world.test.end()
  }

  @Test func `a closed album lets nobody in, and shows its pictures to who is in`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let picture = try await world.send(album, ada)
    try await world.ask(.patch, "/\(album.id)", album.host, ["closed": true])
    #expect(await world.refusal(.post, "/join", nil, ["secret": .string(album.secret)]) == 41065)
    await #expect(throws: HTTPError.albumClosed) { try await world.send(album, ada) }
    #expect(try await world.seen(album, ada) == [picture])
    try await world.ask(.patch, "/\(album.id)", album.host, ["closed": false])
    try await world.send(album, ada)
    try await world.ask(.patch, "/\(album.id)", album.host, ["closes_at": "2026-11-20T20:00:00Z"])
    _ = try await world.join(album)
    world.time.advance(by: 7200)
    #expect(await world.refusal(.post, "/join", nil, ["secret": .string(album.secret)]) == 41065)
    #expect(try await world.ask(.get, "/\(album.id)", ada)["state"] == "closed")
    await world.test.end()
  }

  @Test func `a new link ends the old one, and whoever is in stays in`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let url = try await world.ask(.patch, "/\(album.id)", album.host, ["new_link": true])["join_url"]?.string ?? ""
    #expect(await world.refusal(.post, "/join", nil, ["secret": .string(album.secret)]) == 40468)
    let secret = String(url.split(separator: "#").last ?? "")
    #expect(await world.refusal(.post, "/join", nil, ["secret": .string(secret)]) == nil)
    #expect(await world.refusal(.get, "/\(album.id)/pictures", ada) == nil)
    await world.test.end()
  }

  @Test func `somebody who is removed or leaves is told so, and hosts make hosts`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    #expect(await world.refusal(.patch, "/\(album.id)", ada, ["name": "Mine"]) == 40368)
    try await world.decide(album, "Ada", ["role": "host"])
    #expect(await world.refusal(.patch, "/\(album.id)", ada, ["name": "Ours"]) == nil)
    try await world.decide(album, "Ben", ["name": "  Benedict "])
    let himself = try await world.ask(.get, "/\(album.id)", ben)["me"]
    #expect(himself?["name"] == "Benedict" && himself?["state"] == "in")
    for name: JSON in [.null, "", 7] {
      await #expect(throws: HTTPError.self) { try await world.decide(album, "Benedict", ["name": name]) }
    }
    try await world.decide(album, "Benedict", ["state": "removed"])
    #expect(await world.refusal(.get, "/\(album.id)", ben) == 41066)
    await #expect(throws: HTTPError.self) { try await world.send(album, ben) }
    #expect(await world.refusal(.delete, "/\(album.id)/me", album.host) == nil, "another host stays")
    #expect(await world.refusal(.delete, "/\(album.id)/me", ada) == 40968, "the last one")
    await world.test.end()
  }

  @Test func `a request to join that is repeated lets in one guest, and a key that others could have is refused`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let body: JSON = ["secret": .string(album.secret), "name": "Ada"]
    func join(_ key: String) async throws -> Response {
      try await world.test.ask(.post, "/api/v1/albums/join", token: "none", body, once: key)
    }
    let first = try await join("0e8ee2a5-4f3c-4ea6-9e3e-bd6b1cbd3a3f")
    let again = try await join("0e8ee2a5-4f3c-4ea6-9e3e-bd6b1cbd3a3f")
    guard case .bytes(let one) = first.body, case .bytes(let other) = again.body else {
      return #expect(Bool(false), "no answer")
    }
    #expect(one == other && again.fields.contains { $0.name == "Set-Cookie" })
    #expect(try await world.people(album).count == 2, "the host and Ada")
    await #expect(throws: HTTPError.self) { try await join("ada") }
    await world.test.end()
  }

  @Test func `owners may keep making albums to themselves`() async throws {
    let world = try await AlbumsWorld(options: ["albums_makers": "owners"])
    let member = try await world.hub.tokens.replace(name: "member", role: .member)
    #expect(await world.refusal(.post, "", member, ["name": "Party"]) == 40370)
    #expect(await world.refusal(.post, "", world.owner, ["name": "Party"]) == nil)
    let reader = try await world.hub.tokens.replace(name: "reader", role: .reader)
    #expect(await world.refusal(.post, "", reader, ["name": "Party"]) == 40301)
    await world.test.end()
  }
}
