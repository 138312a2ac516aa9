import Hub
import HubWorld
import Server
import Store
import Synchronization
import Testing
import Wire
import World

/// A change is made wholly or not at all, and its effects come in the order of the changes.
@Suite(.timeLimit(.minutes(1)))
struct CommitTests {
  static let things = Migration(room: "test", number: 1, sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, name TEXT)")
  let test: TestHub
  var hub: Hub { test.hub }

  init() async throws { test = try await TestHub(migrations: [Self.things]) }

  /// Collects events, from any thread.
  final class Diary: Sendable {
    private let entries = Mutex<[String]>([])
    func write(_ entry: String) { entries.withLock { $0.append(entry) } }
    var all: [String] { entries.withLock { $0 } }
  }

  func count(_ table: String) async throws -> Int {
    try await test.store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM \(table)") { $0.int(0) } ?? 0
    }
  }

  func signedIn(_ role: Role) async throws -> Principal {
    let made = try await hub.links.recovery(role: role, name: "Ada").get()
    guard
      case .found(let signIn) = try await hub.signIn(
        by: .secret(made.secret), device: "phone", name: nil, replacing: nil)
    else { throw StoreError(.open, "nobody was signed in", context: "test") }
    return signIn.principal
  }

  @Test func `a refusal undoes all of its change, and nothing of the others in its batch`() async throws {
    let diary = Diary()
    let entries = try await count("audit")
    await withTaskGroup(of: Void.self) { group in
      for number in 0..<40 {
        group.addTask { [hub] in
          do throws(HTTPError) {
            try await hub.commit(as: .room("test")) { change in
              try change.database.run("INSERT INTO things (name) VALUES ('a')")
              try change.audit("thing.made")
              try change.ring("thing.made", ["number": .int(number)])
              change.then { diary.write("then \(number)") }
              if number % 2 == 0 { throw HTTPError(.noSuchPage, "No.", help: "None.") }
            }
            diary.write("answer \(number)")
          } catch {
            diary.write("\(error.code.rawValue) \(number)")
          }
        }
      }
    }
    #expect(try await count("things") == 20)
    #expect(try await count("hub_outbox") == 20)
    #expect(try await count("audit") == entries + 20)
    for number in 0..<40 {
      let found = diary.all.filter { $0.hasSuffix(" \(number)") }
      #expect(found == (number % 2 == 0 ? ["40401 \(number)"] : ["then \(number)", "answer \(number)"]))
    }
  }

  @Test func `what follows from changes follows in the order of their numbers, before anybody is answered`()
    async throws
  {
    /// Change numbers, in the order of their events.
    final class Numbers: Sendable {
      private let numbers = Mutex<[Int]>([])
      func add(_ number: Int) { numbers.withLock { $0.append(number) } }
      var all: [Int] { numbers.withLock { $0 } }
    }
    let numbers = Numbers()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<200 {
        group.addTask { [hub] in
          let own = try await hub.commit(as: .room("test")) { change in
            let number = change.number
            change.then { numbers.add(number) }
            return number
          }
          #expect(numbers.all.contains(own))
          #expect(hub.commits.number >= own)
        }
      }
      try await group.waitForAll()
    }
    let all = numbers.all
    #expect(all.count == 200 && all == all.sorted())
  }

  @Test func `whoever lost the right meanwhile changes nothing`() async throws {
    let ada = try await signedIn(.keykeeper)
    try await hub.commit(as: ada) { change in try change.database.run("INSERT INTO things (name) VALUES ('a')") }
    try await test.store.write { database throws(StoreError) in
      try database.run("UPDATE people SET role = 'member' WHERE id = ?", .int(ada.person ?? 0))
    }
    let add = { @Sendable (change: Change) throws in
      try change.database.run("INSERT INTO things (name) VALUES ('b')")
    }
    var refusal = await #expect(throws: HTTPError.self) { try await hub.commit(as: ada, add) }
    #expect(refusal?.code == .roleNotAllowed)
    try await test.store.write { database throws(StoreError) in
      try database.run("DELETE FROM devices WHERE id = ?", .int(ada.device ?? 0))
    }
    refusal = await #expect(throws: HTTPError.self) { try await hub.commit(as: ada, add) }
    #expect(refusal?.code == .noToken)
    #expect(try await count("things") == 1)
  }

  @Test func `numbers grow over a restart`() async throws {
    let first = try await hub.commit(as: .room("test")) { $0.number }
    await test.end()
    let later = try await TestHub(time: test.time, migrations: [Self.things], folder: test.folder)
    #expect(try await later.hub.commit(as: .room("test")) { $0.number } > first)
    await later.end()
  }

  @Test func `numbers grow over a restart before which the clock was set back`() async throws {
    var (before, folder) = (0, test.folder)
    await test.end()
    for _ in 0..<5 {
      test.time.setClock(by: -86_400)
      let hub = try await TestHub(time: test.time, migrations: [Self.things], folder: folder)
      #expect(hub.hub.commits.number > before)
      for _ in 0..<3 { before = try await hub.hub.commit(as: .room("test")) { $0.number } }
      folder = hub.folder
      await hub.end()
    }
  }

  @Test func `a removed person's rooms are asked in the same change, and may refuse it`() async throws {
    struct Refusing: Room {
      static let plan = RoomPlan(id: "witness", name: "Witness", summary: "Refuses.")
      init(_ hub: Hub) {}
      func addRoutes(to router: inout Router) {}
      func personRemoved(_ id: Int, in change: Change) throws {
        try change.database.run("INSERT INTO things (name) VALUES ('asked')")
        throw HTTPError(.tooMany, "No.", help: "None.")
      }
    }
    hub.open([Refusing(hub)])
    await #expect(throws: HTTPError.self) {
      try await hub.commit(as: .room("test")) { change in try change.personLosesRights(1, isRemoved: true) }
    }
    #expect(try await count("things") == 0)
  }

  @Test func `a room that was off is told once of everybody who went meanwhile`() async throws {
    struct Witness: Room {
      static let plan = RoomPlan(id: "witness", name: "Witness", summary: "Writes down who goes.")
      init(_ hub: Hub) {}
      func addRoutes(to router: inout Router) {}
      func personRemoved(_ id: Int, in change: Change) throws { try write("removed \(id)", in: change) }
      func personLostRights(_ id: Int, in change: Change) throws { try write("lost rights \(id)", in: change) }
      private func write(_ what: String, in change: Change) throws {
        try change.database.run("INSERT INTO things (name) VALUES (?)", .text(what))
      }
    }
    let other = try await TestHub(rooms: [Witness.self], migrations: [Self.things])
    for (person, isRemoved) in [(1, false), (2, false), (2, true), (3, true), (3, false)] {
      try await other.hub.commit(as: .room("test")) { change in
        try change.personLosesRights(person, isRemoved: isRemoved)
      }
    }
    try await other.openRooms()
    for _ in 0..<2 { try await other.hub.tellReturnedRooms() }
    let told = try await other.store.read { database throws(StoreError) in
      try database.rows("SELECT name FROM things ORDER BY id") { $0.text(0) }
    }
    #expect(told == ["lost rights 1", "removed 2", "removed 3"])
    await other.end()
  }
}
