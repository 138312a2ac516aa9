import Crypto
import Hub
import HubWorld
import Imaging
import Server
import Store
import Synchronization
import Testing
import Wire
import World

@testable import Albums

/// Collects what rings.
private final class Heard: OutboxReceiver {
  let name = "test"
  private let all = Mutex<[Bell]>([])
  var bells: [Bell] { all.withLock { $0 } }

  func receive(_ ring: Ring, in change: Change) throws {
    guard let bell = Bell(ring.content) else { return }
    change.then { [self] in all.withLock { $0.append(bell) } }
  }
}

/// What happens by itself, what rings, and what is made of pictures.
@Suite(.timeLimit(.minutes(5)))
struct WatchTests {
  /// Ada is an owner and Ben a member of the hub; both are in the album, she as its host.
  private func withMembers(_ world: AlbumsWorld, _ album: AlbumsWorld.Made) async throws {
    try await world.hub.store.write { database throws(StoreError) in
      let key = try database.album(address: album.id)?.id ?? 0
      for (id, name, role) in [(1, "Ada", Guest.Role.host), (2, "Ben", .guest)] {
        try database.run(
          "INSERT INTO people (id, name, role, created_at) VALUES (?, ?, 'member', 0)", .int(id), .text(name))
        let guest = Guest(
          album: key, address: RandomID.make(), person: id, name: name, role: role, state: .in, joinedAt: 0)
        let added = try database.add(guest)
        try database.add(tokenDigest: AlbumSecret.digest("album_\(name)"), to: added, on: nil, now: 0)
      }
    }
  }

  /// Nothing is to be made of what was sent, which is none of a camera's files: it stays of these kinds.
  private func settle(_ world: AlbumsWorld, as kinds: [String]) async throws {
    try await world.hub.store.write { database throws(StoreError) in
      for (index, kind) in kinds.enumerated() {
        try database.run("UPDATE albums_pictures SET kind = ?, wants = 0 WHERE id = ?", .text(kind), .int(index + 1))
      }
    }
  }

