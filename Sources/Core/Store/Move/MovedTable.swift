import Crypto

/// A table as a move sees it.
struct MovedTable {
  let name: String
  let columns: [String]
  /// The columns that its rows are ordered by: the primary key, or all where there is none.
  let key: [String]
  /// The column with a row's number, where the engine numbers rows by itself.
  let number: String?
  /// The columns that refer to rows of the same table.
  let own: [String]

  var quoted: String { "\"\(name)\"" }

  var insert: String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT INTO \(quoted) (\(Self.list(columns))) VALUES (\(marks))"
  }

  /// The rows from so many on. (SQLite wants a limit where there is an offset.)
  func rows(from first: Int) -> String {
    "SELECT \(Self.list(columns)) FROM \(quoted) ORDER BY \(Self.list(key)) LIMIT \(Int.max) OFFSET \(first)"
  }

  /// The rows that refer to others of the table by a column, each with its key behind that.
  func references(by column: String) -> String {
    "SELECT \(Self.list([column] + key)) FROM \(quoted) WHERE \(Self.list([column])) IS NOT NULL"
  }

  func refer(by column: String) -> String {
    let row = key.map { "\"\($0)\" = ?" }.joined(separator: " AND ")
    return "UPDATE \(quoted) SET \(Self.list([column])) = ? WHERE \(row)"
  }

  private static func list(_ names: [String]) -> String { names.map { "\"\($0)\"" }.joined(separator: ", ") }

  /// All tables of a file but the note of a move and the last numbers, which a server has in its own way; those that
  /// others refer to come first.
  static func all(of file: Database) throws(StoreError) -> [MovedTable] {
    let names = try file.tableNames().filter { ![MoveNote.table, GivenNumbers.table].contains($0) }
    let references = try file.rows(Dialect.references) { (from: $0.text(0), to: $0.text(1), column: $0.text(2)) }
    var ordered: [String] = []
    while ordered.count < names.count {
      let next = names.filter { name in
        !ordered.contains(name)
          && references.allSatisfy { $0.from != name || $0.to == name || ordered.contains($0.to) }
      }
      guard !next.isEmpty else { preconditionFailure("tables refer to each other in a circle") }
      ordered += next
    }
    var all: [MovedTable] = []
    for name in ordered {
      let own = references.filter { $0.from == name && $0.to == name }.map { $0.column }
      all.append(try MovedTable(name, own, in: file))
    }
    return all
  }

  private init(_ name: String, _ own: [String], in file: Database) throws(StoreError) {
    let found = try file.rows(Dialect.columns, .text(name)) { (name: $0.text(0), type: $0.text(1), key: $0.int(2)) }
    let key = found.filter { $0.key > 0 }.sorted { $0.key < $1.key }
    (self.name, self.own) = (name, own)
    columns = found.map(\.name)
    self.key = key.isEmpty ? columns : key.map(\.name)
    number = key.count == 1 && key[0].type == "INTEGER" ? key[0].name : nil
  }
}

/// The number of a table's rows, and a sum of their digests, in which their order does not count.
struct TableSum: Equatable {
  var rows = 0
  private var sum: UInt64 = 0

  mutating func add(_ values: [Value]) {
    var bytes: [UInt8] = []
    for value in values { value.write(to: &bytes) }
    rows += 1
    sum &+= Digest.sha256(bytes).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }
}

extension Value {
  /// Bytes in memory and on the way, roughly.
  var bytes: Int {
    switch self {
    case .null, .int, .double: 8
    case .text(let text): text.utf8.count
    case .blob(let bytes): bytes.count
    }
  }

  /// Appends bytes that no other value has.
  fileprivate func write(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(0)
    case .int(let value):
      bytes.append(1)
      withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    case .double(let value):
      bytes.append(2)
      withUnsafeBytes(of: value.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
    case .text(let text):
      bytes.append(3)
      Value.int(text.utf8.count).write(to: &bytes)
      bytes += text.utf8
    case .blob(let blob):
      bytes.append(4)
      Value.int(blob.count).write(to: &bytes)
      bytes += blob
    }
  }
}

extension Database {
  func count(_ table: MovedTable) throws(StoreError) -> Int {
    try first("SELECT count(*) FROM \(table.quoted)") { $0.int(0) } ?? 0
  }

  func sum(of table: MovedTable) throws(StoreError) -> TableSum {
    var sum = TableSum()
    try inTransaction(.reading) { () throws(StoreError) in
      try scan(table.rows(from: 0), [], isMade: true) { row in
        sum.add(table.columns.indices.map(row.value))
        return false
      }
    }
    return sum
  }

  /// The tables of a file that give no number twice, even after its row is gone.
  func tablesThatKeepNumbers() throws(StoreError) -> Set<String> { Set(try rows(Dialect.keepsNumbers) { $0.text(0) }) }

  /// The last number that such a table has given.
  func lastNumber(of table: String) throws(StoreError) -> Int {
    try first(Dialect.lastNumber, .text(table)) { $0.int(0) } ?? 0
  }

  func keepNumber(_ number: Int, of table: String) throws(StoreError) {
    try run(Dialect.forgetNumber, .text(table))
    try run(Dialect.keepNumber, .text(table), .int(number))
  }
}
