import EventLoop
public import Hub
import Lifecycle
import Store

/// Ends a room's uploads that nobody continues.
public final class UploadExpiry: Sendable {
  private let hub: Hub
  private let rows: UploadRows
  private let poller: Poller

  public init(_ hub: Hub, _ rows: UploadRows) {
    (self.hub, self.rows) = (hub, rows)
    poller = Poller(hub.loop)
  }

  public func run() async throws {
    try await poller.run { [self] in
      while try await endSome(), !Task.isCancelled {}
      return ReceivingLimits.lookSeconds
    }
  }

  /// - Returns: true if there may be more.
  private func endSome() async throws -> Bool {
    let (now, limit, rows) = (hub.time.now, ReceivingLimits.endedAtOnce, rows)
    let (expired, parts, abandoned) = try await hub.store.read { database throws(StoreError) in
      (
        try rows.expired(database, now: now, limit: limit),
        // These count: each part prolongs them. Those whose place is gone have no other row.
        try database.expiredUploads(room: rows.room, now: now, limit: limit),
        try rows.abandoned(database, limit: limit)
      )
    }
    guard !expired.isEmpty || !parts.isEmpty || !abandoned.isEmpty else { return false }
    try await hub.commit(as: .room(rows.room)) { change in
      let database = change.database
      for part in parts { try database.endUpload(part.name) }
      for address in abandoned { try rows.end(address, database) }
      for address in expired {
        if let part = try database.unfinishedUpload(rows.blob(address)) {
          // More of it has come since it began.
          try rows.prolong(address, until: part.expires, database)
        } else {
          try rows.remove(address, database)
        }
      }
    }
    return expired.count == limit || parts.count == limit || abandoned.count == limit
  }
}
