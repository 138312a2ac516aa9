import Client
import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// Looks at other spaces' documents, each at its own pace, and keeps what they last said.
final class FollowedWatch: Sendable {
  private let hub: Hub
  private let board: Board
  private struct State {
    var spaces: [Int: FollowedSpace] = [:]
    /// While it is run.
    var polls: FollowedPolls?
  }
  private let state = Mutex(State())
  /// For what people follow for themselves: reachable_networks is the owner's, and nobody else reaches in.
  private let publicClient: HTTPClient

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
    publicClient = hub.client.restricted(to: .publicInternet())
  }

  /// All that is followed, as the store has it.
  struct Followed: Sendable {
    var spaces: [FollowedSpace]
    /// Those that everybody is shown.
    var shown: [Int]

    init(_ database: Database) throws(StoreError) {
      spaces = try database.followedSpaces()
      shown = try database.following(person: nil)
    }
  }

  func spaces(_ ids: [Int]) -> [FollowedSpace] { state.withLock { state in ids.compactMap { state.spaces[$0] } } }

  /// Takes what is followed now; what was known before stays.
  func set(_ followed: Followed, commit: Int) {
    state.withLock { state in
      let before = state.spaces
      state.spaces = [:]
      for space in followed.spaces {
        // A number is given again once its space is forgotten.
        state.spaces[space.id] = before[space.id]?.url == space.url ? before[space.id] : space
        state.spaces[space.id]?.isOwners = space.isOwners
      }
    }
    show(followed.shown, commit: commit)
    poll()
  }

  /// SpaceAPI names those that everybody is shown.
  private func show(_ shown: [Int], commit: Int) {
    board.set(
      spaces(shown).map { SpaceAPI.LinkedSpace(endpoint: $0.url, website: $0.known?.website) }, commit: commit)
  }

  /// What is followed was changed.
  func show(in change: Change) throws(StoreError) {
    let (followed, number) = (try Followed(change.database), change.number)
    change.then { [self] in set(followed, commit: number) }
    change.publish(SpaceChannel.followed, on: SpaceChannel.name, [:])
  }

  /// What only somebody followed who is gone is asked no more.
  func personRemoved(_ id: Int, in change: Change) throws(StoreError) {
    for space in try change.database.following(person: id) { try change.database.unfollow(space, person: id) }
    try show(in: change)
  }

  // MARK: Looking

  /// Looks at each when its time comes, until the task is cancelled.
  func run() async throws {
    state.withLock {
      $0.polls = FollowedPolls(hub.loop, hub.supervisor) { [weak self] in await self?.look(at: $0) ?? 1 }
    }
    poll()
    defer {
      state.withLock { state in
        state.polls?.set([])
        state.polls = nil
      }
    }
    try await Poller(hub.loop).wait(atMost: nil)
  }

  /// From now on looks at what is followed, and at nothing else any more.
  private func poll() {
    // Inside of the lock, so that two at once are set in the order in which they came.
    state.withLock { state in
      state.polls?.set(Set(state.spaces.values.map { .init(url: $0.url, isOwners: $0.isOwners) }))
    }
  }

  /// - Returns: the seconds until the next look.
  private func look(at target: FollowedPolls.Target) async -> Double {
    let found = state.withLock { state in
      state.spaces.values.first { $0.url == target.url && $0.isOwners == target.isOwners }
    }
    guard let before = found else { return 1 }
    let space = await read(before)
    // What was cancelled says nothing of the space.
    guard !Task.isCancelled else { return 1 }
    let isNews = space.known != before.known || space.problem != before.problem
    do throws(HTTPError) {
      try await hub.commit(as: .room(SpaceRoom.id)) { [self] change in
        try change.database.save(followed: space)
        let number = change.number
        let shown = isNews ? try change.database.following(person: nil) : []
        change.then { [self] in if keep(space), isNews { show(shown, commit: number) } }
        if isNews { change.publish(SpaceChannel.followed, on: SpaceChannel.name, [:]) }
      }
    } catch {
      // It is true all the same, and the next look tries again to keep it.
      _ = keep(space)
    }
    return space.pause
  }

  /// - Returns: whether it is still followed.
  private func keep(_ space: FollowedSpace) -> Bool {
    state.withLock { state in
      guard let now = state.spaces[space.id], now.url == space.url else { return false }
      state.spaces[space.id] = space
      state.spaces[space.id]?.isOwners = now.isOwners
      return true
    }
  }

  /// The space after a look at it. What is broken never replaces what is known.
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
            space.known = try OtherSpace(response.body)
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
