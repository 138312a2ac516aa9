import CPq
import Glibc

/// A connection to a PostgreSQL server, always in libpq's pipeline mode: statements whose result nobody needs are sent
/// without waiting for the ones before, and their results are read when one is needed, or at the commit. So a batch of
/// a hundred small writes costs a few trips to the server instead of hundreds.
///
/// A failure is therefore told late, and PostgreSQL leaves out all that was sent behind the failing statement: the
/// caller gives up the transaction and does it again, waiting after each write (`hasLateFailure`, `Writer`).
final class PostgresConnection: Connection {
  private let handle: OpaquePointer
  private let address: ServerAddress
  private var statements: [String: String] = [:]
  /// The statements sent whose results have not been read, for the context of an error.
  private var sent: [Sent] = []
  private struct Sent {
    var sql: String
    /// True if the statement was only prepared.
    var isPrepared = false
    /// True for the end of what was sent together in a transaction that has only read, for which nobody has waited.
    var isEndOfReading = false
    var isCommit: Bool { sql == PostgresConnection.end && !isPrepared }
  }
  /// Counts names of statements and cursors, so that none is given twice.
  private var names = 0
  private var isOpen = false
  private var isReading = false
  private(set) var hasLateFailure = false
  /// A savepoint costs the server as much as two inserts.
  private(set) var changes: Int? = 0
  private(set) var mayHaveCommitted = false
  private var isGivenUp = false

  init(_ address: ServerAddress, isReadOnly: Bool) throws(StoreError) {
    self.address = address
    guard let handle = Self.connect(address.text) else {
      throw StoreError(.open, "libpq has no memory", context: address.shown)
    }
    self.handle = handle
    guard PQstatus(handle) == CONNECTION_OK else {
      throw StoreError(
        .unavailable, "Cannot reach the database server: \(Self.words(PQerrorMessage(handle)))", context: address.shown)
    }
    guard PQserverVersion(handle) >= StoreLimits.serverVersion else {
      throw StoreError(
        .open, "The database server is too old: PostgreSQL 15 or newer is needed", context: address.shown)
    }
    // Notices go to nobody: what matters is an error.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
    _ = PQenterPipelineMode(handle)
    for setting in ServerDialect.session(isReadOnly: isReadOnly) { try send(setting, []) }
    try waitForFirstAnswer()
    var isOwn = false
    try step(ServerDialect.firstStatement, [], isMade: false, isLate: nil) { _ in
      isOwn = true
      return true
    }
    guard isOwn else { throw isShared() }
  }

  /// - Throws: if the server says nothing, or only what is no answer.
  private func waitForFirstAnswer() throws(StoreError) {
    guard PQsendFlushRequest(handle) == 1, PQflush(handle) == 0 else { throw lost() }
    var left = StoreLimits.firstAnswerMilliseconds
    while PQisBusy(handle) == 1 {
      guard left > 0 else {
        throw StoreError(.unavailable, "The database server does not answer", context: address.shown)
      }
      left -= StoreLimits.lookMilliseconds
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      _ = poll(&descriptor, 1, StoreLimits.lookMilliseconds)
      guard PQconsumeInput(handle) == 1 else { throw lost() }
    }
  }

  deinit { PQfinish(handle) }

  /// Connects as the address says.
  private static func connect(_ address: String) -> OpaquePointer? {
    withOptions(address, []) { PQconnectdbParams($0, $1, 1) }
  }

  /// Hands over an address and further options; what they leave open is `StoreLimits.serverPatience`.
  private static func withOptions<T>(
    _ address: String, _ more: [(String, String)],
    _ body: ([UnsafePointer<CChar>?], [UnsafePointer<CChar>?]) -> T
  ) -> T {
    // What comes later counts. The address is taken apart where it stands: the 1 that is handed to libpq with them.
    let options = StoreLimits.serverPatience + [("dbname", address)] + more
    let (names, values) = (options.map { strdup($0.0) }, options.map { strdup($0.1) })
    defer { for one in names + values { free(one) } }
    return body(names.map { UnsafePointer($0) } + [nil], values.map { UnsafePointer($0) } + [nil])
  }

  var isInTransaction: Bool { isOpen && !isLost }

  /// True once the server is gone: nothing works on this connection any more.
  var isLost: Bool { isGivenUp || PQstatus(handle) != CONNECTION_OK }

  // MARK: Statements

  func run(_ sql: String, _ values: [Value]) throws(StoreError) {
    try send(sql, values)
    if sent.count >= StoreLimits.statementsUnderWay { return try settle() }
    // The server works on these while the next ones are made: soon on the first, so that it does not wait for work.
    if sent.count == StoreLimits.firstStatements || sent.count.isMultiple(of: StoreLimits.statementsTogether) {
      PQflush(handle)
    }
  }

