import Glibc
import Lifecycle
import Store

/// The album of the trial.
struct Album {
  let folder: String
  var path: String { "\(folder)/eightbells.sqlite" }

  static let old = [
    Migration(
      room: "album", number: 1,
      sql: """
        CREATE TABLE album_photos (id INTEGER PRIMARY KEY, small BLOB NOT NULL, large BLOB NOT NULL);
        """)
  ]
  static let new =
    old + [
      Migration(room: "album", number: 2, sql: "ALTER TABLE album_photos ADD COLUMN new_attribute TEXT")
    ]

  func open(_ migrations: [Migration]) async throws(StoreError) -> Store {
    mkdir(folder, 0o700)
    return try await Store(path: path, migrations: migrations, time: SystemTime())
  }

  // MARK: Commands

  func fill(count: Int, seed: Int) async throws(StoreError) {
    let store = try await open(Self.old)
    for number in 0..<count { try await keepPhoto(seed * 1_000_000 + number, in: store) }
    await store.close()
  }

  func migrate() throws(StoreError) {
    let summary = try Store.migrate(path: path, migrations: Self.new, time: SystemTime())
    Trial.say(summary.map { "\($0.rows) rows, \($0.blobs) blobs" } ?? "nothing to do")
  }

  func check() async throws(StoreError) {
    let store = try await ownIt()
    let photos = try await store.read { database throws(StoreError) in
      try database.rows("SELECT small, large FROM album_photos ORDER BY id") { ($0.blob(0), $0.blob(1)) }
    }
    for (small, large) in photos {
      for bytes in [small, large] {
        guard let digest = BlobDigest(bytes), try await store.blobs.content(of: digest) != nil else {
          Trial.fail("a photo's picture is gone")
        }
      }
    }
    let totals = try await store.blobs.totals()
    await store.close()
    let found = try Store.verify(.file(path))
    for finding in found.findings { Trial.say(finding) }
    Trial.say("\(photos.count) photos, \(totals.count) blobs, \(found.verified) of \(found.total) verified")
    guard found.findings.isEmpty, found.verified == totals.count else { Trial.fail("the store is not whole") }
  }

  /// Opens the store as its owner, which cleans up, whatever tables there are.
  private func ownIt() async throws(StoreError) -> Store {
    do throws(StoreError) { return try await open(Self.old) } catch {
      guard case .migration = error.code, error.message.contains("newer") else { throw error }
      return try await open(Self.new)
    }
  }

  func printNames() async throws(StoreError) {
    let store = try await ownIt()
    let names = try await store.read { database throws(StoreError) in
      try database.blobNames(room: "album").map { "\($0.name) \($0.digest)" }
    }
    for name in names { Trial.say(name) }
    await store.close()
  }

  func upload(size: Int, seed: Int) async throws(StoreError) {
    let store = try await ownIt()
    let blob = try await upload(size: size, seed: seed, to: store)
    try await store.write { database throws(StoreError) in
      try database.name(blob, as: BlobName(room: "album", "upload \(seed)"))
    }
    Trial.say("kept upload \(seed) \(blob.digest)")
    Trial.say("\(peakKilobytes()) KB")
    await store.close()
  }

  /// Adds photos and removes some of them, four at a time, until it is killed.
  func load(seed: Int) async throws(StoreError) {
    let store = try await ownIt()
    await withTaskGroup(of: Void.self) { group in
      for worker in 0..<4 {
        group.addTask {
          do throws(StoreError) {
            for round in 0... { try await loadOnce(seed * 1_000_000 + worker * 100_000 + round, store) }
          } catch {
            Trial.fail(error.description)
          }
        }
      }
    }
  }

  private func loadOnce(_ number: Int, _ store: Store) async throws(StoreError) {
    let (small, large) = try await keepPhoto(number, in: store)
    Trial.say("kept small-\(number) \(small)")
    Trial.say("kept large-\(number) \(large)")
    guard number % 3 == 0 else { return }
    Trial.say("removing \(number)")
    try await store.write { database throws(StoreError) in
      for size in ["small", "large"] { try database.removeName(BlobName(room: "album", "\(size)-\(number)")) }
      try database.run("DELETE FROM album_photos WHERE id = ?", .int(number))
    }
    Trial.say("gone \(number)")
  }

  func grow(count: Int, size: Int) async throws(StoreError) {
    let (store, time) = (try await ownIt(), SystemTime())
    let before = try await store.blobs.totals().count
    for number in before..<before + count {
      let start = time.uptime
      let blob = try await upload(size: size, seed: number, to: store)
      try await store.write { database throws(StoreError) in
        try database.name(blob, as: BlobName(room: "album", "\(number)"))
      }
      Trial.say("\((time.uptime - start) * 1000)")
    }
    await store.close()
  }

  func start() async throws(StoreError) {
    let time = SystemTime()
    let start = time.uptime
    let store = try await ownIt()
    let count = try await store.blobs.totals().count
    let milliseconds = (time.uptime - start) * 1000
    Trial.say("\(milliseconds) \(peakKilobytes()) \(count)")
    await store.close()
  }

  /// The most resident memory. getrusage(2) would count that of the parent process, if it was more.
  private func peakKilobytes() -> Int {
    guard let file = fopen("/proc/self/status", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, Int32(line.count), file) != nil {
      let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      if text.hasPrefix("VmHWM:") { return text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0 }
    }
    return 0
  }

  // MARK: Photos

  /// Stores both pictures, their names and the photo's row, in one commit.
  @discardableResult
  func keepPhoto(_ number: Int, in store: Store) async throws(StoreError) -> (BlobDigest, BlobDigest) {
    let small = try await upload(size: 2_000, seed: number, to: store)
    let large = try await upload(size: 70_000, seed: number, to: store)
    return try await store.write { database throws(StoreError) in
      try database.name(small, as: BlobName(room: "album", "small-\(number)"))
      try database.name(large, as: BlobName(room: "album", "large-\(number)"))
      try database.run(
        "INSERT INTO album_photos (id, small, large) VALUES (?, ?, ?)", .int(number), .blob(small.digest.bytes),
        .blob(large.digest.bytes))
      return (small.digest, large.digest)
    }
  }

  /// Uploads bytes that depend on the seed, in pieces as from a connection.
  private func upload(size: Int, seed: Int, to store: Store) async throws(StoreError) -> Blob {
    let upload = store.blobs.upload(limit: size)
    var state = UInt64(truncatingIfNeeded: seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    var rest = size
    while rest > 0 {
      let count = min(rest, 1 << 16)
      let piece = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        for index in 0..<count {
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          buffer[index] = UInt8(truncatingIfNeeded: state >> 56)
        }
        initialized = count
      }
      try await upload.append(piece)
      rest -= count
    }
    return try await upload.finish()
  }
}
