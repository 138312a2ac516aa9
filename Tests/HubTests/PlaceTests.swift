import CivilTime
import Hub
import HubWorld
import Server
import Store
import Synchronization
import Testing
import Wire
import World

/// The part of the settings of a hub without rooms.
private struct NoPart: SettingsPart {
  let fields: [String] = []
  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? { [] }
  func read(_ check: inout FieldCheck) -> SettingsDraft? { SettingsDraft([]) { _ in } }
}

@Suite(.timeLimit(.minutes(1)))
struct PlaceTests {
  static let address = "/api/v1/settings"
  static let whole: JSON = [
    "name": "Nordlicht", "address": "Street 1", "lat": 53.1, "lon": -8.25, "timezone": "Europe/Berlin",
    "legal_notice": "https://a.example/legal", "privacy": "https://a.example/privacy",
  ]

  static func hub(in folder: TemporaryFolder = TemporaryFolder()) async throws -> (TestHub, owner: String) {
    let test = try await TestHub(folder: folder)
    test.hub.settings.add(NoPart(), at: address, order: [])
    try await test.openRooms()
    return (test, try await test.hub.tokens.create(name: "test \(folder.path)", role: .owner))
  }

  @Test func `what an owner says of it is there at once, and after a start`() async throws {
    let (test, owner) = try await Self.hub()
    #expect(test.hub.place.current == nil && test.hub.place.zone.name == "UTC")
    #expect(test.hub.place.examine().map(\.subject) == ["place"], "the doctor misses it")
    _ = try await test.ask(.put, Self.address, token: owner, Self.whole)
    #expect(test.hub.place.current.map { JSON.object($0.members) } == Self.whole)
    #expect(test.hub.place.examine().isEmpty)
    await test.end()

    let again = try await TestHub(folder: test.folder)
    try await again.openRooms()
    #expect(again.hub.place.current.map { JSON.object($0.members) } == Self.whole)
    await again.end()
  }

  @Test func `whoever observes it is called in the change, finds it written, and may refuse`() async throws {
    let (test, owner) = try await Self.hub()
    let seen = Mutex<[String]>([])
    let current = test.hub.place
    current.observe { place, change in
      let written = try change.database.first("SELECT name FROM hub_place") { $0.text(0) }
      seen.withLock { $0.append("\(place.name) \(written ?? "") \(current.current?.name ?? "none")") }
      if place.name == "Nowhere" { throw HTTPError(.invalidField, "name: Nowhere", help: "None.") }
    }
    _ = try await test.ask(.put, Self.address, token: owner, ["name": "One", "timezone": "UTC"])
    _ = try await test.ask(.put, Self.address, token: owner, ["name": "Two", "timezone": "UTC"])
    await #expect(throws: HTTPError.self) {
      try await test.ask(.put, Self.address, token: owner, ["name": "Nowhere", "timezone": "UTC"])
    }
    #expect(seen.withLock { $0 } == ["One One none", "Two Two One", "Nowhere Nowhere Two"])
    #expect(test.hub.place.current?.name == "Two")
    await test.end()
  }

  @Test func `everybody is told the place, once there is one`() async throws {
    let (test, owner) = try await Self.hub()
    let before = await #expect(throws: HTTPError.self) { try await test.ask(.get, "/api/v1/place") }
    #expect(before?.code == .notSetUp)
    _ = try await test.ask(.put, Self.address, token: owner, Self.whole)
    let told = try await test.ask(.get, "/api/v1/place")
    guard case .bytes(let bytes) = told.body else { throw test.hub.settings.notSetUp }
    #expect(try JSON(parsing: bytes) == Self.whole && told.etag != nil)
    await test.end()
  }

  @Test func `the manifest, which every page fetches, has its name and the addresses at the foot`() async throws {
    let (test, owner) = try await Self.hub()
    func manifest() async throws -> JSON {
      guard case .bytes(let bytes) = try await test.ask(.get, "/manifest.webmanifest").body else { return .null }
      return try JSON(parsing: bytes)
    }
    let before = try await manifest()
    #expect(before["name"] == "Eightbells" && before["legal_notice"] == .null && before["privacy"] == .null)
    _ = try await test.ask(.put, Self.address, token: owner, Self.whole)
    let after = try await manifest()
    #expect(after["name"] == "Nordlicht")
    #expect(after["legal_notice"] == "https://a.example/legal" && after["privacy"] == "https://a.example/privacy")
    await test.end()
  }

  @Test(arguments: [
    ("legal_notice", "javascript:alert(1)"), ("privacy", "here"), ("timezone", "Mars/Base"), ("lat", "53"),
    ("name", ""),
  ])
  func `what is no place is refused by the field's name`(field: String, value: String) async throws {
    let (test, owner) = try await Self.hub()
    let members = (Self.whole.members ?? []).map { $0.name == field ? JSON.Member(field, .string(value)) : $0 }
    let error = await #expect(throws: HTTPError.self) {
      try await test.ask(.put, Self.address, token: owner, .object(members))
    }
    #expect(error?.error.contains("\(field): ") == true, "\(error?.error ?? "")")
    #expect(test.hub.place.current == nil)
    await test.end()
  }
}
