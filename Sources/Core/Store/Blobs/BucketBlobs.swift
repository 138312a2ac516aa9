import Crypto
import Glibc
import Lifecycle
import Synchronization

/// The blobs of a bucket. The folder of large blobs has copies of those that were used last, and what is not in the
/// bucket yet.
package final class BucketBlobs: Sendable {
  let bucket: any BlobBucket
  private let folder: BlobFolder
  let copies = CopiesSum()
  private let puts = Turns(StoreLimits.objectsAtOnce)
  private let fetches = Turns(StoreLimits.objectsAtOnce)
  private let fetching = Mutex<[BlobDigest: Task<BlobFile, any Error>]>([:])
  /// True once the bucket has shown that it is the one that the records mean.
  private let isRight = Atomic(false)

  init(_ bucket: any BlobBucket, _ folder: BlobFolder) { (self.bucket, self.folder) = (bucket, folder) }

  func put(_ object: BlobObject, file: String) async throws(StoreError) {
    await puts.take()
    defer { puts.giveBack() }
    try await bucket.put(object.name, file: file, size: object.size, digest: object.digest)
  }

  /// Fetches an object into the folder, once for all who want it at the same time.
  /// - Throws: `.damaged` if its bytes are not the blob's; they are not kept.
  package func fetch(_ object: BlobObject) async throws(StoreError) -> BlobFile {
    let task = fetching.withLock { tasks in
      if let task = tasks[object.digest] { return task }
      // Others may wait for it, so it goes on when a caller does not.
      let task = Task.detached { [self] in
        defer { fetching.withLock { $0[object.digest] = nil } }
        return try await fetchNow(object)
      }
      tasks[object.digest] = task
      return task
    }
    do {
      return try await task.value
    } catch let error as StoreError {
      throw error
    } catch {
      throw StoreError(.bucket, "A blob could not be fetched: \(error)", context: object.name)
    }
  }

  private func fetchNow(_ object: BlobObject) async throws(StoreError) -> BlobFile {
    await fetches.take()
    defer { fetches.giveBack() }
    let folder = folder
    // A fetch that a caller did not find any more may have ended after that caller had looked for its file.
    let fetched = try await folder.onThread { () throws(StoreError) in
      try folder.make()
      return try folder.file(object.digest, size: object.size)
    }
    if let fetched { return fetched }
    let part = folder.newPart()
    defer { unlink(part) }
    let isThere = try await bucket.get(object.name, to: part, size: object.size)
    return try await folder.onThread { () throws(StoreError) in
      guard isThere else { throw Self.missing(object, in: self.bucket) }
      let file = try OpenFile(reading: part)
      if let damage = StoreManifest.damage(object.digest, size: object.size, found: try BlobDigest.read(file)) {
        throw Self.wrong(object, damage, in: self.bucket)
      }
      return try self.keep(part, object)
    }
  }

  private func keep(_ part: String, _ object: BlobObject) throws(StoreError) -> BlobFile {
    try Files.syncFile(part)
    try Files.makeFolder(folder.folder(of: object.digest))
    // In the place of a copy that is cut off.
    try Files.move(part, to: folder.place(of: object.digest))
    copies.add(object.size)
    guard let file = try folder.file(object.digest, size: object.size) else {
      throw StoreError(.bucket, "A blob was removed as soon as it was fetched", context: object.name)
    }
    return file
  }

  static func missing(_ object: BlobObject, in bucket: any BlobBucket) -> StoreError {
    StoreError(.damaged, "A blob is missing in \(bucket.shown)", context: object.name)
  }

  private static func wrong(_ object: BlobObject, _ damage: String, in bucket: any BlobBucket) -> StoreError {
    StoreError(.damaged, "What \(bucket.shown) has for a blob was refused: \(damage)", context: object.name)
  }

  /// Looks at the bucket as a hub starts. Where the records know one, the hub does without it: nothing is put into it,
  /// or removed, before `check` finds it right.
  /// - Throws: as `check` does, for one that is used for the first time.
  func begin(_ store: Store) async throws(StoreError) {
    do throws(StoreError) {
      try await check(store)
    } catch {
      let known = try await store.read { database throws(StoreError) in try database.bucketNote() }
      if known == nil { throw error }
    }
  }

  /// - Throws: as `check` does, unless the bucket was found right before.
  func demandRight(_ store: Store) async throws(StoreError) {
    if !isRight.load(ordering: .relaxed) { try await check(store) }
  }

  /// Compares the bucket with the one that the records mean. A new one gets a note, so that it is known again.
  /// - Throws: `.bucket` for another one.
  func check(_ store: Store) async throws(StoreError) {
    let (known, isNeeded) = try await store.read { database throws(StoreError) in
      (try database.bucketNote(), try database.needsBucket())
    }
    let found = try await bucket.note()
    isRight.store(found != nil && found == known, ordering: .relaxed)
    if isRight.load(ordering: .relaxed) { return }
    if isNeeded {
      throw StoreError(
        .bucket,
        found == nil
          ? "The note of this hub is missing in the bucket: it is another one, or another folder of it, or was emptied"
          : "The large blobs of this hub are in another bucket, or folder of it", context: bucket.shown)
    }
    let note = found ?? known ?? Digest.hex(Digest.random(8))
    // Of several hubs that start together, one decides.
    let decided = try await store.write { database throws(StoreError) in
      let now = try database.bucketNote()
      if now != known, let now { return now }
      try database.note(bucket: note)
      return note
    }
    if decided != found { try await bucket.write(note: decided) }
    isRight.store(true, ordering: .relaxed)
  }
}

/// Lets so many work at a time, in the order in which they came.
final class Turns: Sendable {
  private struct State {
    var free: Int
    var waiting: [UnsafeContinuation<Void, Never>] = []
  }
  private let state: Mutex<State>

  init(_ count: Int) { state = Mutex(State(free: count)) }

  func take() async {
    await withUnsafeContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func giveBack() {
    let next = state.withLock { state -> UnsafeContinuation<Void, Never>? in
      if !state.waiting.isEmpty { return state.waiting.removeFirst() }
      state.free += 1
      return nil
    }
    next?.resume()
  }
}
