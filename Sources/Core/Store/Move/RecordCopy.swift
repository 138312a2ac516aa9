/// Copies all rows from one engine to the other, and compares both. One of the two is a file, the other one a server.
struct RecordCopy {
  let tables: [MovedTable]
  private let source: Database
  private let target: Database
  private let tell: StoreProgress.Listener
  private let total: Int

  static let outdated = StoreError(
    .outdated, "The records have to be brought up to date first: eightbells store migrate", context: "the source")

  private var file: Database { source.ofFile == nil ? target : source }

  /// Makes the tables in the target, or finds there what a copy of the same name has brought so far.
  init(
    from source: Database, to target: Database, name: String, _ migrations: [Migration], now: Double,
    tell: @escaping StoreProgress.Listener
  ) throws(StoreError) {
    guard try source.pendingMigrations(migrations).isEmpty else { throw Self.outdated }
    if target.ofFile != nil { try target.script(Dialect.withoutForeignKeys) }
    let file = source.ofFile == nil ? target : source
    try target.beginMove(name, migrations, now: now, tablesOf: file)
    (self.source, self.target, self.tell) = (source, target, tell)
    tables = try MovedTable.all(of: file)
    var total = 0
    for table in tables { total += try source.count(table) }
    self.total = total
  }

  /// - Returns: all rows of the source, as of one moment.
  func run() throws(StoreError) -> Int {
    // The source has nothing to do while rows are written and read again on the other side.
    try source.inLongReading { () throws(StoreError) in
      var done = 0
      for table in tables {
        try copy(table) { rows in tell(StoreProgress(step: "copying records", done: done + rows, total: total)) }
        for column in table.own where target.ofFile == nil { try refer(table, by: column) }
        done += try target.count(table)
      }
      return try compare()
    }
  }

  /// Copies the rows that are not there yet: they come in the order of the key, and as many as are there were copied.
  private func copy(_ table: MovedTable, _ progress: (Int) -> Void) throws(StoreError) {
    var done = try target.count(table)
    if try source.count(table) == done { return }
    var batch: [[Value]] = []
    var bytes = 0
    var failure: StoreError?
    // A server wants a row to be there before another one refers to it. In a file nobody looks yet.
    let later = target.ofFile == nil ? table.own : []
    func write() throws(StoreError) {
      try target.inTransaction { () throws(StoreError) in
        for row in batch { try target.connection.run(table.insert, row) }
      }
      done += batch.count
      progress(done)
      (batch, bytes) = ([], 0)
    }
    try source.scan(table.rows(from: done), [], isMade: true) { row in
      let values: [Value] = table.columns.indices.map { later.contains(table.columns[$0]) ? .null : row.value($0) }
      batch.append(values)
      bytes += values.reduce(0) { $0 + $1.bytes }
      guard batch.count == StoreLimits.movedRows || bytes >= StoreLimits.movedBytes else { return false }
      do throws(StoreError) { try write() } catch { failure = error }
      return failure != nil
    }
    if let failure { throw failure }
    try write()
  }

  /// Has the rows refer to others of their table, now that all of them are there.
  private func refer(_ table: MovedTable, by column: String) throws(StoreError) {
    var found: [[Value]] = []
    try source.scan(table.references(by: column), [], isMade: true) { row in
      found.append((0...table.key.count).map(row.value))
      return false
    }
    try target.inTransaction { () throws(StoreError) in
      for values in found { try target.connection.run(table.refer(by: column), values) }
    }
  }

  private func compare() throws(StoreError) -> Int {
    var done = 0
    for table in tables {
      let (before, after) = (try source.sum(of: table), try target.sum(of: table))
      guard before == after else {
        throw StoreError(
          .damaged,
          "The table \(table.name) was not copied whole: it has \(before.rows) rows here and \(after.rows) there"
            + (before.rows == after.rows ? ", and some differ" : ""), context: "the target")
      }
      done += before.rows
      tell(StoreProgress(step: "comparing records", done: done, total: total))
    }
    return done
  }

  /// Has new rows be numbered on from the last one, and notes that all is there.
  func end() throws(StoreError) {
    let kept = try file.tablesThatKeepNumbers()
    try target.inTransaction { () throws(StoreError) in
      for table in tables {
        guard let column = table.number else { continue }
        let highest = try source.first("SELECT max(\"\(column)\") FROM \(table.quoted)") { $0.int(0) } ?? 0
        if target.ofFile == nil {
          let isKept = kept.contains(table.name)
          let last = isKept ? try source.lastNumber(of: table.name) : try source.lastGiven(of: table.name)
          let most = max(highest, last)
          try target.run(
            ServerDialect.continueNumbers, .text(table.quoted), .text(column), .int(max(most, 1)),
            .int(most > 0 ? 1 : 0))
          continue
        }
        let last = try source.first(ServerDialect.lastNumber, .text(table.quoted), .text(column)) { $0.int(0) } ?? 0
        if kept.contains(table.name) {
          try target.keepNumber(last, of: table.name)
        } else if max(last, highest) > 0 {
          try target.keepGiven(max(last, highest), of: table.name)
        }
      }
      try target.completeMove()
    }
    if target.ofFile != nil { try target.script(Dialect.foldLog) }
  }
}
