import EventLoop
import Glibc
import Hub
import Lifecycle
import Observe
import Server
import Settings
import Store
import Synchronization

/// Copies each album's originals into a folder of the owner's, as plain files by time and person: for other programs,
/// and for backups that the owner makes anyway. What is copied stands in a table, so it goes on where it was.
///
/// A copy is never changed or removed: what a guest withdraws is gone from the album, not from the hosts' folder.
final class AlbumCopies: Sendable {
  static let option = Setting(
    "albums_folder", "DIR", fallback: "",
    help: "a folder for copies of all originals as plain files, a folder for each album; none if not given")

  /// Nil where nothing is copied.
  let folder: String?
  private let hub: Hub
  private let poller: Poller
  private let fault = Mutex<String?>(nil)

  private struct Looked {
    /// All pictures up to this key have their copies, or had been removed.
    var upTo = 0
    /// True once that may not be so any more.
    var isStale = false
  }
  private let looked = Mutex(Looked())

  init(_ hub: Hub) {
    self.hub = hub
    poller = Poller(hub.loop)
    let folder = hub.options["albums_folder"]
    self.folder = folder.isEmpty ? nil : folder
  }

  /// There is something to be copied.
  /// - Parameter anew: true if it may be more than a new picture: one has come back, or those that come may have the
  ///   keys of some that are gone.
  func wake(anew: Bool = false) {
    if anew { looked.withLock { $0.isStale = true } }
    poller.wake()
  }

  /// The reason why it cannot copy now; nil if nothing does.
  var lastFault: String? { fault.withLock { $0 } }

  func run() async throws {
    guard let folder else { return try await poller.run { nil } }
    let writer = CopyWriter(folder)
    try await poller.run { [self] in
      let found: (fault: String?, isEarly: Bool)
      do { found = try await copyAll(writer) } catch let error as CopyFault { found = (error.words, false) }
      fault.withLock { $0 = found.fault }
      guard let words = found.fault else { return found.isEarly ? UploadLimits.copyAgainSeconds : nil }
      hub.log.error("an original could not be copied", ["error": words])
      return UploadLimits.copyAgainSeconds
    }
  }

  /// - Returns: what kept one of the originals from being copied; nil if all are there. And true if some wait for the
  ///   time in their files, by which they are named.
  /// - Throws: what would keep the others from it too.
  private func copyAll(_ writer: CopyWriter) async throws -> (fault: String?, isEarly: Bool) {
    // A new picture is no reason to go through all of years.
    var last = looked.withLock { looked in
      if looked.isStale { looked = Looked() }
      return looked.upTo
    }
    var words: String?
    while true {
      let (after, now) = (last, hub.time.now)
      let (next, unread) = try await hub.store.read {
        database throws(StoreError) -> ([(original: KeptOriginal, album: Int)], Int?) in
        let unread = try database.firstUnread(now: now)
        return (
          try database.uncopied(after: after, before: unread ?? .max, limit: UploadLimits.copiedAtOnce), unread
        )
      }
      guard let end = next.last else {
        if words == nil { looked.withLock { $0.upTo = after } }
        return (words, unread != nil)
      }
      for (original, album) in next {
        let name = OriginalName.name(of: original, in: hub.place.zone, mark: String(original.address.prefix(6)))
        let file: String
        do {
          guard let content = try await hub.store.blobs.content(of: original.blob) else { continue }
          let folder = try await hub.store.read { database throws(StoreError) in
            try database.copyFolder(of: album)
          }
          file = try await writer.copy(content, to: folder, name)
        } catch let error as CopyFault where !error.isOfAll {
          words = error.words
          continue
        } catch let error as StoreError where error.code != .closed {
          words = "\(name): \(error)"
          continue
        }
        try await hub.commit(as: .room(AlbumsRoom.id)) { change in
          try change.database.noteCopy(file, of: original.id)
        }
      }
      last = end.original.id
    }
  }
}

struct CopyFault: Error {
  let words: String
  /// True if no other original could be written either.
  let isOfAll: Bool

  init(_ what: String, _ path: String, isOfAll: Bool = false) {
    let code = errno
    self.isOfAll = isOfAll || [ENOSPC, EDQUOT, EROFS].contains(code)
    words = "\(what) \(path): \(String(cString: strerror(code)))"
  }
}

/// Writes the copies, on a thread of its own.
private actor CopyWriter {
  private nonisolated let thread = WorkerThread(name: "album-copies")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private let folder: String

  init(_ folder: String) { self.folder = folder }

  /// The modes are those for readers that the folder's default ACL lets in: without one, the hub's umask leaves its
  /// user.
  /// - Returns: the file's path below the folder. A copy that was cut off, or has no row yet, is replaced by the same.
  func copy(_ content: BlobContent, to album: String, _ name: String) throws -> String {
    let place = "\(folder)/\(album)"
    for path in [folder, place] where mkdir(path, 0o755) != 0 && errno != EEXIST {
      throw CopyFault("Cannot make the folder", path, isOfAll: path == folder)
    }
    let part = "\(place)/.\(name).part"
    let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard file >= 0 else { throw CopyFault("Cannot make", part) }
    defer { close(file) }
    do {
      var position = 0
      while position < content.size {
        let piece = content.piece(from: position)
        guard !piece.isEmpty else { throw CopyFault("Cannot read for", part) }
        try piece.withUnsafeBytes { try write($0, to: file, part) }
        position += piece.count
      }
      guard fsync(file) == 0 else { throw CopyFault("Cannot sync", part) }
      guard rename(part, "\(place)/\(name)") == 0 else { throw CopyFault("Cannot rename", part) }
    } catch {
      unlink(part)
      throw error
    }
    return "\(album)/\(name)"
  }

  private func write(_ bytes: UnsafeRawBufferPointer, to file: Int32, _ path: String) throws {
    var rest = bytes
    while !rest.isEmpty {
      let count = Glibc.write(file, rest.baseAddress, rest.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw CopyFault("Cannot write", path) }
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }
}
