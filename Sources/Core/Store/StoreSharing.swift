/// Keeps right what a program has in memory while other programs change the same server's records.
///
/// Changes of all programs come one after the other (`ServerDialect.oneAfterTheOther`). So at the beginning of each
/// transaction for changes a program can take over what others have committed, before its own writes look at memory.
public protocol StoreSharing: AnyObject, Sendable {
  /// Takes over what others have committed since the last call. Called on the writer's thread, in a transaction that
  /// sees all of it.
  func takeOver(_ database: Database) throws(StoreError)

  /// Writes what others have to know of this transaction. Called before its commit.
  func conclude(_ touches: [Touch], _ database: Database) throws(StoreError)
}

/// Something that programs keep in memory, and that a transaction has changed.
public struct Touch: Hashable, Sendable {
  /// Such as "kettle.lid".
  public var name: String
  /// The row, where there are several.
  public var key: Int?

  public init(_ name: String, _ key: Int? = nil) {
    self.name = name
    self.key = key
  }
}

extension Database {
  /// Tells other programs on the same server, with the commit, to read again what they have in memory.
  /// - Parameter row: the one that it is about, where there are several.
  public func touch(_ touch: Touch, _ row: Int? = nil) {
    if sharing != nil { touches.append(row == nil ? touch : Touch(touch.name, row)) }
  }

  func takeOver() throws(StoreError) { try sharing?.takeOver(self) }

  /// To be called before the transaction is committed.
  func conclude() throws(StoreError) {
    guard let sharing else { return }
    let all = touches
    touches.removeAll(keepingCapacity: true)
    try sharing.conclude(all, self)
  }
}

extension Database {
  /// The time of the database server's clock, in seconds since 1970: the only one that all its programs share.
  public func serverTime() throws(StoreError) -> Double { try first(ServerDialect.now) { $0.double(0) } ?? 0 }

  /// Takes a lock of the database server; in a write alone, whose connection keeps it. In a file there are none.
  /// - Parameters:
  ///   - number: one above 2^32, whose upper half says what it is for.
  ///   - untilEnd: true to keep others from it until this program ends, or loses its connection; false for this
  ///     transaction.
  /// - Returns: false if another program has it.
  public func takeLock(_ number: Int, untilEnd: Bool) throws(StoreError) -> Bool {
    guard ofFile == nil else { return true }
    let lock = untilEnd ? ServerDialect.takeLock : ServerDialect.takeLockBriefly
    return try first(lock, .int(number)) { $0.bool(0) } ?? false
  }

  /// Puts out whoever stands still in the middle of changing a server's records.
  /// - Returns: how many did.
  @discardableResult
  func endStalled() throws(StoreError) -> Int { try first(ServerDialect.endStalled) { $0.int(0) } ?? 0 }
}

/// The timeline of a database server: it tells one history of its records from another.
public enum ServerTimeline {
  /// An expression of its name, such as "00000001": it changes when a replica becomes the server, and when the server
  /// was restored. Empty at a replica.
  public static let expression =
    "CASE WHEN pg_is_in_recovery() THEN '' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END"
}

extension Store {
  /// From now on others may change the records too.
  public func share(_ sharing: any StoreSharing) async throws(StoreError) {
    try await write { database throws(StoreError) in
      database.sharing = sharing
      try sharing.takeOver(database)
    }
  }

  /// Puts out whoever stands still in the middle of changing a server's records, so that others can go on. Does not
  /// wait for them itself.
  /// - Returns: how many did.
  public func endStalled() async throws(StoreError) -> Int {
    try await look { database throws(StoreError) in try database.endStalled() }
  }

  /// Takes over what others have committed; changes nothing, and does not wait for others' changes.
  public func lookAtOthers() async throws(StoreError) {
    let result = await withUnsafeContinuation { writer.submit(LookAtOthers($0)) }
    do { try result.get() } catch { throw error as? StoreError ?? .closed }
  }
}

/// A look at what others have committed, in a transaction for reading on the writer's connection.
final class LookAtOthers: StoreWork, @unchecked Sendable {
  typealias Continuation = UnsafeContinuation<Result<Void, any Error>, Never>
  private let continuation: Continuation
  init(_ continuation: Continuation) { self.continuation = continuation }
  override var onlyLooks: Bool { true }
  override func finish() { continuation.resume(returning: failure.map { .failure($0) } ?? .success(())) }
}
