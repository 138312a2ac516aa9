import Hub
import HubWorld
import Server
import Space
import Store
import Testing
import Wire

/// Pictures that an earlier version stored as they were sent.
@Suite(.timeLimit(.minutes(1)))
struct OldPicturesTests {
  let test: TestHub

  init() async throws { test = try await TestHub(rooms: [SpaceRoom.self]) }

  static let name = BlobName(room: "space", "picture/logo")
  static let position = Array("53.1 north".utf8)

  /// A small JPEG, with where it was taken.
  static let jpeg: [UInt8] = {
    func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
      [0xff, marker, 0, UInt8(bytes.count + 2)] + bytes
    }
    let header = Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8]
    // One entry: the offset of the directory with the position.
    let exif = header + [0, 1, 0x88, 0x25, 0, 4, 0, 0, 0, 1, 0, 0, 0, 26, 0, 0, 0, 0] + position
    return [0xff, 0xd8] + segment(0xe1, exif) + segment(0xc0, [8, 0, 2, 0, 3, 1, 1, 0x11, 0])
      + segment(0xda, [1, 1, 0, 0, 63, 0]) + [1, 2, 3, 0xff, 0xd9]
  }()

  /// Stores a picture as an earlier version did.
  func keep(_ bytes: [UInt8]) async throws {
    let upload = test.store.blobs.upload(limit: 1 << 20)
    try await upload.append(bytes)
    let blob = try await upload.finish()
    try await test.store.write { database throws(StoreError) in
      try database.name(blob, as: Self.name)
      try database.run("INSERT INTO space_pictures (name, content_type) VALUES ('logo', 'image/jpeg')")
    }
    try await test.openRooms()
  }

  func states() async throws -> [Int] {
    try await test.store.read { database throws(StoreError) in
      try database.rows("SELECT state FROM space_pictures") { $0.int(0) }
    }
  }

  /// The picture as it is served; nil if there is none.
  func served() async throws -> [UInt8]? {
    do {
      let response = try await test.ask(.get, "/space/pictures/logo")
      guard case .bytes(let bytes) = response.body else { return [] }
      return bytes
    } catch let refusal as HTTPError where refusal.code.rawValue == 40404 {
      return nil
    }
  }

  @Test func `the place where one was taken is removed before anybody gets it`() async throws {
    #expect(Self.jpeg.contains(Self.position))
    try await keep(Self.jpeg)
    let bytes = try #require(try await served())
    #expect(bytes.starts(with: [0xff, 0xd8]) && bytes.count > 20)
    #expect(!bytes.contains(Self.position))
    #expect(try await states() == [1])
    let stored = try await test.store.blobs.content(of: Self.name)
    #expect(stored?.size == bytes.count, "nor is it kept")
    await test.end()
  }

  @Test func `it is removed after the start though nobody asks`() async throws {
    try await keep(Self.jpeg)
    test.hub.run()
    try await test.wait { try await states() == [1] }
    #expect(try await served()?.contains(Self.position) == false)
    await test.end()
  }

  @Test func `a broken one is kept but shown no more, and is looked at once`() async throws {
    try await keep(Array(Self.jpeg.dropLast(4)))
    #expect(try await served() == nil)
    #expect(try await states() == [2])
    #expect(try await test.store.blobs.content(of: Self.name) != nil)
    await test.end()
  }
}
