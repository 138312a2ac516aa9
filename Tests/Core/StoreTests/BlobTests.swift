import Foundation
import Lifecycle
import Store
import Testing
import World

struct BlobTests {
  let folder = TemporaryFolder()
  var path: String { "\(folder.path)/store.sqlite" }
  static let small = 1_000
  static let large = StoreLimits.smallBlobBytes + 1

  func open() async throws -> Store { try await Store(path: path, migrations: [], time: SystemTime()) }

  func bytes(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var generator = SeededGenerator(state: seed)
    return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
  }

  func upload(_ content: [UInt8], to store: Store, piece: Int = 10_000) async throws -> Blob {
    let upload = store.blobs.upload(limit: 10_000_000)
    for start in stride(from: 0, to: content.count, by: piece) {
      try await upload.append(Array(content[start..<min(start + piece, content.count)]))
    }
    return try await upload.finish()
  }

  func keep(_ content: [UInt8], as name: String, in store: Store) async throws -> BlobDigest {
    let blob = try await upload(content, to: store)
    try await store.write { database throws(StoreError) in try database.name(blob, as: BlobName(room: "test", name)) }
    return blob.digest
  }

  func read(_ name: String, from store: Store) async throws -> [UInt8]? {
    guard let content = try await store.blobs.content(of: BlobName(room: "test", name)) else { return nil }
    switch content.body {
    case .bytes(let bytes): return bytes
    case .file(let file): return try Self.read(file)
    }
  }

