public import Store
public import Wire

/// Messages that changes send to the rooms of other hubs beside their rows. Where the records are in a file, it stays
/// empty.
enum PassedTable {
  static let migration = Migration(
    room: "hubpassed", number: 1,
    sql: """
      CREATE TABLE hub_passed (
        id INTEGER PRIMARY KEY, number INTEGER NOT NULL, name TEXT NOT NULL, about INTEGER NOT NULL,
        body TEXT NOT NULL);
      CREATE INDEX hub_passed_number ON hub_passed (number)
      """)
}

/// A message that a change of another hub sends to a room.
public struct Passed: Sendable {
  /// The row that it is about.
  public let about: Int
  /// The number of the change.
  public let commit: Int
  public let body: JSON
}

extension Change {
  /// Tells the rooms of other hubs more of this change than that it was made: they read it by `Touches.passed`, in the
  /// order of the changes. Nothing of it is lost, however late a hub looks.
  /// - Parameters:
  ///   - row: what it is about.
  ///   - body: called only if there may be other hubs.
  public func pass(_ touch: Touch, about row: Int = 0, _ body: @autoclosure () -> JSON) throws(StoreError) {
    guard hasOthers else { return }
    try database.run(
      "INSERT INTO hub_passed (number, name, about, body) VALUES (?, ?, ?, ?)", .int(number), .text(touch.name),
      .int(row), .text(body().text))
    database.touch(touch, row)
  }
}

extension Touches {
  /// The messages under a name, oldest first.
  /// - Returns: nil if they are not all known any more: everything has to be read anew.
  public func passed(_ touch: Touch, in database: Database) throws(StoreError) -> [Passed]? {
    guard isComplete else { return nil }
    guard has(touch) else { return [] }
    return try database.rows(
      "SELECT about, number, body FROM hub_passed WHERE number > ? AND name = ? ORDER BY id", .int(after),
      .text(touch.name)
    ) { row in
      // Written by a hub.
      Passed(about: row.int(0), commit: row.int(1), body: (try? JSON(parsing: row.text(2), values: .max)) ?? .null)
    }
  }
}