  func step(
    _ sql: String, _ values: [Value], isMade: Bool, isLate: (() -> Bool)?, until wantsNoMore: (Row) -> Bool
  ) throws(StoreError) {
    if isMade || isLate != nil { return try scan(sql, values, isLate, wantsNoMore) }
    try send(sql, values)
    try read(isLate: nil, wantsNoMore)
  }

  func script(_ sql: String) throws(StoreError) {
    for statement in ServerDialect.statements(of: sql) { try sendOnce(ServerDialect.translated(statement), []) }
    try settle()
  }

  func settle() throws(StoreError) {
    if sent.isEmpty { return }
    try read(isLate: nil) { _ in true }
  }

  // MARK: Transactions

  func begin(_ transaction: Transaction) throws(StoreError) {
    // A server that has ended the connection has said so, and its end is behind that: nothing may be sent then of which
    // one would not know whether it was done.
    guard PQconsumeInput(handle) == 1, PQconsumeInput(handle) == 1, !isLost else { throw lost() }
    hasLateFailure = false
    isOpen = true
    isReading = transaction == .reading
    switch transaction {
    case .reading: try send(ServerDialect.beginReading, [])
    case .writing:
      try send(ServerDialect.beginWriting, [])
      try send(ServerDialect.oneAfterTheOther, [])
    }
  }

  /// The end of a transaction for changes, and what the server says when it is done.
  private static let end = "COMMIT"

  func commit() throws(StoreError) {
    if isReading { return try endReading() }
    // The server leaves it out if a statement before it fails.
    try send(Self.end, [])
    mayHaveCommitted = true
    do throws(StoreError) { try settle() } catch {
      mayHaveCommitted = mayHaveCommitted && isLost
      throw error
    }
    (mayHaveCommitted, isOpen) = (false, false)
  }

  func rollBack() {
    if isReading {
      if isInTransaction { try? endReading() }
      return
    }
    try? settle()
    guard isInTransaction else { return }
    try? send("ROLLBACK", [])
    try? settle()
    isOpen = false
  }

  /// Ends a transaction that has only read, without waiting for the server: nothing depends on how that goes.
  private func endReading() throws(StoreError) {
    isOpen = false
    // The server leaves out what was sent together with a statement that fails.
    if !sent.isEmpty { try endTogether() }
    try send("ROLLBACK", [])
    try endTogether()
  }

  private func endTogether() throws(StoreError) {
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    sent.append(Sent(sql: "", isEndOfReading: true))
  }

  // MARK: Within

  /// Reads a large result some rows at a time, so that the server makes no more of it than is wanted.
  private func scan(
    _ sql: String, _ values: [Value], _ isLate: (() -> Bool)?, _ wantsNoMore: (Row) -> Bool
  ) throws(StoreError) {
    names += 1
    let name = "rows_\(names)"
    try sendOnce("DECLARE \(name) NO SCROLL CURSOR FOR \(ServerDialect.translated(sql, values))", values)
    var isEnough = false
    var count = 0
    repeat {
      count = 0
      try sendOnce("FETCH \(StoreLimits.rowsPerFetch) FROM \(name)", [])
      try read(isLate: isLate) { row in
        count += 1
        isEnough = isEnough || wantsNoMore(row)
        return isEnough
      }
    } while !isEnough && count == StoreLimits.rowsPerFetch
    try sendOnce("CLOSE \(name)", [])
  }

  /// Sends a statement that is prepared at its first use.
  private func send(_ sql: String, _ values: [Value]) throws(StoreError) {
    if !sql.utf8.starts(with: "SELECT".utf8) { changes? += 1 }
    let name: String
    if let known = statements[sql] {
      name = known
    } else {
      names += 1
      name = "statement_\(names)"
      guard PQsendPrepare(handle, name, ServerDialect.translated(sql, values), 0, nil) == 1 else { throw lost() }
      sent.append(Sent(sql: sql, isPrepared: true))
      statements[sql] = name
    }
    try Parameters(values, sql).withPointers { count, pointers, lengths, formats throws(StoreError) in
      guard PQsendQueryPrepared(handle, name, count, pointers, lengths, formats, 0) == 1 else { throw lost() }
    }
    sent.append(Sent(sql: sql))
  }

  /// Sends a statement whose text is not used again.
  private func sendOnce(_ sql: String, _ values: [Value]) throws(StoreError) {
    try Parameters(values, sql).withPointers { count, pointers, lengths, formats throws(StoreError) in
      guard PQsendQueryParams(handle, sql, count, nil, pointers, lengths, formats, 0) == 1 else { throw lost() }
    }
    sent.append(Sent(sql: sql))
  }

