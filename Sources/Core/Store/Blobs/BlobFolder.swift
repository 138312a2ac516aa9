import Crypto
import Glibc
import Lifecycle
import Synchronization

/// Where large blobs lie: `blobs/ab/abcd…` by their digests, and `blobs/incoming` for what is on its way in or out.
///
/// Whatever may have to be tidied up after a crash has a name in `incoming` for as long as that is so; a start looks
/// there and nowhere else, so it takes no longer the more blobs there are:
///
/// | Name in `incoming` | Means | What a start does |
/// |---|---|---|
/// | `RANDOM.part` | an upload that had not ended | removes it |
/// | `DIGEST.RANDOM` | complete and in its place, but perhaps nothing names it | no row: removes both; else this one |
/// | `DIGEST.RANDOM.gone` | nothing named it any more | no row: removes it; else puts it back |
final class BlobFolder: Sendable {
  let path: String
  /// Threads for what blocks: one writes while the other one syncs.
  private let threads: [WorkerThread]

  /// - Parameter threads: none where blobs are only read.
  init(path: String, threads count: Int) {
    self.path = path
    threads = (0..<count).map { WorkerThread(name: "store-blobs-\($0 + 1)") }
  }

  var incoming: String { "\(path)/incoming" }
  /// Held shared by a backup, so that no file is taken away under it.
  var lock: String { "\(path)/lock" }
  func folder(of digest: BlobDigest) -> String { "\(path)/\(digest.hex.prefix(2))" }
  func place(of digest: BlobDigest) -> String { "\(folder(of: digest))/\(digest.hex)" }

  /// A thread for the work on one upload.
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

  /// Puts a complete and synced upload in its place, durably. Its mark in `incoming` is on the disk first. Should that
  /// fail, the mark may stay, and the file be in its place already: see `Database.discard`.
  func settle(_ part: String, as digest: BlobDigest, _ mark: String) throws(StoreError) {
    try Files.move(part, to: mark)
    try Files.syncFolder(incoming)
    try place(mark, as: digest, isRepeated: false)
  }

  /// Makes sure that a marked upload is in its place.
  /// - Parameter isRepeated: it was there before, and may have been removed meanwhile with an older blob's last name.
  func place(_ mark: String, as digest: BlobDigest, isRepeated: Bool) throws(StoreError) {
    if try Files.makeFolder(folder(of: digest)) { try Files.syncFolder(path) }
    let isNew = try Files.addName(place(of: digest), to: mark)
    if isNew || !isRepeated { try Files.syncFolder(folder(of: digest)) }
  }

  private struct Reading {
    weak var file: BlobFile?
  }
  /// What is being read: a thousand readers of one blob need one descriptor.
  private let reading = Mutex<[BlobDigest: Reading]>([:])

  /// A blob's file, the same for all who read it at the time; nil if it is not there, or of another size.
  func file(_ digest: BlobDigest, size: Int) throws(StoreError) -> BlobFile? {
    if let shared = reading.withLock({ $0[digest]?.file }) { return shared }
    guard let opened = try open(digest), opened.size == size else { return nil }
    let file = BlobFile(opened, size: size)
    return reading.withLock { reading in
      // Somebody else may have been quicker.
      if let shared = reading[digest]?.file { return shared }
      reading = reading.filter { $0.value.file != nil }
      reading[digest] = Reading(file: file)
      return file
    }
  }

  /// A blob's file; nil if it is not there.
  func open(_ digest: BlobDigest) throws(StoreError) -> OpenFile? {
    do throws(StoreError) {
      return try OpenFile(reading: place(of: digest))
    } catch {
      if error.code == .file(ENOENT) { return nil }
      throw error
    }
  }

  /// Takes a file out of its place, to be removed when the transaction is on the disk.
  /// - Returns: where it is now; nil if it was not there.
  func takeOut(_ digest: BlobDigest) throws(StoreError) -> String? {
    let gone = "\(incoming)/\(digest.hex).\(Self.random()).gone"
    if rename(place(of: digest), gone) == 0 { return gone }
    guard errno == ENOENT else { throw Files.failure("Cannot take out a blob", place(of: digest)) }
    return nil
  }

  /// Removes files off the writer's thread: a large one takes a while.
  func removeSoon(_ paths: [String]) {
    guard !paths.isEmpty else { return }
    thread().execute {
      // What cannot be removed now is found by the next start.
      for path in paths { unlink(path) }
    }
  }

  /// Waits for what the threads were given before.
  func finish() async {
    for thread in threads {
      await withUnsafeContinuation { continuation in thread.execute { continuation.resume() } }
    }
  }

  private static func random() -> String { Digest.hex(Digest.random(8)) }
}
