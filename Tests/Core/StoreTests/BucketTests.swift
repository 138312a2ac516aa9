import Foundation
import Lifecycle
import Store
import Synchronization
import Testing
import World

/// A bucket in memory, which does as it is told, or not.
private final class MemoryBucket: BlobBucket {
  struct State {
    var note: String?
    var objects: [String: [UInt8]] = [:]
    var gets = 0
    var isAway = false
    var holdsGets = false
    var lie: (@Sendable ([UInt8]) -> [UInt8])?
  }
  let state = Mutex(State())
  let shown = "memory"
  var names: [String] { state.withLock { $0.objects.keys.sorted() } }

  private func reached<T>(_ body: (inout State) -> T) throws(StoreError) -> T {
    try state.withLock { state throws(StoreError) in
      if state.isAway { throw StoreError(.bucketAway, "It is away", context: shown) }
      return body(&state)
    }
  }

  func note() async throws(StoreError) -> String? { try reached { $0.note } }
  func write(note: String) async throws(StoreError) { try reached { $0.note = note } }
  func put(_ name: String, file: String, size: Int, digest: BlobDigest) async throws(StoreError) {
    let bytes = FileManager.default.contents(atPath: file).map { [UInt8]($0) } ?? []
    try reached { $0.objects[name] = bytes }
  }
  func get(_ name: String, to file: String, size: Int) async throws(StoreError) -> Bool {
    let bytes = try reached { state -> [UInt8]? in
      state.gets += 1
      return state.objects[name].map { state.lie?($0) ?? $0 }
    }
    while state.withLock({ $0.holdsGets }) { await Task.yield() }
    guard let bytes else { return false }
    _ = FileManager.default.createFile(atPath: file, contents: Data(bytes))
    return true
  }
  func remove(_ name: String) async throws(StoreError) { try reached { $0.objects[name] = nil } }
  func names(after last: String) async throws(StoreError) -> [String] {
    Array(try reached { $0.objects.keys.sorted().filter { $0 > last } }.prefix(3))
  }
  func address(of name: String, type: String, disposition: String, seconds: Int) -> String? { "memory:\(name)" }
}

struct BucketTests {
  private let blobs = BlobTests()
  private let bucket = MemoryBucket()
  private let time = VirtualTime()
  private var folder: String { "\(blobs.folder.path)/blobs" }
  private static let name = BlobName(room: "test", "a")

  private func open(_ name: String = "store", in bucket: MemoryBucket? = nil) async throws -> Store {
    try await Store(
      .file("\(blobs.folder.path)/\(name).sqlite"), bucket: bucket ?? self.bucket, migrations: [], time: time)
  }

  private func copies() -> [String] {
    let all = FileManager.default.enumerator(atPath: folder)?.allObjects as? [String] ?? []
    return all.filter { $0.contains("/") && !$0.hasPrefix("incoming") }.sorted()
  }

  private func dropCopies() throws {
    for copy in copies() { try FileManager.default.removeItem(atPath: "\(folder)/\(copy)") }
  }

  private func remove(_ name: String, from store: Store) async throws {
    try await store.write { database throws(StoreError) in
      _ = try database.removeName(BlobName(room: "test", name))
    }
  }

  private func pass(_ seconds: Double) { time.advance(by: seconds) }

  @Test func `a large blob is in the bucket before it has a name, a small one never`() async throws {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    let blob = try await blobs.upload(large, to: store)
    #expect(bucket.names.count == 1)
    #expect(bucket.names[0].hasPrefix(blob.digest.hex) && bucket.state.withLock { $0.objects.values.first } == large)
    _ = try await blobs.keep(blobs.bytes(BlobTests.small), as: "small", in: store)
    #expect(bucket.names.count == 1)
    await store.close()
  }

