import Hub
import HubWorld
import Imaging
import Server
import Store
import Testing
import Wire
import World

@testable import Albums

/// Pictures: who sees which, who does what with them, and what is kept.
@Suite(.timeLimit(.minutes(5)))
struct PictureTests {
  @Test func `a picture is there for all in the order of coming, and tells guests nothing but what they may know`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let first = try await world.send(album, ada, preview: true)
    let second = try await world.send(album, ben)
    #expect(try await world.seen(album, ben) == [first, second])
    #expect(try await world.seen(album, ben, "?after=\(first)") == [second])
    let json = try await world.ask(.get, "/\(album.id)/pictures?limit=1", ben)
    #expect(json["next"] == .string(first) && json["pictures"]?.array?.count == 1)
    let picture = try #require(json["pictures"]?.array?.first)
    #expect(picture["by"]?["name"] == "Ada" && picture["mine"] == false && picture["state"] == "making")
    #expect(picture["sizes"]?["preview"]?.string?.hasSuffix("/\(first)/preview") == true)
    for field in ["original", "name", "bytes", "taken"] { #expect(picture[field] == nil, "\(field)") }
    let own = try await world.ask(.get, "/\(album.id)/pictures/\(first)", ada)
    #expect(own["original"] != nil && own["name"] == "IMG_0001.jpg" && own["mine"] == true)
    try await world.ask(.patch, "/\(album.id)", album.host, ["shows_taken": true])
    #expect(try await world.ask(.get, "/\(album.id)/pictures/\(first)", ben)["taken"] == "2026-11-20T17:00:00")
    await world.test.end()
  }

