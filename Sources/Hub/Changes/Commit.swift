import Lifecycle
import Observe
public import Server
public import Store
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
        guard try isCurrent(principal, in: database) else { throw HTTPError.rightLost }
        let change = Change(self, database, by: principal)
        if Commits.mustKeep(at: change.number) { try database.keep(commitNumber: change.number + Commits.ahead) }
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

extension Hub {
  /// Whether somebody is still who they were: of a guest the room knows, which has to be on.
  private func isCurrent(_ principal: Principal, in database: Database) throws(StoreError) -> Bool {
    guard let guest = principal.guest else { return try database.isCurrent(principal) }
    guard let room = rooms.first(where: { type(of: $0).plan.id == guest.room }) else { return false }
    return try room.isCurrent(guest: guest.id, in: database)
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
/// row to be written for each. That clock may have been set back since the last start. So a start keeps, ahead of its
/// own numbers, one that the next start does not begin below.
public final class Commits: Sendable {
  /// As many numbers as are set apart in the store at once: at a thousand changes a second they last for months.
  static let ahead = 10_000_000_000

  private let given = Atomic(0)
  private let last = Atomic(0)

  init(time: any TimeSource) { begin(at: Int(time.now * 1_000_000)) }

  /// The number of the last change that is on the disk and that rooms know of. What is read afterwards is as new.
  public var number: Int { last.load(ordering: .acquiring) }

  func next() -> Int { given.add(1, ordering: .relaxed).newValue }
  func told(_ number: Int) { last.store(number, ordering: .releasing) }

  fileprivate func begin(at number: Int) {
    given.store(number, ordering: .relaxed)
    told(number)
  }

  /// Whether more numbers are to be set apart in this change: long before those are used up, and so often that it does
  /// not matter if one such change is refused.
  static func mustKeep(at number: Int) -> Bool { number % (ahead / 10) == 0 }
}

extension Hub {
  /// Begins numbers that are greater than those of all earlier starts. To be called before the first change, and before
  /// a room reads `commits.number`.
  public func numberCommits() async throws(StoreError) {
    let commits = commits
    try await store.write { database throws(StoreError) in
      let first = max(commits.number, try database.keptCommitNumber())
      try database.keep(commitNumber: first + Commits.ahead)
      commits.begin(at: first)
    }
  }
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
