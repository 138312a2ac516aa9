/// Brings the tables of a server up to date. All steps, and the comparison with what was there before, are one
/// transaction, which only one process can have at a time; since PostgreSQL can also take back the change of a table,
/// nothing is copied. Programs that run go on with the tables that they know, so beside them it only adds.
struct ServerUpgrade {
  let database: Database
  let address: ServerAddress
  let migrations: [Migration]
  let now: Double
  let running: Store.Running

  /// - Returns: nil when there was nothing to do, or no table yet.
  @discardableResult
  func run(_ access: Store.Access) throws(StoreError) -> MigrationSummary? {
    guard access == .owner else {
      guard try database.pendingMigrations(migrations).isEmpty else {
        throw StoreError(
          .outdated, "The store has to be brought up to date first, by the hub or by eightbells store migrate",
          context: address.shown)
      }
      return nil
    }
    // It may be the only program that runs.
    try database.endStalled()
    return try database.inTransaction { () throws(StoreError) in try migrate() }
  }

  /// Tries the migration, and takes it back.
  func rehearse() throws(StoreError) -> MigrationSummary? {
    defer { database.connection.rollBack() }
    try database.connection.begin(.writing)
    return try migrate()
  }

  private func migrate() throws(StoreError) -> MigrationSummary? {
    // Nobody can change anything until this ends, nor read a table for which it waits.
    try database.run(ServerDialect.waitsLittle)
    do throws(StoreError) {
      return try takeSteps()
    } catch {
      guard error.code == .server(ServerDialect.hasWaited) else { throw error }
      throw StoreError(
        .inUse, "Somebody reads the tables for long, such as a backup; start again when that has ended",
        context: error.context)
    }
  }

  private func takeSteps() throws(StoreError) -> MigrationSummary? {
    let steps = try database.pendingMigrations(migrations)
    if steps.isEmpty { return nil }
    let before = try database.rowCounts()
    if before.isEmpty { try database.demandUTF8() }
    if let step = steps.first(where: { !$0.onlyAdds }), !before.isEmpty {
      let programs = try running(database)
      guard programs.isEmpty else {
        throw StoreError(
          .inUse, "This version changes tables (\(step.name)) that running hubs use; stop all of them first",
          context: programs.joined(separator: ", "))
      }
    }
    try database.take(migrations, now: now)
    if before.isEmpty { return nil }
    try StoreManifest(rows: before).demandAll(in: StoreManifest(rows: database.rowCounts()), after: steps)
    return MigrationSummary(
      steps: steps.map(\.name), rows: before.values.reduce(0, +), blobs: before["blobs"] ?? 0, damage: [])
  }
}

extension Database {
  /// To be asked of a server before tables are made there. In another encoding, texts are kept as the bytes that they
  /// are, but `pg_dump` takes these for letters of that encoding.
  /// - Throws: `.open` for another one.
  func demandUTF8() throws(StoreError) {
    let encoding = try first("SELECT \(ServerDialect.encoding)") { $0.text(0) } ?? ""
    guard encoding != "UTF8" else { return }
    throw StoreError(
      .open,
      "The database's encoding has to be UTF8; make one by createdb --encoding=UTF8 --template=template0 NAME",
      context: "it is \(encoding)")
  }
}
