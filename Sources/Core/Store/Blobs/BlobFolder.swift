import Crypto
import Glibc
import Lifecycle
import Synchronization

/// The folder of large blobs: `blobs/ab/abcd…` by their digests, and `blobs/incoming` for files being added or removed.
///
/// Whatever may have to be cleaned up after a crash has a name in `incoming` meanwhile; a start looks there only, so it
/// takes no longer with many blobs:
///
/// | Name in `incoming` | Meaning | What a start does |
/// |---|---|---|
/// | `RANDOM.part` | an unfinished upload | removes it |
/// | `RANDOM.kept` | an upload that may go on after a restart | no row (`blob_parts`): removes it |
/// | `DIGEST.RANDOM` | complete and in its place, but may have no row | no row: removes both; else this name |
/// | `DIGEST.RANDOM.gone` | had no row any more | no row: removes it; else moves it back |
final class BlobFolder: Sendable {
  let path: String
  /// Threads for blocking calls: one can write while another syncs.
  private let threads: [WorkerThread]
  let states = UploadStates()
  /// True if files are copies of what is in a bucket: then their last use is noted.
  private let hasCopies: Bool

  /// - Parameter threads: 0 where blobs are only read.
  init(path: String, threads count: Int, hasCopies: Bool = false) {
    self.path = path
    self.hasCopies = hasCopies
    threads = (0..<count).map { WorkerThread(name: "store-blobs-\($0 + 1)") }
  }

  var incoming: String { "\(path)/incoming" }
  /// The lock that a backup holds shared, so that no file is removed meanwhile.
  var lock: String { "\(path)/lock" }
  /// What is in the folder beside blobs. The last one is made by file systems, where the folder is a disk of its own.
  static let others: Set = ["incoming", "lock", "users", "id", "lost+found"]

