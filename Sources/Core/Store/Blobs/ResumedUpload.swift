public import Crypto
import Glibc
import Lifecycle

/// An unfinished upload that is being continued, by one writer at a time. Its bytes flow to the disk; what was
/// acknowledged stays, whatever happens to the rest.
public actor ResumedUpload {
  public nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private nonisolated let thread: WorkerThread
  private let store: Store
  private let folder: BlobFolder
  /// The upload as it was when this was opened.
  public nonisolated let upload: UnfinishedUpload
  private var state = UploadState()
  private var file: OpenFile?
  private var isOver = false
  /// True if bytes may be in the file that `state` has not.
  private var isCutShort = false
  /// The digest of the bytes since this was opened, if a client wants them checked.
  private let part: RunningDigest?
  /// Bytes at which writing back was begun, and at which the last checkpoint was begun.
  private var flushed = 0
  private var checkpointed = 0
  /// The uptime at that.
  private var checkpointedAt = 0.0
  /// Seconds for which it is kept from a checkpoint on, at least.
  private let kept: Double
  private var checkpoint: Task<StoreError?, Never>?

  init(
    _ upload: UnfinishedUpload, _ store: Store, _ folder: BlobFolder, checking: RunningDigest.Kind?, kept: Double
  ) {
    (self.upload, self.store, self.folder, self.kept) = (upload, store, folder, kept)
    part = checking.map { RunningDigest($0) }
    thread = folder.thread()
  }

  /// Bytes received, acknowledged or not.
  public var received: Int { state.received }
  private var path: String { "\(folder.incoming)/\(upload.file)" }

  /// Opens the file at the end of what was acknowledged; what had come behind it is dropped.
  ///
  /// A hub that stands still, or has not noticed that a connection is dead, may have the file open while the client
  /// goes on at another hub with the same folder. It writes whenever it wakes up, whatever it has looked at before. So
  /// the file is written by whoever has its lock alone, and by nobody once it is a blob; others go on in another file.
  /// - Returns: false if the upload has changed, which has to be looked up again.
  func open() async throws(StoreError) -> Bool {
    try folder.make()
    let file = try OpenFile(continuing: path)
    guard try file.claim(), !file.isShared else {
      try await leave(file)
      return false
    }
    // More may have been acknowledged since it was looked up, by the one who had the lock, or it may have ended.
    let current = try await store.read { [upload] database throws(StoreError) in
      try database.unfinishedUpload(upload.name)
    }
    guard current == upload else { return false }
    guard file.size >= upload.received else {
      throw StoreError(.damaged, "An upload's file has become shorter", context: path)
    }
    try file.cut(to: upload.received)
    if let known = folder.states.state(of: upload.file, received: upload.received) {
      state = known
    } else {
      try await readAgain(file)
    }
    (flushed, checkpointed, self.file) = (state.received, state.received, file)
    checkpointedAt = store.time.uptime
    return true
  }

  /// Has the upload go on in a new file, with a copy of what was acknowledged. Somebody else may still write to the old
  /// one; or a blob was made of it, which got no name in the end, or gave its file to another upload of the same bytes.
  private func leave(_ old: OpenFile) async throws(StoreError) {
    let name = UnfinishedUpload.newFile()
    let path = "\(folder.incoming)/\(name)"
    do throws(StoreError) {
      let new = try OpenFile(making: path)
      let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)
      defer { buffer.deallocate() }
      var left = upload.received
      while left > 0, case let count = min(left, try old.read(into: buffer)), count > 0 {
        try new.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        left -= count
        await Task.yield()
      }
      try new.sync()
      try Files.syncFolder(folder.incoming)
    } catch {
      unlink(path)
      throw error
    }
    // If this throws, nobody knows whether it was kept: the new file stays.
    let isMoved = try await store.write { [upload] database throws(StoreError) in
      try database.move(upload, to: name)
    }
    if !isMoved { unlink(path) }
  }

  /// Computes the checksums of what is there. Others get the thread in between.
  private func readAgain(_ file: OpenFile) async throws(StoreError) {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: StoreLimits.pieceBytes, alignment: 16)
    defer { buffer.deallocate() }
    while case let count = try file.read(into: buffer), count > 0 {
      state.update(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      if state.received % StoreLimits.flushBytes == 0 { await Task.yield() }
    }
  }

  /// Takes the next bytes; they are written, but not acknowledged, when this returns.
  /// - Parameter isSure: false if they may have to be taken back.
  /// - Throws: `.tooLarge` past the announced size, `.diskFull`; the upload can be resumed where it was acknowledged.
  public func append(_ bytes: [UInt8], isSure: Bool = true) throws(StoreError) {
    guard let file, !isOver else { preconditionFailure("the upload is over") }
    do throws(StoreError) {
      guard state.received + bytes.count <= upload.size else {
        throw StoreError(.tooLarge, "The upload is larger than announced", context: "\(upload.size) bytes")
      }
      try file.write(bytes)
    } catch {
      (isOver, isCutShort) = (true, true)
      throw error
    }
    bytes.withUnsafeBytes {
      state.update($0)
      part?.update($0)
    }
    if state.received - flushed >= StoreLimits.flushBytes {
      // The disk begins now, so that the sync at the end has little to wait for.
      file.beginWriting(flushed..<state.received)
      flushed = state.received
    }
    // All of it is acknowledged by the blob's name alone.
    guard isSure, checkpoint == nil, state.received < upload.size, isCheckpointDue else { return }
    beginCheckpoint(file)
  }

  /// True if much has come since the last checkpoint, or something in a long time.
  private var isCheckpointDue: Bool {
    state.received - checkpointed >= StoreLimits.checkpointBytes
      || (state.received > checkpointed && store.time.uptime - checkpointedAt >= StoreLimits.checkpointSeconds)
  }

  /// Acknowledges what has come so far, while more comes.
  private func beginCheckpoint(_ file: OpenFile) {
    let received = state.received
    (checkpointed, checkpointedAt) = (received, store.time.uptime)
    // It may go on for hours, and must not end as one that nobody continues.
    let expires = max(upload.expires, store.time.now + kept)
    // Whoever ends the upload, in whichever way, waits for it. It notes its own end, and keeps an error of the disk for
    // them.
    checkpoint = Task {
      do throws(StoreError) {
        try await FileSync(folder).sync(file, isNew: upload.received == 0)
      } catch {
        return error
      }
      // Where the records are away for a moment, the next one has it, or the end.
      _ = try? await store.write { [upload] database throws(StoreError) in
        try database.advance(upload, to: received, expires: expires)
      }
      checkpoint = nil
      return nil
    }
  }

  /// Waits for the checkpoint under way.
  /// - Throws: its error: what the system could not write once may be missing, though a later sync succeeds.
  private func awaitCheckpoint() async throws(StoreError) {
    if let error = await checkpoint?.value {
      isOver = true
      throw error
    }
  }

  /// A file server may give this hub's lock to another one if it hears nothing of it for long (NFS: for 90 seconds).
  /// That one has cut the file then, and written behind.
  /// - Throws: `.damaged` if the file has other bytes than those that came here.
  private func demandOwn(_ file: OpenFile) throws(StoreError) {
    guard file.size == state.received else {
      throw StoreError(.damaged, "An upload's file was written by somebody else too", context: path)
    }
  }

  /// The digest of the bytes since this was opened. To be called once.
  public func partDigest() -> [UInt8] { part?.finish() ?? [] }

  /// Makes sure that what has come is on the disk, and notes it.
  /// - Parameter expires: seconds since 1970.
  /// - Returns: the bytes received in all; nil if the upload has ended meanwhile.
  public func acknowledge(expires: Double) async throws(StoreError) -> Int? {
    guard let file, !isOver else { preconditionFailure("the upload is over") }
    try await awaitCheckpoint()
    try file.sync()
    if upload.received == 0 { try Files.syncFolder(folder.incoming) }
    try demandOwn(file)
    let (received, upload) = (state.received, upload)
    let isThere = try await store.write { database throws(StoreError) in
      try database.advance(upload, to: received, expires: expires)
    }
    guard isThere else { return nil }
    folder.states.keep(state, of: upload.file)
    return received
  }

  /// Ends the upload once all has come. The blob is complete and on the disk; it needs a name, and in the same commit
  /// `Database.endUpload`. Without them the upload stays as it was acknowledged.
  /// - Throws: `.noSuchBlob` if the upload has ended meanwhile, `.damaged` if its file is not what came here.
  public func finish() async throws(StoreError) -> FinishedUpload {
    guard let file, !isOver else { preconditionFailure("the upload is over") }
    precondition(state.received == upload.size, "\(state.received) of \(upload.size) bytes have come")
    isOver = true
    try await awaitCheckpoint()
    let digest = BlobDigest(state.digest.copy())
    let beginning = try file.all(min(upload.size, StoreLimits.beginningBytes))
    if upload.size <= StoreLimits.smallBlobBytes {
      try demandOwn(file)
      let bytes = try file.all(upload.size)
      let blob = Blob(digest: digest, size: upload.size, staging: .bytes(bytes), discard: { _, _ in })
      return FinishedUpload(blob: blob, crc32: state.crc32, beginning: beginning)
    }
    try file.sync()
    let mark = folder.newMark(digest)
    let discard = store.blobs.discard
    do throws(StoreError) {
      try folder.settleCopy(path, as: digest, mark)
      // From here on nobody writes to the file, since it has a second name.
      try demandOwn(file)
    } catch {
      if Files.exists(mark) { discard(digest, mark) }
      throw error
    }
    let blob = Blob(digest: digest, size: upload.size, staging: .file(mark: mark, folder), discard: discard)
    try await store.blobs.send(blob)
    return FinishedUpload(blob: blob, crc32: state.crc32, beginning: beginning)
  }

  /// Stops without acknowledging more: the bytes since the last acknowledgement are dropped.
  public func giveUp() async {
    isOver = true
    _ = await checkpoint?.value
    guard let file else { return }
    self.file = nil
    let current = try? await store.read { [upload] database throws(StoreError) in
      try database.unfinishedUpload(upload.name)
    }
    // It frees room on a disk that may be full; what remains is cut off when the upload goes on. What another hub has
    // written (`demandOwn`) stays, and nothing is made longer.
    guard let current, current.file == upload.file, !file.isShared, isCutShort || file.size == state.received,
      current.received < file.size
    else { return }
    try? file.cut(to: current.received)
  }
}

