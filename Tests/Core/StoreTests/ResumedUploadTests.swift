import Crypto
import Foundation
import Lifecycle
import Store
import Testing
import World

struct ResumedUploadTests {
  let world = BlobTests()
  static let name = BlobName(room: "test", "upload")
  static let later = 4_000_000_000.0

  func begin(_ size: Int, in store: Store, _ name: BlobName = Self.name, expires: Double = Self.later) async throws {
    try await store.write { database throws(StoreError) in
      try database.beginUpload(name, size: size, expires: expires)
    }
  }

  func resume(_ store: Store) async throws -> ResumedUpload { try #require(try await store.blobs.resume(Self.name)) }

  /// Sends a part, and has it acknowledged.
  func send(_ bytes: ArraySlice<UInt8>, to store: Store) async throws {
    let upload = try await resume(store)
    for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 10_000) {
      try await upload.append(Array(bytes[start..<min(start + 10_000, bytes.endIndex)]))
    }
    let received = try await upload.acknowledge(expires: Self.later)
    #expect(received == bytes.endIndex)
  }

  /// Ends the upload, as a room does: name and end are one commit.
  func finish(_ upload: ResumedUpload, in store: Store, as name: String = "a") async throws -> FinishedUpload {
    let finished = try await upload.finish()
    let isEnded = try await store.write { database throws(StoreError) in
      try database.name(finished.blob, as: BlobName(room: "test", name))
      return try database.endUpload(Self.name)
    }
    #expect(isEnded)
    return finished
  }

  /// The files of unfinished uploads.
  func kept() -> [String] {
    let all = try? FileManager.default.contentsOfDirectory(atPath: "\(world.folder.path)/blobs/incoming")
    return (all ?? []).filter { $0.hasSuffix(".kept") }
  }

  @Test(arguments: [1, BlobTests.large - 1, BlobTests.large, 3_000_000])
  func `an upload in several parts becomes the blob that it is at once`(count: Int) async throws {
    let store = try await world.open()
    let content = world.bytes(count)
    try await begin(count, in: store)
    var sent = 0
    for part in [count / 3, count / 2, count - 1] where part > sent {
      try await send(content[sent..<part], to: store)
      sent = part
    }
    let upload = try await resume(store)
    #expect(await upload.received == sent)
    try await upload.append(Array(content[sent...]))
    let finished = try await finish(upload, in: store)
    #expect(finished.blob.digest == (try await world.upload(content, to: store)).digest)
    #expect(try await world.read("a", from: store) == content)
    #expect(try await store.blobs.resume(Self.name)?.upload == nil)
    #expect(try await store.blobs.unfinishedUpload(Self.name) == nil)
    #expect(try await world.files(store) == (count >= BlobTests.large ? [world.place(finished.blob.digest)] : []))
    #expect(try Store.verify(.file(world.path)) == StoreVerification(total: 1, verified: 1))
  }

  @Test func `the checksum of zip files is known at the end`() async throws {
    let store = try await world.open()
    try await begin(9, in: store)
    try await send(Array("1234".utf8)[...], to: store)
    let upload = try await resume(store)
    try await upload.append(Array("56789".utf8))
    // The check value of CRC-32.
    #expect(try await finish(upload, in: store).crc32 == 0xCBF4_3926)
  }

  @Test func `what was acknowledged outlasts a restart, and what was not is dropped`() async throws {
    let content = world.bytes(400_000)
    var store = try await world.open()
    try await begin(content.count, in: store)
    try await send(content[..<150_000], to: store)
    let dead = try await resume(store)
    try await dead.append(Array(content[150_000..<200_000]).map { ~$0 })
    await store.close()
    store = try await world.open()
    #expect(kept().count == 1)
    #expect(try await store.blobs.unfinishedUpload(Self.name)?.received == 150_000)
    let upload = try await resume(store)
    #expect(await upload.received == 150_000)
    try await upload.append(Array(content[150_000...]))
    _ = try await finish(upload, in: store)
    #expect(try await world.read("a", from: store) == content)
    #expect(try await world.files(store).count == 1)
  }

