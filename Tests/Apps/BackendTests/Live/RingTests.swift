import Hub
import HubWorld
import Objects
import Store
import Testing
import Wire

@testable import Backend

struct RingTests {
  static let ring: JSON = [
    "on": "create", "topic": "photos",
    "template": ["title": "{{by}} has taken a photo", "body": "{{album}}", "url": "/apps"],
    "localized": ["de": ["title": "{{by}} hat fotografiert"]],
  ]

  @Test func `a ring has the object's words in both languages`() throws {
    let photo = StoredObject(
      className: "Photo", id: "p", createdAt: 0, updatedAt: 0,
      fields: [.init("by", "Ann"), .init("album", "Wedding")])
    let bell = try ClassRing(Self.ring).bell(about: photo, picture: nil)
    #expect(bell.title == Bell.Words("Ann has taken a photo", german: "Ann hat fotografiert"))
    #expect(bell.body == Bell.Words("Wedding", german: "Wedding") && bell.path == "/apps")
    #expect(bell.to == ["topic": "photos"])
  }

  @Test(
    arguments: [
      ["on": "save", "topic": "photos", "template": ["title": "a"]],
      ["on": "create", "topic": "", "template": ["title": "a"]], ["on": "create", "topic": "photos"],
      ["on": "create", "topic": "photos", "template": ["title": "{{"]],
      ["on": "create", "topic": "photos", "template": ["title": "a"], "color": "red"], "ring",
      ["on": "create", "topic": "photos", "template": ["title": "a"], "picture": 1],
      ["on": "create", "topic": "photos", "template": ["title": "a"], "picture": "by"],
      ["on": "create", "topic": "photos", "template": ["title": "a"], "picture": "other"],
    ] as [JSON])
  func `a ring that cannot be is refused`(ring: JSON) throws {
    let schema = ClassSchema(name: "Photo", fields: ["by": .init(.string), "photo": .init(.file)])
    #expect(throws: ObjectError.self) { try ClassRing.check([ring], of: schema) }
    var picture = Self.ring
    if case .object(let members) = picture { picture = .object(members + [.init("picture", "photo")]) }
    try ClassRing.check([picture], of: schema)
  }

  @Test func `an object and its ring are one commit`() async throws {
    let world = try await LiveWorld()
    try await world.create("Photo", ["by": "Ann"])
    try await world.write { writer in
      var stored = try #require(try writer.storedClass("Photo"))
      stored.schema.rings = [Self.ring]
      try writer.save(stored)
    }
    try await world.create("Photo", ["by": "Bea"])
    await #expect(throws: (any Error).self) {
      try await world.write { writer in
        _ = try writer.create("Photo", ObjectEdit(["by": "Cem"]))
        throw ObjectError.notFound
      }
    }
    let id = try await world.create("Photo", ["by": "Dora"])
    try await world.change("Photo", id, ["by": "Eve"])
    let rings = try await world.apps.test.store.read { database throws(StoreError) in
      try database.rows("SELECT content FROM hub_outbox ORDER BY id") { $0.text(0) }
    }
    let titles = try rings.compactMap { Bell(try JSON(parsing: $0))?.title.english }
    #expect(titles == ["Bea has taken a photo", "Dora has taken a photo"])
    await world.end()
  }
}
