/// A call for one of the store's threads. The caller hands it over and does not use it meanwhile.
class StoreWork: @unchecked Sendable {
  /// The failure of this call alone, whatever happens to the rest of its batch: a `StoreError`, or an error of the
  /// caller's closure.
  var failure: (any Error)?
  /// True if it must see only what is on the disk: such calls come first in a batch.
  var goesFirst: Bool { false }
  /// True if it changes nothing, and only wants to know what others have changed.
  var onlyLooks: Bool { false }

  /// Does the work.
  /// - Throws: to have its changes rolled back.
  func run(_ database: Database) throws {}

  /// Resumes the caller, with the failure if there is one.
  func finish() {}
}

/// A caller's closure, with the continuation that resumes the caller.
final class DatabaseCall<Answer: Sendable>: StoreWork, @unchecked Sendable {
  typealias Continuation = UnsafeContinuation<Result<Answer, any Error>, Never>
  private let body: @Sendable (Database) throws -> Answer
  private let continuation: Continuation
  private var answer: Answer?

  init(_ body: @escaping @Sendable (Database) throws -> Answer, _ continuation: Continuation) {
    self.body = body
    self.continuation = continuation
  }

  override func run(_ database: Database) throws { answer = try body(database) }

  override func finish() {
    if let failure {
      continuation.resume(returning: .failure(failure))
    } else if let answer {
      continuation.resume(returning: .success(answer))
    } else {
      preconditionFailure("a piece of work ended without an answer")
    }
  }
}

/// Background work on files that no caller waits for. It comes first in its batch, since rolling a batch back could not
/// restore a file that was moved because of another write in the same batch.
final class FileCleanup: StoreWork, @unchecked Sendable {
  private let body: @Sendable (Database) throws(StoreError) -> Void
  init(_ body: @escaping @Sendable (Database) throws(StoreError) -> Void) { self.body = body }
  override var goesFirst: Bool { true }
  override func run(_ database: Database) throws { try body(database) }
}