  @Test func `a blob is fetched once, and its copy is used from then on`() async throws {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    _ = try await blobs.keep(large, as: "a", in: store)
    try dropCopies()
    try await withThrowingTaskGroup(of: [UInt8]?.self) { group in
      for _ in 0..<20 { group.addTask { try await blobs.read("a", from: store) } }
      for try await found in group { #expect(found == large) }
    }
    #expect(bucket.state.withLock { $0.gets } == 1 && copies().count == 1)
    await store.close()
  }

  @Test func `who looked for a blob just before it was there does not fetch it again`() async throws {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    let digest = try await blobs.keep(large, as: "a", in: store)
    let found = try await store.read { database throws(StoreError) in try database.wantedObject(of: digest) }
    let object = try #require(found)
    let file = try #require(try await store.bucket?.fetch(object))
    #expect(try BlobTests.read(file) == large && bucket.state.withLock { $0.gets } == 0)
    await store.close()
  }

  @Test func `a lie, and an object that is gone, are errors and leave nothing`() async throws {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    _ = try await blobs.keep(large, as: "a", in: store)
    try dropCopies()
    bucket.state.withLock { $0.lie = { $0.dropLast() + [$0.last! ^ 1] } }
    await #expect { _ = try await blobs.read("a", from: store) } throws: { ($0 as? StoreError)?.code == .damaged }
    bucket.state.withLock {
      $0.lie = nil; $0.isAway = true
    }
    await #expect { _ = try await blobs.read("a", from: store) } throws: { ($0 as? StoreError)?.code == .bucketAway }
    #expect(copies().isEmpty)
    bucket.state.withLock { $0.isAway = false }
    #expect(try await blobs.read("a", from: store) == large)
    await store.close()
    // In a store of its own: whoever asks while another still reads the copy gets that one, even without its name.
    let later = try await open()
    try dropCopies()
    bucket.state.withLock { $0.objects = [:] }
    await #expect { _ = try await blobs.read("a", from: later) } throws: { ($0 as? StoreError)?.code == .damaged }
    await later.close()
  }

  @Test func `what the bucket does not take is not kept`() async throws {
    let store = try await open()
    bucket.state.withLock { $0.isAway = true }
    await #expect { _ = try await blobs.upload(blobs.bytes(BlobTests.large), to: store) } throws: {
      ($0 as? StoreError)?.code == .bucketAway
    }
    #expect(try await blobs.files(store).isEmpty)
    await store.close()
  }

  @Test func `an object goes a day after its blob's last name, and the same bytes meanwhile are another object`()
    async throws
  {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    _ = try await blobs.keep(large, as: "a", in: store)
    let first = bucket.names[0]
    try await remove("a", from: store)
    pass(StoreLimits.objectGraceSeconds - 1)
    _ = try await store.blobs.removeObjects()
    #expect(bucket.names == [first])
    _ = try await blobs.keep(large, as: "b", in: store)
    #expect(bucket.names.count == 2)
    pass(2)
    _ = try await store.blobs.removeObjects()
    #expect(bucket.names.count == 1 && bucket.names[0] != first)
    pass(StoreLimits.objectGraceSeconds)
    _ = try await store.blobs.removeObjects()
    try dropCopies()
    #expect(try await blobs.read("b", from: store) == large)
    await store.close()
  }

