/// Our SQL as PostgreSQL has it. What rooms write is the part that both engines run; the rest, and the differences in
/// the tables' definitions, are named in `Dialect`'s table and replaced here.
enum ServerDialect {
  static func session(isReadOnly: Bool) -> [String] {
    [
      // Texts are sent in UTF-8, whatever a role or PGCLIENTENCODING says. A database of another encoding has kept them
      // as the bytes that they are, and has to go on with that.
      "SELECT set_config('client_encoding', 'UTF8', FALSE) WHERE \(encoding) = 'UTF8'",
      "SET application_name = 'eightbells'", "SET client_min_messages = error", "SET bytea_output = hex",
      "SET extra_float_digits = 1", "SET timezone = 'UTC'", "SET synchronous_commit = on",
      // Whoever stands still in the middle of a transaction is put out, so that others can go on.
      "SET idle_in_transaction_session_timeout = '3s'",
      // Other limits, as a server may have them for a role, are off: we have our own, and waiting for the lock below is
      // no fault. The last one is of PostgreSQL 17.
      """
      SELECT set_config(name, '0', FALSE) FROM pg_settings
      WHERE name IN ('statement_timeout', 'lock_timeout', 'transaction_timeout')
      """,
      // The server waits for an end that is gone without a word as long as we wait for a server
      // (`StoreLimits.serverPatience`), and not for two hours. Without effect on one machine's socket.
      "SET tcp_keepalives_idle = 3", "SET tcp_keepalives_interval = 2", "SET tcp_keepalives_count = 3",
      "SET tcp_user_timeout = 9000",
    ] + (isReadOnly ? ["SET default_transaction_read_only = on"] : [])
  }

  /// Finds the first statement that a connection has prepared, under the name that it has given. A pooler that shares
  /// connections among clients gives statements other names, if it lets them be prepared at all.
  static let firstStatement = "SELECT 1 FROM pg_prepared_statements WHERE name = 'statement_1'"

  /// Lets a transaction stand still for as long as it likes: to be said only by one that reads, for which nobody waits.
  static let mayStandStill = "SET LOCAL idle_in_transaction_session_timeout = 0"

  /// Has what comes next in a transaction fail (`hasWaited`) where a table is in others' use for long. The server's own
  /// clearing up makes room after a second (PostgreSQL's documentation, "deadlock_timeout").
  static let waitsLittle = "SET LOCAL lock_timeout = '2s'"
  static let hasWaited = "55P03"

  /// SQLSTATEs of a server whose own state keeps it from a statement that may go well later: it takes no changes, two
  /// waited for each other, it lacks memory or another resource, the wait for a lock was too long, somebody stopped it
  /// (PostgreSQL's documentation, appendix A).
  static let passing: Set = ["25006", "40P01", "53200", "53400", hasWaited, "57014"]

  /// All queries of a reader see one snapshot.
  static let beginReading = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
  /// Whatever a server or a role has as its default: every statement sees what was committed while it waited for the
  /// lock below, and as changes come one after the other, none is refused for another one's sake.
  static let beginWriting = "BEGIN ISOLATION LEVEL READ COMMITTED"
  /// Changes come one after the other, as with SQLite's one writer, whichever process makes them: what a change has
  /// looked at is still so when it writes. Released with the transaction.
  static let oneAfterTheOther = "SELECT pg_advisory_xact_lock(8)"

  /// Puts out whoever has that lock and stands still, and counts them. The session's own limit holds only where the
  /// server was asked for answers: of one who stops between statements that are sent ahead it waits for the next one
  /// for ever (measured with PostgreSQL 15).
  static let endStalled = """
    SELECT count(pg_terminate_backend(l.pid)) FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE l.locktype = 'advisory' AND l.classid = 0 AND l.objid = 8 AND l.objsubid = 1 AND l.granted
      AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND a.usename = CURRENT_USER AND a.wait_event = 'ClientRead'
      AND a.state_change < clock_timestamp() - INTERVAL '3 seconds'
    """

