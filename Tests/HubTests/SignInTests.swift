import Hub
import HubWorld
import Server
import Store
import Testing
import World

/// Signing in may remove other devices: the rooms are told of each one, since a later one may have its key.
@Suite(.timeLimit(.minutes(1)))
struct SignInTests {
  /// Notes in a table which devices it was told of.
  struct Witness: Room {
    static let plan = RoomPlan(
      id: "witness", name: "Witness", summary: "Notes which devices are gone.",
      migrations: [Migration(room: "witness", number: 1, sql: "CREATE TABLE witness_gone (device INTEGER)")])
    init(_ hub: Hub) {}
    func addRoutes(to router: inout Router) {}
    func deviceRemoved(_ id: Int, in change: Change) throws {
      try change.database.run("INSERT INTO witness_gone (device) VALUES (?)", .int(id))
    }
  }

  let test: TestHub

  init() async throws {
    test = try await TestHub(rooms: [Witness.self])
    try await test.openRooms()
  }

  func signIn(_ name: String, replacing old: String? = nil) async throws -> Links.SignIn {
    let made = try await test.hub.links.recovery(role: .member, name: name).get()
    guard
      case .found(let signIn) = try await test.hub.signIn(
        by: .secret(made.secret), device: "tablet", name: nil, replacing: old)
    else { throw StoreError(.open, "nobody was signed in", context: "test") }
    return signIn
  }

  /// The devices of which the room was told.
  func gone() async throws -> [Int?] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT device FROM witness_gone") { $0.int(0) }
    }
  }

  @Test func `rooms hear of the device of whoever was signed in on the browser before`() async throws {
    let ada = try await signIn("Ada")
    let again = try await signIn("Ada", replacing: ada.secret)
    #expect(again.principal.device == ada.principal.device)
    #expect(try await gone() == [], "it is the same device")
    let ben = try await signIn("Ben", replacing: again.secret)
    #expect(ben.replaced == ada.principal.person)
    #expect(try await gone() == [ada.principal.device])
    await test.end()
  }

  @Test func `rooms hear of a device that makes room for another`() async throws {
    let first = try await signIn("Ada")
    for _ in 0..<100 {
      test.time.advance(by: 1)
      _ = try await signIn("Ada")
    }
    #expect(try await gone() == [first.principal.device])
    await test.end()
  }

  @Test func `rooms hear of a device that was not seen for a year`() async throws {
    let ada = try await signIn("Ada")
    test.time.advance(by: 365 * 86_400 + 1)
    _ = try await signIn("Ben")
    #expect(try await gone() == [ada.principal.device])
    await test.end()
  }
}
