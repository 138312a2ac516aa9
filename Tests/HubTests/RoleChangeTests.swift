import Hub
import HubWorld
import Server
import Store
import Synchronization
import Testing
import Wire

/// A person's role changes with all that follows, whichever way it is changed.
@Suite(.timeLimit(.minutes(1)))
struct RoleChangeTests {
  /// Notes in a table whom it was told of.
  struct Witness: Room {
    static let plan = RoomPlan(
      id: "witness", name: "Witness", summary: "Notes who lost rights.",
      migrations: [Migration(room: "witness", number: 1, sql: "CREATE TABLE witness_losses (person INTEGER)")],
      rights: [Right("witness.see", of: [.owner, .keykeeper])])
    init(_ hub: Hub) {}
    func addRoutes(to router: inout Router) {}
    func personLostRights(_ id: Int, in change: Change) throws {
      try change.database.run("INSERT INTO witness_losses (person) VALUES (?)", .int(id))
    }
  }

  let test: TestHub
  var hub: Hub { test.hub }

  init() async throws {
    test = try await TestHub(rooms: [Witness.self])
    try await test.openRooms()
    // Another owner, so that any of the others may be something else.
    _ = try await become(.owner, "Olga")
  }

  /// Signs somebody in by a command's link, as somebody of this role.
  func become(_ role: Role, _ name: String) async throws -> Principal {
    let made = try await hub.links.recovery(role: role, name: name).get()
    guard
      case .found(let signIn) = try await hub.signIn(
        by: .secret(made.secret), device: "phone", name: nil, replacing: nil)
    else { throw StoreError(.open, "nobody was signed in", context: "test") }
    return signIn.principal
  }

  /// The people about whom the rooms were told that they lost rights.
  func losses() async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT person FROM witness_losses") { $0.int(0) }
    }
  }

  @Test(arguments: [(Role.owner, Role.keykeeper), (.owner, .member), (.keykeeper, .member)])
  func `rooms are told by a link that takes rights, and not by one that gives some`(more: Role, less: Role)
    async throws
  {
    let ada = try #require(try await become(more, "Ada").person)
    #expect(try await losses() == [])
    #expect(try await become(less, "Ada").role == less)
    #expect(try await losses() == [ada])
    #expect(try await become(more, "Ada").role == more)
    #expect(try await losses() == [ada])
    await test.end()
  }

  @Test func `rooms are told by an owner who takes rights, and not by one who gives some`() async throws {
    let ada = try #require(try await become(.member, "Ada").person)
    let token = try await hub.tokens.create(name: "test", role: .owner)
    for (role, expected) in [("keykeeper", []), ("owner", []), ("owner", []), ("member", [ada]), ("member", [ada])] {
      _ = try await test.ask(.patch, "/api/v1/people/\(ada)", token: token, ["role": .string(role)])
      #expect(try await losses() == expected, "as \(role)")
    }
    await test.end()
  }

  @Test func `a link does not end the last owner's role`() async throws {
    let link = try await hub.links.recovery(role: .member, name: "Olga")
    guard case .failure(.lastOwner("Olga")) = link else {
      Issue.record("it is refused when it is made")
      return
    }
    await test.end()
  }
}
