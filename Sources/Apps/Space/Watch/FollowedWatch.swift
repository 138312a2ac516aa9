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
  private let poller: Poller
  private struct State {
    var spaces: [Int: FollowedSpace] = [:]
    /// Uptime at which each is to be looked at next; none before the first look, or while it is looked at.
    var due: [Int: Double] = [:]
    /// Those that are looked at now, by number and address: a number may be given again.
    var underWay: [Int: String] = [:]
  }
  private let state = Mutex(State())

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
    poller = Poller(hub.loop)
  }

  /// What is followed, as the store has it.
  struct Followed: Sendable {
    /// All that somebody follows.
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
        let isKnown = before[space.id]?.url == space.url
        state.spaces[space.id] = isKnown ? before[space.id] : space
        if !isKnown { state.due[space.id] = nil }
      }
      state.due = state.due.filter { state.spaces[$0.key] != nil }
    }
    // SpaceAPI names those that everybody is shown.
    let links = spaces(followed.shown).map { SpaceAPI.LinkedSpace(endpoint: $0.url, website: $0.known?.website) }
    board.set(links, commit: commit)
    poller.wake()
  }

  /// What is followed was changed here.
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
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let (spaces, pause) = next()
        for space in spaces { group.addTask { await self.look(at: space) } }
        try await poller.wait(atMost: pause)
      }
    }
  }

  /// Those to be looked at now, and the seconds until the next one is due.
  private func next() -> (spaces: [FollowedSpace], pause: Double?) {
    let now = hub.time.uptime
    return state.withLock { state in
      let waiting = state.spaces.values.filter { state.underWay[$0.id] == nil }
      let due = waiting.filter { state.due[$0.id, default: 0] <= now }
      for space in due { state.underWay[space.id] = space.url }
      let next = waiting.compactMap { state.underWay[$0.id] == nil ? state.due[$0.id] : nil }.min()
      return (due, next.map { max(0, $0 - now) })
    }
  }

  private func look(at before: FollowedSpace) async {
    let space = await read(before)
    do throws(HTTPError) {
      try await hub.commit(as: .room(SpaceRoom.id)) { [self] change in
        try change.database.save(followed: space)
        let number = change.number
        let isNews = space.known != before.known || space.problem != before.problem
        let shown = isNews ? try change.database.following(person: nil) : []
        change.then { [self] in
          guard keep(space), isNews else { return }
          let links = spaces(shown).map { SpaceAPI.LinkedSpace(endpoint: $0.url, website: $0.known?.website) }
          board.set(links, commit: number)
        }
        if isNews { change.publish(SpaceChannel.followed, on: SpaceChannel.name, [:]) }
      }
    } catch {
      // It is true all the same, and the next look tries again to keep it.
      _ = keep(space)
    }
    state.withLock { state in
      state.underWay[before.id] = nil
      if state.spaces[before.id]?.url == before.url { state.due[before.id] = hub.time.uptime + space.pause }
    }
    poller.wake()
  }

  /// - Returns: whether it is still followed.
  private func keep(_ space: FollowedSpace) -> Bool {
    state.withLock { state in
      guard state.spaces[space.id]?.url == space.url else { return false }
      state.spaces[space.id] = space
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
      let response = try await hub.client.fetch(request)
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
