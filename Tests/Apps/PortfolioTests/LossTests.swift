import Galleries
import Hub
import HubWorld
import Store
import Testing
import Wire

@testable import Portfolio

/// Nothing goes by mistake.
@Suite(.timeLimit(.minutes(2)))
struct LossTests {
  private static func names(_ prefix: String, _ count: Int) -> [String] { PortfolioWorld.names(prefix, count) }

  private static let manyGone = "portfolio-many-gone"

  /// The code of the fault with which a sync stopped; nil if it did not.
  private func refusal(_ outcome: SyncRun.Outcome) -> String? {
    if case .stopped(let reason) = outcome { reason.code } else { nil }
  }

  @Test func `everything gone is not removed until its owner says so, which counts once`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a1", "a2"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).new == 2)
    world.source.set { $0.galleries = [("A", [])] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.shown(portfolio) == ["A": ["a1", "a2"]])
    world.source.set { $0.galleries = [] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 2)
    try await letGo(portfolio, world)
    let report = try await world.synced(portfolio)
    #expect(report.gone == 2 && report.photos == 0)
    #expect(try await world.stored(portfolio)?.mayLose == false)
    await world.test.end()
  }

  @Test func `what is replaced as a whole is asked about, though as much is new`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 30))]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 30)
    world.source.set { $0.galleries = [("B", Self.names("b", 40))] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.shown(portfolio)["A"]?.count == 30)
    await world.test.end()
  }

  @Test func `a folder and a file that have another name now keep their addresses`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["A/x@1", "A/y@2", "A/z@3"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 3)
    let addresses: @Sendable (Database) throws(StoreError) -> [String] = { database throws(StoreError) in
      let gallery = try database.galleries(of: portfolio.id)[0]
      return try [gallery.address] + database.portfolioPictures(in: gallery.id, after: 0, limit: 9).map(\.address)
    }
    let before = try await world.hub.store.read(addresses)
    world.source.set { $0.galleries = [("B", ["B/x@1", "B/y@2", "B/last@3"])] }
    let report = try await world.synced(portfolio)
    #expect(report.gone == 0 && report.new == 0)
    #expect(try await world.hub.store.read(addresses) == before)
    #expect(try await world.shown(portfolio) == ["B": ["B/last", "B/x", "B/y"]])
    await world.test.end()
  }

  @Test func `a folder with another name keeps its address, though one file was moved elsewhere`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["A/x@1", "A/y@2", "A/z@3"]), ("C", ["C/c@9"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 4)
    let address: @Sendable (Database) throws(StoreError) -> String? = { database throws(StoreError) in
      try database.galleries(of: portfolio.id).first { $0.sourceID != "C" }?.address
    }
    let before = try await world.hub.store.read(address)
    world.source.set { $0.galleries = [("B", ["B/x@1", "B/y@2"]), ("C", ["C/c@9", "C/z@3"])] }
    #expect(try await world.synced(portfolio).gone == 0)
    #expect(try await world.shown(portfolio) == ["B": ["B/x", "B/y"], "C": ["C/c", "C/z"]])
    #expect(try await world.hub.store.read(address) == before)
    await world.test.end()
  }

  @Test func `a file that was at two places while it was moved keeps its heart, and an older copy gets none`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["A/x@1=sea", "A/y@2"]), ("B", ["B/b@3"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 3)
    try await world.hub.commit(as: .commandLine) { change in
      let gallery = try change.database.galleries(of: portfolio.id)[0].id
      let picture = try change.database.portfolioPictures(in: gallery, after: 0, limit: 1)[0].id
      _ = try change.database.addFavourite(picture, of: portfolio.id, number: change.number)
      try change.database.noteFavouritesChanged(of: portfolio.id, number: change.number)
    }
    let hearts: @Sendable (Database) throws(StoreError) -> [String] = { database throws(StoreError) in
      try database.favourites(of: portfolio.id, after: 0, limit: 9).map(\.source.id)
    }
    world.source.set { $0.galleries = [("A", ["A/x@1=sea", "A/y@2"]), ("B", ["B/b@3", "B/x@4=sea"])] }
    #expect(try await world.synced(portfolio).new == 1)
    #expect(try await world.hub.store.read(hearts) == ["A/x"])
    world.source.set { $0.galleries = [("A", ["A/y@2"]), ("B", ["B/b@3", "B/x@4=sea", "B/copy@5=sea"])] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.hub.store.read(hearts) == ["B/x"])
    for _ in 0..<3 { _ = try await world.synced(portfolio) }
    world.source.set { $0.galleries = [("A", ["A/y@2"]), ("B", ["B/b@3", "B/copy@5=sea"])] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.hub.store.read(hearts) == [])
    await world.test.end()
  }

  @Test func `small galleries that are emptied together, as of a disk that is away, are not removed`() async throws {
    let world = try await PortfolioWorld(
      ScriptedSource([("A", Self.names("a", 60)), ("B", Self.names("b", 12)), ("C", Self.names("c", 12))]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 84)
    world.source.set { $0.galleries = [("A", Self.names("a", 60)), ("B", []), ("C", [])] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 84)
    await world.test.end()
  }

  @Test func `what goes is removed in several changes`() async throws {
    let names = Self.names("a", 2 * PortfolioLimits.removedAtOnce + 3)
    let world = try await PortfolioWorld(ScriptedSource([("A", names + ["last"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == names.count + 1)
    try await letGo(portfolio, world)
    world.source.set { $0.galleries = [("A", ["last"])] }
    let before = world.hub.commits.number
    #expect(try await world.synced(portfolio).gone == names.count)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == 1)
    // Four to look, one for what is missing, three for what goes, and the end.
    #expect(world.hub.commits.number >= before + 8)
    await world.test.end()
  }

  @Test func `where none is missing, those who wait to write do not wait for a look at all pictures`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 3))]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 3)
    for isWhole in [true, false] {
      let loss = try await world.hub.commit(as: .commandLine) { change in
        try change.database.run("DELETE FROM portfolio_places WHERE picture = 1")
        let run = try change.database.number("SELECT run FROM portfolio_portfolios")
        return try SyncChange.removeMissing(of: portfolio.id, run: run, isWhole: isWhole, in: change)
      }
      #expect(loss.gone == (isWhole ? [] : [1]))
    }
    await world.test.end()
  }

  @Test func `what a hub that ended meanwhile has left of it goes without another word`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 30) + ["last"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 31)
    world.source.set { $0.galleries = [("A", ["last"])] }
    // As after the first change of those that remove.
    try await world.hub.store.write { database throws(StoreError) in
      try database.run(
        """
        DELETE FROM portfolio_places
        WHERE picture IN (SELECT id FROM portfolio_pictures WHERE source_id <> 'last')
        """)
    }
    #expect(try await world.synced(portfolio).gone == 30)
    #expect(try await world.shown(portfolio) == ["A": ["last"]])
    await world.test.end()
  }

  /// Its owner says that many may go.
  private func letGo(_ portfolio: Portfolio, _ world: PortfolioWorld) async throws {
    try await world.hub.commit(as: .commandLine) { change in
      guard var known = try change.database.portfolio(key: portfolio.id) else { return }
      known.mayLose = true
      try change.database.save(known)
    }
  }

  @Test func `the word that many may go counts for these alone, also where the sync stops after them`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 30))]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 30)
    try await letGo(portfolio, world)
    world.source.set { stage in
      stage.galleries = [("A", ["a1", "new"])]
      stage.files = ["new": .denied(Reason(.fileEmpty))]
    }
    #expect(refusal(try await world.sync(portfolio)) == Reason(.fileEmpty).code)
    #expect(try await world.shown(portfolio) == ["A": ["a1"]])
    world.source.set { stage in (stage.galleries, stage.files) = ([], [:]) }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.shown(portfolio) == ["A": ["a1", "new"]])
    await world.test.end()
  }

  @Test func `the word that many may go is for one look, also one that found the source away`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 3))]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 3)
    try await letGo(portfolio, world)
    world.source.set { $0.fault = .unreachable(Reason(.fileEmpty)) }
    _ = try await world.sync(portfolio)
    world.source.set { stage in (stage.galleries, stage.fault) = ([("A", [])], nil) }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.shown(portfolio)["A"]?.count == 3)
    await world.test.end()
  }

  @Test func `what is missing stays for its owner alone until they say whether it goes`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a1", "a2"]), ("B", ["a1"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    let (gallery, pictures) = try await world.hub.store.read { database throws(StoreError) in
      let gallery = try database.galleries(of: portfolio.id)[0].id
      return (gallery, try database.portfolioPictures(in: gallery, after: 0, limit: 2))
    }
    let frame = Share(address: "frame", portfolio: portfolio.id, picture: nil, gallery: gallery)
    let shares = pictures.map { Share(address: "one", portfolio: portfolio.id, picture: $0.id, gallery: nil) }
    /// The pictures in the frame, those that are found by it, and those that have pages of their own.
    let seen: @Sendable (Database) throws(StoreError) -> [Int] = { database throws(StoreError) in
      var (inFrame, alone) = (0, 0)
      for (picture, share) in zip(pictures, shares) {
        if try database.picture(picture.address, of: frame) != nil { inFrame += 1 }
        if try database.picture(picture.address, of: share) != nil { alone += 1 }
      }
      return [try database.publicPictures(in: gallery, from: 0, limit: 9).count, inFrame, alone]
    }
    #expect(try await world.hub.store.read(seen) == [2, 2, 2])
    world.source.set { $0.galleries = [("A", []), ("B", [])] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await world.hub.store.read(seen) == [0, 0, 0])
    #expect(try await world.shown(portfolio) == ["A": ["a1", "a2"], "B": ["a1"]])
    world.source.set { $0.galleries = [("A", []), ("B", ["a1"])] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.hub.store.read(seen) == [0, 0, 1], "it is in another gallery")
    await world.test.end()
  }

  @Test func `a gallery that its source lists no more is on no public page, and comes back with it`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 25))]))
    world.source.set { $0.tags = ["A": "the same"] }
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 25)
    let (gallery, pictures) = try await world.hub.store.read { database throws(StoreError) in
      let gallery = try database.galleries(of: portfolio.id)[0].id
      return (gallery, try database.portfolioPictures(in: gallery, after: 0, limit: 1))
    }
    let picture = try #require(pictures.first)
    let frame = Share(address: "frame", portfolio: portfolio.id, picture: nil, gallery: gallery)
    let page = Share(address: "page", portfolio: portfolio.id, picture: picture.id, gallery: nil)
    func seen() async throws -> [Int] {
      try await world.hub.store.read { database throws(StoreError) in
        [
          try database.publicPictures(in: gallery, from: 0, limit: 9).count,
          try database.picture(picture.address, of: frame) == nil ? 0 : 1,
          try database.picture(picture.address, of: page) == nil ? 0 : 1,
        ]
      }
    }
    #expect(try await seen() == [25, 1, 1])
    world.source.set { $0.galleries = [] }
    #expect(refusal(try await world.sync(portfolio)) == Self.manyGone)
    #expect(try await seen() == [0, 0, 0])
    #expect(try await world.shown(portfolio)["A"]?.count == 25, "its owner has them until they say that they may go")
    world.source.set { $0.galleries = [("A", Self.names("a", 25))] }
    #expect(try await world.synced(portfolio).gone == 0)
    #expect(try await seen() == [25, 1, 1])
    await world.test.end()
  }

  @Test func `a picture that is away at one look keeps its heart, and is looked for again soon`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a1", "a2"]), ("B", ["b1", "b2"])]))
    let portfolio = try await world.make()
    _ = try await world.synced(portfolio)
    let address: @Sendable (Database) throws(StoreError) -> [String] = { database throws(StoreError) in
      try database.galleries(of: portfolio.id).map(\.address)
        + database.rows("SELECT address FROM portfolio_pictures ORDER BY id") { $0.text(0) }
    }
    let before = try await world.hub.store.read(address)
    world.source.set { $0.galleries = [("A", ["a1"])] }
    let report = try await world.looked(portfolio)
    #expect(report.gone == 0 && report.missing == 3)
    #expect(try await world.stored(portfolio)?.nextAt == PortfolioWorld.start + PortfolioLimits.againSeconds)
    world.source.set { $0.galleries = [("A", ["a1", "a2@2"]), ("B", ["b1", "b2"])] }
    let second = try await world.looked(portfolio)
    #expect(second.missing == 0 && second.new == 0 && second.changed == 1)
    #expect(try await world.hub.store.read(address) == before)
    #expect(try await world.stored(portfolio)?.nextAt == PortfolioWorld.start + PortfolioLimits.lookSeconds)
    // Once it was there again, one more look that misses it is the first.
    world.source.set { $0.galleries = [("A", ["a1"]), ("B", ["b1", "b2"])] }
    _ = try await world.sync(portfolio)
    #expect(try await world.shown(portfolio)["A"] == ["a1", "a2"])
    _ = try await world.sync(portfolio)
    #expect(try await world.shown(portfolio)["A"] == ["a1"])
    await world.test.end()
  }

  @Test(arguments: [
    // Pictures of a large and a small gallery, and those that are left in each; true if the others go.
    (45, 0, 24, 0, true), (45, 0, 22, 0, false), (30, 0, 10, 0, true), (41, 0, 20, 0, false),
    // A whole gallery of more than 20 is as much as more than half.
    (100, 21, 100, 0, false), (100, 20, 100, 0, true), (100, 21, 100, 1, true),
  ])
  func `more than 20 and half, or than 20 of an emptied gallery, are not removed by themselves`(
    large: Int, small: Int, largeLeft: Int, smallLeft: Int, goes: Bool
  ) async throws {
    let source = ScriptedSource([("A", Self.names("a", large)), ("B", Self.names("b", small))])
    let world = try await PortfolioWorld(source)
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == large + small)
    world.source.set { $0.galleries = [("A", Self.names("a", largeLeft)), ("B", Self.names("b", smallLeft))] }
    let outcome = try await world.sync(portfolio)
    #expect(try await world.number("SELECT count(*) FROM portfolio_pictures") == large + small, "after the first look")
    _ = try await world.sync(portfolio)
    let left = try await world.number("SELECT count(*) FROM portfolio_pictures")
    #expect(refusal(outcome) == (goes ? nil : Self.manyGone))
    #expect(left == (goes ? largeLeft + smallLeft : large + small))
    await world.test.end()
  }

  @Test func `a fault in the middle of a gallery removes nothing of it, and the others are followed`() async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 25)), ("B", ["b1", "b2", "b3"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 28)
    world.source.set { stage in
      stage.galleries[1].pictures.removeLast()
      stage.faults["A"] = .broken(Reason(.fileEmpty))
    }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.shown(portfolio) == ["A": Self.names("a", 25).sorted(), "B": ["b1", "b2"]])
    await world.test.end()
  }

  @Test(arguments: [
    SourceFault.unreachable(Reason(.fileEmpty)), .later(seconds: 7, Reason(.fileEmpty)), .denied(Reason(.fileEmpty)),
  ])
  func `a source that breaks off, in its list or in a gallery, loses nothing, and the next look goes on`(
    fault: SourceFault
  ) async throws {
    let world = try await PortfolioWorld(ScriptedSource([("A", Self.names("a", 15)), ("B", ["b1", "b2"])]))
    let portfolio = try await world.make()
    #expect(try await world.synced(portfolio).photos == 17)
    world.source.set { stage in
      (stage.galleries, stage.fault) = ([], fault)
    }
    for _ in 0..<2 {
      let outcome = try await world.sync(portfolio)
      switch (outcome, fault) {
      case (.waiting(_, let seconds, _), .later): #expect(seconds == 7)
      case (.waiting(_, let seconds, _), .unreachable): #expect(seconds == PortfolioLimits.retrySeconds)
      case (.stopped, .denied): break
      default: Issue.record("\(outcome)")
      }
      #expect(try await world.shown(portfolio) == ["A": Self.names("a", 15).sorted(), "B": ["b1", "b2"]])
      // The second time in the middle of a gallery, with another one gone.
      world.source.set { stage in
        (stage.fault, stage.faults) = (nil, ["A": fault])
        stage.galleries = [("A", Self.names("a", 15)), ("B", ["b1"])]
      }
    }
    #expect(try await world.stored(portfolio)?.fault != nil)
    world.source.set { $0.faults = [:] }
    #expect(try await world.synced(portfolio).gone == 1)
    #expect(try await world.stored(portfolio)?.fault == nil)
    await world.test.end()
  }

  @Test func `a sync that another one has overtaken, as of a command at another machine, takes nothing away`()
    async throws
  {
    let world = try await PortfolioWorld(ScriptedSource([("A", ["a1", "a2"]), ("B", ["b1"])]))
    let portfolio = try await world.make()
    world.source.set { stage in
      stage.before = {
        world.source.set { $0.before = {} }
        _ = try? await world.sync(portfolio)
      }
    }
    let outcome = try await world.sync(portfolio)
    if case .busy = outcome {} else { Issue.record("\(outcome)") }
    #expect(try await world.shown(portfolio) == ["A": ["a1", "a2"], "B": ["b1"]])
    #expect(try await world.stored(portfolio)?.fault == nil)
    #expect(try await world.synced(portfolio).gone == 0)
    await world.test.end()
  }
}
