import Albums
import Hub
import HubWorld
import Programme
import Server
import Space
import Store
import Testing
import Wire
import World

/// Events of a real calendar with albums, in virtual time. It is Friday, 2026-11-20, 18:40 UTC.
@Suite(.timeLimit(.minutes(1)))
struct EventAlbumTests {
  private struct World {
    let test: TestHub
    let owner: String
    let ada = Principal(person: 1, device: 1, name: "Ada", role: .member)

    var albums: any EventAlbums {
      get throws { try #require(test.hub.offers[.eventAlbums]) }
    }

    /// Seconds since 1970 of an hour of this Friday.
    func at(_ hours: Double) -> Double { 1_795_132_800 + hours * 3600 }

    /// The album of an event as Ada sees it.
    func album(_ event: String) async throws -> EventAlbum? {
      let (albums, now, series) = (try albums, test.time.now, event.contains("-") ? String(event.prefix(12)) : nil)
      return try await test.store.read { database throws(StoreError) in
        try albums.album(of: event, series: series, for: 1, now: now, in: database)
      }
    }

    /// Waits until the album of an event is as it should be.
    func wait(_ event: String, until isSo: (EventAlbum) -> Bool) async throws {
      try await test.wait { try await album(event).map(isSo) ?? false }
    }

    func pass(hours: Double) async {
      test.time.advance(by: hours * 3600)
      for _ in 0..<10 { await test.turn() }
    }
  }

