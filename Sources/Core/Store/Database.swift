import Lifecycle

/// One connection to the database, used by one thread at a time.
public final class Database {
  /// Another one once a server was lost and found again.
  var connection: any Connection

  /// Calls to be made once the transaction is on the disk; a savepoint that is rolled back removes its own.
  private var hooks: [() -> Void] = []
  /// The sums that the transaction's writes add to counts; a savepoint that is rolled back removes its own.
  var sums = Sums()
  /// What others have to read again because of the transaction; a savepoint that is rolled back removes its own.
  var touches: [Touch] = []
  /// What rooms will keep in memory once the transaction is on the disk, by names of theirs: its next writes begin with
  /// that. A write that is undone leaves nothing here.
  package var drafts: [String: any Sendable] = [:]
  /// Nil where no other program keeps these records in memory.
  var sharing: (any StoreSharing)?
  /// Numbers that a write leaves to the next ones, so that these ask for less; on a server, to those of the same
  /// transaction. Forgotten when a write is undone, or when another connection has written.
  package var remembered: [Remembered: Int] = [:]
  /// The state of the file in which the numbers are true.
  private var version: Int?
  /// Released when the connection is closed.
  var keptOpen: FileLock?
  /// Requests the removal of blobs without a name; nil where none are removed.
  var sweep: (() -> Void)?
  /// The folder of large blobs; nil where none are removed.
  var folder: BlobFolder?
  /// Tells when a blob has lost its last name; nil where none does.
  var time: (any TimeSource)?

  init(_ connection: any Connection) { self.connection = connection }

  convenience init(path: String, _ purpose: SQLiteConnection.Purpose) throws(StoreError) {
    self.init(try SQLiteConnection(path: path, purpose))
  }

  /// The connection to a file, for what only files have; nil on a server.
  var ofFile: SQLiteConnection? { connection as? SQLiteConnection }

  /// Runs one statement and ignores its result.
  public func run(_ sql: String, _ values: Value...) throws(StoreError) { try connection.run(sql, values) }

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

  /// The number in a query's first row, such as a count; 0 for null, and without a row.
  public func number(_ sql: String, _ values: Value...) throws(StoreError) -> Int {
    var number: Int?
    try step(sql, values) { number = number ?? $0.int(0) }
    return number ?? 0
  }

  /// True if a query has a row.
  public func hasRow(_ sql: String, _ values: Value...) throws(StoreError) -> Bool {
    var isFound = false
    try step(sql, values) { _ in isFound = true }
    return isFound
  }

  /// Hands over the rows of a query one by one, until the reader wants no more.
  /// - Parameters:
  ///   - isMade: true for a statement whose text is made at run time: only some of these are kept.
  ///   - isLate: asked all the while, also where no row comes; the query fails once it is true.
  public func scan(
    _ sql: String, _ values: [Value], isMade: Bool = false, isLate: (() -> Bool)? = nil,
    until wantsNoMore: (Row) -> Bool
  ) throws(StoreError) {
    try connection.step(sql, values, isMade: isMade, isLate: isLate, until: wantsNoMore)
  }

  /// Runs an INSERT that ends with RETURNING and a column.
  /// - Returns: that column's value, such as the row's number.
  public func inserted(_ sql: String, _ values: Value...) throws(StoreError) -> Int {
    var key: Int?
    try step(sql, values) { key = $0.int(0) }
    guard let key else { preconditionFailure("nothing was inserted: \(sql)") }
    return key
  }

  /// Runs several statements that take no values.
  func script(_ sql: String) throws(StoreError) { try connection.script(sql) }

  private func step(_ sql: String, _ values: [Value], _ read: (Row) -> Void) throws(StoreError) {
    try connection.step(sql, values, isMade: false, isLate: nil) { row in
      read(row)
      return false
    }
  }

  // MARK: Transactions

  var isInTransaction: Bool { connection.isInTransaction }

  /// Runs `body` in a transaction: all of its changes are kept, or none. One for reading within another one sees what
  /// that one sees.
  func inTransaction<T>(
    _ transaction: Transaction = .writing, _ body: () throws(StoreError) -> T
  ) throws(StoreError) -> T {
    if transaction == .reading, isInTransaction { return try body() }
    try connection.begin(transaction)
    do throws(StoreError) {
      let result = try body()
      try connection.commit()
      return result
    } catch {
      connection.rollBack()
      throw error
    }
  }

  /// Runs `body` in a transaction for reading which may do other things between its queries, however long these take.
  package func inLongReading<T>(_ body: () throws(StoreError) -> T) throws(StoreError) -> T {
    try inTransaction(.reading) { () throws(StoreError) -> T in
      if ofFile == nil { try run(ServerDialect.mayStandStill) }
      return try body()
    }
  }

  /// Runs a part of a write: what it changed is undone if it throws, and the write may go on.
  public func part<T>(_ body: () throws -> T) throws -> T { try savepoint("one_part", body) }

  /// Runs `body` in a savepoint, which is undone if it throws, unless the whole transaction is gone.
  func savepoint<T>(_ name: String, _ body: () throws -> T) throws -> T {
    let mark = mark
    try run("SAVEPOINT \(name)")
    do {
      let result = try body()
      try run("RELEASE SAVEPOINT \(name)")
      return result
    } catch {
      forget(from: mark)
      if isInTransaction {
        try run("ROLLBACK TO SAVEPOINT \(name)")
        try run("RELEASE SAVEPOINT \(name)")
      }
      throw error
    }
  }

  /// Runs `work` on the writer's thread once the write is on the disk, in the order of the writes and before any of
  /// their callers continues; not at all if the write is rolled back. It must be short: all writers wait for it.
  package func afterCommit(_ work: @escaping () -> Void) { hooks.append(work) }

  /// A place in what is done at the end of the transaction.
  struct Mark {
    var hooks = 0
    var sums = 0
    var touches = 0
    var drafts: [String: any Sendable] = [:]
  }
  var mark: Mark { Mark(hooks: hooks.count, sums: sums.count, touches: touches.count, drafts: drafts) }
  func forget(from mark: Mark) {
    remembered = [:]
    drafts = mark.drafts
    hooks.removeSubrange(mark.hooks...)
    sums.forget(from: mark.sums)
    touches.removeSubrange(mark.touches...)
  }

  /// The number that is remembered, or else the one that is found now.
  package func remember(
    _ what: Remembered, _ find: () throws(StoreError) -> Int
  ) throws(StoreError) -> Int {
    if let known = remembered[what] { return known }
    let found = try find()
    remembered[what] = found
    return found
  }

  /// Forgets what may not be true any more. To be called when a transaction for changes has begun.
  func noticeOthers() throws(StoreError) {
    let version = ofFile == nil ? nil : try first(Dialect.version, read: { $0.int(0) })
    if version == nil || version != self.version { remembered = [:] }
    self.version = version
  }

  func runHooks() {
    let all = hooks
    drafts.removeAll()
    hooks.removeAll(keepingCapacity: true)
    for hook in all { hook() }
  }
}

/// The name of a remembered number: the thing counted, such as the room in a queue, and the row that it belongs to.
package struct Remembered: Hashable {
  private let name: String
  private let row: Int
  private let part: Int

  package init(_ name: String, _ row: Int = 0, part: Int = 0) {
    (self.name, self.row, self.part) = (name, row, part)
  }
}
