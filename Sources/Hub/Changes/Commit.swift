import Lifecycle
import Observe
public import Server
import Store
import Synchronization

extension Hub {
  /// Changes something: the right is checked again, rows are written, it is written down who did it, and live events
  /// and rings leave, all of it or nothing. Refuse by throwing an `HTTPError`: whatever was written before is undone.
  ///
  /// When this returns, the change is on the disk, and what `change.then` does is done.
  /// - Parameter principal: who changes it. A person or a token may have lost the right since they were looked up.
  /// - Throws: what `body` refuses; 403 for somebody whose role is not what it was, or who was signed out, meanwhile;
  ///   500 and 507 when the store fails.
  public func commit<T: Sendable>(
    as principal: Principal, _ body: @escaping @Sendable (Change) throws -> T
  ) async throws(HTTPError) -> T {
    do {
      return try await store.change { [self] database in
        guard try database.isCurrent(principal) else { throw HTTPError.rightLost }
        let change = Change(self, database, by: principal)
        let value = try body(change)
        change.finish()
        return value
      }
    } catch let refusal as HTTPError {
      throw refusal
    } catch let error as StoreError {
      throw failure(error)
    } catch {
      log.error("a change failed", ["error": "\(error)"])
      throw HTTPError(.failed, "The hub could not do that.", help: "The hub's log says why; nothing was changed.")
    }
  }
}

extension Database {
  /// Whether the device, or the token, is still there and has the role it had. The hub's own rooms and commands beside
  /// it always are.
  func isCurrent(_ principal: Principal) throws(StoreError) -> Bool {
    guard let holder = ChannelHolder(principal) else { return [.room, .command].contains(principal.kind) }
    return try self.principal(holder)?.role == principal.role
  }
}

extension HTTPError {
  static let rightLost = HTTPError(
    .roleNotAllowed, "Your role has changed, or you were signed out, just now.",
    help: "Nothing was changed. GET /api/v1/session tells who is signed in.")
}

/// Numbers the changes. A number says which of two is newer, and no more: refused changes have numbers too.
///
/// The first is the time of the start, in microseconds since 1970: so numbers grow over restarts as well, without a
/// row to be written for each.
public final class Commits: Sendable {
  private let given: Atomic<Int>
  private let last: Atomic<Int>

  init(time: any TimeSource) {
    let first = Int(time.now * 1_000_000)
    given = Atomic(first)
    last = Atomic(first)
  }

  /// The number of the last change that is on the disk and that rooms know of. What is read afterwards is as new.
  public var number: Int { last.load(ordering: .acquiring) }

  func next() -> Int { given.add(1, ordering: .relaxed).newValue }
  func told(_ number: Int) { last.store(number, ordering: .releasing) }
}

extension Response {
  /// The same, with the number of the last change that it knows of: a page that has heard of a later one is behind, and
  /// fetches again.
  public func asOf(commit number: Int) -> Response {
    var response = self
    response.fields.append(Field("Eightbells-Commit", "\(number)"))
    return response
  }
}
