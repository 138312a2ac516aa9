/// Migrates a store such that a complete one exists at every moment.
///
/// A copy is migrated and compared with the contents before; only then does it replace the database, by one rename, and
/// the old file stays beside it until the new one was compared in its place. Files of large blobs are read and never
/// changed. A crash at any moment leaves the old or the new database complete, and remains that `tidy` removes at the
/// next start. The caller has the file to itself.
struct Upgrade {
  let file: StoreFile
  let migrations: [Migration]
  let now: Double
  let tell: StoreProgress.Listener
  private let checked = CheckedFiles()
  private var blobs: BlobFolder { BlobFolder(path: file.blobs, threads: 0) }

  /// The steps that have not run; nil for a database that has no tables yet.
  func pending() throws(StoreError) -> [Migration]? {
    guard (Files.identity(file.path)?.size ?? 0) > 0 else { return nil }
    do throws(StoreError) {
      let database = try Database(path: file.path, .readWrite)
      if try database.tableNames().isEmpty { return nil }
      return try database.pendingMigrations(migrations)
    } catch {
      if case .sqlite = error.code {
        throw StoreError(.open, "Cannot open the database: \(error.message)", context: file.path)
      }
      throw error
    }
  }

  /// Removes what a crash has left of an earlier migration.
  func tidy() throws(StoreError) {
    try file.finishRestore()
    for copy in [file.new, file.trial] { try Files.removeDatabase(copy) }
    guard let old = Files.identity(file.old) else { return }
    if let current = Files.identity(file.path), !current.isSameFile(as: old) {
      // The new file is in its place but was not compared yet; nothing was written to it either.
      let before = try manifest(Database(path: file.old, .still), "checking the database from before")
      try verifyInPlace(before)
    }
    if !Files.exists(file.path) { _ = try Files.addName(file.path, to: file.old) }
    try Files.remove(file.old)
    try Files.syncFolder(file.folder)
  }

  /// Migrates the store.
  func run() throws(StoreError) -> MigrationSummary {
    let before: StoreManifest
    let outcome: MigrationSummary
    do {
      let database = try Database(path: file.path, .readWrite)
      before = try manifest(database, "checking what there is")
      outcome = try migrateCopy(of: database, before, at: file.new)
      try database.script(Dialect.foldLog)
    }
    // The last process to close the database checkpoints and removes its log. One that remained would be taken for the
    // new file's.
    guard !Files.exists("\(file.path)-wal") else {
      try Files.removeDatabase(file.new)
      throw StoreError(.inUse, "Another program has the database open; end it", context: file.path)
    }
    guard try Files.addName(file.old, to: file.path) else { throw Files.failure("Cannot keep", file.old) }
    try Files.syncFolder(file.folder)
    try Files.move(file.new, to: file.path)
    try Files.syncFolder(file.folder)
    try verifyInPlace(before)
    try Files.remove(file.old)
    try Files.syncFolder(file.folder)
    return outcome
  }

  /// Tries the migration on a copy that is removed; other processes may use the store.
  func rehearse(at path: String) throws(StoreError) -> MigrationSummary {
    let database = try Database(path: file.path, .readOnly)
    // The copy is compared with itself, since the store may change meanwhile.
    try database.copy(to: path, say("copying the database"))
    let outcome: MigrationSummary
    do throws(StoreError) {
      let copy = try Database(path: path, .copy)
      let before = try manifest(copy, "checking what there is")
      outcome = try migrate(copy, before)
    } catch {
      try Files.removeDatabase(path)
      throw error
    }
    try Files.removeDatabase(path)
    return outcome
  }

  private func migrateCopy(of database: Database, _ before: StoreManifest, at path: String) throws(StoreError)
    -> MigrationSummary
  {
    try database.copy(to: path, say("copying the database"))
    do throws(StoreError) {
      let outcome = try migrate(Database(path: path, .copy), before)
      try Files.syncFile(path)
      return outcome
    } catch {
      try Files.removeDatabase(path)
      throw error
    }
  }

  private func migrate(_ copy: Database, _ before: StoreManifest) throws(StoreError) -> MigrationSummary {
    let steps = try copy.pendingMigrations(migrations)
    let faults = Set(try copy.faults())
    try copy.migrate(migrations, now: now)
    let after = try manifest(copy, "checking the migrated copy")
    let newFaults = try copy.faults().filter { !faults.contains($0) }
    try before.demandAll(in: after, after: steps, newFaults)
    return MigrationSummary(
      steps: steps.map(\.name), rows: before.rows.values.reduce(0, +), blobs: before.compared,
      damage: before.damage + faults.sorted())
  }

  /// Compares the file now in place with the contents before; restores the old one if they differ.
  private func verifyInPlace(_ before: StoreManifest) throws(StoreError) {
    var losses: [String]
    do throws(StoreError) {
      let database = try Database(path: file.path, .still)
      let declared = migrations.flatMap(\.changesRowsOf)
      losses = before.losses(in: try manifest(database, "checking the migrated database"), declared: Set(declared))
    } catch {
      losses = [error.description]
    }
    guard !losses.isEmpty else { return }
    try Files.move(file.old, to: file.path)
    try Files.syncFolder(file.folder)
    throw StoreError(
      .migration, "The migrated file was not whole, and the old one is back: \(losses.joined(separator: "; "))",
      context: file.path)
  }

  private func manifest(_ database: Database, _ step: String) throws(StoreError) -> StoreManifest {
    try StoreManifest(database, blobs, checked, say(step))
  }

  private func say(_ step: String) -> (Int, Int) -> Void {
    { [tell] done, total in tell(StoreProgress(step: step, done: done, total: total)) }
  }
}
