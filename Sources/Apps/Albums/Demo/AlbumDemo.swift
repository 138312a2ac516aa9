import Hub
import Server

/// An album for those who look at a demonstration.
enum AlbumDemo {
  /// Does nothing if there is an album.
  static func fill(_ hub: Hub) async throws {
    try await hub.commit(as: .commandLine) { change in
      guard try change.database.albumCount() == 0 else { return }
      _ = try AlbumChange.make("Summer party", AlbumOptions(mode: .open), in: change)
    }
  }
}
