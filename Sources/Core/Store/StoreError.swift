import Glibc

/// What went wrong in the store.
public struct StoreError: Error, Equatable, Sendable, CustomStringConvertible {
  public enum Code: Equatable, Sendable {
    /// The file cannot be opened, or is no database.
    case open
    /// A statement failed; SQLite's extended result code.
    case sqlite(Int32)
    /// A call of the system failed; its errno.
    case file(Int32)
    /// What was sent is larger than what was asked for.
    case tooLarge
    /// Nothing names this blob any more.
    case noSuchBlob
    /// What is kept is not what was given.
    case damaged
    /// A backup cannot be written, or what is to be restored is none, torn or changed.
    case archive
    /// There is something already where a restore is to go.
    case notEmpty
    /// Another process has the database open, which has to be alone for this.
    case inUse
    /// The tables must be brought up to date first, by the hub or by `eightbells store migrate`.
    case outdated
    /// A migration that has run was changed afterwards, or the database is newer than the program.
    case migration
    /// There is no room left on the disk, or the owner's share of it is used up.
    case diskFull
    /// The store is closed: the hub is going down.
    case closed
  }
  public var code: Code
  public var message: String
  /// The statement, the file or the migration it is about.
  public var context: String

  public init(_ code: Code, _ message: String, context: String) {
    self.code = code
    self.message = message
    self.context = context
  }

  static let closed = StoreError(.closed, "The store is closed", context: "the hub is going down")

  /// Whether a call of the system failed because there is no room.
  static func isFull(_ number: Int32) -> Bool { number == ENOSPC || number == EDQUOT }

  public var description: String { "\(message) (\(context))" }
}
