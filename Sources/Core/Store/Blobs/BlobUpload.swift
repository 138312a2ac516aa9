import Crypto
import Glibc
import Lifecycle
import Synchronization

/// An upload under way. A small one is kept in memory, a large one is written as it arrives: at most
/// `StoreLimits.smallBlobBytes` of it are held. An upload that is cancelled or never finished leaves nothing behind.
public actor BlobUpload {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private nonisolated let thread: WorkerThread
  private let folder: BlobFolder
  private let discard: @Sendable (BlobDigest, String) -> Void
  private let send: @Sendable (Blob) async throws(StoreError) -> Void
  private let limit: Int
  private let hash = RunningDigest()
  private var size = 0
  private var small: [UInt8] = []
  private var file: OpenFile?
  private var isOver = false

  /// - Parameter send: puts a large blob where else it has to be.
  init(
    folder: BlobFolder, limit: Int, discard: @escaping @Sendable (BlobDigest, String) -> Void,
    send: @escaping @Sendable (Blob) async throws(StoreError) -> Void
  ) {
    self.folder = folder
    self.limit = limit
    self.discard = discard
    self.send = send
    thread = folder.thread()
  }

  deinit { if let file { folder.removeSoon([file.path]) } }

  /// Takes the next bytes; they are written, but not synced, when this returns.
  /// - Throws: `.tooLarge` past the limit, `.diskFull`; the upload is then over, and nothing of it is kept.
  public func append(_ bytes: [UInt8]) throws(StoreError) {
    precondition(!isOver, "the upload is over")
    do throws(StoreError) {
      guard size + bytes.count <= limit else {
        throw StoreError(
          .tooLarge, "The upload is larger than accepted: more than \(limit) bytes", context: "\(limit) are accepted")
      }
      size += bytes.count
      bytes.withUnsafeBytes { hash.update($0) }
      if file == nil, size <= StoreLimits.smallBlobBytes {
        small += bytes
      } else {
        try spill().write(bytes)
      }
    } catch {
      cancel()
      throw error
    }
  }

  /// Ends the upload. The returned blob is complete, on the disk and in the bucket if there is one, and needs a name.
  /// - Throws: `.bucket` or `.bucketAway` if the bucket does not take it; nothing of it is kept.
  public func finish() async throws(StoreError) -> Blob {
    let blob = try settle()
    try await send(blob)
    return blob
  }

  private func settle() throws(StoreError) -> Blob {
    precondition(!isOver, "the upload is over")
    let digest = BlobDigest(hash)
    guard let file else {
      isOver = true
      defer { small = [] }
      return Blob(digest: digest, size: size, staging: .bytes(small), discard: { _, _ in })
    }
    let mark = folder.newMark(digest)
    do throws(StoreError) {
      try file.sync()
      try folder.settle(file.path, as: digest, mark)
      self.file = nil
      isOver = true
      return Blob(digest: digest, size: size, staging: .file(mark: mark, folder), discard: discard)
    } catch {
      cancel()
      // Otherwise each failed upload would take room until the next start, on a disk that may be full.
      if Files.exists(mark) { discard(digest, mark) }
      throw error
    }
  }

  /// Cancels the upload.
  public func cancel() {
    isOver = true
    small = []
    if let file { unlink(file.path) }
    file = nil
  }

  private func spill() throws(StoreError) -> OpenFile {
    if let file { return file }
    try folder.make()
    let file = try OpenFile(making: folder.newPart())
    self.file = file
    try file.write(small)
    small = []
    return file
  }
}

/// Content that is complete and on the disk. `Database.name` names it, in the same commit as a room's own rows; without
/// a name it is removed with the last reference, or at the hub's next start.
public final class Blob: Sendable {
  public let digest: BlobDigest
  /// Bytes.
  public let size: Int

  enum Staging {
    case bytes([UInt8])
    case file(mark: String, BlobFolder)
    /// It has a name and belongs to the store.
    case kept
  }
  private let staging: Mutex<Staging>
  private let sent = Mutex<String?>(nil)
  /// Its object in the bucket; nil for a small one, or without a bucket.
  var object: String? { sent.withLock { $0 } }
  private let discard: @Sendable (BlobDigest, String) -> Void

  init(digest: BlobDigest, size: Int, staging: Staging, discard: @escaping @Sendable (BlobDigest, String) -> Void) {
    self.digest = digest
    self.size = size
    self.staging = Mutex(staging)
    self.discard = discard
  }

  deinit {
    if case .file(let mark, _) = staging.withLock({ $0 }) { discard(digest, mark) }
  }

  /// The bytes that the row holds; nil for a large blob, whose file is in its place then.
  func bytesForRow() throws(StoreError) -> [UInt8]? {
    switch staging.withLock({ $0 }) {
    case .bytes(let bytes): return bytes
    case .file(let mark, let folder):
      try folder.place(mark, as: digest, isRepeated: true)
      return nil
    case .kept:
      throw StoreError(.noSuchBlob, "The blob was removed with its last name; upload it again", context: digest.hex)
    }
  }

  /// The file of a large blob that has no name yet.
  var file: String? {
    if case .file(let mark, _) = staging.withLock({ $0 }) { mark } else { nil }
  }

  func isSent(as object: String) { sent.withLock { $0 = object } }

  /// Called when a row of it is on the disk.
  func keep() {
    let before = staging.withLock { staging in
      defer { staging = .kept }
      return staging
    }
    if case .file(let mark, let folder) = before { folder.removeSoon([mark]) }
  }
}