  static func read(_ file: BlobFile) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: file.size)
    #expect(pread(file.descriptor, &bytes, file.size, 0) == file.size)
    return bytes
  }

  /// All files below `blobs`, after removals in the background.
  func files(_ store: Store) async throws -> [String] {
    // The end of a store does not wait; an empty upload passes through the same threads.
    var found: [String] = []
    for _ in 0..<2_000 {
      try await store.write { _ throws(StoreError) in }
      let all = FileManager.default.enumerator(atPath: "\(folder.path)/blobs")?.allObjects as? [String] ?? []
      found = all.filter { $0.contains("/") }.sorted()
      if !found.contains(where: { $0.hasPrefix("incoming/") }) { break }
      await Task.yield()
    }
    return found
  }

  func place(_ digest: BlobDigest) -> String { "\(digest.hex.prefix(2))/\(digest.hex)" }

  @Test(arguments: [0, 1, small, large - 1, large, 3_000_000])
  func `content comes back as it went in, whatever its size`(count: Int) async throws {
    let store = try await open()
    let content = bytes(count)
    let digest = try await keep(content, as: "a", in: store)
    #expect(try await read("a", from: store) == content)
    #expect(try await files(store) == (count >= Self.large ? [place(digest)] : []))
    #expect(try await store.blobs.totals() == BlobTotals(count: 1, bytes: count))
    #expect(try Store.verify(.file(path)) == StoreVerification(total: 1, verified: 1))
    await store.close()
    #expect(try await read("a", from: try await open()) == content)
  }

  @Test func `a file among the blobs that is none of ours is told, and all others are verified`() async throws {
    let store = try await open()
    for (name, seed) in [("a", 1), ("b", 2)] {
      _ = try await keep(bytes(Self.large, seed: UInt64(seed)), as: name, in: store)
    }
    await store.close()
    // It comes before all blobs, and is no folder.
    try folder.write([1], to: "blobs/.DS_Store")
    let found = try Store.verify(.file(path))
    #expect(found.total == 2 && found.verified == 2)
    #expect(found.findings == ["A file that is none of ours: \(folder.path)/blobs/.DS_Store"])
  }

  @Test(arguments: [small, large])
  func `a blob is kept once for all its names, and goes with the last one`(count: Int) async throws {
    let store = try await open()
    let content = bytes(count)
    let digest = try await keep(content, as: "a", in: store)
    #expect(try await keep(content, as: "b", in: store) == digest)
    try await store.write { database throws(StoreError) in
      try database.name(digest, as: BlobName(room: "test", "c"))
    }
    #expect(try await store.blobs.totals() == BlobTotals(count: 1, bytes: count))
    for name in ["a", "b"] { try await remove(name, from: store) }
    #expect(try await read("c", from: store) == content)
    try await remove("c", from: store)
    #expect(try await store.blobs.totals() == BlobTotals(count: 0, bytes: 0))
    #expect(try await store.blobs.content(of: digest)?.digest == nil)
    #expect(try await files(store) == [])
    #expect(try await remove("c", from: store) == false)
  }

  @discardableResult
  func remove(_ name: String, from store: Store) async throws -> Bool {
    try await store.write { database throws(StoreError) in try database.removeName(BlobName(room: "test", name)) }
  }

  @Test func `a name that gets another blob lets the old one go`() async throws {
    let store = try await open()
    _ = try await keep(bytes(Self.large, seed: 1), as: "a", in: store)
    let second = try await keep(bytes(Self.large, seed: 2), as: "a", in: store)
    #expect(try await files(store) == [place(second)])
    #expect(try await store.blobs.totals().count == 1)
  }

  @Test func `what is open stays readable when it is removed`() async throws {
    let store = try await open()
    let content = bytes(Self.large)
    _ = try await keep(content, as: "a", in: store)
    guard case .file(let file) = try await store.blobs.content(of: BlobName(room: "test", "a"))?.body else {
      Issue.record("a large blob is a file")
      return
    }
    try await remove("a", from: store)
    #expect(try await files(store) == [])
    #expect(try Self.read(file) == content)
  }

  @Test func `an upload without a name, given up or too large leaves nothing`() async throws {
    let store = try await open()
    _ = try await upload(bytes(Self.large), to: store)
    let givenUp = store.blobs.upload(limit: 1_000_000)
    try await givenUp.append(bytes(Self.large))
    await givenUp.cancel()
    let tooLarge = store.blobs.upload(limit: Self.large)
    try await tooLarge.append(bytes(Self.large))
    let error = await #expect(throws: StoreError.self) { try await tooLarge.append([0]) }
    #expect(error?.code == .tooLarge)
    try await store.blobs.upload(limit: 1_000_000).append(bytes(Self.large))
    #expect(try await files(store) == [])
  }

  @Test func `a name is given in one commit with the room's own rows, or not at all`() async throws {
    let store = try await open()
    let blob = try await upload(bytes(Self.large), to: store)
    await #expect(throws: StoreError.self) {
      try await store.write { database throws(StoreError) in
        try database.name(blob, as: BlobName(room: "test", "a"))
        try database.run("INSERT INTO nowhere VALUES (1)")
      }
    }
    #expect(try await read("a", from: store) == nil)
    // It has no name yet.
    try await store.write { database throws(StoreError) in try database.name(blob, as: BlobName(room: "test", "a")) }
    #expect(try await files(store) == [place(blob.digest)])
    #expect(try Store.verify(.file(path)).findings == [])
  }

  @Test func `the same content comes back while its removal is under way`() async throws {
    let store = try await open()
    let content = bytes(Self.large)
    for _ in 0..<50 {
      _ = try await keep(content, as: "a", in: store)
      let again = try await upload(content, to: store)
      async let removed = remove("a", from: store)
      async let named: Void = store.write { database throws(StoreError) in
        try database.name(again, as: BlobName(room: "test", "b"))
      }
      _ = try await (removed, named)
      #expect(try await read("b", from: store) == content)
      try await remove("b", from: store)
    }
    #expect(try await files(store) == [])
  }

  @Test func `many uploads of the same content at once are one blob`() async throws {
    let store = try await open()
    let content = bytes(Self.large)
    try await withThrowingTaskGroup { group in
      for number in 0..<16 {
        group.addTask { _ = try await keep(content, as: "\(number)", in: store) }
      }
      try await group.waitForAll()
    }
    #expect(try await store.blobs.totals() == BlobTotals(count: 1, bytes: Self.large))
    #expect(try await files(store).count == 1)
    #expect(try Store.verify(.file(path)).verified == 1)
  }

  @Test func `a blob cannot be named once it is gone`() async throws {
    let store = try await open()
    let blob = try await upload(bytes(Self.large), to: store)
    try await store.write { database throws(StoreError) in try database.name(blob, as: BlobName(room: "test", "a")) }
    try await remove("a", from: store)
    let error = await #expect(throws: StoreError.self) {
      try await store.write { database throws(StoreError) in try database.name(blob, as: BlobName(room: "test", "b")) }
    }
    #expect(error?.code == .noSuchBlob)
  }

  @Test func `a start clears away what a crash has left, and only that`() async throws {
    let store = try await open()
    let kept = try await keep(bytes(Self.large, seed: 1), as: "a", in: store)
    let lost = try await upload(bytes(Self.large, seed: 2), to: store)
    _ = try await files(store)
    await store.close()
    let incoming = "\(folder.path)/blobs/incoming"
    // A mark with a row, an interrupted upload, and a file being removed.
    try FileManager.default.linkItem(
      atPath: "\(folder.path)/blobs/\(place(kept))", toPath: "\(incoming)/\(kept.hex).0011")
    try folder.write([1, 2], to: "blobs/incoming/0022.part")
    try folder.write([1, 2], to: "blobs/incoming/\(kept.hex).0033.gone")
    try FileManager.default.removeItem(atPath: "\(folder.path)/blobs/\(place(kept))")
    let again = try await open()
    #expect(try await files(again) == [place(kept)])
    #expect(try Store.verify(.file(path)) == StoreVerification(total: 1, verified: 1))
    withExtendedLifetime(lost) {}
  }

  @Test func `where all large blobs are missing, as of a disk that is not mounted, nothing is begun`() async throws {
    let store = try await open()
    let content = bytes(Self.large)
    _ = try await keep(content, as: "a", in: store)
    _ = try await files(store)
    await store.close()
    let (blobs, away) = ("\(folder.path)/blobs", "\(folder.path)/away")
    try FileManager.default.moveItem(atPath: blobs, toPath: away)
    await #expect { _ = try await open() } throws: { ($0 as? StoreError)?.code == .damaged }
    #expect(!FileManager.default.fileExists(atPath: blobs))
    try FileManager.default.moveItem(atPath: away, toPath: blobs)
    #expect(try await read("a", from: try await open()) == content)
  }

  @Test func `verifying finds every kind of damage`() async throws {
    let store = try await open()
    let names = ["flipped", "short", "missing", "row", "fine"]
    var digests: [String: BlobDigest] = [:]
    for (seed, name) in names.enumerated() {
      let count = name == "row" ? Self.small : Self.large
      digests[name] = try await keep(bytes(count, seed: UInt64(seed)), as: name, in: store)
    }
    _ = try await files(store)
    func file(_ name: String) -> String { "blobs/\(place(digests[name]!))" }
    var flipped = try folder.read(file("flipped"))
    flipped[7] ^= 1
    try folder.write(flipped, to: file("flipped"))
    try folder.write([1], to: file("short"))
    try FileManager.default.removeItem(atPath: "\(folder.path)/\(file("missing"))")
    let row = digests["row"]!
    try await store.write { database throws(StoreError) in
      try database.run("UPDATE blobs SET bytes = ? WHERE digest = ?", .blob([0]), .blob(row.bytes))
    }
    let orphan = BlobDigest([UInt8](repeating: 7, count: 32))!
    try FileManager.default.createDirectory(
      atPath: "\(folder.path)/blobs/07", withIntermediateDirectories: true)
    try folder.write([1], to: "blobs/\(place(orphan))")
    let found = try Store.verify(.file(path))
    #expect((found.verified, found.total) == (1, 5))
    for name in names.dropLast() {
      #expect(found.findings.contains { $0.contains(digests[name]!.hex) && $0.contains("test/\(name)") }, "\(name)")
    }
    #expect(found.findings.contains { $0.contains(orphan.hex) })
    #expect(found.findings.count == 5)
    await #expect(throws: StoreError.self) {
      try await store.blobs.content(of: BlobName(room: "test", "missing"))
    }
  }

  @Test func `an upload that cannot be put in its place leaves nothing`() async throws {
    let store = try await open()
    let content = bytes(Self.large)
    let digest = try await upload(content, to: store).digest
    let part = "\(folder.path)/blobs/\(digest.hex.prefix(2))"
    _ = try await files(store)
    try FileManager.default.removeItem(atPath: part)
    try FileManager.default.createSymbolicLink(atPath: part, withDestinationPath: "nowhere")
    for _ in 0..<3 { await #expect(throws: StoreError.self) { _ = try await upload(content, to: store) } }
    #expect(try await files(store) == [])
    try FileManager.default.removeItem(atPath: part)
    _ = try await keep(content, as: "a", in: store)
    #expect(try await read("a", from: store) == content)
  }

  @Test func `a blob that was let go stays where it is when that is undone`() async throws {
    let store = try await open()
    let contents = (1...3).map { bytes(Self.large, seed: $0) }
    _ = try await keep(contents[0], as: "a", in: store)
    _ = try await keep(contents[1], as: "b", in: store)
    let replacement = try await upload(contents[2], to: store)
    // While the first write is under way the second one waits, and so shares a batch with the removal of the first
    // one's file; the batch fails at its end.
    let (entered, entering) = AsyncStream<Void>.makeStream()
    let release = ThreadSignal()
    let first = Task {
      try await store.write { database throws(StoreError) in
        entering.finish()
        #expect(release.wait(atMost: 20))
        try database.removeName(BlobName(room: "test", "a"))
      }
    }
    for await _ in entered {}
    let second = Task {
      try await store.write { database throws(StoreError) in
        try database.name(replacement, as: BlobName(room: "test", "b"))
        try database.run("PRAGMA defer_foreign_keys = ON")
        try database.run("INSERT INTO blob_names (room, name, digest) VALUES ('test', 'nothing', x'00')")
      }
    }
    await yieldUntil { store.statistics.writesWaiting >= 2 }
    release.post()
    try await first.value
    await #expect(throws: StoreError.self) { try await second.value }
    #expect(try await read("a", from: store) == nil)
    #expect(try await read("b", from: store) == contents[1])
  }

  @Test func `a start puts back what was taken out by a write that is undone`() async throws {
    var store = try await open()
    let content = bytes(Self.large)
    let digest = try await keep(content, as: "a", in: store)
    _ = try await files(store)
    await store.close()
    let blobs = "\(folder.path)/blobs"
    try FileManager.default.moveItem(
      atPath: "\(blobs)/\(place(digest))", toPath: "\(blobs)/incoming/\(digest.hex).0123456789abcdef.gone")
    store = try await open()
    #expect(try await read("a", from: store) == content)
    #expect(try await files(store) == [place(digest)])
  }
}
