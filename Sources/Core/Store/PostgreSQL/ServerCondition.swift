public import Lifecycle

/// What an owner should know of the server that keeps a hub's records.
public struct ServerCondition: Equatable, Sendable {
  /// Such as "15.18 (Debian 15.18-0+deb12u1)".
  public var version: String
  /// Seconds by which its clock is ahead of this machine's.
  public var clockAhead: Double
  /// False if the hub may not make the tables of a next version.
  public var mayMakeTables: Bool
  /// False if it says that changes are on the disk before they are.
  public var waitsForDisk: Bool
}

extension Store {
  /// Asks a server. Blocks the thread.
  public static func condition(of server: ServerAddress, time: any TimeSource) throws(StoreError) -> ServerCondition {
    let database = Database(try PostgresConnection(server, isReadOnly: true))
    let before = time.now
    let found = try database.first(ServerDialect.condition) { row in
      ServerCondition(
        version: row.text(0), clockAhead: row.double(1) - (before + time.now) / 2, mayMakeTables: row.bool(2),
        waitsForDisk: row.bool(3))
    }
    guard let found else { throw StoreError(.unavailable, "The database server gave no answer", context: server.shown) }
    return found
  }
}
