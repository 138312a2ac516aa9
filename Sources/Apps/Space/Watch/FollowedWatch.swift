import Client
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// Watches other spaces' documents, and stores their last known state.
final class FollowedWatch: Sendable {
  private let hub: Hub
  private let board: Board
  private let known = Mutex<[Int: FollowedSpace]>([:])
  private let polls: FollowedPolls
  /// For addresses chosen by members: reachable_networks applies to the owner's only.
  private let publicClient: HTTPClient

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
    polls = FollowedPolls(hub.loop, hub.supervisor)
    publicClient = hub.client.restricted(to: .publicInternet())
  }

  /// All followed spaces, as in the store.
  struct Followed: Sendable {
    var spaces: [FollowedSpace]
    /// The keys of the public ones.
    var shown: [Int]

    init(_ database: Database) throws(StoreError) {
      spaces = try database.followedSpaces()
      shown = try database.following(person: nil)
    }
  }

  func spaces(_ ids: [Int]) -> [FollowedSpace] { known.withLock { known in ids.compactMap { known[$0] } } }

  /// Sets the followed spaces; the known state of earlier ones stays.
  func set(_ followed: Followed, commit: Int) {
    known.withLock { known in
      let before = known
      known = [:]
      for space in followed.spaces {
        // A number is reused once its space is removed.
        known[space.id] = before[space.id]?.url == space.url ? before[space.id] : space
        known[space.id]?.isOwners = space.isOwners
      }
      // Within the lock, so that concurrent calls take effect in order.
      polls.set(Set(known.values.map { .init(url: $0.url, isOwners: $0.isOwners) }))
    }
    show(followed.shown, commit: commit)
  }

  /// Another hub has changed the list, or looked at some of them.
  /// - Parameter rows: the spaces that it has looked at; nil for any.
  func refresh(_ rows: Set<Int>?, in database: Database, commit: Int) throws(StoreError) {
    let followed = try Followed(database)
    known.withLock { known in
      for space in followed.spaces where rows?.contains(space.id) ?? true { known[space.id] = space }
    }
    set(followed, commit: commit)
  }

  /// Updates SpaceAPI's list of the spaces that everybody is shown.
  private func show(_ shown: [Int], commit: Int) {
    board.set(
      spaces(shown).map { SpaceAPI.LinkedSpace(endpoint: $0.url, website: $0.known?.website) }, commit: commit)
  }

  /// Updates everything after a change of the list.
  func show(in change: Change) throws(StoreError) {
    let (followed, number) = (try Followed(change.database), change.number)
    change.database.touch(.followed)
    change.then { [self] in set(followed, commit: number) }
    change.publish(SpaceChannel.followed, on: SpaceChannel.channel, [:])
  }

  /// Spaces that only a removed person followed are no longer read.
  func personRemoved(_ id: Int, in change: Change) throws(StoreError) {
    for space in try change.database.following(person: id) { try change.database.unfollow(space, person: id) }
    try show(in: change)
  }

  // MARK: Looks

  /// Looks at each space when it is due, until the task is cancelled.
  func run() async throws { try await polls.run { [self] in await look(at: $0) } }

  /// - Returns: the seconds until the next look.
  private func look(at target: FollowedPolls.Target) async -> Double {
    let found = known.withLock { known in
      known.values.first { $0.url == target.url && $0.isOwners == target.isOwners }
    }
    guard let before = found else { return 1 }
    let space = await read(before)
    // A cancelled look has no result.
    guard !Task.isCancelled else { return 1 }
    let isNews = space.known != before.known || space.problem != before.problem
    do throws(HTTPError) {
      try await hub.commit(as: .room(SpaceRoom.id)) { [self] change in
        // Compared with what is stored, since a look that could not be stored has rung nobody.
        let stored = try change.database.followedSpaces().first { $0.id == space.id && $0.url == space.url }
        try change.database.save(followed: space)
        let number = change.number
        if let stored { try ring(space, after: stored, in: change) }
        let shown = isNews ? try change.database.following(person: nil) : []
        change.database.touch(.followed, space.id)
        change.then { [self] in if keep(space), isNews { show(shown, commit: number) } }
        if isNews { change.publish(SpaceChannel.followed, on: SpaceChannel.channel, [:]) }
      }
    } catch {
      // The state is shown although it could not be stored; the next look tries again.
      _ = keep(space)
    }
    return space.pause
  }

  /// Rings those who follow a space that has opened or closed, also if it was unknown in between. What happened while
  /// nobody looked does not ring.
  private func ring(_ space: FollowedSpace, after before: FollowedSpace, in change: Change) throws(StoreError) {
    guard let known = space.known, let isOpen = known.open,
      let wasOpen = before.known?.open ?? before.known?.toldBefore, isOpen != wasOpen
    else { return }
    // Its own word where it says when; else it was between the two looks. Some say the same time for ever.
    let isSaid = known.lastChange != before.known?.lastChange
    let since = (isSaid ? known.lastChange : nil) ?? before.goodAt ?? 0
    guard Int(change.now) - since <= SpaceLimits.lateBell else {
      hub.log.info("another space's change is too old to ring", ["space": "\(space.id)"])
      return
    }
    let followers = try change.database.followers(of: space.id)
    guard !followers.isEmpty else { return }
    try change.ring(
      "space.followed",
      DoorBell.other(
        known.name, isOpen: isOpen, id: space.id, isForAll: followers.contains(nil),
        persons: followers.compactMap { $0 }
      ).json)
  }

  /// - Returns: false if it is no longer followed.
  private func keep(_ space: FollowedSpace) -> Bool {
    known.withLock { known in
      guard let now = known[space.id], now.url == space.url else { return false }
      known[space.id] = space
      known[space.id]?.isOwners = now.isOwners
      return true
    }
  }

  /// The space after a look. A broken document never replaces the known state.
  func read(_ before: FollowedSpace) async -> FollowedSpace {
    var space = before
    let request = FetchRequest(
      space.url, fields: [("Accept", "application/json, */*;q=0.1")],
      validators: space.known == nil ? Validators() : Validators(etag: space.etag, lastModified: space.lastModified),
      timeout: SpaceLimits.followedSeconds, stallTimeout: SpaceLimits.followedSeconds,
      bodyLimit: SpaceLimits.followedBytes)
    var problem: Reason?
    do throws(FetchError) {
      let response = try await (space.isOwners ? hub.client : publicClient).fetch(request)
      if !response.isUnchanged {
        if response.status == 200 {
          do throws(Reason) {
            var known = try OtherSpace(response.body)
            if known.open == nil { known.toldBefore = before.known?.open ?? before.known?.toldBefore }
            space.known = known
            (space.etag, space.lastModified) = (response.validators.etag, response.validators.lastModified)
          } catch {
            problem = error
          }
        } else {
          problem = Reason(.serverAnswered, ["status": .number(response.status)])
        }
      }
    } catch {
      problem = error.publicExplanation
      hub.log.debug("another space could not be read", ["space": "\(space.id)", "reason": error.explanation.text])
    }
    let now = Int(hub.time.now)
    // Else a change that nobody looked at would ring, however old it is.
    if let last = space.known?.lastChange, last > now + SpaceLimits.clockAhead {
      space.known?.lastChange = nil
      space.known?.notes.append("\"lastchange\" is in the future")
    }
    if let problem {
      if space.problem == nil { space.problemSince = now }
      space.failures += 1
      space.problem = problem
    } else {
      (space.problem, space.problemSince, space.failures, space.goodAt) = (nil, nil, 0, now)
    }
    return space
  }
}
