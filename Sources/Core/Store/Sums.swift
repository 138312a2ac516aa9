/// Amounts that the writes of one transaction add to counts in rows: added up in memory and written once, at its end,
/// so that a write costs no statement for what it counts.
struct Sums {
  struct Place: Hashable {
    /// The statement that adds two amounts to a row: `SET a = a + ?, b = b + ? WHERE number = ?`.
    var sql: String
    var row: Int
  }
  private var totals: [Place: (Int, Int)] = [:]
  /// Each amount in its order, so that those of a savepoint can be taken back.
  private var journal: [(place: Place, amounts: (Int, Int))] = []

  var count: Int { journal.count }

  mutating func add(_ amounts: (Int, Int), at place: Place) {
    journal.append((place, amounts))
    change(place, by: amounts)
  }

  func total(at place: Place) -> (Int, Int) { totals[place] ?? (0, 0) }

  mutating func forget(from first: Int) {
    for (place, amounts) in journal[first...] { change(place, by: (-amounts.0, -amounts.1)) }
    journal.removeSubrange(first...)
  }

  /// Takes out all that is to be written.
  mutating func drain() -> [(place: Place, amounts: (Int, Int))] {
    defer { self = Sums() }
    return totals.filter { $0.value != (0, 0) }.map { ($0.key, $0.value) }
  }

  private mutating func change(_ place: Place, by amounts: (Int, Int)) {
    let before = totals[place] ?? (0, 0)
    totals[place] = (before.0 + amounts.0, before.1 + amounts.1)
  }
}

extension Database {
  /// Adds two amounts to counts in a row, with those of the transaction's other writes, at its end. Queries see them
  /// from the next transaction on.
  /// - Parameter sql: a statement with the two amounts and the row's number as its values, in this order.
  package func add(_ amounts: (Int, Int), by sql: String, to row: Int) {
    sums.add(amounts, at: Sums.Place(sql: sql, row: row))
  }

  /// The amounts that the transaction has added to a row so far.
  package func added(by sql: String, to row: Int) -> (Int, Int) { sums.total(at: Sums.Place(sql: sql, row: row)) }

  /// To be called before the transaction is committed.
  func writeSums() throws(StoreError) {
    for (place, amounts) in sums.drain() { try run(place.sql, .int(amounts.0), .int(amounts.1), .int(place.row)) }
  }
}
