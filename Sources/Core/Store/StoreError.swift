import Glibc

/// An error of the store.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// The file cannot be opened, or is no database.
    case open
    /// A statement failed, with SQLite's extended result code.
    case sqlite(Int32)
    /// A statement failed, with PostgreSQL's SQLSTATE.
    case server(String)
    /// The object store does not do as it is told: it refuses, or is another one.
    case bucket
    /// The object store cannot be reached or is too busy, also after some attempts.
    case bucketAway
    /// The database server cannot be reached, or the connection to it was lost.
    case unavailable
    /// The engine cannot keep this value.
    case unacceptable
    /// A system call failed, with its errno.
    case file(Int32)
    /// The upload is larger than its limit.
    case tooLarge
    /// The blob has no name any more.
    case noSuchBlob
    /// There are so many unfinished uploads that none may be added.
    case tooMany
    /// The stored bytes are not those that were written.
    case damaged
    /// A backup cannot be written, or an archive is not a backup, truncated or changed.
    case archive
    /// The folder for a restore is not empty.
    case notEmpty
    /// The database must be used alone, but another process has it open.
    case inUse
    /// The tables must be migrated first, by the hub or by `eightbells store migrate`.
    case outdated
    /// A migration that has run was changed afterwards, or the database is newer than the program.
    case migration
    /// The disk is full, or the owner's quota is used up.
    case diskFull
    /// Another program has taken over the work that the write belongs to.
    case takenOver
    /// The store is closed: the hub is shutting down.
    case closed
  }
  public var code: Code
  public var message: String
  /// The statement, file or migration concerned.
  public var context: String

  public init(_ code: Code, _ message: String, context: String) {
    self.code = code
    self.message = message
    self.context = context
  }

  static let closed = StoreError(.closed, "The store is closed", context: "the hub is going down")

  /// True if the place of the data does not do its work just now: that tells nothing about what was to be kept or read,
  /// and the same may go well later.
  public var isOfPlace: Bool {
    switch code {
    case .bucket, .bucketAway, .unavailable, .diskFull, .closed: true
    case .server(let state): ServerDialect.passing.contains(state)
    default: false
    }
  }

  /// True if that place is a database server, which is away, or does not do this just now.
  public var isOfServer: Bool { if case .server = code { isOfPlace } else { code == .unavailable } }

  /// True if a system call failed because there is no room.
  static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  public var description: String { "\(message) (\(context))" }
}
