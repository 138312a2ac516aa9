import Crypto
import Glibc
import Lifecycle
import Synchronization

/// The bytes of the copies in a folder, as far as they are known without looking.
final class CopiesSum: Sendable {
  private struct State {
    /// Nil before the first look.
    var bytes: Int?
    var hasGrown = false
  }
  private let state = Mutex(State())

  func add(_ bytes: Int) {
    state.withLock { state in
      state.bytes = state.bytes.map { $0 + bytes }
      state.hasGrown = true
    }
  }

  func set(_ bytes: Int) { state.withLock { $0 = State(bytes: bytes) } }

  func mayExceed(_ limit: Int) -> Bool {
    state.withLock { state in
      guard let bytes = state.bytes else { return true }
      return state.hasGrown && bytes > limit
    }
  }
}

/// The work that large blobs in a bucket need from time to time.
extension Blobs {
  public var hasBucket: Bool { store.bucket != nil }

  /// Looks at the bucket.
  /// - Returns: why it cannot be used; nil if it can, or there is none.
  public func bucketFault() async -> StoreError? {
    do throws(StoreError) {
      try await store.bucket?.check(store)
      return nil
    } catch {
      return error
    }
  }

  /// Puts a large blob that has no name yet into the bucket, if there is one.
  func send(_ blob: Blob) async throws(StoreError) {
    guard let bucket = store.bucket, let file = blob.file else { return }
    blob.isSent(as: try await send(blob.digest, blob.size, file, to: bucket))
    bucket.copies.add(blob.size)
  }

  /// - Returns: the object's name.
  private func send(
    _ digest: BlobDigest, _ size: Int, _ file: String, to bucket: BucketBlobs
  ) async throws(StoreError) -> String {
    guard size <= StoreLimits.objectBytes else {
      throw StoreError(
        .tooLarge, "An object store takes files of up to \(StoreLimits.objectBytes) bytes", context: "\(size) bytes")
    }
    try await bucket.demandRight(store)
    let now = store.time.now
    let (name, isNew) = try await store.write { database throws(StoreError) in
      try database.beginObject(of: digest, now: now)
    }
    if isNew { try await bucket.put(BlobObject(name: name, digest: digest, size: size), file: file) }
    return name
  }

  /// Sends the blobs that are in the folder and not in the bucket: those from before there was one.
  /// - Returns: how many these were.
  public func sendRest() async throws(StoreError) -> Int {
    guard let bucket = store.bucket else { return 0 }
    var (sent, last): (Int, [UInt8]) = (0, [])
    while true {
      let page = try await store.read { [last] database throws(StoreError) in
        try database.blobsWithoutObject(after: last)
      }
      guard let end = page.last else { return sent }
      for row in page where try await isWhole(row) {
        let name = try await send(row.digest, row.size, folder.place(of: row.digest), to: bucket)
        try await store.write { database throws(StoreError) in
          // It may have lost its last name meanwhile.
          if try database.hasBlob(row.digest) { try database.keepObject(name, of: row.digest) }
        }
        sent += 1
      }
      last = end.digest.bytes
    }
  }

  /// True if a blob's file is here, and is the blob.
  private func isWhole(_ row: BlobRow) async throws(StoreError) -> Bool {
    try await folder.onThread { [folder] () throws(StoreError) in
      guard row.size <= StoreLimits.objectBytes, let file = try folder.open(row.digest) else { return false }
      return try BlobDigest.read(file) == (row.digest, row.size)
    }
  }

  /// Removes objects from the bucket that nothing has needed for a day. To be called by one hub at a time.
  /// - Returns: true if there may be more.
  public func removeObjects() async throws(StoreError) -> Bool {
    guard let bucket = store.bucket else { return false }
    let now = store.time.now
    let isAny = try await store.read { database throws(StoreError) in
      try database.first("SELECT 1 FROM blob_objects WHERE due <= ? LIMIT 1", .double(now)) { _ in true } ?? false
    }
    guard isAny else { return false }
    try await bucket.demandRight(store)
    let names = try await store.write { database throws(StoreError) in try database.claimObjects(now: now) }
    for name in names { try await bucket.bucket.remove(name) }
    try await store.write { database throws(StoreError) in
      for name in names { try database.forgetObject(name) }
    }
    return names.count == StoreLimits.removalsPerCommit
  }

