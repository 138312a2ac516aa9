/// Where a store's records are.
public enum StorePlace: Sendable {
  /// In a file, with SQLite; large blobs are in the folder `blobs` beside it.
  case file(String)
  /// On a PostgreSQL server; large blobs are in a folder.
  case server(ServerAddress, blobs: String)

  /// True if other hubs may use the same records.
  var isServer: Bool { if case .server = self { true } else { false } }

  /// The folder of large blobs.
  var blobs: String {
    switch self {
    case .file(let path): StoreFile(path: path).blobs
    case .server(_, let blobs): blobs
    }
  }

  /// The database's file, or where one would be: beside the blobs.
  var file: String {
    switch self {
    case .file(let path): path
    case .server(_, let blobs): "\(Files.folder(of: blobs))/eightbells.sqlite"
    }
  }

  func open(isReadOnly: Bool) throws(StoreError) -> Database {
    switch self {
    case .file(let path): try Database(path: path, isReadOnly ? .readOnly : .readWrite)
    case .server(let address, _): Database(try PostgresConnection(address, isReadOnly: isReadOnly))
    }
  }

  /// Begins a transaction for reading on the connection that is kept, or on a new one where that is lost: that a server
  /// has ended it is often seen only now, and nothing was asked yet.
  func beginReading(_ kept: inout Database?) throws(StoreError) -> Database {
    if let known = kept, !known.connection.isLost {
      do throws(StoreError) {
        try known.connection.begin(.reading)
        return known
      } catch {
        guard known.connection.isLost else { throw error }
      }
    }
    let opened = try open(isReadOnly: true)
    kept = opened
    try opened.connection.begin(.reading)
    return opened
  }
}
