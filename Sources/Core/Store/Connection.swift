/// A connection to a database engine, used by one thread at a time. `Database` is what everybody else sees of it.
protocol Connection: AnyObject {
  var isInTransaction: Bool { get }

  /// True if a statement of the transaction failed after others had been sent behind it: whose it was is not known, and
  /// the others were not run.
  var hasLateFailure: Bool { get }

  /// The number of statements so far that may have changed something; nil where savepoints cost next to nothing, and
  /// nobody has to know.
  var changes: Int? { get }

  /// True once nothing works on this connection any more.
  var isLost: Bool { get }

  /// True if the connection was lost while it waited for the answer to a commit: the changes may be on the disk.
  var mayHaveCommitted: Bool { get }

  /// Runs a statement whose result nobody needs. An engine may send it later, and tell of its failure at the next
  /// `step`, `script` or `settle`.
  func run(_ sql: String, _ values: [Value]) throws(StoreError)

  /// Runs a query, and hands over its rows until the reader wants no more.
  /// - Parameters:
  ///   - isMade: true for a statement whose text is made at run time: only some of these are kept.
  ///   - isLate: asked all the while, also where no row comes; the query fails once it is true.
  func step(
    _ sql: String, _ values: [Value], isMade: Bool, isLate: (() -> Bool)?, until wantsNoMore: (Row) -> Bool
  ) throws(StoreError)

  /// Runs several statements that take no values.
  func script(_ sql: String) throws(StoreError)

  /// Begins a transaction for queries that see one snapshot, or for changes, which come one after the other.
  func begin(_ transaction: Transaction) throws(StoreError)
  /// Returns when the changes are on the disk.
  func commit() throws(StoreError)
  /// Gives up the transaction, if there is one.
  func rollBack()

  /// Waits for all statements so far.
  func settle() throws(StoreError)
}

enum Transaction {
  case reading, writing
}