/// An upload of which everything has come.
public struct FinishedUpload: Sendable {
  public var blob: Blob
  /// As in zip files.
  public var crc32: UInt32
  /// The first `StoreLimits.beginningBytes` bytes or fewer, which tell the kind of a file.
  public var beginning: [UInt8]
}

/// Syncs a file on another thread than the one that writes it.
private actor FileSync {
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private nonisolated let thread: WorkerThread
  private let folder: BlobFolder

  init(_ folder: BlobFolder) { (self.folder, thread) = (folder, folder.thread()) }

  func sync(_ file: OpenFile, isNew: Bool) throws(StoreError) {
    try file.sync()
    if isNew { try Files.syncFolder(folder.incoming) }
  }
}

extension Blobs {
  /// Continues an upload; only one caller may do so at a time.
  /// - Parameters:
  ///   - checking: the kind of `ResumedUpload.partDigest`.
  ///   - kept: seconds for which it is kept, at least, from each time on that some of it is acknowledged while more
  ///     comes.
  /// - Returns: nil if there is no such upload, or no more.
  /// - Throws: `.damaged` if its file is not what it was.
  public func resume(
    _ name: BlobName, checking: RunningDigest.Kind? = nil, kept: Double = 0
  ) async throws(StoreError) -> ResumedUpload? {
    while true {
      let found = try await store.read { database throws(StoreError) in try database.unfinishedUpload(name) }
      guard let found else { return nil }
      let upload = ResumedUpload(found, store, folder, checking: checking, kept: kept)
      if try await upload.open() { return upload }
    }
  }

  /// The upload with this name; nil once it has ended, or if there never was one.
  public func unfinishedUpload(_ name: BlobName) async throws(StoreError) -> UnfinishedUpload? {
    try await store.look { database throws(StoreError) in try database.unfinishedUpload(name) }
  }
}
