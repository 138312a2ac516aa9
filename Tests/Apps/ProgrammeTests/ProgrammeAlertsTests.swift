import Hub
import HubWorld
import Programme
import Server
import Space
import Store
import Synchronization
import Testing
import Wire
import World

/// Collects what rings.
private final class Heard: OutboxReceiver {
  let name = "test"
  private let bells = Mutex<[Bell]>([])
  var all: [Bell] { bells.withLock { $0 } }
  var titles: [String] { all.map(\.title.english) }

  func receive(_ ring: Ring, in change: Change) throws {
    guard let bell = Bell(ring.content) else { return }
    change.then { [self] in bells.withLock { $0.append(bell) } }
  }
}

/// The programme rings: a hub with a calendar of its own, in virtual time. It is Friday, 18:40 UTC.
@Suite(.timeLimit(.minutes(1)))
struct ProgrammeAlertsTests {
  private let heard = Heard()

  private struct World {
    var test: TestHub
    var owner: String
  }

  /// A running hub whose calendar has these events.
  /// - Parameters:
  ///   - count: how many these are with all occurrences.
  ///   - calendars: the files of all calendars.
  private func start(
    _ events: [String], count: Int? = nil, calendars: [String] = ["a.ics"],
    folder: TemporaryFolder = TemporaryFolder(), time: VirtualTime = VirtualTime()
  ) async throws -> World {
    let list = JSON.array(calendars.map { ["kind": "ics", "url": .string("file:\($0)")] })
    try write(events, folder)
    let test = try await TestHub(time: time, rooms: [SpaceRoom.self, ProgrammeRoom.self], folder: folder)
    try await test.store.write { database throws(StoreError) in
      guard try database.first("SELECT 1 FROM programme_settings", read: { _ in true }) == nil else { return }
      try database.run("INSERT INTO programme_settings (id, calendars) VALUES (1, ?)", .text(list.text))
      for name in calendars {
        try database.run("INSERT INTO programme_calendars (url) VALUES (?)", .text("file:\(name)"))
      }
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (1, 'Ada', 'member', 0)")
    }
    try await test.openRooms()
    test.hub.run([heard])
    let owner = try await test.hub.tokens.replace(name: "owner", role: .owner)
    let world = World(test: test, owner: owner)
    try await settled(world, count ?? events.count)
    return world
  }

  /// A hub of the same folder, after a time without one, once it has looked for what is due.
  private func startAgain(_ world: World, _ events: [String], after seconds: Double) async throws -> World {
    world.test.time.advance(by: seconds)
    let again = try await start(events, folder: world.test.folder, time: world.test.time)
    try await again.test.wait {
      try await again.test.store.read { database throws(StoreError) in
        try database.first("SELECT done FROM programme_rung", read: { $0.int(0) }) == Int(again.test.time.now)
      }
    }
    return again
  }

