import CSQLite
import Glibc

/// The state of a store's database. Examining changes nothing, and a hub may be running beside it.
public enum StoreExamination: Equatable, Sendable {
  /// There is no file.
  case missing
  /// There is no file, since a restore into the folder was cut short.
  case halfRestored
  /// The tables are current and no damage was found.
  case current
  /// The next start migrates it, by so many steps.
  case outdated(steps: Int)
  /// It was written by a newer Eightbells, or has other tables; the step that is unknown here.
  case foreign(step: String)
  /// SQLite finds its pages or indexes damaged; SQLite's first message.
  case damaged(String)
  /// It cannot be opened, or is no database.
  case unreadable(String)

  /// Examines a server's tables, or a file with all of its pages: some seconds for each gigabyte.
  public static func look(at place: StorePlace, migrations: [Migration]) -> StoreExamination {
    switch place {
    case .file(let path): return look(at: path, migrations: migrations)
    case .server:
      do throws(StoreError) {
        let pending = try place.open(isReadOnly: true).pendingMigrations(migrations)
        return pending.isEmpty ? .current : .outdated(steps: pending.count)
      } catch {
        return error.code == .migration ? .foreign(step: error.context) : .unreadable(error.message)
      }
    }
  }

  /// Examines a file.
  private static func look(at path: String, migrations: [Migration]) -> StoreExamination {
    // SQLite would report a missing file only as one that cannot be opened.
    guard access(path, F_OK) == 0 else {
      guard errno == ENOENT || errno == ENOTDIR else { return .unreadable(String(cString: strerror(errno))) }
      return Files.exists(StoreFile(path: path).restoring) ? .halfRestored : .missing
    }
    do throws(StoreError) {
      let database = try Database(path: path, .readOnly)
      let faults = try database.rows(Dialect.quickCheck) { $0.text(0) }.filter { $0 != "ok" }
      if let fault = faults.first { return .damaged(fault.split(separator: "\n").joined(separator: " ")) }
      let pending = try database.pendingMigrations(migrations)
      return pending.isEmpty ? .current : .outdated(steps: pending.count)
    } catch {
      if error.code == .migration { return .foreign(step: error.context) }
      // An error of opening has lost SQLite's code, but has its message.
      let words = [SQLITE_CORRUPT, SQLITE_NOTADB].map { String(cString: sqlite3_errstr($0)) }
      if let fault = words.first(where: error.message.hasSuffix) { return .damaged(fault) }
      return .unreadable(error.message)
    }
  }
}