  @Test func `new pictures ring once for many, with the names of those who sent them, and not about one's own`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    try await withMembers(world, album)
    let (cy, dee) = (try await world.join(album, "Cy"), try await world.join(album, "Dee"))
    let heard = Heard()
    for _ in 0..<3 { try await world.send(album, cy) }
    try await world.send(album, dee)
    try await world.send(album, "album_Ben")
    let late = try await world.send(album, cy)
    try await world.ask(.patch, "/\(album.id)/pictures/\(late)", album.host, ["state": "hidden"])
    try await settle(world, as: Array(repeating: "photo", count: 6))
    world.hub.run([heard])
    try await world.test.wait { heard.bells.count == 2 }
    let (ada, ben) = (heard.bells[0], heard.bells[1])
    #expect(ada.to == [["person": "1"]] && ada.title.english == "5 new pictures from Cy, Dee and somebody else")
    #expect(ada.body?.english == "In “Wedding”" && ada.path == "/album#id=\(album.id)")
    #expect(ben.to == [["person": "2"]] && ben.title.german == "4 neue Bilder von Cy und Dee")
    #expect(ben.body?.german == "In „Wedding“" && ben.level == .passive)
    try await world.ask(.patch, "/\(album.id)/pictures/\(late)", album.host, ["state": "shown"])
    world.time.advance(by: AlbumLimits.gatherSeconds)
    for _ in 0..<5 { await world.test.turn() }
    #expect(heard.bells.count == 2, "the next ones are gathered")
    try await world.test.wait(passing: 60) { heard.bells.count == 4 }
    #expect(world.time.now >= AlbumsWorld.start + AlbumLimits.ringSeconds)
    #expect(heard.bells[2].title.english == "A new picture from Cy")
    await world.test.end()
  }

  @Test func `what a host shows later rings then; a live photo counts once, and a raw file not at all`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Wedding", "mode": "open", "review": true])
    try await withMembers(world, album)
    let cy = try await world.join(album, "Cy")
    let waiting = [
      try await world.send(album, cy, pair: "together"), try await world.send(album, cy),
      try await world.send(album, cy, type: "video/quicktime", pair: "together"),
    ]
    try await world.send(album, album.host)
    try await settle(world, as: ["photo", "raw", "video", "photo"])
    let heard = Heard()
    world.hub.run([heard])
    try await world.test.wait { heard.bells.count == 2 }
    #expect(heard.bells.allSatisfy { $0.title.english == "A new picture in “Wedding”" })
    for picture in waiting.prefix(2) {
      try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, ["state": "shown"])
    }
    try await world.test.wait(passing: 60) { heard.bells.count == 4 }
    #expect(heard.bells.suffix(2).allSatisfy { $0.title.english == "A new picture from Cy" })
    await world.test.end()
  }

  @Test(arguments: [
    ([nil], 1, "A new picture in “Wedding”", "Ein neues Bild in „Wedding“"),
    (["Ada", "Ben"], 12, "12 new pictures from Ada and Ben", "12 neue Bilder von Ada und Ben"),
    (["Ada", nil], 3, "3 new pictures from Ada and somebody else", "3 neue Bilder von Ada und noch jemandem"),
    (["Ada", nil, nil], 3, "3 new pictures from Ada and 2 others", "3 neue Bilder von Ada und 2 anderen"),
    (
      ["Ada", "Ben", "Cy", nil], 9, "9 new pictures from Ada, Ben and 2 others",
      "9 neue Bilder von Ada, Ben und 2 anderen"
    ),
  ])
  func `a ring says how many there are, and from whom`(
    names: [String?], count: Int, english: String, german: String
  ) {
    let album = Album(address: "", name: "Wedding", options: AlbumOptions(), secret: "", createdAt: 0)
    let bell = AlbumBell.pictures(count, from: names, in: album, to: [1])
    #expect(bell.title == Bell.Words(english, german: german))
    #expect(bell.body?.english == (names == [nil] ? nil : "In “Wedding”"))
  }

  @Test func `hosts hear of who asks, and a member that their picture is on the wall`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Family", "review": true])
    try await withMembers(world, album)
    let heard = Heard()
    world.hub.run([heard])
    _ = try await world.join(album, "Cy")
    try await world.test.wait { heard.bells.count == 1 }
    #expect(heard.bells[0].title.english == "Cy wants to join “Family”" && heard.bells[0].to == [["person": "1"]])
    _ = try await world.join(album, "Dee")
    _ = try await world.join(album, "Eve")
    for _ in 0..<5 { await world.test.turn() }
    #expect(heard.bells.count == 1, "not each rings")
    try await world.test.wait(passing: 30) { heard.bells.count == 2 }
    #expect(world.time.now >= AlbumsWorld.start + AlbumLimits.askedRingSeconds)
    #expect(heard.bells[1].title.english == "3 want to join “Family”")
    for isBox in [true, false] {
      try await world.ask(.patch, "/\(album.id)", album.host, ["upload_only": .bool(isBox)])
      let picture = try await world.send(album, "album_Ben")
      try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, ["state": "shown"])
      let isTold = { @Sendable () in heard.bells.contains { $0.title.german == "Dein Bild ist an der Wand" } }
      for _ in 0..<5 { await world.test.turn() }
      if isBox { #expect(!isTold(), "the others do not see it") } else { try await world.test.wait { isTold() } }
    }
    await world.test.end()
  }

  @Test func `an album closes at its end by itself`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum([
      "name": "Party", "mode": "open", "closes_at": "2026-11-20T19:00:00Z",
    ])
    world.hub.run()
    let closed = { @Sendable () async throws -> Double? in
      try await world.hub.store.read { database throws(StoreError) in
        try database.album(address: album.id)?.closedAt
      }
    }
    #expect(try await closed() == nil)
    try await world.test.wait(passing: 30) { try await closed() != nil }
    #expect(world.time.now >= AlbumsWorld.start + 1200)
    try await world.ask(.patch, "/\(album.id)", album.host, ["closed": false])
    #expect(try await world.ask(.get, "/\(album.id)", album.host)["state"] == "open")
    await world.test.end()
  }

  @Test func `of a person who is removed the pictures stay, without a name`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    try await withMembers(world, album)
    let picture = try await world.send(album, "album_Ben")
    try await world.hub.commit(as: .room("hub")) { change in
      try change.personLosesRights(2, isRemoved: true)
      try change.database.run("DELETE FROM people WHERE id = 2")
    }
    #expect(await world.refusal(.get, "/\(album.id)", "album_Ben") == 41066)
    let json = try await world.ask(.get, "/\(album.id)/pictures/\(picture)", album.host)
    #expect(json["by"]?["name"] == .null)
    await world.test.end()
  }

  @Test(arguments: [true, false])
  func `with its last host gone from the hub an album has another one, or owners are told`(isMemberIn: Bool)
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Family"])
    try await withMembers(world, album)
    let heard = Heard()
    world.hub.run([heard])
    try await world.hub.commit(as: .room("hub")) { change in
      // The host without an account, who has made it.
      try change.database.run("UPDATE albums_guests SET role = 'guest' WHERE person IS NULL")
      if !isMemberIn { try change.database.run("UPDATE albums_guests SET state = 'left' WHERE person = 2") }
      try change.database.run("UPDATE people SET role = 'owner' WHERE id = 2")
      try change.personLosesRights(1, isRemoved: true)
      try change.database.run("DELETE FROM people WHERE id = 1")
    }
    try await world.test.wait { heard.bells.count == 1 }
    #expect(heard.bells[0].to == [["person": "2"]])
    let title = isMemberIn ? "You are the host of “Family” now" : "“Family” has no host any more"
    #expect(heard.bells[0].title.english == title)
    if isMemberIn { #expect(try await world.ask(.get, "/\(album.id)", "album_Ben")["me"]?["role"] == "host") }
    await world.test.end()
  }

  @Test func `a member who is in an album keeps their name there when a wall of theirs joins`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    try await withMembers(world, album)
    func join(_ name: String?) async throws {
      let found = try await world.hub.store.read { database throws(StoreError) in
        try database.album(address: album.id)
      }
      let kept = try #require(found)
      _ = try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
        try AlbumChange.join(kept, Principal(person: 2, name: "Ben", role: .member), name: name, in: change)
      }
    }
    try await join("Wall")
    #expect(try await Set(world.people(album).keys).isSuperset(of: ["Ada", "Ben"]))
    #expect(try await world.people(album)["Wall"] == nil)
    // Who comes back says anew who they are.
    try await world.decide(album, "Ben", ["state": "removed"])
    try await join("Benjamin")
    #expect(try await world.people(album)["Benjamin"]?["joined_at"]?.string?.prefix(4) == "2026", "and asks anew")
    await world.test.end()
  }

  @Test func `whoever was removed is remembered for thirty days from then, and longer while a heart is theirs`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    try await withMembers(world, album)
    let cy = try await world.join(album, "Cy")
    let picture = try await world.send(album, album.host)
    try await world.ask(.put, "/\(album.id)/pictures/\(picture)/heart", cy)
    try await world.ask(.delete, "/\(album.id)/me", cy)
    // Ben has been in for years.
    try await world.decide(album, "Ben", ["state": "removed"])
    let isKnown = { @Sendable (token: String) async throws -> Bool in
      let digest = AlbumSecret.digest(token)
      return try await world.hub.store.read { database throws(StoreError) in
        try database.guest(tokenDigest: digest) != nil
      }
    }
    world.hub.run()
    world.time.advance(by: AlbumLimits.keptDays * 86_400 - 100)
    for _ in 0..<5 { await world.test.turn() }
    #expect(try await isKnown("album_Ben"))
    try await world.test.wait(passing: 30) { try await !isKnown("album_Ben") }
    #expect(try await isKnown(cy))
    #expect(try await world.ask(.get, "/\(album.id)/pictures/\(picture)", album.host)["hearts"] == 1)
    await world.test.end()
  }

  // MARK: What is made

  private func queue(_ world: AlbumsWorld, _ turns: Turns = Turns()) async throws -> [String] {
    let now = world.time.now
    return try await world.hub.store.read { database throws(StoreError) in
      try database.picturesToMake(limit: 10, looks: 1, videos: true, turns: turns, now: now).map {
        "\($0.stage) \($0.address)"
      }
    }
  }

  @Test func `albums and their guests take turns by the time spent on theirs, and short films come first`()
    async throws
  {
    let world = try await AlbumsWorld()
    let (album, other) = (try await world.make(), try await world.make())
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let cy = try await world.join(other, "Cy")
    var turns = Turns()
    func spend(_ seconds: Double, on address: String, in album: AlbumsWorld.Made) async throws {
      let picture = try await world.picture(address, in: album)
      turns.note(seconds, on: picture)
    }
    func film(_ seconds: Double, of guest: String, in album: AlbumsWorld.Made) async throws -> String {
      let address = try await world.send(album, guest, type: "video/mp4")
      var made = MadePicture()
      (made.kind, made.width, made.height, made.seconds) = (.video, 1920, 1080, seconds)
      let (id, video, blob) = (try await world.picture(address, in: album).id, made, try await world.blob([7]))
      try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
        try AlbumChange.take(video, of: id, [(.small, "320", blob)], instead: [.small, .large], in: change)
      }
      return address
    }
    _ = try await film(3_540, of: ada, in: album)
    let short = try await film(60, of: ada, in: album)
    let bens = try await film(300, of: ben, in: album)
    let cys = try await film(600, of: cy, in: other)
    #expect(try await queue(world, turns) == ["3 \(cys)"])
    try await spend(30, on: cys, in: other)
    #expect(try await queue(world, turns) == ["3 \(bens)"])
    try await spend(20, on: bens, in: album)
    #expect(try await queue(world, turns) == ["3 \(short)"])
    try await spend(20, on: short, in: album)
    #expect(try await queue(world, turns) == ["3 \(cys)"], "an album counts as a whole")
    let cysPicture = try await world.send(other, cy)
    let bensPicture = try await world.send(album, ben)
    let adas = try await world.send(album, ada)
    #expect(
      try await queue(world, turns) == ["1 \(adas)", "1 \(bensPicture)", "1 \(cysPicture)", "3 \(cys)"],
      "pictures do not pay for films")
    try await spend(500, on: adas, in: album)
    #expect(try await queue(world, turns) == ["1 \(cysPicture)", "1 \(bensPicture)", "1 \(adas)", "3 \(cys)"])
    turns.begin(try await world.picture(adas, in: album))
    let third = try await world.make()
    let late = try await world.send(third, try await world.join(third, "Dan"))
    try await spend(10, on: late, in: third)
    #expect(
      try await queue(world, turns)
        == ["1 \(cysPicture)", "1 \(adas)", "1 \(bensPicture)", "1 \(late)", "3 \(cys)"],
      "for turns that others had before a newcomer gets none")
    await world.test.end()
  }

  @Test func `the newest comes first, small sizes before large ones, and videos last`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let (one, two) = (try await world.send(album, ada), try await world.send(album, ada, preview: true))
    #expect(try await queue(world) == ["1 \(two)", "1 \(one)"])
    var made = MadePicture()
    (made.kind, made.width, made.height, made.placeholder, made.seconds) = (.video, 1920, 1080, [1], 4)
    let (id, video, blob) = (try await world.picture(two, in: album).id, made, try await world.blob([7]))
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(video, of: id, [(.small, "320", blob)], instead: [.small], in: change)
    }
    #expect(try await queue(world) == ["1 \(one)", "2 \(two)"])
    let large = try await world.blob([8])
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(video, of: id, [(.large, "1600", large)], instead: [.large], in: change)
    }
    #expect(try await queue(world) == ["1 \(one)", "3 \(two)"])
    let picture = try await world.picture(two, in: album)
    #expect(picture.state == "shown" && picture.kind == .video && !picture.has.contains(.preview))
    #expect(try await world.hub.store.blobs.content(of: Picture.blob("preview", two)) == nil)
    try await world.ask(.delete, "/\(album.id)/pictures/\(two)", ada)
    #expect(try await queue(world) == ["1 \(one)"], "what was removed is not made")
    await world.test.end()
  }

  @Test func `videos take one place beside the pictures, and what is put off none`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let one = try await world.send(album, ada)
    let old = try await world.send(album, ada, type: "video/mp4")
    let new = try await world.send(album, ada, type: "video/mp4")
    #expect(try await queue(world) == ["1 \(one)", "1 \(new)"])
    let (id, later) = (try await world.picture(new, in: album).id, world.time.now + AlbumLimits.retrySeconds)
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try change.database.putOff(id, until: later)
    }
    #expect(try await queue(world) == ["1 \(one)", "1 \(old)"])
    world.time.advance(by: AlbumLimits.retrySeconds)
    #expect(try await queue(world) == ["1 \(one)", "1 \(new)"])
    await world.test.end()
  }

  @Test func `while the program does not start no picture is given up`() async throws {
    let world = try await AlbumsWorld(options: ["albums_program": "/bin/false"])
    let album = try await world.make()
    let ada = try await world.join(album, "Ada")
    let address = try await world.send(album, ada)
    world.hub.run()
    for _ in 0..<40 {
      world.time.advance(by: AlbumLimits.retrySeconds)
      for _ in 0..<20 { await world.test.turn() }
    }
    #expect(try await world.ask(.get, "/\(album.id)/pictures/\(address)", ada)["state"] == "making")
    await world.test.end()
  }

  @Test func `a program that fails is asked again some times, and then the picture is told as failed`() async throws {
    let world = try await AlbumsWorld(options: ["albums_program": "/bin/false"])
    let album = try await world.make()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let address = try await world.send(album, ada)
    let id = try await world.picture(address, in: album).id
    for tries in 1...AlbumLimits.tries {
      #expect(try await queue(world).count == 1, "\(tries)")
      try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
        try AlbumChange.failed(id, because: nil, at: 1, in: change)
      }
      #expect(try await queue(world) == [])
      world.time.advance(by: tries == 1 ? AlbumLimits.retrySeconds : AlbumLimits.lastRetrySeconds)
    }
    #expect(try await queue(world) == [])
    let json = try await world.ask(.get, "/\(album.id)/pictures/\(address)", ada)
    #expect(json["state"] == "failed" && json["reason"] == "program-failed")
    #expect(try await world.seen(album, ben) == [])
    // It may have been killed: the next start of the hub tries such a picture anew, and no broken one.
    let broken = try await world.picture(try await world.send(album, ada), in: album).id
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.failed(broken, because: "not-a-picture", at: 1, in: change)
    }
    #expect(try await queue(world) == [])
    world.hub.run()
    try await world.test.wait { try await queue(world) == ["1 \(address)"] }
    await world.test.end()
  }

  @Test func `a size that is given up takes no try from the video`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let address = try await world.send(album, ada, type: "video/mp4")
    var made = MadePicture()
    made.kind = .video
    let (id, video, blob) = (try await world.picture(address, in: album).id, made, try await world.blob([7]))
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(video, of: id, [(.small, "320", blob)], instead: [.small], in: change)
      for stage in [Int](repeating: 2, count: AlbumLimits.tries) + [3] {
        try AlbumChange.failed(id, because: nil, at: stage, in: change)
      }
    }
    #expect(try await world.picture(address, in: album).wants == .video)
    await world.test.end()
  }

  @Test func `of a video that cannot be made to play it is said, and not before that is known`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let address = try await world.send(album, ada, type: "video/mp4")
    func isUnplayable() async throws -> Bool {
      try await world.ask(.get, "/\(album.id)/pictures/\(address)", ada)["unplayable"] == true
    }
    #expect(try await !isUnplayable())
    var made = MadePicture()
    (made.kind, made.width, made.height) = (.video, 1920, 1080)
    let (id, video, blob) = (try await world.picture(address, in: album).id, made, try await world.blob([7]))
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.take(video, of: id, [(.small, "320", blob)], instead: [.small, .large], in: change)
    }
    #expect(try await !isUnplayable())
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try AlbumChange.failed(id, because: "too-large", at: 3, in: change)
    }
    #expect(try await isUnplayable())
    await world.test.end()
  }

  @Test func `while the store of large files is away no picture is given up`() async throws {
    let bucket = AwayBucket()
    let world = try await AlbumsWorld(bucket: bucket)
    let album = try await world.make()
    let ada = try await world.join(album, "Ada")
    let address = try await world.send(album, ada, Digest.random(100_000))
    let (picture, derivatives) = (try await world.picture(address, in: album), Derivatives(world.hub))
    try bucket.goAway(from: world.test.folder)
    for _ in 0...AlbumLimits.tries {
      await #expect {
        try await derivatives.make(picture, both: true)
      } throws: {
        ($0 as? StoreError)?.code == .bucketAway
      }
      #expect(try await queue(world) == ["1 \(address)"])
      world.time.advance(by: AlbumLimits.retrySeconds)
    }
    #expect(try await world.ask(.get, "/\(album.id)/pictures/\(address)", ada)["state"] == "making")
    await world.test.end()
  }

  @Test func `of a raw file guests see nothing, and hosts its original`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let address = try await world.send(album, ada)
    let id = try await world.picture(address, in: album).id
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      var made = MadePicture()
      made.kind = .raw
      try AlbumChange.take(made, of: id, [], instead: [.small], in: change)
    }
    #expect(try await queue(world) == [])
    #expect(try await world.seen(album, ben) == [])
    let json = try await world.ask(.get, "/\(album.id)/pictures/\(address)", album.host)
    #expect(json["state"] == "shown" && json["kind"] == "raw" && json["original"] != nil)
    await world.test.end()
  }
}
