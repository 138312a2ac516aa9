import EventLoop
public import Hub
import Lifecycle
public import Store

/// The rows that a room keeps of uploads.
public protocol UploadRows: Sendable {
  /// The name in the store of what has come of an upload.
  func blob(_ address: String) -> BlobName

  /// The ids of uploads that have expired, finished ones too.
  func expired(_ database: Database, now: Double, limit: Int) throws(StoreError) -> [String]

  /// The ids of unfinished ones that nobody wants any more, such as those to what is deleted.
  func abandoned(_ database: Database, limit: Int) throws(StoreError) -> [String]

  func prolong(_ address: String, until expires: Double, _ database: Database) throws(StoreError)

  /// Removes a row; what has come of its upload is removed by whoever calls this.
  func remove(_ address: String, _ database: Database) throws(StoreError)
}

/// Ends a room's uploads that nobody continues.
public final class UploadExpiry: Sendable {
  private let hub: Hub
  private let room: String
  private let rows: any UploadRows
  private let poller: Poller

  public init(_ hub: Hub, of room: String, _ rows: any UploadRows) {
    (self.hub, self.room, self.rows) = (hub, room, rows)
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
    let (now, limit, room, rows) = (hub.time.now, ReceivingLimits.endedAtOnce, room, rows)
    let (expired, parts, abandoned) = try await hub.store.read { database throws(StoreError) in
      (
        try rows.expired(database, now: now, limit: limit),
        // These count: each part prolongs them. Those whose place is gone have no other row.
        try database.expiredUploads(room: room, now: now, limit: limit),
        try rows.abandoned(database, limit: limit)
      )
    }
    guard !expired.isEmpty || !parts.isEmpty || !abandoned.isEmpty else { return false }
    try await hub.commit(as: .room(room)) { change in
      let database = change.database
      for part in parts { try database.endUpload(part.name) }
      for address in abandoned {
        try rows.remove(address, database)
        try database.endUpload(rows.blob(address))
      }
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
