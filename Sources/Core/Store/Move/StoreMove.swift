public import Lifecycle

/// The result of moving a store.
public struct MoveSummary: Equatable, Sendable {
  public var tables: Int
  public var rows: Int
  /// All of them were read and compared with their digests.
  public var blobs: Int
  /// Blobs in a bucket, where they stay: they were not read.
  public var blobsAway: Int
  /// Faults that were there before and still are, as sentences.
  public var damage: [String]
}

extension Store {
  /// Copies all records of a store from a file to a server, or from a server to a file, and compares both. The source
  /// and the files of large blobs stay as they are. Nobody may use either of them meanwhile. Blocks the thread.
  ///
  /// One that was cut short goes on where it was, and one that is complete is only compared again.
  /// - Parameter name: the same for each attempt of a move, and for no other move: the target notes it.
  /// - Throws: `.outdated` if the source's tables are not current, `.notEmpty` for a target that has other records,
  ///   `.inUse` if a process has the file open, `.unacceptable` for what the server cannot keep, `.damaged` if the copy
  ///   differs.
  public static func move(
    from source: StorePlace, to target: StorePlace, name: String, migrations: [Migration], time: any TimeSource,
    progress: @escaping StoreProgress.Listener = { _ in }
  ) throws(StoreError) -> MoveSummary {
    let locks = [try source.lockAlone(), try target.lockAlone()]
    defer { withExtendedLifetime(locks) {} }
    if case .file(let path) = source, StoreFile(path: path).hasLeftovers {
      throw StoreError(.outdated, "A migration was cut short; start the hub once, or run store migrate", context: path)
    }
    let place = target.whileMoving(name)
    let summary = try StoreMove(
      source: source.open(isReadOnly: false), target: place.open(isReadOnly: false), name: name, now: time.now,
      tell: progress
    ).run(migrations, BlobFolder(path: target.blobs, threads: 0))
    if case .file(let path) = source { try checkClosed(path) }
    if case (.file(let made), .file(let path)) = (place, target), made != path {
      try setAside(path)
      try checkClosed(made)
      // A log without its database would be taken for that of the new one.
      try Files.removeDatabase(path)
      // A hub that was killed has left the note of a file that was here before.
      StoreFile(path: path).forgetOpen()
      try Files.move(made, to: path)
      try Files.syncFolder(Files.folder(of: path))
    }
    return summary
  }

  /// Looks whether a move can begin: whether the source is current, and the target is there and empty. Changes nothing.
  /// - Throws: as `move` would.
  public static func checkMove(
    from source: StorePlace, to target: StorePlace, migrations: [Migration]
  ) throws(StoreError) {
    guard try source.open(isReadOnly: true).pendingMigrations(migrations).isEmpty else { throw RecordCopy.outdated }
    // A file is made anew, beside one that is there.
    guard case .server = target else { return }
    let database = try target.open(isReadOnly: true)
    guard try database.tableNames().isEmpty else { throw MoveNote.notEmpty }
    try database.demandUTF8()
  }

  /// Gives the file of a store another name, under which it is kept; does nothing if there is none.
  /// - Returns: the name.
  @discardableResult
  public static func setAside(_ path: String) throws(StoreError) -> String? {
    guard Files.exists(path) else { return nil }
    try checkClosed(path)
    var kept = "\(path).moved"
    var number = 1
    while Files.exists(kept) {
      number += 1
      kept = "\(path).moved.\(number)"
    }
    try Files.move(path, to: kept)
    try Files.syncFolder(Files.folder(of: path))
    return kept
  }

  /// The last process to close a database removes its log.
  private static func checkClosed(_ path: String) throws(StoreError) {
    guard !Files.exists("\(path)-wal") else {
      throw StoreError(.inUse, "Another program has the database open; end it, and move again", context: path)
    }
  }

  /// Removes from the target what a move of this name has brought there so far.
  public static func takeBackMove(to target: StorePlace, name: String) throws(StoreError) {
    let lock = try target.lockAlone()
    defer { withExtendedLifetime(lock) {} }
    switch target {
    case .file(let path): try Files.removeDatabase(StoreFile(path: path).moving)
    case .server:
      let database = try target.open(isReadOnly: false)
      guard try database.move()?.name == name else { return }
      let tables = try database.tableNames()
      try database.inTransaction { () throws(StoreError) in
        for table in tables { try database.run("DROP TABLE \"\(table)\" CASCADE") }
      }
    }
  }
}

extension StorePlace {
  /// Where a move writes: into a file of its own, until it is complete.
  fileprivate func whileMoving(_ name: String) -> StorePlace {
    guard case .file(let path) = self else { return self }
    let move = Files.exists(path) ? try? Database(path: path, .readWrite).move() : nil
    return move?.name == name ? self : .file(StoreFile(path: path).moving)
  }

  fileprivate func lockAlone() throws(StoreError) -> FileLock? {
    guard case .file(let path) = self else { return nil }
    return try StoreFile(path: path).lock(.exclusive)
  }
}

/// Copies and compares all that a move has to.
private struct StoreMove {
  let source: Database
  let target: Database
  let name: String
  let now: Double
  let tell: StoreProgress.Listener

  func run(_ migrations: [Migration], _ folder: BlobFolder) throws(StoreError) -> MoveSummary {
    // The source may have come here by a move of its own.
    try source.endMove()
    let copy = try RecordCopy(from: source, to: target, name: name, migrations, now: now, tell: tell)
    let rows = try copy.run()
    let checked = CheckedFiles()
    let before = try StoreManifest(source, folder, checked) { _, _ in }
    let after = try StoreManifest(target, folder, checked) { [tell] done, total in
      tell(StoreProgress(step: "checking blobs", done: done, total: total))
    }
    let faults = try source.faults()
    let losses = before.losses(in: after, declared: []) + (try target.faults()).filter { !faults.contains($0) }
    guard losses.isEmpty else {
      throw StoreError(.damaged, "The copy is not whole: \(losses.joined(separator: "; "))", context: "the target")
    }
    try copy.end()
    return MoveSummary(
      tables: copy.tables.count, rows: rows, blobs: before.compared,
      blobsAway: before.blobs.count - before.compared, damage: before.damage + faults)
  }
}