  @Test func `hosts have pictures in the order of taking, also of phones with clocks off by years`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    var ids: [String] = []
    for taken in ["2026-11-20T18:10:00", "2006-01-01T00:00:12", nil, "2099-12-31T23:00:00", "2026-11-20T17:55:00"] {
      ids.append(try await world.send(album, ids.count == 1 ? ben : ada, taken: taken))
    }
    let byTaking = [1, 4, 0, 3, 2].map { ids[$0] }
    #expect(try await world.seen(album, album.host) == ids)
    #expect(try await world.seen(album, album.host, "?order=taken") == byTaking)
    #expect(try await world.seen(album, album.host, "?order=arrival") == ids)
    // In parts, by the id of the last one.
    var seen: [String] = []
    for _ in 0..<3 {
      let after = seen.last.map { "&after=\($0)" } ?? ""
      seen += try await world.seen(album, album.host, "?order=taken&limit=2\(after)")
    }
    #expect(seen == byTaking)
    #expect(await world.refusal(.get, "/\(album.id)/pictures?order=taken", ada) == 40368)
    #expect(await world.refusal(.get, "/\(album.id)/pictures?order=size", album.host) == 40004)
    try await world.ask(.patch, "/\(album.id)", album.host, ["shows_taken": true])
    #expect(try await world.seen(album, ada, "?order=taken&mine=1") == byTaking.filter { $0 != ids[1] })
    await world.test.end()
  }

  @Test(arguments: [
    ("2024-12-31T22:59:59.000000Z", "2024-12-31T23:59:59"), ("1904-01-01T00:00:00.000000Z", ""), ("soon", ""),
  ]) func `a film that tells a moment alone was taken then by the clocks of the place`(created: String, taken: String)
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let film = try await world.send(album, album.host, type: "video/mp4", taken: nil)
    try await world.hub.commit(as: .room(AlbumsRoom.id)) { change in
      try change.database.run("INSERT INTO hub_place (id, name, zone) VALUES (1, 'Nowhere', 'Europe/Berlin')")
      let key = try change.database.album(address: album.id)?.id ?? 0
      let id = try change.database.picture(address: film, of: key)?.id ?? 0
      var made = MadePicture()
      made.created = created
      try AlbumChange.take(made, of: id, [], instead: [.small], in: change)
    }
    let told = try await world.ask(.get, "/\(album.id)/pictures/\(film)", album.host)["taken"]
    #expect(told?.string ?? "" == taken)
    await world.test.end()
  }

  @Test func `whoever sent a picture is told how many are made before it`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let first = try await world.send(album, ada)
    let second = try await world.send(album, ben)
    func ahead(_ picture: String, _ token: String) async throws -> JSON? {
      try await world.ask(.get, "/\(album.id)/pictures/\(picture)", token)["ahead"]
    }
    // The newest are made first.
    #expect(try await ahead(first, ada) == 1)
    #expect(try await ahead(second, ben) == 0)
    #expect(try await ahead(second, ada) == nil)
    let list = try await world.ask(.get, "/\(album.id)/pictures", ada)["pictures"]?.array
    #expect(list?.map { $0["ahead"] } == [1, nil])
    await world.test.end()
  }

  @Test func `in an upload-only album guests see their own, and hosts all`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Box", "mode": "open", "upload_only": true])
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let (hers, his) = (try await world.send(album, ada), try await world.send(album, ben))
    #expect(try await world.seen(album, ada) == [hers])
    #expect(try await world.seen(album, album.host) == [hers, his])
    #expect(await world.refusal(.get, "/\(album.id)/pictures/\(his)", ada) == 40466)
    #expect(await world.refusal(.put, "/\(album.id)/pictures/\(his)/heart", ada) == 40466)
    #expect(await world.refusal(.get, "/\(album.id)/people", ada) == 40368)
    let details = try await world.ask(.get, "/\(album.id)", ada)
    #expect(details["live"]?["channel"] == .null && details["counts"]?["pictures"] == .null)
    let by = try await world.people(album)["Ben"]?["id"]?.string ?? ""
    #expect(try await world.seen(album, ada, "?by=\(by)") == [])
    await world.test.end()
  }

  @Test func `with a review a picture waits for a host, who shows or hides it`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum(["name": "Review", "mode": "open", "review": true])
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let picture = try await world.send(album, ada)
    #expect(try await world.seen(album, ben) == [])
    #expect(try await world.seen(album, ada) == [picture])
    #expect(try await world.seen(album, album.host, "?state=waiting") == [picture])
    #expect(await world.refusal(.get, "/\(album.id)/pictures?state=waiting", ada) == 40368)
    #expect(await world.refusal(.patch, "/\(album.id)/pictures/\(picture)", ada, ["state": "shown"]) == 40368)
    try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, ["state": "shown"])
    #expect(try await world.seen(album, ben) == [picture])
    try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, ["state": "hidden"])
    #expect(try await world.seen(album, ben) == [])
    #expect(try await world.seen(album, album.host, "?state=hidden") == [picture])
    #expect(try await world.ask(.get, "/\(album.id)", album.host)["counts"]?["hidden"] == 1)
    // Another host, whose page still has it among those that wait.
    let late: JSON = ["state": "shown", "was": "waiting"]
    #expect(try await world.ask(.patch, "/\(album.id)/pictures/\(picture)", album.host, late)["state"] == "hidden")
    await world.test.end()
  }

  @Test func `one withdraws one's own, a host removes any, and both come back for thirty days`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let picture = try await world.send(album, ada)
    let path = "/\(album.id)/pictures/\(picture)"
    #expect(await world.refusal(.delete, path, ben) == 40369)
    try await world.ask(.delete, path, ada)
    #expect(try await world.seen(album, ben) == [])
    #expect(try await world.seen(album, album.host, "?state=removed") == [])
    #expect(await world.refusal(.post, "\(path)/restore", album.host) == 40466, "it was her wish")
    #expect(try await world.seen(album, ada, "?state=removed") == [picture])
    try await world.ask(.post, "\(path)/restore", ada)
    #expect(try await world.seen(album, ben) == [picture])
    try await world.ask(.delete, path, album.host)
    #expect(await world.refusal(.post, "\(path)/restore", ada) == 40368)
    #expect(await world.refusal(.delete, path, ada) == 40466, "she could send it once more")
    #expect(try await world.seen(album, album.host, "?state=removed") == [picture])
    #expect(try await world.seen(album, ada, "?state=removed") == [picture])
    #expect(try await world.seen(album, ben, "?state=removed") == [], "somebody else's")
    let hers = try await world.people(album)["Ada"]?["id"]?.string ?? ""
    #expect(try await world.seen(album, ben, "?state=removed&by=\(hers)") == [])
    try await world.ask(.post, "\(path)/restore", album.host)
    #expect(await world.refusal(.post, "\(path)/restore", album.host) == 40969)
    for _ in 0..<2 { try await world.ask(.delete, "\(path)?for_good=false", album.host) }
    #expect(await world.refusal(.delete, "\(path)?for_good=False", album.host) == 40004, "as Python writes it")
    #expect(try await world.seen(album, album.host, "?state=removed") == [picture], "asked for twice")
    try await world.ask(.delete, path, album.host)
    #expect(await world.refusal(.post, "\(path)/restore", album.host) == 40466, "gone for good")
    let own = "/\(album.id)/pictures/\(try await world.send(album, ada))"
    for _ in 0..<2 { try await world.ask(.delete, "\(own)?for_good=false", ada) }
    #expect(await world.refusal(.delete, own, album.host) == 40466, "it is hers to delete")
    try await world.ask(.delete, own, ada)
    #expect(await world.refusal(.post, "\(own)/restore", ada) == 40466, "gone for good, too")
    #expect(try await world.hub.store.blobs.totals().count == 0)
    await world.test.end()
  }

  @Test func `all of somebody's pictures go at once: the only host's who wants to leave, none`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let host = try await world.send(album, album.host)
    let hers = [try await world.send(album, ada), try await world.send(album, ada)]
    let his = [try await world.send(album, ben), try await world.send(album, ben)]
    try await world.ask(.patch, "/\(album.id)/pictures/\(his[0])", album.host, ["state": "hidden"])
    #expect(await world.refusal(.delete, "/\(album.id)/me?withdraw=true", album.host) == 40968)
    #expect(try await world.seen(album, album.host).first == host)
    try await world.ask(.delete, "/\(album.id)/me?withdraw=true", ada)
    #expect(try await world.seen(album, album.host, "?state=removed") == [], "what she has withdrawn is hers alone")
    try await world.decide(album, "Ben", ["state": "removed"])
    try await world.decide(album, "Ben", ["pictures": "removed"])
    #expect(try await world.seen(album, album.host) == [host])
    #expect(try await world.seen(album, album.host, "?state=removed") == his)
    #expect(await world.refusal(.post, "/\(album.id)/pictures/\(hers[0])/restore", album.host) == 40466)
    await world.test.end()
  }

  @Test func `after thirty days a removed picture is gone with its files, a deleted album at once`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let kept = try await world.send(album, ada)
    let gone = try await world.send(album, ada, preview: true)
    try await world.ask(.delete, "/\(album.id)/pictures/\(gone)", ada)
    world.hub.run()
    world.time.advance(by: AlbumLimits.keptDays * 86_400 - 100)
    await world.test.turn()
    #expect(try await world.hub.store.blobs.totals().count == 3)
    try await world.test.wait(passing: 30) { try await world.hub.store.blobs.totals().count == 1 }
    #expect(world.time.now >= AlbumsWorld.start + AlbumLimits.keptDays * 86_400)
    #expect(try await world.seen(album, ada) == [kept])
    #expect(try await world.ask(.get, "/\(album.id)", ada)["quota"]?["mine"] == 32)
    try await world.ask(.delete, "/\(album.id)", album.host)
    #expect(await world.refusal(.get, "/\(album.id)", ada) == 40166)
    let deleted = world.time.now
    try await world.test.wait(passing: 30) { try await world.hub.store.blobs.totals().count == 0 }
    #expect(world.time.now <= deleted + 3600)
    await world.test.end()
  }

  @Test func `an original is downloaded under the name that it has in zips, whatever its sender calls it`() async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let ada = try await world.join(album, "Ada")
    let picture = try await world.send(album, ada, type: "image/jpeg")
    let answer = try await world.test.ask(
      .get, "/api/v1/albums/\(album.id)/pictures/\(picture)/original", token: album.host)
    #expect(
      answer.fields.first { $0.name == "Content-Disposition" }?.value
        == "attachment; filename=\"2026-11-20 17.00.00 Ada.jpg\"; filename*=UTF-8''2026-11-20%2017.00.00%20Ada.jpg")
    await world.test.end()
  }

  @Test func `the same bytes of one guest are one picture, of two guests two, and known is one's own alone`()
    async throws
  {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let bytes: [UInt8] = [1, 2, 3, 4]
    let first = try await world.send(album, ada, bytes)
    #expect(try await world.send(album, ada, bytes) == first)
    let digest = JSON.string("9f64a747e1b97f131fabb6b447296c9b6f0201e79fb3c5356e6c77e89b6a806a")
    let question: JSON = ["sha256": [digest]]
    #expect(try await world.ask(.post, "/\(album.id)/known", ben, question)["known"] == [:])
    #expect(
      try await world.ask(.post, "/\(album.id)/known", ada, question)["known"]?.members?.first?.value == .string(first))
    #expect(try await world.send(album, ben, bytes) != first)
    #expect(try await world.hub.store.blobs.totals().count == 1, "one content")
    #expect(await world.refusal(.post, "/\(album.id)/known", ada, ["sha256": ["abc"]]) == 40003)
    func isTaken() async -> Bool { (try? await world.send(album, ada, bytes)) == first }
    try await world.ask(.delete, "/\(album.id)/pictures/\(first)", ada)
    #expect(await isTaken(), "what one has withdrawn is wanted again")
    try await world.ask(.delete, "/\(album.id)/pictures/\(first)", album.host)
    #expect(await !isTaken(), "what a host has removed stays so, and that is said")
    await world.test.end()
  }

  @Test func `hearts count once for each, and are told to all`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    let picture = try await world.send(album, ada)
    let heart = "/\(album.id)/pictures/\(picture)/heart"
    try await world.ask(.put, heart, ada)
    #expect(try await world.ask(.put, heart, ada)["hearts"] == 1)
    #expect(try await world.ask(.put, heart, ben)["hearts"] == 2)
    #expect(try await world.ask(.delete, heart, ada)["hearts"] == 1)
    let json = try await world.ask(.get, "/\(album.id)/pictures/\(picture)", ben)
    #expect(json["hearts"] == 1 && json["hearted"] == true)
    await world.test.end()
  }

  @Test func `a quota is said clearly, for the guest and for the album`() async throws {
    let world = try await AlbumsWorld(
      options: ["albums_gigabytes": "0.000000150", "albums_guest_gigabytes": "0.000000100"])
    let album = try await world.make()
    let (ada, ben) = (try await world.join(album, "Ada"), try await world.join(album, "Ben"))
    func code(_ token: String, _ count: Int) async -> Int? {
      do {
        try await world.send(album, token, Array(repeating: UInt8(count), count: count))
        return nil
      } catch { return (error as? HTTPError)?.code.rawValue }
    }
    #expect(await code(ada, 90) == nil)
    #expect(await code(ada, 20) == 41366)
    #expect(await code(ben, 61) == 41365)
    #expect(await code(ben, 60) == nil)
    let storage = try await world.ask(.get, "/\(album.id)/storage", album.host)
    #expect(storage["bytes"] == 150 && storage["by"]?.array?.count == 2)
    #expect(await world.refusal(.get, "/\(album.id)/storage", ada) == 40368)
    await world.test.end()
  }

  @Test func `rings and tries go by the right time again after a clock that was months ahead`() async throws {
    let (world, album) = try await AlbumsWorld.withAlbum()
    let address = try await world.send(album, try await world.join(album, "Ada"))
    let (now, ahead) = (world.time.now, world.time.now + 9_000_000)
    try await world.hub.store.write { database throws(StoreError) in
      let key = try database.album(address: album.id)?.id ?? 0
      try database.putOff(try database.picture(address: address, of: key)?.id ?? 0, until: ahead)
      #expect(try database.mayRingAsked(key, now: ahead))
      try database.noteRung(key, now: ahead)
      try database.run("UPDATE albums_pictures SET kind = 'photo', rung = 0")
      let waiting = try database.picturesToMake(limit: 9, looks: 1, videos: true, turns: Turns(), now: now)
      #expect(waiting.map(\.address) == [address])
      #expect(try database.unrungPictures(now: now).map(\.count) == [1])
      #expect(try database.mayRingAsked(key, now: now))
      #expect(try !database.mayRingAsked(key, now: now))
    }
    await world.test.end()
  }

  @Test func `what is not looked into yet is found without a look at all pictures`() async throws {
    let world = try await AlbumsWorld()
    let plan = try await world.hub.store.read { database throws(StoreError) in
      try database.rows("EXPLAIN QUERY PLAN \(Database.firstUnread)", .double(0), .double(1)) { $0.text(3) }
    }
    #expect(plan.count == 1 && plan.first?.contains("USING INDEX albums_pictures_stage (stage=?)") == true, "\(plan)")
    await world.test.end()
  }
}