  @Test func `a part can be checked by its own digest, and be taken back`() async throws {
    let store = try await world.open()
    try await begin(20, in: store)
    try await send(Array("0123456789".utf8)[...], to: store)
    let wrong = try #require(try await store.blobs.resume(Self.name, checking: .sha1))
    try await wrong.append(Array("hello".utf8), isSure: false)
    let digest = await wrong.partDigest()
    #expect(digest.prefix(4) == [0xAA, 0xF4, 0xC6, 0x1D])
    await wrong.giveUp()
    let upload = try await resume(store)
    #expect(await upload.received == 10)
    try await upload.append(Array("0123456789".utf8))
    _ = try await finish(upload, in: store)
    #expect(try await world.read("a", from: store) == Array("01234567890123456789".utf8))
  }

  @Test func `an upload without its commit stays as it was acknowledged`() async throws {
    var store = try await world.open()
    let content = world.bytes(3 * BlobTests.large)
    try await begin(content.count, in: store)
    try await send(content[..<70_000], to: store)
    do {
      let upload = try await resume(store)
      try await upload.append(Array(content[70_000...]))
      _ = try await upload.finish()
    }
    await store.close()
    store = try await world.open()
    #expect(try await store.blobs.unfinishedUpload(Self.name)?.received == 70_000)
    #expect(kept().count == 1)
    let upload = try await resume(store)
    try await upload.append(Array(content[70_000...]))
    _ = try await finish(upload, in: store)
    #expect(try await world.read("a", from: store) == content)
    #expect(try await world.files(store).count == 1)
  }

  @Test func `an upload that goes on after it was a blob leaves the same bytes of another alone`() async throws {
    let store = try await world.open()
    let content = world.bytes(2 * BlobTests.large)
    try await begin(content.count, in: store)
    try await send(content[..<100_000], to: store)
    var first: ResumedUpload? = try await resume(store)
    try await first?.append(Array(content[100_000...]))
    var finished: FinishedUpload? = try await first?.finish()
    // Another upload of the same bytes finds the file in its place, and names it.
    let digest = try await world.keep(content, as: "other", in: store)
    #expect(finished?.blob.digest == digest)
    await first?.giveUp()
    (first, finished) = (nil, nil)
    try await send(content[100_000..<110_000], to: store)
    #expect(try await world.read("other", from: store) == content)
    #expect(try await store.blobs.unfinishedUpload(Self.name)?.received == 110_000)
    let upload = try await resume(store)
    try await upload.append(Array(content[110_000...]).map { ~$0 })
    _ = try await finish(upload, in: store)
    #expect(try await world.read("a", from: store) == content[..<110_000] + content[110_000...].map { ~$0 })
    #expect(try await world.read("other", from: store) == content)
    #expect(try Store.verify(.file(world.path)) == StoreVerification(total: 2, verified: 2))
  }

  @Test func `another hub goes on with an upload, and nothing comes of what the first one still writes`() async throws {
    let store = try await world.open()
    let content = world.bytes(200_000)
    try await begin(content.count, in: store)
    try await send(content[..<30_000], to: store)
    let first = try await resume(store)
    try await first.append(Array(content[30_000..<50_000]))
    // Opened a second time, as by another hub, while the first one stands still.
    let second = try await resume(store)
    #expect(await second.received == 30_000)
    try await second.append(Array(content[30_000..<120_000]))
    try await first.append([1, 2, 3])
    #expect(try await first.acknowledge(expires: Self.later) == nil)
    #expect(try await second.acknowledge(expires: Self.later) == 120_000)
    try await second.append(Array(content[120_000...]))
    _ = try await finish(second, in: store)
    // The first one has looked, and writes only now.
    try await first.append([4, 5, 6])
    await first.giveUp()
    #expect(try await world.read("a", from: store) == content)
    #expect(try Store.verify(.file(world.path)) == StoreVerification(total: 1, verified: 1))
    await yieldUntil { kept().isEmpty }
    #expect(kept().isEmpty)
  }

  @Test func `a hub whose file was left makes no blob, though all has come there`() async throws {
    let store = try await world.open()
    let content = world.bytes(200_000)
    try await begin(content.count, in: store)
    let first = try await resume(store)
    try await first.append(content)
    let second = try await resume(store)
    await yieldUntil { kept().count == 1 }
    let error = await #expect(throws: StoreError.self) { try await first.finish() }
    #expect(error?.code == .noSuchBlob)
    try await second.append(content)
    _ = try await finish(second, in: store)
    #expect(try await world.read("a", from: store) == content)
  }

