import Glibc
import Lifecycle
import Synchronization

/// The blobs of a store, for commands that read all of them.
struct BlobSource {
  let folder: BlobFolder
  let bucket: (any BlobBucket)?

  /// The file of a large blob: what the bucket has, if it is there, and not a copy of that; nil if it is missing.
  func open(_ row: BlobRow) throws(StoreError) -> OpenFile? {
    guard let object = row.object else { return try folder.open(row.digest) }
    guard let bucket else {
      throw StoreError(.bucket, "It is in an object store, and nothing says in which: --blobs s3://…", context: object)
    }
    try folder.make()
    let part = folder.newPart()
    defer { unlink(part) }
    let isThere = try awaited { () throws(StoreError) in try await bucket.get(object, to: part, size: row.size) }
    return isThere ? try OpenFile(reading: part) : nil
  }
}

/// Waits on this thread for work on a bucket. For commands, which do one thing after the other; each request to a
/// bucket has its limit.
private func awaited<T: Sendable>(
  _ work: @escaping @Sendable () async throws(StoreError) -> T
) throws(StoreError) -> T {
  let outcome = Outcome<T>()
  Task.detached {
    do throws(StoreError) {
      let value = try await work()
      outcome.result.withLock { $0 = .success(value) }
    } catch {
      outcome.result.withLock { $0 = .failure(error) }
    }
    outcome.signal.post()
  }
  while true {
    outcome.signal.wait(atMost: 60)
    if let result = outcome.result.withLock({ $0 }) { return try result.get() }
  }
}

private final class Outcome<T: Sendable>: Sendable {
  let signal = ThreadSignal()
  let result = Mutex<Result<T, StoreError>?>(nil)
}
