import Lifecycle
import Observe
public import Server
public import Store
import Synchronization

extension Hub {
  /// Makes a change: the right is checked again, rows and audit are written, live events and rings are sent, all of it
  /// or nothing. To refuse, throw an `HTTPError`, which rolls everything back.
  ///
  /// When this returns, the change is on the disk, and the work of `change.then` is done.
  /// - Parameter principal: the actor. A person or a token may have lost the right since they were looked up.
  /// - Throws: what `body` throws; 401 and 403 as `demandCurrent`; 500 and 507 when the store fails.
  public func commit<T: Sendable>(
    as principal: Principal, _ body: @escaping @Sendable (Change) throws -> T
  ) async throws(HTTPError) -> T {
    do {
      return try await store.change { [self] database in
        try demandCurrent(principal, in: database)
        let change = Change(self, database, by: principal)
        if cluster == nil, Commits.mustKeep(at: change.number) {
          try database.keep(commitNumber: change.number + Commits.ahead)
        }
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
  /// True if the principal still exists with the same rights; a guest is checked by the room, which must be on.
  public func isCurrent(_ principal: Principal, in database: Database) throws(StoreError) -> Bool {
    guard let guest = principal.guest else { return try database.isCurrent(principal) }
    guard let room = room(guest.room) else { return false }
    return try room.isCurrent(guest: guest.id, in: database)
  }

  /// Refuses a principal who is not what they were when they were looked up. Pages tell the two errors apart: whoever
  /// was signed out signs in again, and what they were sending waits for that.
  /// - Throws: 401 if the device was signed out or the token withdrawn; 403 for another role, and for a guest who has
  ///   gone.
  public func demandCurrent(_ principal: Principal, in database: Database) throws {
    guard try !isCurrent(principal, in: database) else { return }
    guard principal.guest == nil, let holder = ChannelHolder(principal), try database.principal(holder) == nil else {
      throw HTTPError.rightLost
    }
    throw principal.token == nil ? HTTPError.nobody : HTTPError.unknownToken
  }
}

extension Database {
  /// True if the device or token still exists with the same role. Always true for rooms and for commands beside the
  /// hub.
  func isCurrent(_ principal: Principal) throws(StoreError) -> Bool {
    guard let holder = ChannelHolder(principal) else { return [.room, .command].contains(principal.kind) }
    return try self.principal(holder)?.role == principal.role
  }
}

extension HTTPError {
  /// The actor's role has changed since they were looked up, or the guest has gone.
  static let rightLost = HTTPError(
    .roleNotAllowed, "Your role has changed, or you are no guest any more, just now.",
    help: "Nothing was changed. GET /api/v1/session tells who is signed in.")
}

/// The numbers of changes. Of two changes the newer has the larger number; rolled-back changes use numbers too.
///
/// On a database server each transaction stores its last number, and the next one, of whichever hub, goes on from there
/// (`Cluster`). With a file, the first is the start's time in microseconds since 1970, so that numbers grow over
/// restarts without writing a row for each. As the clock may be set back, each start stores a number ahead of its own,
/// below which the next start does not begin.
public final class Commits: Sendable {
  /// The numbers reserved in the store at a time: at a thousand changes a second they last for months.
  static let ahead = 10_000_000_000

  private let given = Atomic(0)
  private let last = Atomic(0)

  init(time: any TimeSource) { begin(at: Int(time.now * 1_000_000)) }

  /// The number of the last change that is on the disk and known to the rooms. Data read afterwards is at least as new.
  public var number: Int { last.load(ordering: .acquiring) }

  func next() -> Int { given.add(1, ordering: .relaxed).newValue }
  /// The last number that was given to a change.
  var lastGiven: Int { given.load(ordering: .relaxed) }
  /// Others have given numbers up to this one.
  func give(above number: Int) { if lastGiven < number { given.store(number, ordering: .relaxed) } }
  func told(_ number: Int) { last.store(number, ordering: .releasing) }

  fileprivate func begin(at number: Int) {
    given.store(number, ordering: .relaxed)
    told(number)
  }

  /// True if this change must reserve further numbers: long before the reserved ones are used up, and so often that a
  /// rolled-back change does not matter.
  static func mustKeep(at number: Int) -> Bool { number % (ahead / 10) == 0 }
}

extension Hub {
  /// Starts numbering above all earlier starts. To be called before the first change, and before a room reads
  /// `commits.number`.
  /// - Parameter isAlone: false if others may change the store too.
  public func numberCommits(isAlone: Bool = true) async throws(StoreError) {
    let (commits, now) = (commits, time.now)
    try await store.write { database throws(StoreError) in
      let first = max(commits.number, try database.keptCommitNumber() + 1)
      try database.keep(commitNumber: isAlone ? first + Commits.ahead : first)
      // So that there is a row that is not newer than what this hub knows (`News.isComplete`).
      if !isAlone { try database.add(news: first, of: "start", [], now: now) }
      commits.begin(at: first)
    }
  }
}

extension Hub {
  /// The number of the last change of any hub on the database server.
  func newestCommit() async throws(StoreError) -> Int {
    try await store.read { database throws(StoreError) in try database.keptCommitNumber() }
  }
}

extension Response {
  /// The response with the number of the last change that it includes: a page that knows of a later one fetches again.
  public func asOf(commit number: Int) -> Response {
    var response = self
    response.fields.append(Field("Eightbells-Commit", "\(number)"))
    return response
  }
}
