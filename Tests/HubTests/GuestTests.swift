import Hub
import HubWorld
import Server
import Store
import Testing
import Wire

/// Guests: callers who come in by a room's own link and are not people of the hub.
@Suite(.timeLimit(.minutes(1)))
struct GuestTests {
  /// A room that lets guests in.
  struct Album: Room {
    static let see = Right("album.see", of: Set(Role.ofPeople), guests: true)
    static let tidy = Right("album.tidy", of: [.owner])
    static let plan = RoomPlan(
      id: "album", name: "Album", summary: "Pictures.",
      migrations: [
        Migration(
          room: "album", number: 1,
          sql: """
            CREATE TABLE album_guests (id INTEGER PRIMARY KEY);
            CREATE TABLE album_pictures (by TEXT NOT NULL)
            """)
      ], rights: [see, tidy])

    init(_ hub: Hub) async throws(StoreError) {}
    func addRoutes(to router: inout Router) {}
    func isCurrent(guest id: Int, in database: Database) throws(StoreError) -> Bool {
      try database.first("SELECT 1 FROM album_guests WHERE id = ?", .int(id)) { $0.int(0) } != nil
    }
  }

  static let kim = Principal.guest(7, of: "album", name: "Kim")

  func hub() async throws -> TestHub {
    let test = try await TestHub(rooms: [Album.self])
    try await test.openRooms()
    try await test.hub.commit(as: .room("album")) { change in
      try change.database.run("INSERT INTO album_guests (id) VALUES (7)")
    }
    return test
  }

  func addPicture(_ test: TestHub, as principal: Principal) async throws {
    try await test.hub.commit(as: principal) { change in
      try change.database.run("INSERT INTO album_pictures (by) VALUES (?)", .text(change.principal.name))
      try change.audit("picture.added")
    }
  }

  @Test func `a guest changes something, and it is written down who`() async throws {
    let test = try await hub()
    try await addPicture(test, as: Self.kim)
    try await addPicture(test, as: .room("album"))
    let token = try await test.hub.tokens.create(name: "owner", role: .owner)
    let answer = try await test.ask(.get, "/api/v1/audit", token: token)
    guard case .bytes(let bytes) = answer.body else { return #expect(Bool(false), "no answer") }
    let entries = try #require(try JSON(parsing: bytes)["entries"]?.array)
    let told = entries.map { [$0["by"], $0["who"], $0["what"]].map { $0?.string ?? "" }.joined(separator: " ") }
    #expect(told == ["command command line token.made", "room album picture.added", "guest Kim picture.added"])
    await test.end()
  }

  @Test func `a guest who was turned out, or whose room is not there, changes nothing`() async throws {
    let test = try await hub()
    try await test.hub.commit(as: .room("album")) { change in
      try change.database.run("DELETE FROM album_guests")
    }
    for guest in [Self.kim, .guest(7, of: "attic", name: "Kim"), .guest(8, of: "album", name: "Kim")] {
      await #expect(throws: HTTPError.self) { try await addPicture(test, as: guest) }
    }
    let count = try await test.store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM album_pictures") { $0.int(0) }
    }
    #expect(count == 0)
    await test.end()
  }

  @Test func `guests have the rights that say so, within their room, and no role's`() {
    #expect(Self.kim.may(Album.see))
    #expect(!Self.kim.may(Album.tidy))
    for right in Right.ofHub { #expect(!Self.kim.may(right), "\(right.id)") }
    #expect(!Principal.guest(7, of: "attic", name: "Kim").may(Album.see))
    let refusal = #expect(throws: HTTPError.self) { try Self.kim.demand(Album.tidy) }
    #expect(refusal?.error == "You are here as a guest.")
  }

  @Test func `each guest counts as one caller, whatever they call themselves`() {
    #expect(Self.kim.caller == "guest album 7")
    #expect(Principal.guest(7, of: "album", name: "Ada").caller == Self.kim.caller)
    #expect(Principal.guest(8, of: "album", name: "Kim").caller != Self.kim.caller)
    #expect(Set([Self.kim, .room("album"), .guest(7, of: "attic", name: "Kim")].map(\.caller)).count == 3)
  }

  @Test func `guests in a loop push out what guests did, and nothing of others'`() async throws {
    let test = try await hub()
    let written = IdentityLimits.auditEntriesOfOne + 3 * IdentityLimits.auditRoom
    try await test.store.write { database throws(StoreError) in
      try database.audit(.room("album"), "first", now: 0)
      for number in 0..<written {
        try database.audit(.guest(number, of: "album", name: "\(number)"), "tested", now: 0)
      }
    }
    let counts = try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT what, count(*) FROM audit GROUP BY what ORDER BY what") { ($0.text(0), $0.int(1)) }
    }
    let kept = IdentityLimits.auditEntriesOfOne...IdentityLimits.auditEntriesOfOne + IdentityLimits.auditRoom
    #expect(counts.first?.1 == 1)
    #expect(kept.contains(try #require(counts.last?.1)))
    await test.end()
  }
}
