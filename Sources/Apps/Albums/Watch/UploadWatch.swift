import EventLoop
import Hub
import Lifecycle
import Store

/// Ends uploads that nobody continues.
final class UploadWatch: Sendable {
  private let hub: Hub
  private let poller: Poller

  init(_ hub: Hub) { (self.hub, poller) = (hub, Poller(hub.loop)) }

  func run() async throws {
    try await poller.run { [self] in
      while try await endSome(), !Task.isCancelled {}
      return UploadLimits.lookSeconds
    }
  }

  /// - Returns: true if there may be more.
  private func endSome() async throws -> Bool {
    let now = hub.time.now
    let limit = UploadLimits.endedAtOnce
    let (rows, parts, gone) = try await hub.store.read { database throws(StoreError) in
      (
        try database.expiredUploads(now: now, limit: limit),
        // These count: each part prolongs them. Those whose guest or album is gone have no other row.
        try database.expiredUploads(room: AlbumsRoom.id, now: now, limit: limit),
        try database.uploadsOfDeletedAlbums(limit: limit)
      )
    }
    guard !rows.isEmpty || !parts.isEmpty || !gone.isEmpty else { return false }
    try await hub.commit(as: .room(AlbumsRoom.id)) { change in
      let database = change.database
      for part in parts { try database.endUpload(part.name) }
      for address in gone { try UploadChange.end(address, in: change) }
      for address in rows {
        if let part = try database.unfinishedUpload(PendingUpload.blob(address)) {
          // More of it has come since it began.
          try database.prolongUpload(address, until: part.expires)
        } else {
          try database.removeUpload(address)
        }
      }
    }
    return rows.count == limit || parts.count == limit || gone.count == limit
  }
}
