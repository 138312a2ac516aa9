import Foundation
import Lifecycle
import Store
import Synchronization
import Testing
import World

/// The story of a photographer whose users lost their pictures: a model gets an unused field, and after the migration
/// the large pictures, kept in files, are gone.
struct UpgradeTests {
  static let album = Migration(
    room: "album", number: 1,
    sql: "CREATE TABLE album_photos (id INTEGER PRIMARY KEY, small TEXT NOT NULL, large TEXT NOT NULL)")
  static let newField = Migration(
    room: "album", number: 2, sql: "ALTER TABLE album_photos ADD COLUMN new_attribute TEXT")

  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/store.sqlite" }

  func open(_ migrations: [Migration], _ access: Store.Access = .owner) async throws -> Store {
    try await Store(path: path, migrations: migrations, time: SystemTime(), access: access)
  }

  /// Some photos, each with a small and a large picture.
  func fill(_ count: Int = 5) async throws {
    let store = try await open([Self.album])
    for number in 0..<count {
      let small = try await upload([UInt8](repeating: UInt8(number), count: 2_000), store)
      let large = try await upload([UInt8](repeating: UInt8(number), count: 200_000), store)
      try await store.write { database throws(StoreError) in
        try database.name(small, as: BlobName(room: "album", "small \(number)"))
        try database.name(large, as: BlobName(room: "album", "large \(number)"))
        try database.run(
          "INSERT INTO album_photos (small, large) VALUES (?, ?)", .text("small \(number)"), .text("large \(number)"))
      }
    }
    await store.close()
  }

  func upload(_ bytes: [UInt8], _ store: Store) async throws -> Blob {
    let upload = store.blobs.upload(limit: 1_000_000)
    try await upload.append(bytes)
    return try await upload.finish()
  }

