import CSQLite

extension Database {
  /// Copies the last committed state into a new file with SQLite's backup interface, as one snapshot, while others go
  /// on writing. The copy is on the disk when this returns.
  func copy(to path: String, _ tell: (Int, Int) -> Void) throws(StoreError) {
    try Files.removeDatabase(path)
    // Created here, so that only the owner may read it.
    _ = try OpenFile(making: path)
    do {
      let target = try Database(path: path, .copy)
      // While this transaction lasts, every step copies the same snapshot.
      try inTransaction(.reading) { () throws(StoreError) in
        _ = try first(Dialect.firstLook) { $0.int(0) }
        try target.fill(from: self, tell)
      }
    }
    // Opened again to leave WAL mode, which the copy is marked with: it becomes one plain file.
    do { _ = try Database(path: path, .copy).first(Dialect.firstLook) { $0.int(0) } }
    try Files.syncFile(path)
    try Files.syncFolder(Files.folder(of: path))
  }

  private func fill(from source: Database, _ tell: (Int, Int) -> Void) throws(StoreError) {
    guard let target = ofFile, let from = source.ofFile else { preconditionFailure("only files are copied") }
    guard let backup = sqlite3_backup_init(target.handle, "main", from.handle, "main") else {
      throw target.failure("copy")
    }
    var code = SQLITE_OK
    while code == SQLITE_OK {
      code = sqlite3_backup_step(backup, StoreLimits.pagesPerStep)
      let total = Int(sqlite3_backup_pagecount(backup))
      tell(total - Int(sqlite3_backup_remaining(backup)), total)
    }
    let end = sqlite3_backup_finish(backup)
    guard code == SQLITE_DONE, end == SQLITE_OK else { throw target.failure("copy") }
  }
}
