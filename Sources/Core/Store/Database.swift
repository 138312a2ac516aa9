import CSQLite

/// One SQLite connection, used by one thread at a time. Statements are compiled once and kept.
public final class Database {
  private let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]

  /// Seconds to wait for another process that is writing, such as a command beside a running hub.
  static let busySeconds = 10

  init(path: String, readOnly: Bool) throws(StoreError) {
    var handle: OpaquePointer?
    let flags = (readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE) | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &handle, flags, nil)
    guard let handle else { throw StoreError(.open, "SQLite has no memory", context: path) }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close_v2(handle)
      throw StoreError(.open, "Cannot open the database: \(message)", context: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(Self.busySeconds * 1000))
    do throws(StoreError) {
      if !readOnly { try script("PRAGMA journal_mode = WAL") }
      // What is acknowledged is on the disk, not in its cache.
      try script("PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA trusted_schema = OFF")
    } catch {
      throw StoreError(.open, "Cannot open the database: \(error.message)", context: path)
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    sqlite3_close_v2(handle)
  }

  /// Runs one statement that answers nothing of interest.
  public func run(_ sql: String, _ values: Value...) throws(StoreError) {
    try step(sql, values) { _ in }
  }

  /// All rows of a query.
  public func rows<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws(StoreError) -> [T] {
    var rows: [T] = []
    try step(sql, values) { rows.append(read($0)) }
    return rows
  }

  /// The first row of a query, if there is one.
  public func first<T>(_ sql: String, _ values: Value..., read: (Row) -> T) throws(StoreError) -> T? {
    var found: T?
    try step(sql, values) { if found == nil { found = read($0) } }
    return found
  }

  /// The key of the row inserted last.
  public var insertedKey: Int { Int(sqlite3_last_insert_rowid(handle)) }

  /// Runs several statements that take no values.
  func script(_ sql: String) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  private func step(_ sql: String, _ values: [Value], _ read: (Row) -> Void) throws(StoreError) {
    let statement = try compiled(sql)
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    let wanted = Int(sqlite3_bind_parameter_count(statement))
    precondition(wanted == values.count, "\(wanted) values are needed, \(values.count) are given: \(sql)")
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: read(Row(statement: statement))
      case SQLITE_DONE: return
      default: throw failure(sql)
      }
    }
  }

  private func compiled(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(sql) }
    statements[sql] = statement
    return statement
  }

  private func bind(_ value: Value, to statement: OpaquePointer, at index: Int32) {
    switch value {
    case .null: sqlite3_bind_null(statement, index)
    case .int(let value): sqlite3_bind_int64(statement, index, Int64(value))
    case .double(let value): sqlite3_bind_double(statement, index, value)
    case .text(let value): sqlite3_bind_text(statement, index, value, Int32(value.utf8.count), csqlite_transient())
    // A null pointer would bind NULL, not an empty blob.
    case .blob(let value) where value.isEmpty: sqlite3_bind_zeroblob(statement, index, 0)
    case .blob(let value): sqlite3_bind_blob64(statement, index, value, UInt64(value.count), csqlite_transient())
    }
  }

  private func failure(_ sql: String) -> StoreError {
    StoreError(
      .sqlite(sqlite3_extended_errcode(handle)), String(cString: sqlite3_errmsg(handle)), context: sql)
  }
}
