import Store

/// What owners have been told of certificates and keys, by its name, as long as it is so.
enum TroubleTable {
  static let migration = Migration(
    room: "bellstroubles", number: 1, sql: "CREATE TABLE bells_troubles (name TEXT PRIMARY KEY)")
}

extension Database {
  func toldTroubles() throws(StoreError) -> Set<String> {
    Set(try rows("SELECT name FROM bells_troubles", read: { $0.text(0) }))
  }

  func replaceToldTroubles(with names: [String]) throws(StoreError) {
    try run("DELETE FROM bells_troubles")
    for name in Set(names) { try run("INSERT INTO bells_troubles (name) VALUES (?)", .text(name)) }
  }
}
