/// The last numbers that rows of some tables have had: of those from before `Database.neverReusedKey`, to which others
/// refer. SQLite itself gives the number of the last row to the next one when that row is removed, which then has what
/// is kept elsewhere under it. PostgreSQL gives no number twice: there the table stays empty.
enum GivenNumbers {
  static let table = "store_numbers"

  static let migration = Migration(
    room: "store", number: 4,
    sql: """
      CREATE TABLE store_numbers (
        name TEXT PRIMARY KEY,
        last INTEGER NOT NULL
      )
      """)
}

extension Database {
  /// Gives a row that was just inserted, and to which nothing refers yet, a number that none of its table has had, as
  /// by `neverReusedKey`.
  /// - Parameter id: the number it has now, in the column of this name.
  /// - Returns: the number that it keeps.
  public func neverReused(_ id: Int, of table: String) throws(StoreError) -> Int {
    guard ofFile != nil else { return id }
    let number = max(id, try lastGiven(of: table) + 1)
    if number != id { try run("UPDATE \(table) SET id = ? WHERE id = ?", .int(number), .int(id)) }
    try keepGiven(number, of: table)
    return number
  }

  /// The last number that was noted for a table of a file; 0 for none.
  func lastGiven(of table: String) throws(StoreError) -> Int {
    try first("SELECT last FROM store_numbers WHERE name = ?", .text(table)) { $0.int(0) } ?? 0
  }

  func keepGiven(_ number: Int, of table: String) throws(StoreError) {
    try run(
      "INSERT INTO store_numbers (name, last) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET last = excluded.last",
      .text(table), .int(number))
  }
}
