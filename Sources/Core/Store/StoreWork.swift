/// Work for one of the store's threads. Handed over by its caller, and used by nobody else meanwhile.
class StoreWork: @unchecked Sendable {
  /// Why this one failed, whatever becomes of the others of its batch: a `StoreError`, or a refusal of the caller's.
  var failure: (any Error)?
  /// Whether it must see nothing but what is on the disk: such work comes first in its batch.
  var goesFirst: Bool { false }

  /// - Throws: to have all undone that it has written.
  func run(_ database: Database) throws {}

  /// Lets the caller go on, with the failure if there is one.
  func finish() {}
}

/// One caller's closure, with the continuation that resumes the caller.
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

/// Background work on files that no caller waits for. It runs first in its batch: a batch that is rolled back cannot
/// put a file back that was moved because another write of the same batch had let go of it.
final class FileCleanup: StoreWork, @unchecked Sendable {
  private let body: @Sendable (Database) throws(StoreError) -> Void
  init(_ body: @escaping @Sendable (Database) throws(StoreError) -> Void) { self.body = body }
  override var goesFirst: Bool { true }
  override func run(_ database: Database) throws { try body(database) }
}
