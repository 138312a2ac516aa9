import CSQLite
import Glibc

/// What a look at a store's database shows. It changes nothing, and a hub may be running beside it.
public enum StoreExamination: Equatable, Sendable {
  /// There is no file.
  case missing
  /// All is well.
  case current
  /// The next start brings it up to date, by so many steps.
  case outdated(steps: Int)
  /// A newer Eightbells has written it, or one with other tables; the step that is not ours.
  case foreign(step: String)
  /// SQLite finds its pages or indexes in disorder; its first words on it.
  case damaged(String)
  /// It cannot be opened or is no database.
  case unreadable(String)

  /// Looks at the file, and through all of its pages: some seconds for each gigabyte.
  public static func look(at path: String, migrations: [Migration]) -> StoreExamination {
    // SQLite would say of a missing file no more than that it cannot be opened.
    guard access(path, F_OK) == 0 else {
      return errno == ENOENT || errno == ENOTDIR ? .missing : .unreadable(String(cString: strerror(errno)))
    }
    do throws(StoreError) {
      let database = try Database(path: path, .readOnly)
      let faults = try database.rows(Dialect.quickCheck) { $0.text(0) }.filter { $0 != "ok" }
      if let fault = faults.first { return .damaged(fault.split(separator: "\n").joined(separator: " ")) }
      let pending = try database.pendingMigrations(migrations)
      return pending.isEmpty ? .current : .outdated(steps: pending.count)
    } catch {
      if error.code == .migration { return .foreign(step: error.context) }
      // An error of opening has no code of SQLite's any more, but its words.
      let words = [SQLITE_CORRUPT, SQLITE_NOTADB].map { String(cString: sqlite3_errstr($0)) }
      if let fault = words.first(where: error.message.hasSuffix) { return .damaged(fault) }
      return .unreadable(error.message)
    }
  }
}
