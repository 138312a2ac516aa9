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
  /// False if it lets hubs only read: it is a replica, or somebody has switched changes off, as the keeper of a rented
  /// one does when its disk is nearly full.
  public var takesChanges: Bool
  /// The database's, by PostgreSQL's name: "UTF8" for all that are made now (`demandUTF8`).
  public var encoding: String

  package init(
    version: String, clockAhead: Double, mayMakeTables: Bool, waitsForDisk: Bool, takesChanges: Bool, encoding: String
  ) {
    (self.version, self.clockAhead, self.encoding) = (version, clockAhead, encoding)
    (self.mayMakeTables, self.waitsForDisk, self.takesChanges) = (mayMakeTables, waitsForDisk, takesChanges)
  }
}

extension Store {
  /// The id of a folder of large blobs, which no other has; nil if no hub has used it, or it cannot be read.
  public static func blobFolderID(_ path: String) -> String? { BlobFolder.id(at: path) }

  /// Reads a server's records, whichever program has written them. Blocks the thread.
  public static func look<T>(
    at server: ServerAddress, _ body: (Database) throws(StoreError) -> T
  ) throws(StoreError) -> T { try body(Database(try PostgresConnection(server, isReadOnly: true))) }

  /// Asks a server. Blocks the thread.
  public static func condition(of server: ServerAddress, time: any TimeSource) throws(StoreError) -> ServerCondition {
    let database = Database(try PostgresConnection(server, isReadOnly: true))
    let before = time.now
    let found = try database.first(ServerDialect.condition) { row in
      ServerCondition(
        version: row.text(0), clockAhead: row.double(1) - (before + time.now) / 2, mayMakeTables: row.bool(2),
        waitsForDisk: row.bool(3), takesChanges: row.bool(4), encoding: row.text(5))
    }
    guard let found else { throw StoreError(.unavailable, "The database server gave no answer", context: server.shown) }
    return found
  }
}
