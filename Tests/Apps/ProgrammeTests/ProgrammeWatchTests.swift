import Client
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

/// Answers of the Google Calendar API, one after the other.
private final class Google: Sendable {
  private let left: Mutex<[String]>

  init(_ pages: [String]) { left = Mutex(pages) }

  func answer(_ writer: ScriptedServer.Writer) {
    let page = left.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    writer.write(
      "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(page.utf8.count)\r\n"
        + "Connection: close\r\n\r\n\(page)")
  }

  /// - Parameter token: the sync token with which later changes are asked for.
  static func page(_ titles: [String], token: String) -> String {
    let items = titles.map { title in
      #"{"id": "\#(title.lowercased())", "status": "confirmed", "summary": "\#(title)", "#
        + #""start": {"dateTime": "2026-11-25T19:00:00Z"}, "end": {"dateTime": "2026-11-25T21:00:00Z"}}"#
    }
    return #"{"summary": "Ours", "items": [\#(items.joined(separator: ", "))], "nextSyncToken": "\#(token)"}"#
  }
}

/// The copies of calendars in the store, in virtual time.
@Suite(.timeLimit(.minutes(1)))
struct ProgrammeWatchTests {
  private struct World {
    var test: TestHub
    var owner: String

    /// The titles of events that are used.
    func used() async throws -> Set<String> {
      Set(
        try await test.store.read { database throws(StoreError) in
          try database.rows("SELECT title FROM programme_known_events") { $0.text(0) }
        })
    }

    /// The stored copy, and when it was last confirmed.
    func stored() async throws -> (copy: String, goodAt: Int) {
      let found = try await test.store.read { database throws(StoreError) in
        try database.first("SELECT body, good_at FROM programme_calendars WHERE body IS NOT NULL") {
          (String(decoding: $0.blob(0), as: UTF8.self), $0.int(1))
        }
      }
      return found ?? ("", 0)
    }

    func look() async throws {
      _ = try await test.ask(.post, "/api/v1/space/calendars/refresh", token: owner, [:])
    }

    /// From now on no copy of a calendar can be stored.
    func fillDisk() async throws {
      try await test.store.write { database throws(StoreError) in
        try database.run(
          "CREATE TRIGGER full BEFORE UPDATE ON programme_calendars BEGIN SELECT RAISE(ABORT, 'the disk is full'); END")
      }
    }

    /// Copies can be stored again; looks at the calendar, a minute later.
    func lookWithRoom() async throws {
      try await test.store.write { database throws(StoreError) in try database.run("DROP TRIGGER full") }
      await test.settle()
      test.time.advance(by: 60)
      let now = Int(test.time.now)
      try await look()
      try await test.wait { try await stored().goodAt == now }
    }
  }

  /// A running hub with one calendar.
  private func start(
    _ calendar: String, url: String, options: [String: String] = [:], folder: TemporaryFolder = TemporaryFolder()
  ) async throws -> World {
    let test = try await TestHub(
      rooms: [SpaceRoom.self, ProgrammeRoom.self], options: options, folder: folder, addresses: .anywhere)
    try await test.store.write { database throws(StoreError) in
      try database.run("INSERT INTO programme_settings (id, calendars) VALUES (1, ?)", .text("[\(calendar)]"))
      try database.run("INSERT INTO programme_calendars (url) VALUES (?)", .text(url))
    }
    try await test.openRooms()
    test.hub.run()
    let world = World(test: test, owner: try await test.hub.tokens.replace(name: "owner", role: .owner))
    try await test.wait {
      let (used, copy) = (try await world.used(), try await world.stored().copy)
      return used == ["Soldering"] && copy.contains("Soldering")
    }
    await test.settle()
    return world
  }

  @Test func `a calendar that comes without events is taken at the second look, and not at one alone`() async throws {
    let folder = TemporaryFolder()
    let soldering = event("Soldering", "20261125T190000Z")
    try write([soldering], folder)
    let world = try await start(#"{"kind":"ics","url":"file:a.ics"}"#, url: "file:a.ics", folder: folder)
    func problem() async throws -> String? {
      try await world.test.store.read { database throws(StoreError) in
        try database.first("SELECT problem FROM programme_calendars", read: { $0.optionalText(0) }) ?? nil
      }
    }
    // Those that nobody can read are none, too.
    for events in [[], [event("Soldering", "soon")]] {
      try write(events, folder)
      try await world.look()
      try await world.test.wait { try await problem()?.contains("calendar-emptied") == true }
      let copy = try await world.stored().copy
      #expect(copy.contains("Soldering"))
      // A look in between that finds events begins anew.
      try write([soldering], folder)
      try await world.look()
      try await world.test.wait { try await problem() == nil }
    }
    try write([], folder)
    try await lookAtCalendars(world.test, owner: world.owner, isEmptied: true)
    try await world.test.wait { try await !world.stored().copy.contains("Soldering") }
    await world.test.end()
  }

  @Test func `a new copy of a file that could not be stored is stored by the next look`() async throws {
    let folder = TemporaryFolder()
    let soldering = event("Soldering", "20261125T190000Z")
    try write([soldering], folder)
    let world = try await start(#"{"kind":"ics","url":"file:a.ics"}"#, url: "file:a.ics", folder: folder)
    try await world.fillDisk()
    try write([soldering, event("Knitting", "20261126T190000Z")], folder)
    try await world.look()
    // It is used although it could not be stored.
    try await world.test.wait { try await world.used() == ["Soldering", "Knitting"] }
    let before = try await world.stored().copy
    #expect(!before.contains("Knitting"))
    try await world.lookWithRoom()
    let after = try await world.stored().copy
    #expect(after.contains("Knitting"))
    await world.test.end()
  }

  @Test func `changes since a copy that could not be stored are not applied to an older one`() async throws {
    let google = Google([
      Google.page(["Soldering"], token: "one"), Google.page(["Knitting"], token: "two"),
      Google.page(["Soldering", "Knitting", "Sewing"], token: "three"),
    ])
    let server = ScriptedServer { google.answer($0) }
    let world = try await start(
      #"{"kind":"google","id":"ours","key":"key"}"#, url: "google:ours",
      options: ["google_calendar_base": server.url])
    try await world.fillDisk()
    try await world.look()
    try await world.test.wait { try await world.used() == ["Soldering", "Knitting"] }
    try await world.lookWithRoom()
    #expect(server.asked.map { $0.contains("syncToken=") } == [false, true, false], "all of it is fetched anew")
    let copy = try await world.stored().copy
    #expect(copy.contains("Soldering") && copy.contains("Knitting") && copy.contains("Sewing"))
    try await world.test.wait { try await world.used() == ["Soldering", "Knitting", "Sewing"] }
    await world.test.end()
    server.stop()
  }
}
