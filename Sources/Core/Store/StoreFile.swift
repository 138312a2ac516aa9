import Lifecycle

/// The database's file and what stands beside it.
///
/// | Name | Is |
/// |---|---|
/// | `X` | the database; `X-wal` and `X-shm` are its log while it is open |
/// | `X.lock` | held shared by all who have the database open, alone by who replaces its file |
/// | `X.new` | a copy that is being migrated; worth nothing before it takes the place of `X` |
/// | `X.trial` | a copy on which a migration is only tried |
/// | `X.old` | the file from before a migration, until the new one is verified in its place |
/// | `blobs/` | large blobs: see `BlobFolder` |
struct StoreFile: Sendable {
  let path: String

  var folder: String { Files.folder(of: path) }
  var blobs: String { "\(folder)/blobs" }
  var lockPath: String { "\(path).lock" }
  var new: String { "\(path).new" }
  var old: String { "\(path).old" }
  /// A copy on which a migration is tried; anybody may remove what is left of one.
  var trial: String { "\(path).trial" }
  /// Where a restore puts everything together before the database takes its place.
  var restoring: String { "\(folder)/restoring" }

  /// Whether a migration was cut short: only its owner may mend that.
  var hasLeftovers: Bool { Files.exists(new) || Files.exists(old) || Files.exists(restoring) }

  /// Takes the lock, waiting a while for others.
  func lock(_ kind: FileLock.Kind) throws(StoreError) -> FileLock {
    let lock = try FileLock(lockPath)
    try take(kind, lock)
    return lock
  }

  func take(_ kind: FileLock.Kind, _ lock: FileLock) throws(StoreError) {
    let pause = ThreadSignal()
    for _ in 0..<Int(StoreLimits.lockSeconds / StoreLimits.lockPause) {
      if try lock.take(kind) { return }
      pause.wait(atMost: StoreLimits.lockPause)
    }
    throw StoreError(
      .inUse,
      kind == .exclusive
        ? "Another process has the database open, and it has to be alone for this; end that one"
        : "The database is being migrated or restored; try again when that is done", context: path)
  }

  /// Refuses what a restore has left that was cut short; clears away what one has left that was not.
  func finishRestore() throws(StoreError) {
    guard Files.exists(restoring) else { return }
    guard Files.exists(path) else {
      throw StoreError(
        .open, "A restore into this folder was cut short; run it again, with the same backup or another one",
        context: folder)
    }
    try Files.removeTree(restoring)
  }
}
