/// What somebody asked of the store and waits for. Handed from the caller to one of the store's threads, and used by
/// nobody else meanwhile.
class StoreWork: @unchecked Sendable {
  /// Why this one failed, whatever becomes of the others of its batch.
  var failure: StoreError?
  /// Whether it must see nothing but what is on the disk: such work comes first in its batch.
  var goesFirst: Bool { false }

  func run(_ database: Database) throws(StoreError) {}

  /// Lets the caller go on, with the failure if there is one.
  func finish() {}
}

/// A caller's body and where it waits for its value.
final class Asked<Answer: Sendable>: StoreWork, @unchecked Sendable {
  typealias Continuation = UnsafeContinuation<Result<Answer, StoreError>, Never>
  private let body: @Sendable (Database) throws(StoreError) -> Answer
  private let continuation: Continuation
  private var answer: Answer?

  init(_ body: @escaping @Sendable (Database) throws(StoreError) -> Answer, _ continuation: Continuation) {
    self.body = body
    self.continuation = continuation
  }

  override func run(_ database: Database) throws(StoreError) { answer = try body(database) }

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

/// Work on files that nobody waits for. What a file's name is taken for must be on the disk: a file that is taken out
/// of its place, since another write of the same batch has let go of it, stays away when that batch is undone.
final class Chore: StoreWork, @unchecked Sendable {
  private let body: @Sendable (Database) throws(StoreError) -> Void
  init(_ body: @escaping @Sendable (Database) throws(StoreError) -> Void) { self.body = body }
  override var goesFirst: Bool { true }
  override func run(_ database: Database) throws(StoreError) { try body(database) }
}