  /// True for the name of a folder in which blobs are: the first two digits of theirs.
  static func isPart(_ name: String) -> Bool {
    name.utf8.count == 2 && name.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) }
  }

  /// The lock that each hub on a database server holds shared, so that a start knows whether it is alone.
  private var users: String { "\(path)/users" }

  /// Notes that this process uses the folder, for as long as the lock lives. Whoever finds nobody there stays alone
  /// until it calls `letOthersIn`: what it cleans up is nobody's.
  func enter() throws(StoreError) -> (lock: FileLock, isAlone: Bool) {
    try make()
    let lock = try FileLock(users)
    if try lock.take(.exclusive) { return (lock, true) }
    try letOthersIn(lock)
    return (lock, false)
  }

  /// Shares the folder. A hub that starts at the same time has it alone while it cleans up.
  func letOthersIn(_ lock: FileLock) throws(StoreError) {
    guard try lock.takeSoon(.shared) else { throw Self.isLookedAt(path) }
  }

  private static func isLookedAt(_ path: String) -> StoreError {
    StoreError(.inUse, "Another hub just looks at its folder of blobs; try again", context: path)
  }

  /// What makes this folder another one than all others: kept in it.
  func id() throws(StoreError) -> String {
    try make()
    let lock = try FileLock("\(path)/id")
    let known = lock.text()
    if !known.isEmpty { return known }
    guard try lock.take(.exclusive) else { throw Self.isLookedAt(path) }
    let text = lock.text()
    if !text.isEmpty { return text }
    let made = Self.random()
    try lock.write(made)
    return made
  }

  /// The same without making anything; nil in a folder that no hub has used.
  static func id(at path: String) -> String? { Files.line("\(path)/id").flatMap { $0.isEmpty ? nil : $0 } }

  func folder(of digest: BlobDigest) -> String { "\(path)/\(digest.hex.prefix(2))" }
  func place(of digest: BlobDigest) -> String { "\(folder(of: digest))/\(digest.hex)" }

  /// A thread for the calls of one upload.
  func thread() -> WorkerThread { threads[Int.random(in: 0..<threads.count)] }

  func make() throws(StoreError) {
    var isNew = try Files.makeFolder(path)
    if try Files.makeFolder(incoming) { isNew = true }
    guard isNew else { return }
    try Files.syncFolder(path)
    try Files.syncFolder(Files.folder(of: path))
  }

  func newPart() -> String { "\(incoming)/\(Self.random()).part" }

  func newMark(_ digest: BlobDigest) -> String { "\(incoming)/\(digest.hex).\(Self.random())" }

  /// Moves a complete and synced upload into its place, durably. Its mark in `incoming` is on the disk first. If this
  /// fails, the mark may remain, and the file may be in its place already: see `Database.discard`.
  func settle(_ part: String, as digest: BlobDigest, _ mark: String) throws(StoreError) {
    try Files.move(part, to: mark)
    try Files.syncFolder(incoming)
    try place(mark, as: digest, isRepeated: false)
  }

  /// The same for an upload that keeps its name, so that it can go on if its blob gets none.
  func settleCopy(_ part: String, as digest: BlobDigest, _ mark: String) throws(StoreError) {
    guard link(part, mark) == 0 else {
      guard errno == ENOENT else { throw Files.failure("Cannot link to \(mark)", part) }
      throw StoreError(.noSuchBlob, "The upload was given up", context: part)
    }
    try Files.syncFolder(incoming)
    try place(mark, as: digest, isRepeated: false)
  }

  /// Makes sure that a marked upload is in its place.
  /// - Parameter isRepeated: true if it was there before, and may have been removed meanwhile with an older blob's last
  ///   name.
  func place(_ mark: String, as digest: BlobDigest, isRepeated: Bool) throws(StoreError) {
    if try Files.makeFolder(folder(of: digest)) { try Files.syncFolder(path) }
    let isNew = try Files.addName(place(of: digest), to: mark)
    if isNew || !isRepeated { try Files.syncFolder(folder(of: digest)) }
  }

  private struct Reading {
    weak var file: BlobFile?
  }
  /// The files being read: a thousand readers of one blob need one descriptor.
  private let reading = Mutex<[BlobDigest: Reading]>([:])

  /// A blob's file, shared by all current readers; nil if it is missing or has another size.
  func file(_ digest: BlobDigest, size: Int) throws(StoreError) -> BlobFile? {
    if let shared = reading.withLock({ $0[digest]?.file }) { return shared }
    guard let opened = try open(digest), opened.size == size else { return nil }
    if hasCopies { opened.noteUse() }
    let file = BlobFile(opened, size: size)
    return reading.withLock { reading in
      // Another thread may have opened it meanwhile.
      if let shared = reading[digest]?.file { return shared }
      reading = reading.filter { $0.value.file != nil }
      reading[digest] = Reading(file: file)
      return file
    }
  }

  /// A blob's file; nil if it is missing.
  func open(_ digest: BlobDigest) throws(StoreError) -> OpenFile? {
    do throws(StoreError) {
      return try OpenFile(reading: place(of: digest))
    } catch {
      if error.code == .file(ENOENT) { return nil }
      throw error
    }
  }

  /// Moves a file out of its place, to be removed when the transaction is on the disk.
  /// - Returns: its new path; nil if it was missing.
  func takeOut(_ digest: BlobDigest) throws(StoreError) -> String? {
    let gone = "\(incoming)/\(digest.hex).\(Self.random()).gone"
    if rename(place(of: digest), gone) == 0 { return gone }
    guard errno == ENOENT else { throw Files.failure("Cannot take out a blob", place(of: digest)) }
    return nil
  }

  /// Moves a file back that was taken out of its place, unless the same was put there meanwhile.
  func putBack(_ gone: String, _ digest: BlobDigest) {
    do throws(StoreError) {
      _ = try Files.addName(place(of: digest), to: gone)
      try Files.syncFolder(folder(of: digest))
      try Files.remove(gone)
    } catch {
      // A start does it.
    }
  }

  /// Removes files on another thread than the writer's: a large one takes a while.
  func removeSoon(_ paths: [String]) {
    guard !paths.isEmpty else { return }
    thread().execute {
      // A file that cannot be removed now is found by the next start.
      for path in paths { unlink(path) }
    }
  }

  /// Does work on one of the threads.
  func onThread<T: Sendable>(
    _ work: @escaping @Sendable () throws(StoreError) -> T
  ) async throws(StoreError) -> T {
    try await thread().run(work)
  }

  /// Waits until the threads have done their work so far.
  func finish() async {
    for thread in threads { await thread.run {} }
  }

  private static func random() -> String { Digest.hex(Digest.random(8)) }
}
