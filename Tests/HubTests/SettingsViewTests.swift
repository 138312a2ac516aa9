import CivilTime
import Hub
import HubWorld
import Server
import Store
import Testing
import Wire

/// A part of the settings with one field, which can fail after writing it.
private struct NotePart: SettingsPart {
  let field: String
  var fields: [String] { [field] }

  func kept(in database: Database) throws(StoreError) -> [JSON.Member]? {
    let text = try database.first("SELECT text FROM notes WHERE field = ?", .text(field)) { $0.optionalText(0) }
    return [.init(field, JSON(text ?? nil))]
  }

  func read(_ check: inout FieldCheck) -> SettingsDraft? {
    let text = check.text(field, longest: 20)
    return SettingsDraft([.init(field, JSON(text))]) { change in
      try change.database.run(
        "INSERT INTO notes (field, text) VALUES (?, ?) ON CONFLICT (field) DO UPDATE SET text = excluded.text",
        .text(field), Value(text))
      if text == "too much" { throw HTTPError(.invalidField, "\(field): too much", help: "Say less.") }
    }
  }
}

/// The hub's place and the parts of two rooms, as one object.
@Suite(.timeLimit(.minutes(1)))
struct SettingsViewTests {
  static let address = "/api/v1/settings"
  static let notes = Migration(
    room: "notes", number: 1, sql: "CREATE TABLE notes (field TEXT PRIMARY KEY, text TEXT)")
  let test: TestHub
  let owner: String

  init() async throws {
    test = try await TestHub(migrations: [Self.notes])
    test.hub.settings.add(NotePart(field: "door"), at: Self.address, order: ["name", "door", "timezone"])
    test.hub.settings.add(NotePart(field: "list"), at: Self.address, order: ["name", "list"])
    owner = try await test.hub.tokens.create(name: "test", role: .owner)
  }

  func save(_ json: JSON, ifMatch: String? = nil) async throws -> Response {
    try await test.ask(.put, Self.address, token: owner, json, ifMatch: ifMatch)
  }

  func read() async throws -> (text: String, etag: String?) {
    let response = try await test.ask(.get, Self.address, token: owner)
    guard case .bytes(let bytes) = response.body else { return ("", nil) }
    return (String(decoding: bytes, as: UTF8.self), response.etag)
  }

  func refusal(_ body: () async throws -> Void) async throws -> HTTPError? {
    do { try await body() } catch let error as HTTPError { return error }
    return nil
  }

  func count(_ query: String) async throws -> Int {
    try await test.store.read { database throws(StoreError) in try database.first(query) { $0.int(0) } ?? 0 }
  }

  @Test func `all parts are one object, in the order that rooms name, and saved in one commit`() async throws {
    #expect(try await refusal { _ = try await read() }?.code == .notSetUp)
    let saved = try await save(["list": "b", "timezone": "Europe/Berlin", "door": "a", "name": "Nordlicht"])
    let kept = try await read()
    #expect(
      kept.text == """
        {"name":"Nordlicht","door":"a","timezone":"Europe/Berlin","list":"b","address":null,"lat":null,"lon":null,\
        "legal_notice":null,"privacy":null}
        """)
    #expect(saved.etag == kept.etag && kept.etag != nil)
    #expect(try await count("SELECT count(*) FROM audit WHERE what = 'settings.changed'") == 1)
    await test.end()
  }

  @Test func `what one part refuses, none of them has written`() async throws {
    _ = try await save(["name": "Nordlicht", "timezone": "UTC", "door": "a", "list": "b"])
    let before = try await read()
    let refused = try await refusal {
      _ = try await save(["name": "Südlicht", "timezone": "Europe/Berlin", "door": "c", "list": "too much"])
    }
    #expect(refused?.error == "list: too much")
    #expect(try await read() == before)
    #expect(test.hub.place.current?.name == "Nordlicht" && test.hub.place.zone.name == "UTC")
    #expect(try await count("SELECT count(*) FROM audit WHERE what = 'settings.changed'") == 1)
    await test.end()
  }

  @Test func `one ETag stands for all parts, and who began with another changes nothing`() async throws {
    _ = try await save(["name": "Nordlicht", "timezone": "UTC", "door": "a", "list": "b"])
    var tag = try #require(try await read().etag)
    // A change in any of the three parts changes the tag.
    for change: JSON in [
      ["name": "Südlicht", "timezone": "UTC", "door": "a", "list": "b"],
      ["name": "Südlicht", "timezone": "UTC", "door": "c", "list": "b"],
      ["name": "Südlicht", "timezone": "UTC", "door": "c", "list": "d"],
    ] {
      _ = try await save(change, ifMatch: "\"\(tag)\"")
      let before = try await read()
      let refused = try await refusal {
        _ = try await save(["name": "Lost", "timezone": "UTC"], ifMatch: "\"\(tag)\"")
      }
      #expect(refused?.code == .preconditionFailed)
      #expect(try await read() == before)
      tag = try #require(before.etag)
    }
    await test.end()
  }

  @Test func `what is wrong in several parts is told at once, what nobody knows first`() async throws {
    let refused = try await refusal {
      _ = try await save(["list": 5, "door": [], "name": "", "timezone": "Mars/Base", "hat": 1])
    }
    let text = refused?.error ?? ""
    let places = ["hat", "name", "door", "timezone", "list"].map { text.firstRange(of: "\($0): ")?.lowerBound }
    #expect(
      places.allSatisfy { $0 != nil } && places.compactMap(\.self) == places.compactMap(\.self).sorted(), "\(text)")
    #expect(try await refusal { _ = try await read() }?.code == .notSetUp)
    await test.end()
  }

  @Test func `only owners read and save`() async throws {
    let member = try await test.hub.tokens.create(name: "member", role: .member)
    #expect(try await refusal { _ = try await test.ask(.get, Self.address) }?.code == .noToken)
    #expect(try await refusal { _ = try await test.ask(.get, Self.address, token: member) }?.code == .roleNotAllowed)
    #expect(
      try await refusal { _ = try await test.ask(.put, Self.address, token: member, ["name": "x"]) }?.code
        == .roleNotAllowed)
    await test.end()
  }
}