  /// Reads the results of all statements sent, and then hands over the rows of the last one: whoever takes a row may
  /// send further statements meanwhile.
  private func read(isLate: (() -> Bool)?, _ wantsNoMore: (Row) -> Bool) throws(StoreError) {
    guard PQpipelineSync(handle) == 1 else { throw lost() }
    let all = sent
    sent.removeAll(keepingCapacity: true)
    var failure: StoreError?
    var rows: OpaquePointer?
    defer { PQclear(rows) }
    for (index, one) in all.enumerated() {
      if one.isEndOfReading {
        if let end = takeEnd(one.sql), isLost { throw end }
        (failure, hasLateFailure) = (nil, false)
        continue
      }
      try wait(isLate)
      guard let result = PQgetResult(handle) else { throw isLost ? lost() : giveUp("an answer is missing") }
      let status = PQresultStatus(result)
      switch status {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_FATAL_ERROR, PGRES_PIPELINE_ABORTED: break
      default:
        PQclear(result)
        throw giveUp("its answers do not fit what was asked")
      }
      if status == PGRES_FATAL_ERROR, failure == nil {
        failure = error(result, one.sql)
        if index < all.count - 1 {
          hasLateFailure = true
          // Where the server says so, nothing behind it was done. libpq says it too once the connection is gone, of the
          // first statement without an answer: all of them may have been done.
          if Self.state(result) != nil { mayHaveCommitted = false }
        }
      }
      if failure == nil, one.isCommit, status == PGRES_COMMAND_OK, Self.words(PQcmdStatus(result)) != Self.end {
        // A statement before it had failed alone. The server has rolled back then, and takes that for no error.
        failure = StoreError(.server("25P02"), "A statement failed, so that nothing was committed", context: one.sql)
        (hasLateFailure, mayHaveCommitted) = (true, false)
      }
      // What was to be prepared behind a failing statement was not.
      if one.isPrepared, status != PGRES_COMMAND_OK { statements[one.sql] = nil }
      if failure == nil, status == PGRES_TUPLES_OK, index == all.count - 1 { rows = result } else { PQclear(result) }
      // The end of this statement's results.
      while let further = PQgetResult(handle) { PQclear(further) }
    }
    let end = takeEnd(all.last?.sql ?? "")
    // What comes behind a commit that was done takes nothing back.
    if failure == nil, all.last?.isCommit != true { failure = end }
    if let failure { throw failure }
    guard let rows else { return }
    for row in 0..<PQntuples(rows) where wantsNoMore(Row(.server(rows, row))) { break }
  }

