import Client
import EventLoop
import Hub
import Lifecycle
import Observe
import Realtime
import Store
import Synchronization
import Wire

/// Looks at other spaces' documents, each at its own pace, and keeps what they last said.
final class FollowedWatch: Sendable {
  private let hub: Hub
  private let board: Board
  private struct State {
    var spaces: [Int: FollowedSpace] = [:]
    var isStarted = false
    /// The write that told of the spaces.
    var write = 0
  }
  private let state = Mutex(State())
  /// For what people follow for themselves: reachable_networks is the owner's, and nobody else reaches in.
  private let publicClient: HTTPClient
  private let polls = Mutex<FollowedPolls?>(nil)

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
    publicClient = hub.client.restricted(to: .publicInternet())
  }

  func spaces(_ ids: [Int]) -> [FollowedSpace] { state.withLock { state in ids.compactMap { state.spaces[$0] } } }

  /// Takes what is followed now; what was known before stays. Two at once may come in the wrong order: `write` is the
  /// number of the write that told them.
  func set(_ spaces: [FollowedSpace], write: Int) {
    state.withLock { state in
      guard write >= state.write else { return }
      state.write = write
      let before = state.spaces
      state.spaces = Dictionary(spaces.map { ($0.id, before[$0.id] ?? $0) }, uniquingKeysWith: { $1 })
      // A number is given again once its space is forgotten.
      for space in spaces where state.spaces[space.id]?.url != space.url { state.spaces[space.id] = space }
      for space in spaces { state.spaces[space.id]?.isOwners = space.isOwners }
    }
    look()
  }

  func begin() {
    state.withLock { $0.isStarted = true }
    look()
  }

  /// SpaceAPI names those that everybody is shown.
  func tellBoard() async {
    // Taken before the look: whoever has a later number saw no less.
    let write = board.numberWrite()
    do throws(StoreError) {
      let shown = try await hub.store.read { database throws(StoreError) in try database.following(person: nil) }
      let links = spaces(shown).map { SpaceAPI.LinkedSpace(endpoint: $0.url, website: $0.known?.website) }
      board.set(links, write: write)
    } catch {
      hub.log.error("what is followed could not be read", ["error": error.description])
    }
  }

  /// Looks at what is followed, and at nothing else any more.
  private func look() {
    let polls = polls.withLock { polls in
      polls = polls ?? FollowedPolls(hub.loop) { [weak self] in await self?.look(at: $0) ?? 1 }
      return polls!
    }
    // Inside of the lock, so that two at once are set in the order in which they came.
    state.withLock { state in
      guard state.isStarted else { return }
      polls.set(Set(state.spaces.values.map { .init(url: $0.url, isOwners: $0.isOwners) }))
    }
  }

  /// - Returns: the seconds until the next look.
  private func look(at target: FollowedPolls.Target) async -> Double {
    func find() -> FollowedSpace? {
      state.withLock { $0.spaces.values.first { $0.url == target.url && $0.isOwners == target.isOwners } }
    }
    guard let id = find()?.id else { return 1 }
    await forgetUnfollowed(id, target.url)
    guard let before = find(), before.id == id else { return 1 }
    let space = await read(before)
    let isKept = state.withLock { state in
      // What was cancelled says nothing of the space.
      guard !Task.isCancelled, state.spaces[id]?.url == target.url else { return false }
      state.spaces[id] = space
      return true
    }
    guard isKept else { return 1 }
    await keep(space)
    if space.known != before.known || space.problem != before.problem {
      await tellBoard()
      hub.channels.publish(SpaceChannel.followed, on: SpaceChannel.name, [:])
    }
    return space.pause
  }

  /// Whoever followed it may be gone, with all that was theirs, and nobody says so here.
  private func forgetUnfollowed(_ id: Int, _ url: String) async {
    do throws(StoreError) {
      if try await hub.store.read({ database throws(StoreError) in try database.isFollowed(id, url: url) }) { return }
      let board = board
      let (spaces, write) = try await hub.store.write { database throws(StoreError) in
        try database.forgetUnfollowed()
        return (try database.followedSpaces(), board.numberWrite())
      }
      set(spaces, write: write)
    } catch {
      hub.log.error("what is followed could not be read", ["error": error.description])
    }
  }

  private func keep(_ space: FollowedSpace) async {
    do throws(StoreError) {
      try await hub.store.write { database throws(StoreError) in try database.save(followed: space) }
    } catch {
      hub.log.error("what another space says could not be kept", ["error": error.description])
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