  /// Removes the copies that were used longest ago, once all of them have more than so many bytes. While a backup is
  /// written all stay.
  public func trimCopies(to limit: Int) async throws(StoreError) {
    guard let bucket = store.bucket, bucket.copies.mayExceed(limit) else { return }
    let copies = try await folder.onThread { [folder] () throws(StoreError) in try folder.copies() }
    var total = copies.reduce(0) { $0 + $1.size }
    if total > limit {
      // Some more, so that the next look is not due at once.
      let wanted = limit / 10 * 9
      var rest = copies[...]
      while total > wanted, !rest.isEmpty {
        var some: [BlobCopy] = []
        var bytes = 0
        while let copy = rest.first, some.count < StoreLimits.removalsPerCommit, total - bytes > wanted {
          some.append(copy)
          bytes += copy.size
          rest.removeFirst()
        }
        let removed = try await store.write { [some, folder] database throws(StoreError) in
          try database.removeCopies(some, folder)
        }
        guard let removed else { return }
        total -= removed
      }
    }
    bucket.copies.set(total)
  }

  /// An address at which anybody may fetch a large blob past the hub, for some minutes; nil for a small one, or without
  /// a bucket.
  /// - Parameters:
  ///   - type: the answer's Content-Type.
  ///   - disposition: the answer's Content-Disposition.
  public func address(
    of name: BlobName, type: String, disposition: String
  ) async throws(StoreError) -> String? {
    guard let bucket = store.bucket else { return nil }
    let object = try await store.look { database throws(StoreError) in
      try database.digest(of: name).flatMap { digest throws(StoreError) in try database.object(of: digest) }
    }
    return object.flatMap {
      bucket.bucket.address(
        of: $0, type: type, disposition: disposition, seconds: StoreLimits.addressSeconds)
    }
  }
}

/// A file of the folder, in the order of their last use.
struct BlobCopy: Sendable {
  var digest: BlobDigest
  var size: Int
  /// Seconds since 1970.
  var used: Int
}

extension BlobFolder {
  /// All of them. What others have put into the folder is left alone.
  func copies() throws(StoreError) -> [BlobCopy] {
    var copies: [BlobCopy] = []
    for part in try Files.names(in: path) where Self.isPart(part) {
      for name in try Files.names(in: "\(path)/\(part)") {
        var status = stat()
        guard let digest = BlobDigest(hex: name), stat("\(path)/\(part)/\(name)", &status) == 0 else { continue }
        copies.append(BlobCopy(digest: digest, size: Int(status.st_size), used: Int(status.st_atim.tv_sec)))
      }
    }
    return copies.sorted { $0.used < $1.used }
  }
}

extension Database {
  /// Takes files out of the folder that are also in the bucket, or that nothing needs.
  /// - Returns: the bytes of these; nil while a backup is written, which reads here what was in no bucket when it
  ///   began.
  func removeCopies(_ copies: [BlobCopy], _ folder: BlobFolder) throws(StoreError) -> Int? {
    let lock = try FileLock(folder.lock)
    guard try lock.take(.exclusive) else { return nil }
    var (gone, bytes): ([String], Int) = ([], 0)
    for copy in copies {
      if try hasBlob(copy.digest), try object(of: copy.digest) == nil { continue }
      guard let path = try folder.takeOut(copy.digest) else { continue }
      gone.append(path)
      bytes += copy.size
    }
    afterCommit { [gone] in withExtendedLifetime(lock) { folder.removeSoon(gone) } }
    return bytes
  }

  /// The object of a blob, for fetching it.
  package func wantedObject(of digest: BlobDigest) throws(StoreError) -> BlobObject? {
    guard let name = try object(of: digest) else { return nil }
    let size = try first("SELECT size FROM blobs WHERE digest = ?", .blob(digest.bytes)) { $0.int(0) }
    return size.map { BlobObject(name: name, digest: digest, size: $0) }
  }
}