  /// Takes what comes between the last result of statements that were sent together and their end.
  /// - Returns: an error that the server has told there, as when it is to stop just when a statement has ended. It has
  ///   answered the statement then, and yet done nothing that lasts.
  private func takeEnd(_ sql: String) -> StoreError? {
    var failure: StoreError?
    // An error, nothing more of it, and the end.
    for _ in 0..<3 {
      do throws(StoreError) { try wait(nil) } catch { return failure ?? error }
      guard let result = PQgetResult(handle) else { continue }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_PIPELINE_SYNC: return failure
      case PGRES_FATAL_ERROR: failure = failure ?? error(result, sql)
      default: break
      }
    }
    let end = isLost ? lost() : giveUp("the end of its answers does not come")
    return failure ?? end
  }

  /// Waits for the next result: while the server answers, and while the caller does not give up the query.
  private func wait(_ isLate: (() -> Bool)?) throws(StoreError) {
    var (silent, unanswered, isEnding) = (Int32(0), 0, false)
    while PQisBusy(handle) == 1 {
      var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
      let heard = poll(&descriptor, 1, StoreLimits.lookMilliseconds)
      guard PQconsumeInput(handle) == 1 else { throw lost() }
      guard PQisBusy(handle) == 1 else { return }
      if heard == 0 { silent += StoreLimits.lookMilliseconds } else { (silent, unanswered) = (0, 0) }
      guard unanswered < StoreLimits.unanswered else { throw giveUp("the server answers nobody") }
      if !isEnding, isLate?() ?? false { (isEnding, silent) = (true, StoreLimits.silentMilliseconds) }
      guard silent >= StoreLimits.silentMilliseconds else { continue }
      silent = 0
      // A server that hangs takes in what is sent, also that a query is to end, and says nothing.
      unanswered = answers() ? 0 : unanswered + 1
      if isEnding, unanswered == 0 { cancel() }
    }
  }

  /// True if the machine that has the connection lets others in or refuses them: then a statement only takes its time,
  /// as a migration's does. In front of a server it is a proxy that answers, also for one that hangs.
  private func answers() -> Bool {
    let place = [
      ("host", Self.words(PQhost(handle))), ("hostaddr", Self.words(PQhostaddr(handle))),
      ("port", Self.words(PQport(handle))), ("connect_timeout", StoreLimits.pingSeconds),
    ]
    return Self.withOptions(address.text, place) { PQpingParams($0, $1, 1) } != PQPING_NO_RESPONSE
  }

  private func cancel() {
    guard let cancellation = PQgetCancel(handle) else { return }
    defer { PQfreeCancel(cancellation) }
    var words = [CChar](repeating: 0, count: 256)
    _ = PQcancel(cancellation, &words, 256)
  }

  private func error(_ result: OpaquePointer?, _ sql: String) -> StoreError {
    let state = Self.state(result)
    let words = Self.words(PQresultErrorField(result, Int32(UInt8(ascii: "M"))) ?? PQerrorMessage(handle))
    switch state {
    // Class 53 is "insufficient resources"; 53100 is a full disk (PostgreSQL's documentation, appendix A).
    case "53100": return StoreError(.diskFull, "There is no space left on the database server's disk", context: sql)
    case "57P01", "57P02", "57P03": return StoreError(.unavailable, "The database server ends: \(words)", context: sql)
    // A name is given once on a connection: another client has given it, or ours is on another connection.
    case "42P05", "26000": return isShared()
    case nil: return lost()
    case let state?: return StoreError(.server(state), words, context: sql)
    }
  }

  /// The server's SQLSTATE; nil for an error that libpq has found by itself.
  private static func state(_ result: OpaquePointer?) -> String? {
    PQresultErrorField(result, Int32(UInt8(ascii: "C"))).flatMap { $0.pointee == 0 ? nil : String(cString: $0) }
  }

  private func lost() -> StoreError {
    sent = []
    return StoreError(
      .unavailable, "The connection to the database server is lost: \(Self.words(PQerrorMessage(handle)))",
      context: address.shown)
  }

  /// The refusal of a pooler that gives one connection of the server to several clients: settings and locks of the hub
  /// would be others', too.
  private func isShared() -> StoreError {
    StoreError(
      .open,
      "Something between the hub and the database server, such as PgBouncer, lets several clients use one connection; "
        + "let it have pool_mode = session, or name the server's own address", context: address.shown)
  }

  /// Ends the connection from this side (`isLost`).
  private func giveUp(_ reason: String) -> StoreError {
    isGivenUp = true
    // Nobody knows how far the server has come, and it is not asked for the same again at once (`Writer`).
    mayHaveCommitted = true
    sent = []
    // A farewell to a server that takes nothing would be waited for.
    shutdown(PQsocket(handle), Int32(SHUT_RDWR))
    return StoreError(
      .unavailable, "The connection to the database server is given up: \(reason)", context: address.shown)
  }

  private static func words(_ text: UnsafePointer<CChar>?) -> String {
    text.map { String(cString: $0).split(separator: "\n").joined(separator: " ") } ?? ""
  }
}

/// The values of a statement in the form that libpq takes: texts that end with a zero byte, but bytes as they are.
private struct Parameters {
  private var bytes: [UInt8] = []
  private var starts: [Int?] = []
  private var lengths: [Int32] = []
  private var formats: [Int32] = []

  init(_ values: [Value], _ sql: String) throws(StoreError) {
    for value in values {
      formats.append(0)
      switch value {
      case .null: add([UInt8]?.none)
      case .int(let value): add("\(value)".utf8)
      case .double(let value):
        // A whole number stands without its fraction, so that it is also one where the column's are.
        if let whole = Int(exactly: value) { add("\(whole)".utf8) } else { add("\(value)".utf8) }
      case .text(let value):
        guard !value.utf8.contains(0) else {
          throw StoreError(.unacceptable, "PostgreSQL keeps no text with a zero byte", context: sql)
        }
        add(value.utf8)
      case .blob(let value):
        formats[formats.count - 1] = 1
        add(value)
      }
    }
  }

  private mutating func add(_ value: (some Collection<UInt8>)?) {
    guard let value else {
      starts.append(nil)
      lengths.append(0)
      return
    }
    starts.append(bytes.count)
    lengths.append(Int32(value.count))
    bytes.append(contentsOf: value)
    bytes.append(0)
  }

  func withPointers(
    _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) throws(StoreError) -> Void
  ) throws(StoreError) {
    do {
      try bytes.withUnsafeBytes { buffer in
        let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
        let pointers = starts.map { start in start.flatMap { start in base.map { $0 + start } } }
        try body(Int32(starts.count), pointers, lengths, formats)
      }
    } catch let error as StoreError {
      throw error
    } catch {
      preconditionFailure("\(error)")
    }
  }
}
