/// The database's file and the files beside it.
///
/// | Name | Meaning |
/// |---|---|
/// | `X` | the database; `X-wal` and `X-shm` are its log while it is open |
/// | `X.lock` | held shared by processes with the database open, exclusively by one that replaces its file |
/// | `X.new` | a copy that is being migrated; unused until it replaces `X` |
/// | `X.trial` | a copy on which a migration is only tried |
/// | `X.old` | the file before a migration, until the new one is verified in its place |
/// | `X.moving` | a copy of a server's records, until all of them are there |
/// | `X.moved` | the file of which the records were moved to a server |
/// | `blobs/` | large blobs: see `BlobFolder` |
struct StoreFile: Sendable {
  let path: String

  var folder: String { Files.folder(of: path) }
  var blobs: String { "\(folder)/blobs" }
  var lockPath: String { "\(path).lock" }
  var new: String { "\(path).new" }
  var old: String { "\(path).old" }
  var moving: String { "\(path).moving" }
  /// A copy on which a migration is tried; any process may remove a leftover.
  var trial: String { "\(path).trial" }
  /// The folder in which a restore prepares everything before the database is moved into place.
  var restoring: String { "\(folder)/restoring" }

  /// True if a migration or restore was interrupted, which only the owner may clean up.
  var hasLeftovers: Bool { Files.exists(new) || Files.exists(old) || Files.exists(restoring) }

  /// Takes the lock, waiting a while for other processes.
  func lock(_ kind: FileLock.Kind) throws(StoreError) -> FileLock {
    let lock = try FileLock(lockPath)
    try take(kind, lock)
    return lock
  }

  func take(_ kind: FileLock.Kind, _ lock: FileLock) throws(StoreError) {
    if try lock.takeSoon(kind) { return }
    throw StoreError(
      .inUse,
      kind == .exclusive
        ? "Another process has the database open, and it has to be alone for this; end that one"
        : "The database is being migrated or restored; try again when that is done", context: path)
  }

  /// Refuses the remains of an interrupted restore; removes those of a complete one.
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
