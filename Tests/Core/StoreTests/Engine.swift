import Store
import World

/// The engines that a store can have: a case of a test for each.
enum Engine: CaseIterable {
  case file, server

  /// An empty place.
  func place(in folder: TemporaryFolder) throws -> StorePlace {
    switch self {
    case .file: .file("\(folder.path)/store.sqlite")
    case .server: .server(try ServerAddress(PostgresServer.database()), blobs: "\(folder.path)/blobs")
    }
  }
}
