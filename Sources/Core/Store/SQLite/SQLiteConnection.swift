import CSQLite

/// A connection to SQLite's file. Statements are compiled once and kept.
final class SQLiteConnection: Connection {
  let handle: OpaquePointer
  private var statements: [String: OpaquePointer] = [:]
  private var made = MadeStatements()

  /// The use of a connection, which decides its options.
  enum Purpose {
    case readOnly
    /// The writer's.
    case readWrite
    /// A copy being made, which nobody uses before it is complete.
    case copy
    /// A file that nobody writes any more and that has no log.
    case still
  }

  /// Pages in the log after the last commit, if the connection counts them.
  private(set) var logPages = 0

  var isInTransaction: Bool { sqlite3_get_autocommit(handle) == 0 }
  var hasLateFailure: Bool { false }
  var changes: Int? { nil }
  var isLost: Bool { false }
  var mayHaveCommitted: Bool { false }

  /// SQLite's global configuration, done once before the first connection.
  private static let isConfigured = csqlite_count_no_memory() == SQLITE_OK

  init(path: String, _ purpose: Purpose) throws(StoreError) {
    precondition(Self.isConfigured, "SQLite was used before it was configured")
    var handle: OpaquePointer?
    let rights = purpose == .readOnly || purpose == .still ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
    let code = sqlite3_open_v2(
      purpose == .still ? Self.stillAddress(path) : path, &handle,
      rights | (rights == SQLITE_OPEN_READWRITE ? SQLITE_OPEN_CREATE : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
    guard let handle else { throw StoreError(.open, "SQLite has no memory", context: path) }
    guard code == SQLITE_OK else {
      let message = String(cString: sqlite3_errmsg(handle))
      sqlite3_close_v2(handle)
      throw StoreError(.open, "Cannot open the database: \(message)", context: path)
    }
    self.handle = handle
    sqlite3_extended_result_codes(handle, 1)
    sqlite3_busy_timeout(handle, Int32(StoreLimits.busySeconds * 1000))
    do throws(StoreError) {
      switch purpose {
      case .readWrite:
        try script(Dialect.writeAheadLog)
        try script(Dialect.connection)
        try script(Dialect.writer)
      case .readOnly, .still: try script(Dialect.connection)
      case .copy: try script(Dialect.copy)
      }
    } catch {
      throw StoreError(
        error.code == .diskFull ? .diskFull : .open,
        "Cannot open the database: \(error.message)", context: path)
    }
  }

  deinit {
    for statement in statements.values { sqlite3_finalize(statement) }
    made.end()
    sqlite3_close_v2(handle)
  }

  /// Counts the log's pages after each commit, and copies them into the file no more by itself.
  func countLogPages() {
    let connection = Unmanaged.passUnretained(self).toOpaque()
    sqlite3_wal_hook(
      handle,
      { connection, _, _, pages in
        if let connection {
          Unmanaged<SQLiteConnection>.fromOpaque(connection).takeUnretainedValue().logPages = Int(pages)
        }
        return SQLITE_OK
      }, connection)
  }

  /// Copies what can be copied of the log into the file.
  /// - Returns: the pages of the log that are in the file now.
  func fold() throws(StoreError) -> Int {
    var folded = 0
    try step(Dialect.foldSome, [], isMade: false, isLate: nil) { row in
      folded = row.int(2)
      return true
    }
    return folded
  }

  // MARK: Statements

  func run(_ sql: String, _ values: [Value]) throws(StoreError) {
    try step(sql, values, isMade: false, isLate: nil) { _ in false }
  }

  func step(
    _ sql: String, _ values: [Value], isMade: Bool, isLate: (() -> Bool)?, until wantsNoMore: (Row) -> Bool
  ) throws(StoreError) {
    let statement =
      if isMade {
        if let kept = made.take(sql) { kept } else { try prepared(sql, 0) }
      } else {
        try compiled(sql)
      }
    let watch = isLate.map { Watch(handle, $0) }
    defer { watch?.end() }
    defer {
      if isMade {
        made.put(statement, sql)
      } else {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
      }
    }
    let wanted = Int(sqlite3_bind_parameter_count(statement))
    precondition(wanted == values.count, "\(wanted) values are needed, \(values.count) are given: \(sql)")
    for (index, value) in values.enumerated() { bind(value, to: statement, at: Int32(index + 1)) }
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: if wantsNoMore(Row(.sqlite(statement))) { return }
      case SQLITE_DONE: return
      default: throw failure(sql)
      }
    }
  }

  func script(_ sql: String) throws(StoreError) {
    guard sqlite3_exec(handle, sql, nil, nil, nil) == SQLITE_OK else { throw failure(sql) }
  }

  func settle() {}

  // MARK: Transactions

  func begin(_ transaction: Transaction) throws(StoreError) {
    try run(transaction == .writing ? Dialect.beginWriting : Dialect.beginReading, [])
  }

  func commit() throws(StoreError) { try run("COMMIT", []) }

  func rollBack() {
    // SQLite may have rolled back by itself, for example when the disk was full.
    if isInTransaction { try? run("ROLLBACK", []) }
  }

  // MARK: Within

  /// A file's URI with the option that nobody changes it, so that SQLite neither looks for a log nor makes one.
  private static func stillAddress(_ path: String) -> String {
    let escaped = path.map { "?#%".contains($0) ? "%" + String($0.asciiValue!, radix: 16) : String($0) }.joined()
    return "file:\(escaped)?immutable=1"
  }

  /// Has SQLite ask now and then whether a query is late.
  private final class Watch {
    private let handle: OpaquePointer
    private let isLate: () -> Bool

    init(_ handle: OpaquePointer, _ isLate: @escaping () -> Bool) {
      (self.handle, self.isLate) = (handle, isLate)
      sqlite3_progress_handler(
        handle, StoreLimits.stepsPerLook,
        { Unmanaged<Watch>.fromOpaque($0!).takeUnretainedValue().isLate() ? 1 : 0 },
        Unmanaged.passUnretained(self).toOpaque())
    }

    func end() { sqlite3_progress_handler(handle, 0, nil, nil) }
  }

  private func compiled(_ sql: String) throws(StoreError) -> OpaquePointer {
    if let statement = statements[sql] { return statement }
    let statement = try prepared(sql, UInt32(SQLITE_PREPARE_PERSISTENT))
    statements[sql] = statement
    return statement
  }

  private func prepared(_ sql: String, _ flags: UInt32) throws(StoreError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, flags, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(sql) }
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

  func failure(_ sql: String) -> StoreError {
    let code = sqlite3_extended_errcode(handle)
    let isOfSystem = [SQLITE_IOERR, SQLITE_CANTOPEN].contains(code & 0xff)
    if code & 0xff == SQLITE_FULL || isOfSystem && StoreError.isFull(sqlite3_system_errno(handle)) {
      return StoreError(.diskFull, "There is no space left on the disk", context: sql)
    }
    return StoreError(.sqlite(code), String(cString: sqlite3_errmsg(handle)), context: sql)
  }
}
