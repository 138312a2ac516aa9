import CSQLite

/// The statements whose text is made at run time, as far as they were used lately: a question that is asked again, with
/// other values, is not compiled again. Compiling took half the time of a query that finds ten rows by an index.
///
/// A statement that is in use is not in here, so one of the same text within it is compiled anew.
struct MadeStatements {
  private var kept: [String: (statement: OpaquePointer, lastUse: Int)] = [:]
  private var uses = 0

  /// The statement of this text, which is the caller's until `put`; nil if there is none.
  mutating func take(_ sql: String) -> OpaquePointer? { kept.removeValue(forKey: sql)?.statement }

  /// Keeps a statement that is not used any more, or ends it.
  mutating func put(_ statement: OpaquePointer, _ sql: String) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
    guard sql.utf8.count <= StoreLimits.madeStatementBytes, kept[sql] == nil else {
      sqlite3_finalize(statement)
      return
    }
    if kept.count >= StoreLimits.madeStatements, let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) {
      sqlite3_finalize(oldest.value.statement)
      kept[oldest.key] = nil
    }
    uses += 1
    kept[sql] = (statement, uses)
  }

  mutating func end() {
    for one in kept.values { sqlite3_finalize(one.statement) }
    kept = [:]
  }
}