  @Test func `a file that somebody writes who was given its lock becomes no blob`() async throws {
    let store = try await world.open()
    try await begin(200_000, in: store)
    let upload = try await resume(store)
    try await upload.append(world.bytes(200_000))
    let cut = truncate("\(world.folder.path)/blobs/incoming/\(kept()[0])", 120_000)
    #expect(cut == 0)
    let error = await #expect(throws: StoreError.self) { try await upload.finish() }
    #expect(error?.code == .damaged)
  }

  @Test func `more than announced is refused, and the upload goes on`() async throws {
    let store = try await world.open()
    try await begin(5, in: store)
    let wrong = try await resume(store)
    let error = await #expect(throws: StoreError.self) { try await wrong.append([1, 2, 3, 4, 5, 6]) }
    #expect(error?.code == .tooLarge)
    await wrong.giveUp()
    let upload = try await resume(store)
    try await upload.append([1, 2, 3, 4, 5])
    _ = try await finish(upload, in: store)
  }

  @Test func `one that is given up while it comes is gone, with its file`() async throws {
    let store = try await world.open()
    try await begin(200_000, in: store)
    try await send(world.bytes(100_000)[...], to: store)
    let upload = try await resume(store)
    try await upload.append(world.bytes(100_000))
    try await store.write { database throws(StoreError) in _ = try database.endUpload(Self.name) }
    #expect(try await upload.acknowledge(expires: 0) == nil)
    // Its file goes soon after the commit, on another thread; as long as it is there, the upload could be finished, and
    // only the name be refused.
    await yieldUntil { kept().isEmpty }
    let other = await #expect(throws: StoreError.self) { try await upload.finish() }
    #expect(other?.code == .noSuchBlob)
    #expect(try await world.files(store) == [])
  }

  @Test func `expired ones are found, the oldest first`() async throws {
    let store = try await world.open()
    for (index, expires) in [30.0, 10, 20].enumerated() {
      try await begin(1, in: store, BlobName(room: "test", "\(index)"), expires: expires)
    }
    let found = try await store.read { database throws(StoreError) in
      try database.expiredUploads(room: "test", now: 20, limit: 10)
    }
    #expect(found.map(\.name.name) == ["1", "2"])
  }

  @Test func `a backup has none of them, and a file without a row goes at the start`() async throws {
    var store = try await world.open()
    try await begin(200_000, in: store)
    try await send(world.bytes(100_000)[...], to: store)
    await store.close()
    let (target, copy) = ("\(world.folder.path)/a.backup", "\(world.folder.path)/copy")
    _ = try Store.backup(.file(world.path), migrations: [], to: target, time: SystemTime())
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    _ = try Store.restore(from: target, path: "\(copy)/store.sqlite")
    let restored = try await Store(path: "\(copy)/store.sqlite", migrations: [], time: SystemTime())
    #expect(try await restored.blobs.unfinishedUpload(Self.name) == nil)
    await restored.close()
    try FileManager.default.copyItem(
      atPath: "\(world.folder.path)/blobs/incoming/\(kept()[0])",
      toPath: "\(world.folder.path)/blobs/incoming/0011223344556677.kept")
    store = try await world.open()
    #expect(kept().count == 1)
    #expect(try await store.blobs.unfinishedUpload(Self.name)?.received == 100_000)
  }

  @Test func `a long part is acknowledged while it comes`() async throws {
    let store = try await world.open()
    let count = 2 * StoreLimits.checkpointBytes
    try await begin(count + 1, in: store)
    let upload = try await resume(store)
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    for _ in 0..<(count >> 20) { try await upload.append(piece) }
    await upload.giveUp()
    let received = try await store.blobs.unfinishedUpload(Self.name)?.received ?? 0
    #expect(received >= StoreLimits.checkpointBytes)
    #expect(await (try resume(store)).received == received)
  }

  @Test func `a long part is acknowledged although the records were away for a moment meanwhile`() async throws {
    let store = try await world.open()
    try await begin(StoreLimits.checkpointBytes + 1, in: store)
    let upload = try await resume(store)
    let away = WriteCondition { _ throws(StoreError) in throw StoreError(.unavailable, "It is away", context: "") }
    let piece = [UInt8](repeating: 7, count: 1 << 20)
    try await WriteCondition.$current.withValue(away) {
      for _ in 0..<(StoreLimits.checkpointBytes >> 20) { try await upload.append(piece) }
    }
    #expect(try await upload.acknowledge(expires: Self.later) == StoreLimits.checkpointBytes)
  }
}