  @Test func `an upload that gets its name after its object has gone is refused, and one just before is kept`()
    async throws
  {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    let late = try await blobs.upload(large, to: store)
    pass(StoreLimits.objectGraceSeconds + 1)
    _ = try await store.blobs.removeObjects()
    #expect(bucket.names.isEmpty)
    await #expect {
      try await store.write { database throws(StoreError) in try database.name(late, as: Self.name) }
    } throws: { ($0 as? StoreError)?.code == .noSuchBlob }
    let inTime = try await blobs.upload(large, to: store)
    pass(StoreLimits.objectGraceSeconds - 1)
    try await store.write { database throws(StoreError) in try database.name(inTime, as: Self.name) }
    pass(StoreLimits.objectGraceSeconds)
    _ = try await store.blobs.removeObjects()
    #expect(bucket.names.count == 1)
    await store.close()
  }

  @Test func `a removal that failed is done again`() async throws {
    let store = try await open()
    _ = try await blobs.keep(blobs.bytes(BlobTests.large), as: "a", in: store)
    try await remove("a", from: store)
    pass(StoreLimits.objectGraceSeconds + 1)
    bucket.state.withLock { $0.isAway = true }
    await #expect(throws: StoreError.self) { _ = try await store.blobs.removeObjects() }
    bucket.state.withLock { $0.isAway = false }
    _ = try await store.blobs.removeObjects()
    #expect(bucket.names.isEmpty)
    await store.close()
  }

  @Test func `what is fetched for long keeps no upload waiting`() async throws {
    let store = try await open()
    let names = (1...StoreLimits.objectsAtOnce).map { "\($0)" }
    for (seed, name) in names.enumerated() {
      _ = try await blobs.keep(blobs.bytes(BlobTests.large, seed: UInt64(seed + 1)), as: name, in: store)
    }
    try dropCopies()
    bucket.state.withLock { $0.holdsGets = true }
    let reads = names.map { name in Task { [blobs] in try await blobs.read(name, from: store) } }
    while bucket.state.withLock({ $0.gets }) < names.count { await Task.yield() }
    let upload = Task { [blobs] in try await blobs.keep(blobs.bytes(BlobTests.large, seed: 99), as: "new", in: store) }
    for _ in 0..<2_000 where bucket.names.count == names.count { try await store.write { _ throws(StoreError) in } }
    #expect(bucket.names.count == names.count + 1)
    bucket.state.withLock { $0.holdsGets = false }
    _ = try await upload.value
    for read in reads { #expect(try await read.value != nil) }
    await store.close()
  }

  @Test func `copies that were used longest ago make way, and what is only here stays`() async throws {
    let local = try await Store(path: blobs.path, migrations: [], time: time)
    _ = try await blobs.keep(blobs.bytes(BlobTests.large, seed: 9), as: "only here", in: local)
    await local.close()
    let store = try await open()
    for seed in 1...4 {
      let digest = try await blobs.keep(blobs.bytes(BlobTests.large, seed: UInt64(seed)), as: "\(seed)", in: store)
      try setUse(of: digest, to: seed)
    }
    // The first is used again.
    _ = try await blobs.read("1", from: store)
    try await store.blobs.trimCopies(to: 3 * BlobTests.large)
    let kept = Set(copies().map { String($0.dropFirst(3)) })
    #expect(kept.count == 2)
    let names = try await store.read { database throws(StoreError) in
      Dictionary(uniqueKeysWithValues: try database.blobNames(room: "test").map { ($0.name, $0.digest.hex) })
    }
    #expect(kept == [names["only here"]!, names["1"]!])
    #expect(try await blobs.read("3", from: store) == blobs.bytes(BlobTests.large, seed: 3))
    await store.close()
  }

  @Test func `copies make way also where somebody has put a file of his own among them`() async throws {
    let store = try await open()
    _ = try await blobs.keep(blobs.bytes(BlobTests.large), as: "a", in: store)
    try blobs.folder.write([1], to: "blobs/.DS_Store")
    try await store.blobs.trimCopies(to: 0)
    #expect(copies().isEmpty && FileManager.default.fileExists(atPath: "\(folder)/.DS_Store"))
    await store.close()
  }

  @Test func `copies stay while a backup is written, which may have begun before they were sent`() async throws {
    let store = try await open()
    _ = try await blobs.keep(blobs.bytes(BlobTests.large), as: "a", in: store)
    try blobs.folder.write([], to: "blobs/lock")
    let backup = try FileHandle(forUpdating: URL(filePath: "\(folder)/lock"))
    try #require(flock(backup.fileDescriptor, LOCK_SH) == 0)
    try await store.blobs.trimCopies(to: 0)
    #expect(copies().count == 1)
    try backup.close()
    try await store.blobs.trimCopies(to: 0)
    #expect(copies().isEmpty)
    await store.close()
  }

  /// Sets when a file was used last, in seconds since 1970.
  private func setUse(of digest: BlobDigest, to seconds: Int) throws {
    let path = "\(folder)/\(digest.hex.prefix(2))/\(digest.hex)"
    let times = [timespec(tv_sec: seconds, tv_nsec: 0), timespec(tv_sec: seconds, tv_nsec: 0)]
    try #require(utimensat(AT_FDCWD, path, times, 0) == 0)
  }

  @Test func `blobs from before are sent, and then need their bucket`() async throws {
    let local = try await Store(path: blobs.path, migrations: [], time: time)
    let large = blobs.bytes(BlobTests.large)
    _ = try await blobs.keep(large, as: "a", in: local)
    await local.close()
    let store = try await open()
    #expect(try await store.blobs.sendRest() == 1)
    #expect(try await store.blobs.sendRest() == 0)
    try dropCopies()
    #expect(try await blobs.read("a", from: store) == large)
    await store.close()
    await #expect { _ = try await Store(path: blobs.path, migrations: [], time: time) } throws: {
      ($0 as? StoreError)?.code == .bucket
    }
  }

  @Test func `a store opens without its bucket, and puts nothing into one that was not found right`() async throws {
    let first = try await open()
    let (large, other) = (blobs.bytes(BlobTests.large), blobs.bytes(BlobTests.large, seed: 2))
    _ = try await blobs.keep(large, as: "a", in: first)
    await first.close()
    let emptied = MemoryBucket()
    let second = try await open(in: emptied)
    await #expect { _ = try await blobs.upload(other, to: second) } throws: { ($0 as? StoreError)?.code == .bucket }
    #expect(await second.blobs.bucketFault()?.code == .bucket && emptied.names.isEmpty)
    await second.close()
    bucket.state.withLock { $0.isAway = true }
    let third = try await open()
    await #expect { _ = try await blobs.upload(other, to: third) } throws: { ($0 as? StoreError)?.code == .bucketAway }
    bucket.state.withLock { $0.isAway = false }
    _ = try await blobs.keep(other, as: "b", in: third)
    #expect(bucket.names.count == 2)
    await third.close()
  }

  @Test func `what the bucket has lost is found by its names`() async throws {
    let store = try await open()
    var digests: [String] = []
    for seed in 1...9 {
      digests.append(
        try await blobs.keep(blobs.bytes(BlobTests.large, seed: UInt64(seed)), as: "\(seed)", in: store).hex)
    }
    let whole = try await store.blobs.lostObjects()
    #expect(whole == LostObjects(bucket: "memory", lookedFor: 9))
    let gone = digests[6]
    bucket.state.withLock { state in state.objects = state.objects.filter { !$0.key.hasPrefix(gone) } }
    let lost = try await store.blobs.lostObjects()
    #expect(lost == LostObjects(bucket: "memory", lookedFor: 9, missing: 1, examples: ["test/7"]))
    bucket.state.withLock { $0.objects = [:] }
    #expect(try await store.blobs.lostObjects()?.missing == 9)
    await store.close()
  }

  @Test func `a backup has what is in the bucket, and its copy knows none`() async throws {
    let store = try await open()
    let large = blobs.bytes(BlobTests.large)
    _ = try await blobs.keep(large, as: "a", in: store)
    await store.close()
    try dropCopies()
    let (file, place) = ("\(blobs.folder.path)/all.tar", StorePlace.file(blobs.path))
    #expect { _ = try Store.backup(place, migrations: [], to: file, time: time) } throws: {
      ($0 as? StoreError)?.code == .bucket
    }
    func backUp() async throws -> BackupSummary {
      try await onThread { [bucket, time] in
        try Store.backup(place, bucket: bucket, migrations: [], to: file, time: time)
      }
    }
    func verify() async throws -> StoreVerification {
      try await onThread { [bucket] in try Store.verify(place, bucket: bucket) }
    }
    let made = try await backUp()
    #expect(made.damage.isEmpty && made.blobs == 1)
    #expect(try await verify() == StoreVerification(total: 1, verified: 1))
    try FileManager.default.createDirectory(atPath: "\(blobs.folder.path)/again", withIntermediateDirectories: false)
    let again = "\(blobs.folder.path)/again/store.sqlite"
    _ = try Store.restore(from: file, path: again)
    let restored = try await Store(path: again, migrations: [], time: time)
    #expect(try await blobs.read("a", from: restored) == large)
    await restored.close()
    bucket.state.withLock { $0.lie = { $0.dropLast() + [$0.last! ^ 1] } }
    #expect(try await verify().findings.count == 1)
    #expect(try await backUp().damage.count == 1)
  }

  /// Commands wait for a bucket on their own thread. A task's would be one fewer for the bucket to answer on.
  func onThread<T: Sendable>(_ work: @escaping @Sendable () throws -> T) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Thread { continuation.resume(with: Result(catching: work)) }.start()
    }
  }
}