  /// - Parameter others: files of further calendars, without events at first.
  private func start(
    _ events: [String], count: Int? = nil, others: [String] = [], rooms: [any Room.Type]? = nil
  ) async throws -> World {
    let folder = TemporaryFolder()
    try write(events, folder)
    for name in others { try write([], folder, to: name) }
    let urls = (["a.ics"] + others).map { "file:\($0)" }
    let list = JSON.array(urls.map { ["kind": "ics", "url": .string($0)] })
    let test = try await TestHub(rooms: rooms ?? [SpaceRoom.self, ProgrammeRoom.self, AlbumsRoom.self], folder: folder)
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO programme_settings (id, calendars) VALUES (1, ?)", .text(list.text))
      for url in urls { try database.run("INSERT INTO programme_calendars (url) VALUES (?)", .text(url)) }
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'member', 0)")
      try database.run(
        "INSERT INTO devices (id, person, name, digest, created_at, last_seen) VALUES (1, 1, 'phone', x'01', 0, 0)")
    }
    try await test.openRooms()
    test.hub.run([])
    let owner = try await test.hub.tokens.replace(name: "owner", role: .owner)
    let world = World(test: test, owner: owner)
    try await test.wait { try await known(world).count == count ?? events.count }
    return world
  }

  private func known(_ world: World) async throws -> [PlannedEvent] {
    try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT event, title, starts, ends FROM programme_known_events ORDER BY starts, event") {
        PlannedEvent(
          id: $0.text(0), title: $0.text(1), start: $0.int(2), end: $0.int(3),
          series: $0.text(0).utf8.count > 12 ? String($0.text(0).prefix(12)) : nil)
      }
    }
  }

  /// Writes the calendar anew, and has it read.
  private func change(_ world: World, _ events: [String]) async throws {
    try write(events, world.test.folder)
    try await lookAtCalendars(world.test, owner: world.owner, isEmptied: events.isEmpty)
  }

  private func make(_ world: World, _ event: PlannedEvent, everyTime: Bool = false) async throws {
    let albums = try world.albums
    try await world.test.hub.commit(as: world.ada) { change in
      try albums.make(for: event, isOpen: true, everyTime: everyTime, in: change)
    }
  }

  @Test func `an event's album is there before it begins, closes a day after its end, and stays`() async throws {
    let world = try await start([event("Soldering", "20261120T190000Z")])
    let soldering = try await known(world)[0]
    try await make(world, soldering)
    let album = try #require(try await world.album(soldering.id))
    #expect(album.name == "Soldering" && album.isOpen && !album.isClosed && !album.isForEveryTime)
    #expect(album.path.hasPrefix("/album#") && album.hostPath != nil, "who wished it is its host")
    #expect(album.closesAt == world.at(21 + 24))
    await world.pass(hours: 26.3)
    #expect(try await world.album(soldering.id)?.isClosed == false, "phones still send what is left")
    await world.pass(hours: 0.1)
    try await world.wait(soldering.id) { $0.isClosed && $0.path == album.path }
    await world.test.end()
  }

  @Test func `an album moves with its event, and takes its new name, unless a host has chosen another`() async throws {
    let world = try await start([event("Soldering", "20261125T190000Z"), event("Knitting", "20261126T190000Z")])
    let events = try await known(world)
    for event in events { try await make(world, event) }
    try await world.test.store.write { database throws(StoreError) in
      try database.run("UPDATE albums_albums SET name = 'Wool', closes_at = 1800000000 WHERE name = 'Knitting'")
    }
    try await change(
      world,
      [
        event("Soldering", "20261127T200000Z").replacing("SUMMARY:Soldering", with: "SUMMARY:Solder"),
        event("Knitting", "20261127T190000Z"),
      ])
    try await world.wait(events[0].id) { $0.name == "Solder" && $0.closesAt == world.at(7 * 24 + 22 + 24) }
    try await world.wait(events[1].id) { $0.name == "Wool" && $0.closesAt == 1_800_000_000 }
    await world.test.end()
  }

  @Test(arguments: [true, false])
  func `an event that falls out closes its album, which opens again with the same code`(isGone: Bool) async throws {
    let world = try await start([event("Soldering", "20261125T190000Z")])
    let soldering = try await known(world)[0]
    try await make(world, soldering)
    let path = try await world.album(soldering.id)?.path
    try await change(world, isGone ? [] : [event("Soldering", "20261125T190000Z", "STATUS:CANCELLED")])
    try await world.wait(soldering.id) { $0.isClosed }
    try await change(world, [event("Soldering", "20261125T190000Z")])
    try await world.wait(soldering.id) { !$0.isClosed && $0.path == path }
    await world.test.end()
  }

  @Test func `what has begun does not close its album by leaving the calendar`() async throws {
    let world = try await start([event("Soldering", "20261120T190000Z"), event("Knitting", "20261125T190000Z")])
    let events = try await known(world)
    for event in events { try await make(world, event) }
    await world.pass(hours: 1)
    try await change(world, [])
    try await world.wait(events[1].id) { $0.isClosed }
    #expect(try await world.album(events[0].id)?.isClosed == false)
    await world.test.end()
  }

  @Test func `each time of a recurring event has an album two weeks before, and one that was taken off stays off`()
    async throws
  {
    let world = try await start([event("Soldering", "20261125T190000Z", "RRULE:FREQ=WEEKLY;COUNT=4")], count: 4)
    let times = try await known(world)
    try await make(world, times[0], everyTime: true)
    try await change(
      world,
      [event("Soldering", "20261125T190000Z", "RRULE:FREQ=WEEKLY;COUNT=4"), event("Tea", "20261201T100000Z")])
    try await world.wait(times[1].id) { $0.name == "Soldering 2026-12-02" && $0.isForEveryTime && $0.hostPath != nil }
    let first = try await world.album(times[0].id)
    #expect(try await world.album(times[1].id)?.path != first?.path)
    #expect(try await world.album(times[2].id) == nil, "three weeks ahead")
    // A host deletes the second album: no other is made by itself. The third is made when it is near.
    try await world.test.store.write { database throws(StoreError) in
      try database.run("UPDATE albums_albums SET deleted_at = 1 WHERE name LIKE '%12-02'")
    }
    await world.pass(hours: 6 * 24)
    try await world.test.wait(passing: 3600) { try await world.album(times[2].id) != nil }
    #expect(try await world.album(times[1].id) == nil)
    let (albums, event) = (try world.albums, times[2])
    try await world.test.hub.commit(as: world.ada) { change in try albums.release(event, in: change) }
    await world.pass(hours: 8 * 24)
    for time in times[2...] { #expect(try await world.album(time.id) == nil) }
    await world.test.end()
  }

  @Test func `the closed albums of years leave room for those to come; open ones are a hundred at most`() async throws {
    let world = try await start([event("Soldering", "20261125T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2")], count: 2)
    let times = try await known(world)
    try await world.test.store.write { database throws(StoreError) in
      for number in 1...100 {
        try database.run(
          """
          INSERT INTO albums_albums (address, secret, secret_digest, name, mode, review, upload_only, shows_taken,
            plays_sound, person, created_at, closes_at) VALUES (?, ?, ?, 'Past', 'open', 0, 0, 0, 0, 1, 0, 1)
          """, .text("past\(number)"), .text("past\(number)"), .blob([UInt8(number)]))
      }
    }
    try await make(world, times[0], everyTime: true)
    try await change(
      world,
      [event("Soldering", "20261125T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2"), event("Tea", "20261201T100000Z")])
    try await world.wait(times[1].id) { $0.isForEveryTime }
    try await world.test.store.write { database throws(StoreError) in
      try database.run("UPDATE albums_albums SET closed_at = NULL, closes_at = NULL WHERE name = 'Past'")
    }
    let tea = try #require(try await known(world).first { $0.title == "Tea" })
    let refusal = await #expect(throws: HTTPError.self) { try await make(world, tea) }
    #expect(refusal?.code.rawValue == 40965)
    await world.test.end()
  }

  @Test func `a weekly event that moves as a whole keeps its albums`() async throws {
    let world = try await start([event("Soldering", "20261125T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2")], count: 2)
    let times = try await known(world)
    try await make(world, times[0])
    let path = try await world.album(times[0].id)?.path
    try await change(world, [event("Soldering", "20261125T200000Z", "RRULE:FREQ=WEEKLY;COUNT=2")])
    let moved = String(times[0].id.prefix(12)) + "-20261125T200000Z"
    try await world.wait(moved) { $0.path == path && $0.closesAt == world.at(5 * 24 + 22 + 24) }
    #expect(try await world.album(times[0].id) == nil)
    await world.test.end()
  }

  @Test func `an event that goes to another calendar keeps its album`() async throws {
    let soldering = event("Soldering", "20261125T190000Z")
    let world = try await start([soldering], others: ["b.ics"])
    let former = try await known(world)[0]
    try await make(world, former)
    let path = try await world.album(former.id)?.path
    try write([soldering], world.test.folder, to: "b.ics")
    try await change(world, [])
    try await world.test.wait { try await known(world).first?.id != former.id }
    let now = try #require(try await known(world).first)
    let album = try await world.album(now.id)
    #expect(album?.path == path && album?.isClosed == false)
    #expect(try await world.album(former.id) == nil)
    await world.test.end()
  }

  @Test func `without the room of albums nothing is offered`() async throws {
    let world = try await start([event("Soldering", "20261120T190000Z")], rooms: [SpaceRoom.self, ProgrammeRoom.self])
    let id = try await known(world)[0].id
    let answer = try await world.test.ask(.get, "/api/v1/space/events/\(id)/album", token: world.owner)
    guard case .bytes(let bytes) = answer.body else { return #expect(Bool(false)) }
    #expect(try JSON(parsing: String(decoding: bytes, as: UTF8.self)) == ["album": .null, "may_make": false])
    await world.test.end()
  }
}