  /// Locks of other numbers than 0 to 2^32: until the connection ends, and until the transaction does.
  static let takeLock = "SELECT pg_try_advisory_lock(?)"
  static let takeLockBriefly = "SELECT pg_try_advisory_xact_lock(?)"

  static let tables = """
    SELECT table_name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name COLLATE "C"
    """

  /// The moment at which it is asked, not that at which the transaction began; in seconds since 1970.
  static let now = "SELECT extract(epoch FROM clock_timestamp())"
  /// The encoding of the database, as an expression.
  static let encoding = "current_setting('server_encoding')"
  /// The version, the clock in seconds since 1970, whether tables may be made, whether the disk is waited for, whether
  /// changes are taken on connections that, other than this one, have not chosen only to read, and the encoding.
  static let condition = """
    SELECT current_setting('server_version'), extract(epoch FROM clock_timestamp()),
      has_schema_privilege(current_schema(), 'CREATE'),
      current_setting('fsync') = 'on' AND current_setting('full_page_writes') = 'on',
      NOT pg_is_in_recovery()
        AND (SELECT reset_val FROM pg_settings WHERE name = 'default_transaction_read_only') = 'off',
      \(encoding)
    """
  /// Has a table's rows be numbered on from this number: of the table and its column, and whether the number was given.
  static let continueNumbers = "SELECT setval(CAST(pg_get_serial_sequence(?, ?) AS regclass), ?, ?)"
  /// The last number given to a row; null for none.
  static let lastNumber = "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence(?, ?) AS regclass))"

  /// The statements of a script, without comments.
  static func statements(of script: String) -> [String] {
    var all: [String] = []
    var one = ""
    for piece in Pieces(script) {
      switch piece {
      case .comment: continue
      case .sign(";"):
        all.append(one)
        one = ""
      default: one += piece.text
      }
    }
    return (all + [one]).filter { $0.contains { !$0.isWhitespace } }
  }

  /// A statement with PostgreSQL's words: see `Dialect`.
  /// - Parameter values: those of its question marks, which say with what a JSON text's member is compared.
  static func translated(_ sql: String, _ given: [Value] = []) -> String {
    if let made = exact[sql] { return made }
    var result = ""
    var values = 0
    var pieces = Array(Pieces(sql))[...]
    let isDefinition = pieces.first { $0.isWord }.map { ["CREATE", "ALTER"].contains($0.text) } ?? false
    while let piece = pieces.popFirst() {
      switch piece {
      case .comment: continue
      case .sign("?"):
        values += 1
        result += "$\(values)"
      case .word("INTEGER") where isDefinition && pieces.drop("PRIMARY", "KEY"):
        result += "BIGINT GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY"
      case .word("AUTOINCREMENT"): continue
      case .word("WITHOUT") where pieces.drop("ROWID"): continue
      case .word("LENGTH") where pieces.drop("(", "CAST", "("):
        // Only `Database.bytes(of:)` writes this: the column, AS BLOB, and two brackets.
        guard let column = pieces.takeName(), pieces.drop("AS", "BLOB", ")", ")") else { preconditionFailure(sql) }
        result += "OCTET_LENGTH(\(column))"
      case .word("json_extract"):
        guard let (column, path) = pieces.takeMember() else { preconditionFailure(sql) }
        result += member(column, path, comparedWith: values < given.count ? given[values] : nil)
      case .word("x"), .word("X"):
        if case .quoted(let digits) = pieces.first {
          pieces.removeFirst()
          result += "'\\x\(digits.dropFirst().dropLast())'::bytea"
        } else {
          result += piece.text
        }
      case .word(let name) where reserved.contains(name): result += "\"\(name)\""
      case .word("INTEGER"): result += "BIGINT"
      case .word("BLOB"): result += "BYTEA"
      case .word("REAL"): result += "DOUBLE PRECISION"
      case .word("TEXT") where isDefinition: result += "TEXT COLLATE \"C\""
      default: result += piece.text
      }
    }
    return result
  }

