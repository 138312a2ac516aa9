import Crypto
import Galleries
import Hub
import HubWorld
import Imaging
import Server
import Store
import Testing
import Wire

@testable import Portfolio

/// The rules of a sync, beside those about loss.
@Suite(.timeLimit(.minutes(2)))
struct SyncTests {
  @Test func `a picture in two galleries is fetched once, and stays until it is in none`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["x", "a"]), ("B", ["b", "x"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 3)
    #expect(world.source.asked().files == ["a", "b", "x"])
    world.source.set { $0.galleries = [("A", ["a"]), ("B", ["b", "x"])] }
    #expect(try await world.synced(portfolio).gone == 0)
    #expect(try await world.shown(portfolio) == ["A": ["a"], "B": ["b", "x"]])
    world.source.set { $0.galleries = [("A", ["a"]), ("B", ["b"])] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 2)
    #expect(world.source.asked().files == [])
    await world.test.end()
  }

  @Test func `a folder that goes while its neighbours are read ends no sync`() async {
    let gone = SourceGallery(id: "renamed meanwhile", title: "Renamed")
    let reason = Reason(
      .folderAway, ["path": .text("/usr/renamed meanwhile"), "words": .text("No such file or directory")])
    await #expect(throws: SourceFault.broken(reason)) {
      try await FolderSource("/usr").pictures(of: gone) { _ in }
    }
  }

  @Test func `names have the order that people give them`() {
    let names = ["IMG 10", "IMG 9", "b", "img 2", "A"]
    #expect(names.sorted { NameOrder.key($0) < NameOrder.key($1) } == ["A", "b", "img 2", "IMG 9", "IMG 10"])
  }

  @Test func `a film has the time that it tells, by the clocks of the place`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    let taken = try await world.hub.commit(as: .commandLine) { change -> String? in
      let database = change.database
      try database.run("INSERT INTO hub_place (id, name, zone) VALUES (1, 'Nowhere', 'Europe/Berlin')")
      let gallery = try database.galleries(of: portfolio.id)[0]
      let picture = try database.portfolioPictures(in: gallery.id, after: 0, limit: 1)[0]
      var film = MadePicture()
      film.created = "2026-11-21T17:04:30.000000Z"
      let made = SyncChange.Made(digest: [], picture: film, blobs: [])
      _ = try SyncChange.take(made, of: picture, isTold: false, in: change)
      return try database.portfolioPicture(key: picture.id)?.source.taken
    }
    #expect(taken == "2026-11-21T18:04:30")
    await world.test.end()
  }

  @Test func `a gallery with the tag of its last complete list is not asked for, any other is`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a"]), ("B", ["b"])]))
    world.source.set { $0.tags = ["A": "1"] }
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    #expect(world.source.asked().galleries == ["A", "B"])
    #expect(try await world.synced(portfolio).gone == 0)
    #expect(world.source.asked().galleries == ["B"], "B has no tag")
    world.source.set { stage in
      (stage.tags, stage.galleries) = (["A": "2"], [("A", ["a", "c"]), ("B", ["b"])])
      stage.faults = ["A": .broken(Reason(.fileEmpty))]
    }
    _ = try await world.synced(portfolio)
    world.source.set { $0.faults = [:] }
    #expect(world.source.asked().galleries == ["A", "B"])
    #expect(try await world.synced(portfolio).photos == 3)
    #expect(world.source.asked().galleries == ["A", "B"], "the list before was not complete")
    _ = try await world.synced(portfolio)
    #expect(world.source.asked().galleries == ["B"])
    // One that could not be listed, and is as it was before: its notice goes.
    let notices: @Sendable (Database) throws(StoreError) -> Int = { database throws(StoreError) in
      try database.galleries(of: portfolio.id).count { $0.notice != nil }
    }
    world.source.set { stage in (stage.tags, stage.faults) = ([:], ["A": .broken(Reason(.fileEmpty))]) }
    _ = try await world.synced(portfolio)
    #expect(try await world.hub.store.read(notices) == 1)
    world.source.set { stage in (stage.tags, stage.faults) = (["A": "2"], [:]) }
    _ = try await world.synced(portfolio)
    #expect(try await world.hub.store.read(notices) == 0)
    await world.test.end()
  }

  @Test func `a new title of a picture changes all galleries that it is in, though one of them tells it first`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["x"]), ("B", ["x"]), ("C", ["c"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    let numbers: @Sendable (Database) throws(StoreError) -> [Int] = { database throws(StoreError) in
      try database.galleries(of: portfolio.id).map(\.changed)
    }
    let before = try await world.hub.store.read(numbers)
    world.source.set { $0.titles = ["x": "Low tide"] }
    _ = try await world.synced(portfolio)
    let now = try await world.hub.store.read(numbers)
    #expect(zip(now, before).map(>) == [true, true, false])
    await world.test.end()
  }

  @Test func `a favourite that goes changes the list of favourites, though its heart is the newest change`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "b"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    try await world.hub.commit(as: .commandLine) { change in
      let gallery = try change.database.galleries(of: portfolio.id)[0]
      let picture = try change.database.portfolioPictures(in: gallery.id, after: 0, limit: 1)[0]
      _ = try change.database.addFavourite(picture.id, of: portfolio.id, number: change.number)
      try change.database.noteFavouritesChanged(of: portfolio.id, number: change.number)
    }
    let changed: @Sendable (Database) throws(StoreError) -> Int? = { database throws(StoreError) in
      try database.favouritesChanged(of: portfolio.id)
    }
    let before = try #require(try await world.hub.store.read(changed))
    world.source.set { $0.galleries = [("A", ["b"])] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try #require(try await world.hub.store.read(changed)) > before)
    await world.test.end()
  }

  @Test func `a link keeps a picture whose gallery goes, once, while it is in another one`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "x"]), ("B", ["x"]), ("C", ["x"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    let sent = try await world.hub.commit(as: .commandLine) { change -> Int in
      let database = change.database
      let sent = try database.add(SentPortfolio(portfolio: portfolio.id, address: "link", title: "B and C"))
      let galleries = try database.galleries(of: portfolio.id).map(\.id)[1...]
      let picture = try database.portfolioPictures(in: galleries[1], after: 0, limit: 1)[0]
      try database.set(galleries.map { (gallery: $0, picture: picture) }, sent: sent)
      return sent
    }
    world.source.set { $0.galleries = [("A", ["a", "x"])] }
    #expect(try await world.synced(portfolio).gone == 0)
    let shown = try await world.hub.store.read { database throws(StoreError) in
      (try database.pictures(sent: sent).map(\.picture.source.id), try database.galleries(sent: sent).map(\.title))
    }
    #expect(shown.0 == ["x"] && shown.1 == ["Gallery A"])
    await world.test.end()
  }

  @Test func `a withdrawn link is forgotten after a month, with the names and remarks of its clients`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a"])]))
    let portfolio = try await world.make()
    try await world.hub.commit(as: .commandLine) { change in
      for (link, age) in [("older", SentLimits.keptSeconds + 9), ("newer", SentLimits.keptSeconds - 9)] {
        var sent = SentPortfolio(portfolio: portfolio.id, address: link, title: link)
        sent.id = try change.database.add(sent)
        sent.withdrawnAt = change.now - age
        try change.database.save(sent)
      }
    }
    _ = try await world.synced(portfolio)
    let left = try await world.hub.store.read { database throws(StoreError) in
      try database.sent(of: portfolio.id).map(\.title)
    }
    #expect(left == ["newer"])
    await world.test.end()
  }

  @Test func `another version is fetched again, and a file that cannot be had a few times`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "b"])]))
    world.source.set { $0.files = ["b": .gone] }
    let portfolio = try await world.make()
    for _ in 0...PortfolioLimits.tries {
      let report = try await world.synced(portfolio)
      #expect(report.photos == 1 && report.failed.map(\.title) == ["b"])
    }
    #expect(world.source.asked().files == ["a"] + Array(repeating: "b", count: PortfolioLimits.tries))
    world.source.set { stage in
      (stage.files, stage.galleries) = ([:], [("A", ["a@2", "b@2"])])
    }
    let report = try await world.synced(portfolio)
    #expect(report.changed == 1 && report.new == 1 && report.failed.isEmpty)
    await world.test.end()
  }

  @Test func `a file that an older version has not read for words is read at the next look that is asked for`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "b"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    _ = world.source.asked()
    try await world.hub.commit(as: .commandLine) { change in
      try change.database.run("UPDATE portfolio_pictures SET file_title = NULL WHERE source_id = 'a'")
    }
    #expect(try await world.synced(portfolio).changed == 0)
    try await world.hub.commit(as: .commandLine) { change in try change.database.forgetTries(of: portfolio) }
    #expect(try await world.shown(portfolio) == ["A": ["a", "b"]])
    #expect(try await world.synced(portfolio).changed == 1)
    #expect(world.source.asked().files == ["a"])
    await world.test.end()
  }

  @Test func `what was deleted while its source was asked gets nothing, nor does a later one get its pictures`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "b"])]))
    let portfolio = try await world.make()
    let hub = world.hub
    world.source.set { stage in
      stage.before = {
        // Completely, as the watch does it, and another takes its place.
        try? await hub.commit(as: .commandLine) { change in
          try PortfolioChange.delete(portfolio, in: change)
          _ = try change.database.picturesToForget(limit: 10)
          _ = try PortfolioChange.make(
            PortfolioChange.Wish(source: SourceName(.folder, "/other"), name: "Other"), in: change)
        }
      }
    }
    _ = try await world.sync(portfolio)
    #expect(try await world.number("SELECT count(*) FROM portfolio_portfolios") == 1)
    #expect(try await world.number("SELECT id FROM portfolio_portfolios") > portfolio.id)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 0)
    #expect(try await world.number("SELECT count(*) FROM portfolio_places") == 0)
    await world.test.end()
  }

  @Test func `of a person who was removed while the room was off nobody sees the portfolio, and it goes`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a", "b"])]))
    let portfolio = try await world.make(person: 1)
    let hub = world.hub
    #expect(try await world.synced(portfolio).photos == 2)
    let blob = try await hub.store.read { database throws(StoreError) -> BlobName in
      let gallery = try database.galleries(of: portfolio.id)[0]
      let picture = try database.portfolioPictures(in: gallery.id, after: 0, limit: 1)[0]
      return PortfolioPicture.blob("320", picture.address)
    }
    #expect(try await hub.store.blobs.content(of: blob) != nil)
    // The room is not told.
    try await hub.commit(as: .commandLine) { change in try change.database.run("DELETE FROM people WHERE id = 1") }
    let found = try #require(try await world.stored(portfolio))
    #expect(found.person == nil && !found.isOwners && !found.belongs(to: .commandLine))
    #expect(!found.belongs(to: Principal(person: 2, name: "Ben", role: .owner)))
    hub.run()
    try await world.test.wait(passing: 1) {
      try await world.number("SELECT count(*) FROM portfolio_portfolios") == 0
    }
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 0)
    #expect(try await hub.store.blobs.content(of: blob) == nil)
    await world.test.end()
  }

  @Test(arguments: [("localhost", true), ("127.1", false)])
  func `a WebDAV server whose name leads inside is tried again, a number that does is not`(
    host: String, isTriedAgain: Bool
  ) async throws {
    let world = try await PortfolioWorld()
    let client = WebDAVClient(world.hub.client, origin: "https://\(host):1", SourceCredentials())
    let fault = await #expect(throws: SourceFault.self) { try await client.entries(of: "/", user: nil) }
    switch fault {
    case .unreachable?: #expect(isTriedAgain)
    case .denied?: #expect(!isTriedAgain)
    default: Issue.record("\(String(describing: fault))")
    }
    await world.test.end()
  }

  @Test func `while the store of large files is away a sync waits, and no picture is given up`() async throws {
    let bucket = AwayBucket()
    let world = try await PortfolioWorld(bucket: bucket)
    let (hub, name) = (world.hub, PortfolioPicture.blob(PortfolioPicture.originalName, "a"))
    let fetching = PictureFetching(hub, PictureWorkshop(program: "/bin/false", loop: hub.loop, log: hub.log))
    let blob = try await fetching.blob(Digest.random(100_000))
    try await hub.store.write { database throws(StoreError) in try database.name(blob, as: name) }
    try bucket.goAway(from: world.test.folder)
    let later = SourceFault.later(seconds: nil, Reason(.hubFailed))
    await #expect(throws: later) { try await fetching.blob(Digest.random(100_000)) }
    await #expect(throws: later) {
      try await UploadsSource(hub).fetch(SourcePicture(id: "a", version: "1", file: "a"), into: ScriptedPictures.File())
    }
    let full = StoreError(.diskFull, "The disk is full", context: "test")
    let large = StoreError(.tooLarge, "It is too large", context: "test")
    #expect(SourceFault(full) == .noRoom && SourceFault(large) == nil)
    await world.test.end()
  }
}