  private func known(_ world: World) async throws -> [String: String] {
    let rows = try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT title, event FROM programme_known_events") { ($0.text(0), $0.text(1)) }
    }
    return Dictionary(rows, uniquingKeysWith: { first, _ in first })
  }

  /// Waits until the events of the calendar are known.
  private func settled(_ world: World, _ count: Int) async throws {
    try await world.test.wait {
      try await world.test.store.read { database throws(StoreError) in
        try database.first("SELECT count(*) FROM programme_known_events", read: { $0.int(0) }) == count
      }
    }
  }

  /// Writes the calendar anew, and has it read.
  private func change(_ world: World, _ events: [String]) async throws {
    try write(events, world.test.folder)
    try await lookAtCalendars(world.test, owner: world.owner, isEmptied: events.isEmpty)
  }

  /// Has a person keep an event in sight: Ada, unless it is said.
  private func keep(_ title: String, _ world: World, person: Int = 1) async throws {
    let id = try #require(try await known(world)[title])
    try await world.test.store.write { database throws(StoreError) in
      try database.run(
        "INSERT INTO programme_favourites (person, event, kept, at) VALUES (?, ?, 1, 0)", .int(person), .text(id))
    }
  }

  private func hears(_ world: World, _ titles: [String]) async throws {
    try await world.test.wait { heard.all.count >= titles.count }
    for _ in 0..<5 { await world.test.turn() }
    #expect(heard.titles == titles)
  }

  @Test func `an event begins, and nothing rings twice over a restart`() async throws {
    let events = [event("Soldering", "20261120T190000Z"), event("Off", "20261120T190000Z", "STATUS:CANCELLED")]
    let world = try await start(events)
    world.test.time.advance(by: 1199)
    try await hears(world, [])
    world.test.time.advance(by: 1)
    try await hears(world, ["Soldering begins"])
    await world.test.end()
    let again = try await start(events, folder: world.test.folder, time: world.test.time)
    again.test.time.advance(by: 60)
    try await hears(again, ["Soldering begins"])
    await again.test.end()
  }

  @Test(arguments: [(1800.0, 1), (1801, 0)])
  func `what was missed for more than half an hour is dropped`(late: Double, count: Int) async throws {
    let events = [event("Soldering", "20261120T190000Z")]
    let world = try await start(events)
    await world.test.end()
    let again = try await startAgain(world, events, after: 1200 + late)
    try await hears(again, Array(repeating: "Soldering begins", count: count))
    await again.test.end()
  }

  /// It is due at 20:00, and the event begins at 21:00.
  @Test(arguments: [(8399.0, 1), (8400, 0)])
  func `a reminder that was due while the hub was off rings until the event begins`(
    off: Double, count: Int
  ) async throws {
    let events = [event("Soldering", "20261120T210000Z")]
    let world = try await start(events)
    try await keep("Soldering", world)
    await world.test.end()
    let again = try await startAgain(world, events, after: off)
    try await hears(again, [count == 1 ? "Soldering" : "Soldering begins"])
    await again.test.end()
  }

  @Test func `what moves and falls out rings at once, also for those who keep it in sight`() async throws {
    let world = try await start([event("Soldering", "20261125T190000Z"), event("Knitting", "20261126T190000Z")])
    try await keep("Soldering", world)
    try await change(world, [event("Soldering", "20261125T200000Z")])
    try await hears(world, ["Moved: Soldering", "Cancelled: Knitting"])
    #expect(heard.all[0].to.array?.last == ["person": "1"] && heard.all[1].to.array?.count == 2)
    #expect(heard.all[0].body?.english == "Now Wed 20:00 instead of Wed 19:00.")
    try await change(world, [event("Soldering", "20261125T200000Z"), event("Knitting", "20261126T190000Z")])
    try await hears(world, ["Moved: Soldering", "Cancelled: Knitting", "Takes place after all: Knitting"])
    await world.test.end()
  }

  @Test func `what is kept in sight is watched however far ahead, and told to those alone who keep it`() async throws {
    let world = try await start([event("Camp", "20261125T190000Z")])
    try await keep("Camp", world)
    let former = try await known(world)["Camp"]
    try await world.test.store.write { database throws(StoreError) in
      try database.run("DELETE FROM programme_known_events")
    }
    try await change(world, [event("Camp", "20270520T190000Z")])
    try await settled(world, 1)
    try await change(world, [event("Camp", "20270521T190000Z")])
    try await hears(world, ["Moved: Camp"])
    try await change(world, [event("Camp", "20270521T190000Z").replacing("UID:Camp", with: "UID:Another identifier")])
    try await world.test.wait { try await known(world)["Camp"] != former }
    try await change(world, [])
    try await hears(world, ["Moved: Camp", "Cancelled: Camp"])
    #expect(heard.all.allSatisfy { $0.to == [["person": "1"]] })
    await world.test.end()
  }

  @Test func `another place is told to those alone who keep an event in sight or open for it`() async throws {
    func evenings(_ more: String = "") -> [String] {
      ["Soldering", "Knitting"].map { event($0, "20261125T190000Z", more) }
    }
    let world = try await start(evenings())
    try await keep("Soldering", world)
    let soldering = try #require(try await known(world)["Soldering"])
    try await world.test.store.write { database throws(StoreError) in
      // Bo has no key any more.
      try database.run(
        "INSERT INTO people (id, name, role, created_at) VALUES (2, 'Kim', 'keykeeper', 0), (3, 'Bo', 'member', 0)")
      for person in 2...3 {
        try database.run(
          "INSERT INTO programme_openers (event, person, ends, at) VALUES (?, ?, 1796000000, 7)", .text(soldering),
          .int(person))
      }
    }
    try await change(world, evenings("LOCATION:Hall"))
    try await hears(world, ["Place changed: Soldering"])
    #expect(heard.all[0].to == [["person": "1"], ["person": "2"]])
    #expect(heard.all[0].body?.english == "Now Hall (Wed 19:00).")
    // They hear of another time, too, like those who subscribe to the programme.
    try await change(world, [event("Soldering", "20261125T200000Z"), event("Knitting", "20261125T190000Z")])
    try await hears(world, ["Place changed: Soldering", "Moved: Soldering"])
    #expect(heard.all[1].to.array?.count == 4 && heard.all[1].to.array?.last == ["person": "2"])
    await world.test.end()
  }

  @Test func `many other places at once are one list for each person, of their own events`() async throws {
    func evenings(_ more: String = "") -> [String] {
      (1...4).map { event("Evening \($0)", "2026112\($0)T190000Z", more) }
    }
    let world = try await start(evenings())
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Bo', 'member', 0)")
    }
    for number in 1...4 { try await keep("Evening \(number)", world) }
    try await keep("Evening 3", world, person: 2)
    try await change(world, evenings("LOCATION:Hall"))
    try await hears(world, ["Changes in the programme", "Place changed: Evening 3"])
    #expect(heard.all.map(\.to) == [[["person": "1"]], [["person": "2"]]])
    await world.test.end()
  }

  @Test func `what falls out of one calendar rings although another one was never read`() async throws {
    let world = try await start([event("Soldering", "20261120T190000Z")], calendars: ["a.ics", "missing.ics"])
    try await change(world, [])
    try await hears(world, ["Cancelled: Soldering"])
    // It does not begin either.
    world.test.time.advance(by: 1200)
    try await hears(world, ["Cancelled: Soldering"])
    await world.test.end()
  }

  @Test(arguments: [true, false])
  func `an event that goes to another calendar is not cancelled, and favourites and openers go with it`(
    isThereFirst: Bool
  ) async throws {
    let folder = TemporaryFolder()
    try write([], folder, to: "b.ics")
    let (soldering, knitting) = (event("Soldering", "20261125T190000Z"), event("Knitting", "20261126T190000Z"))
    let world = try await start([soldering, knitting], calendars: ["a.ics", "b.ics"], folder: folder)
    let former = try #require(try await known(world)["Soldering"])
    try await keep("Soldering", world)
    let calendar = try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Kim', 'keykeeper', 0)")
      try database.run(
        "INSERT INTO programme_openers (event, person, ends, at) VALUES (?, 2, 1796000000, 7)", .text(former))
      return try database.first("SELECT calendar FROM programme_known_events", read: { $0.text(0) }) ?? ""
    }
    func kept() async throws -> [String] {
      try await world.test.store.read { database throws(StoreError) in
        try database.rows("SELECT event FROM programme_favourites WHERE kept = 1") { $0.text(0) }
      }
    }
    try write([soldering], folder, to: "b.ics")
    if isThereFirst {
      try await change(world, [soldering, knitting])
      try await settled(world, 3)
    }
    // Only the calendar that it leaves is looked at.
    try write([knitting], folder)
    _ = try await world.test.ask(
      .post, "/api/v1/space/calendars/refresh", token: world.owner, ["calendar": .string(calendar)])
    try await world.test.wait { try await kept() != [former] }
    let now = try #require(try await known(world)["Soldering"])
    let offered = try #require(world.test.hub.offers[.plannedEvents])
    let (openers, fresh) = try await world.test.store.read { database throws(StoreError) in
      (
        try offered.openers(of: now, in: database),
        try database.first("SELECT count(*) FROM programme_known_events WHERE is_new = 1", read: { $0.int(0) })
      )
    }
    let ids = try await kept()
    #expect(now != former && ids == [now] && openers == [2])
    #expect(fresh == 0, "it is no news either")
    // What is in none of them is cancelled.
    try await change(world, [])
    try await hears(world, ["Cancelled: Knitting"])
    await world.test.end()
  }

  @Test func `calendars that name their events anew at each look do not lead to looks without end`() async throws {
    let folder = TemporaryFolder()
    try write([], folder, to: "b.ics")
    func evening(_ name: String) -> String { event(name, "20261125T190000Z") }
    let world = try await start([evening("One"), evening("Two")], calendars: ["a.ics", "b.ics"], folder: folder)
    let calendar = try await world.test.store.read { database throws(StoreError) in
      try database.first("SELECT calendar FROM programme_known_events", read: { $0.text(0) }) ?? ""
    }
    try await change(world, [evening("Two")])
    try await hears(world, ["Cancelled: One"])
    // The other one was looked at for that a moment ago, and so is not for this: it would have told of the second.
    try write([evening("Two")], folder, to: "b.ics")
    try write([], folder)
    try await lookAtCalendars(world.test, owner: world.owner, calendar, isEmptied: true)
    try await hears(world, ["Cancelled: One", "Cancelled: Two"])
    await world.test.end()
  }

  @Test func `what is new is told once although it goes to another calendar before`() async throws {
    let folder = TemporaryFolder()
    try write([], folder, to: "b.ics")
    let (soldering, sewing) = (event("Soldering", "20261125T190000Z"), event("Sewing", "20261127T190000Z"))
    let world = try await start([soldering], calendars: ["a.ics", "b.ics"], folder: folder)
    try await change(world, [soldering, sewing])
    try await settled(world, 2)
    let former = try await known(world)["Sewing"]
    try write([sewing], folder, to: "b.ics")
    try await change(world, [soldering])
    try await world.test.wait {
      let now = try await known(world)
      return now.count == 2 && now["Sewing"] != former
    }
    // 10:00 on the next day.
    world.test.time.advance(by: 15 * 3600 + 1200)
    // For the whole programme, and for the calendar.
    try await hears(world, ["New in the programme", "New in the programme"])
    #expect(heard.all.allSatisfy { $0.body?.english == "Fri 19:00 Sewing" })
    await world.test.end()
  }

  @Test func `many changes at once are one list`() async throws {
    let world = try await start((1...4).map { event("Evening \($0)", "2026112\($0)T190000Z") })
    try await keep("Evening 3", world)
    try await change(world, [])
    try await hears(world, ["Changes in the programme", "Cancelled: Evening 3"])
    #expect(heard.all[1].to == [["person": "1"]], "in a long list it might not be named")
    await world.test.end()
  }

  @Test func `what is new is gathered, and rings once, at its time`() async throws {
    let soldering = event("Soldering", "20261125T190000Z")
    let world = try await start([soldering])
    try await change(world, [soldering, event("Knitting", "20261126T180000Z")])
    try await settled(world, 2)
    let sewing = event("Sewing", "20261120T190000Z", "RRULE:FREQ=WEEKLY;COUNT=2")
    try await change(world, [soldering, event("Knitting", "20261126T190000Z"), sewing])
    try await settled(world, 4)
    #expect(heard.all.isEmpty, "nobody was told of the one that has moved")
    // 10:00 on the next day, and the day after.
    world.test.time.advance(by: 15 * 3600 + 1200)
    try await hears(world, ["New in the programme"])
    #expect(heard.all[0].body?.english == "Thu 19:00 Knitting\nFri 19:00 Sewing", "its first date is over")
    world.test.time.advance(by: 86_400)
    for _ in 0..<5 { await world.test.turn() }
    #expect(heard.all.count == 1)
    await world.test.end()
  }

  @Test(arguments: [0.0, 259_200])
  func `what is on tonight rings at its time, also if the clock was days ahead before`(ahead: Double) async throws {
    let events = [
      event("Soldering", "20261121T190000Z"), event("Late", "20261122T033000Z"), event("Brunch", "20261122T100000Z"),
      event("Camp", "20261127T190000Z"),
    ]
    let world = try await start(events, count: ahead > 0 ? 1 : 4, time: VirtualTime(1_795_200_000 + ahead))
    // It is set right; 10:00 and 16:00 on the next day.
    for (back, seconds) in [(ahead, 20.0), (0, 15 * 3600 + 1180), (0, 6 * 3600)] {
      await world.test.settle()
      world.test.time.setClock(by: -back)
      world.test.time.advance(by: seconds)
    }
    try await hears(world, ["Tonight"])
    #expect(heard.all[0].body?.english == "19:00 Soldering\nSun 03:30 Late")
    await world.test.end()
  }

  @Test func `an owner's time counts instead of the option's, from when it was chosen`() async throws {
    let world = try await start([event("Soldering", "20261121T190000Z")])
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO programme_ring_times (id, tonight) VALUES (1, '18:30')")
    }
    // 16:00 and 18:29 on the next day, and a minute later.
    for seconds in [21 * 3600 + 1200, 149 * 60] {
      world.test.time.advance(by: Double(seconds))
      for _ in 0..<5 { await world.test.turn() }
    }
    #expect(heard.all.isEmpty)
    world.test.time.advance(by: 60)
    try await hears(world, ["Tonight"])
    await world.test.end()
  }

  @Test func `a favourite reminds its person at the time that they chose, or an hour before`() async throws {
    let world = try await start([event("Soldering", "20261120T210000Z")])
    try await world.test.store.write { database throws(StoreError) in
      try database.run(
        """
        INSERT INTO people (id, name, role, created_at)
        VALUES (2, 'Bo', 'member', 0), (3, 'Cy', 'member', 0), (4, 'Di', 'member', 0)
        """)
      try database.run("INSERT INTO programme_reminders (person, minutes) VALUES (2, 120), (3, NULL), (4, 0)")
    }
    for person in 1...4 { try await keep("Soldering", world, person: person) }
    try await change(world, [event("Soldering", "20261120T210000Z", "LOCATION:Hall")])
    // Another place, and then 19:00, 20:00, 21:00.
    try await hears(world, ["Place changed: Soldering"])
    for (seconds, count) in [(1200.0, 2), (3600, 3), (3600, 5)] {
      try await world.test.wait {
        try await world.test.store.read { database throws(StoreError) in
          try database.first("SELECT location FROM programme_known_events", read: { $0.optionalText(0) }) == "Hall"
        }
      }
      for _ in 0..<20 { await world.test.turn() }
      world.test.time.advance(by: seconds)
      try await world.test.wait { heard.all.count >= count }
    }
    #expect(heard.titles.filter { $0 == "Soldering begins" }.count == 1)
    let reminded = heard.all.filter { $0.title.english == "Soldering" }
    #expect(reminded.map(\.to) == [["person": "2"], ["person": "1"], ["person": "4"]], "the last when it begins")
    await world.test.end()
  }

  @Test func `what takes whole days reminds in the morning, once, and not in the night before`() async throws {
    let camp = ["BEGIN:VEVENT", "UID:Camp", "DTSTAMP:20260101T000000Z", "DTSTART;VALUE=DATE:20261121", "SUMMARY:Camp"]
    let events = [(camp + ["END:VEVENT"]).joined(separator: "\r\n")]
    let world = try await start(events)
    try await keep("Camp", world)
    try await change(world, events + [event("Sewing", "20261127T190000Z")])
    try await settled(world, 2)
    // 23:00, 08:59, 09:00 and 09:30.
    for (seconds, count) in [(15_600.0, 0), (35_940, 0), (60, 1), (1800, 1)] {
      await world.test.settle()
      world.test.time.advance(by: seconds)
      await world.test.settle()
      try await hears(world, Array(repeating: "Camp", count: count))
    }
    #expect(heard.all[0].to == ["person": "1"])
    #expect(heard.all[0].body?.english == "You wanted to be reminded: today")
    await world.test.end()
  }

  @Test func `a weekly event moves as a whole, and so does the reminder of who keeps it in sight`() async throws {
    let world = try await start([event("Soldering", "20261120T210000Z", "RRULE:FREQ=WEEKLY;COUNT=3")], count: 3)
    let ids = try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT event FROM programme_known_events ORDER BY starts") { $0.text(0) }
    }
    try await world.test.store.write { database throws(StoreError) in
      try database.run(
        "INSERT INTO programme_favourites (person, event, kept, at) VALUES (1, ?, 1, 0)", .text(ids[0]))
    }
    try await change(world, [event("Soldering", "20261120T220000Z", "RRULE:FREQ=WEEKLY;COUNT=3")])
    try await hears(world, ["Moved: Soldering"])
    #expect(heard.all[0].body?.english == "Now 22:00 instead of 21:00. And 2 other dates.")
    #expect(heard.all[0].to.array?.last == ["person": "1"])
    let kept = try await world.test.store.read { database throws(StoreError) in
      try database.rows("SELECT event FROM programme_favourites WHERE kept = 1") { $0.text(0) }
    }
    #expect(kept == [String(ids[0].prefix(12)) + "-20261120T220000Z"])
    // An hour before, at 21:00.
    world.test.time.advance(by: 8400)
    try await hears(world, ["Moved: Soldering", "Soldering"])
    #expect(heard.all[1].to == ["person": "1"])
    await world.test.end()
  }

  @Test(arguments: ["RRULE:FREQ=WEEKLY;COUNT=3", ""])
  func `who opens for an event that has another identifier now still opens for it`(rule: String) async throws {
    let world = try await start([event("Soldering", "20261125T210000Z", rule)], count: rule.isEmpty ? 1 : 3)
    let former = try await world.test.store.read { database throws(StoreError) in
      try database.first("SELECT event FROM programme_known_events ORDER BY starts") { $0.text(0) } ?? ""
    }
    try await world.test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO people (id, name, role, created_at) VALUES (2, 'Kim', 'keykeeper', 0)")
      try database.run(
        "INSERT INTO programme_wanted (event, ends, asker) VALUES (?, 1796000000, 'person 1')", .text(former))
      try database.run(
        "INSERT INTO programme_openers (event, person, ends, at) VALUES (?, 2, 1796000000, 7)", .text(former))
    }
    // The series moves as a whole; the single event moves and becomes a weekly one.
    try await change(world, [event("Soldering", "20261125T220000Z", "RRULE:FREQ=WEEKLY;COUNT=3")])
    try await hears(world, ["Moved: Soldering"])
    let now = String(former.prefix(12)) + "-20261125T220000Z"
    let offered = try #require(world.test.hub.offers[.plannedEvents])
    let (before, after, kept) = try await world.test.store.read { database throws(StoreError) in
      (
        try offered.openers(of: former, in: database), try offered.openers(of: now, in: database),
        try database.rows(
          """
          SELECT w.event, w.ends, w.asker, o.ends, o.at
          FROM programme_wanted w JOIN programme_openers o ON o.event = w.event
          """
        ) { "\($0.text(0)) \($0.int(1)) \($0.text(2)) \($0.int(3)) \($0.int(4))" }
      )
    }
    #expect(before == [] && after == [2])
    // It ends at midnight.
    #expect(kept == ["\(now) 1795651200 person 1 1795651200 7"])
    let opens = try await world.test.ask(
      .get, "/api/v1/space/openers?from=2026-11-25&to=2026-11-26", token: world.owner)
    guard case .bytes(let bytes) = opens.body else { return #expect(Bool(false)) }
    #expect(
      try JSON(parsing: bytes)["openers"]?.array == [
        ["event": .string(now), "wanted": true, "people": [["name": "Kim", "me": false]]]
      ])
    await world.test.end()
  }
}