  func photos(_ store: Store) async throws -> Int {
    try await store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM album_photos WHERE small LIKE 'small%'") { $0.int(0) } ?? 0
    }
  }

  func columns(_ store: Store) async throws -> Int {
    try await store.read { database throws(StoreError) in
      try database.first("SELECT count(*) FROM pragma_table_info('album_photos')") { $0.int(0) } ?? 0
    }
  }

  /// The files beside the database, without the log of an open one.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().filter {
      !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm")
    }
  }
  static let usual = ["blobs", "store.sqlite", "store.sqlite.lock"]

  @Test func `a new field loses no picture, small or large`() async throws {
    try await fill()
    let steps = Steps()
    let store = try await Store(
      path: path, migrations: [Self.album, Self.newField], time: SystemTime(), progress: { steps.add($0.step) })
    #expect(try await photos(store) == 5)
    #expect(try await columns(store) == 4)
    #expect(try Store.verify(.file(path)) == StoreVerification(total: 10, verified: 10))
    #expect(try files() == Self.usual)
    #expect(steps.all.contains("checking the migrated database"))
  }

  @Test func `a migration that loses rows without saying so is not done`() async throws {
    try await fill()
    let loses = Migration(room: "album", number: 2, sql: "DELETE FROM album_photos WHERE id = 1")
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.album, loses]) }
    #expect(error?.code == .migration)
    #expect(error?.message.contains("album_photos had 5 rows, and has 4") == true, "\(error?.message ?? "")")
    let store = try await open([Self.album])
    #expect(try await photos(store) == 5)
    #expect(try files() == Self.usual)
    await store.close()
    let says = Migration(
      room: "album", number: 2, sql: "DELETE FROM album_photos WHERE id = 1", changesRowsOf: ["album_photos"])
    #expect(try await photos(try await open([Self.album, says])) == 4)
  }

  @Test(
    arguments: [
      "DELETE FROM blob_names; DELETE FROM blobs WHERE size > 100000",
      "UPDATE blobs SET bytes = x'00' WHERE bytes IS NOT NULL",
    ])
  func `a migration that touches blobs is not done`(sql: String) async throws {
    try await fill()
    let loses = Migration(room: "album", number: 2, sql: sql, changesRowsOf: ["blob_names"])
    await #expect(throws: StoreError.self) { _ = try await open([Self.album, loses]) }
    _ = try await open([Self.album])
    #expect(try Store.verify(.file(path)) == StoreVerification(total: 10, verified: 10))
  }

  @Test func `damage from before is no reason to refuse, and is told`() async throws {
    try await fill()
    let first = try #require(try largeFiles().first)
    try folder.write([1], to: first)
    let store = try await open([Self.album, Self.newField])
    #expect(try await photos(store) == 5)
    #expect(try Store.verify(.file(path)).verified == 9)
  }

  func largeFiles() throws -> [String] {
    let all = FileManager.default.enumerator(atPath: "\(folder.path)/blobs")?.allObjects as? [String] ?? []
    return all.filter { $0.count > 60 }.map { "blobs/\($0)" }
  }

  @Test func `a guest never migrates, nor where a migration was cut short`() async throws {
    try await fill()
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.album, Self.newField], .guest) }
    #expect(error?.code == .outdated)
    let guest = try await open([Self.album], .guest)
    #expect(try await photos(guest) == 5)
    await guest.close()
    try folder.write([1], to: "store.sqlite.new")
    let second = await #expect(throws: StoreError.self) { _ = try await open([Self.album], .guest) }
    #expect(second?.code == .outdated)
  }

  @Test func `a file is not replaced while somebody has it open`() async throws {
    try await fill()
    let guest = try await open([Self.album], .guest)
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.album, Self.newField]) }
    #expect(error?.code == .inUse)
    #expect(try await photos(guest) == 5)
  }

  // The remains of a crash at each possible moment

  func file(_ name: String) -> String { "\(folder.path)/\(name)" }

  @Test func `cut short before the swap, the old one is there and is migrated again`() async throws {
    try await fill()
    try folder.write([1, 2, 3], to: "store.sqlite.new")
    try FileManager.default.linkItem(atPath: path, toPath: file("store.sqlite.old"))
    let store = try await open([Self.album, Self.newField])
    #expect(try await columns(store) == 4)
    #expect(try files() == Self.usual)
    #expect(try Store.verify(.file(path)) == StoreVerification(total: 10, verified: 10))
  }

  @Test func `cut short behind the swap, the new one is compared and kept`() async throws {
    try await fill()
    try await open([Self.album, Self.newField]).close()
    // The same with an unmigrated copy as the new file.
    let new = try folder.read("store.sqlite")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.removeItem(atPath: file("blobs"))
    try await fill()
    try FileManager.default.moveItem(atPath: path, toPath: file("store.sqlite.old"))
    try folder.write(new, to: "store.sqlite")
    let store = try await open([Self.album, Self.newField])
    #expect(try await columns(store) == 4)
    #expect(try files() == Self.usual)
  }

  @Test func `a new one that does not hold what the old one had goes, and the old one is back`() async throws {
    try await fill(3)
    let smaller = try folder.read("store.sqlite")
    try FileManager.default.removeItem(atPath: path)
    try FileManager.default.removeItem(atPath: file("blobs"))
    try await fill(5)
    try FileManager.default.moveItem(atPath: path, toPath: file("store.sqlite.old"))
    try folder.write(smaller, to: "store.sqlite")
    let error = await #expect(throws: StoreError.self) { _ = try await open([Self.album]) }
    #expect(error?.message.contains("the old one is back") == true)
    let store = try await open([Self.album])
    #expect(try await photos(store) == 5)
    #expect(try files() == Self.usual)
  }
}

private final class Steps: Sendable {
  private let steps = Mutex<Set<String>>([])
  var all: Set<String> { steps.withLock { $0 } }
  func add(_ step: String) { steps.withLock { _ = $0.insert(step) } }
}