  /// A member of a JSON text as the kind of value that it is compared with. Truth values are 1 and 0, as in SQLite.
  private static func member(_ column: String, _ path: [String], comparedWith value: Value?) -> String {
    // In quotation marks, since null without them is no name.
    let steps = "'{\(path.map { "\"\($0)\"" }.joined(separator: ","))}'"
    let text = "(\(column)::jsonb #>> \(steps))"
    switch value {
    case .int, .double:
      return """
        (CASE jsonb_typeof(\(column)::jsonb #> \(steps)) WHEN 'number' THEN \(text)::numeric
        WHEN 'boolean' THEN \(text)::boolean::int::numeric END)
        """
    case .text:
      return "(CASE jsonb_typeof(\(column)::jsonb #> \(steps)) WHEN 'string' THEN \(text) END) COLLATE \"C\""
    default: return text
    }
  }

  /// Words that PostgreSQL keeps for itself (`pg_get_keywords`, of version 15). Ours are written in capitals, so one in
  /// small letters is a name.
  private static let reserved = Set(
    """
    all analyse analyze and any array as asc asymmetric both case cast check collate column constraint create
    current_catalog current_date current_role current_time current_timestamp current_user default deferrable desc
    distinct do else end except false fetch for foreign from grant group having in initially intersect into
    lateral leading limit localtime localtimestamp not null offset on only or order placing primary references
    returning select session_user some symmetric table then to trailing true union unique user using variadic when
    where window with
    """.split { $0.isWhitespace }.map(String.init))

  /// Statements that are other ones altogether.
  private static let exact = [Dialect.tables: tables]
}

extension ArraySlice<SQLPiece> {
  /// Takes out words and signs that come next, with the space between them; does nothing if others come.
  fileprivate mutating func drop(_ texts: String...) -> Bool {
    var rest = self
    for text in texts where rest.popText() != text { return false }
    self = rest
    return true
  }

  /// A column's name, perhaps with its table's.
  fileprivate mutating func takeName() -> String? {
    guard var name = popText() else { return nil }
    while first == .sign(".") {
      removeFirst()
      name += ".\(popText() ?? "")"
    }
    return name
  }

  /// The rest of `json_extract(COLUMN, '$."a"."b"')`: only `Database.member` writes this.
  fileprivate mutating func takeMember() -> (column: String, path: [String])? {
    guard drop("("), let column = takeName(), drop(","), let path = popText(), drop(")") else { return nil }
    return (column, path.dropFirst(2).dropLast().split(separator: ".").map { $0.filter { $0 != "\"" } })
  }

  private mutating func popText() -> String? {
    while case .space = first { removeFirst() }
    return popFirst()?.text
  }
}

/// A part of a statement.
enum SQLPiece: Equatable {
  case word(String), sign(String), space(String), quoted(String), comment(String)

  var text: String {
    switch self {
    case .word(let text), .sign(let text), .space(let text), .quoted(let text), .comment(let text): text
    }
  }
  var isWord: Bool { if case .word = self { true } else { false } }
}

/// Cuts SQL into its parts. Texts and names in quotation marks stay whole.
private struct Pieces: Sequence, IteratorProtocol {
  private var rest: Substring

  init(_ sql: String) { rest = sql[...] }

  mutating func next() -> SQLPiece? {
    guard let first = rest.first else { return nil }
    if first == "'" || first == "\"" { return .quoted(take(through: first)) }
    if rest.hasPrefix("--") { return .comment(take { $0 != "\n" }) }
    if first.isWhitespace { return .space(take(while: \.isWhitespace)) }
    if first.isLetter || first == "_" { return .word(take { $0.isLetter || $0.isNumber || $0 == "_" }) }
    rest.removeFirst()
    return .sign(String(first))
  }

  private mutating func take(while belongs: (Character) -> Bool) -> String {
    let taken = rest.prefix(while: belongs)
    rest = rest[taken.endIndex...]
    return String(taken)
  }

  private mutating func take(through mark: Character) -> String {
    let inner = rest.dropFirst()
    let end = inner.firstIndex(of: mark).map { inner.index(after: $0) } ?? inner.endIndex
    defer { rest = rest[end...] }
    return String(rest[..<end])
  }
}
