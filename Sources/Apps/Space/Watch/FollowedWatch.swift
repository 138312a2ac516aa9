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
    /// Those that are looked at, or wait for it, by number and address: a number may be given again.
    var watched: [Int: String] = [:]
    var isStarted = false
    /// The write that told of the spaces.
    var write = 0
  }
  private let state = Mutex(State())

  init(_ hub: Hub, _ board: Board) {
    self.hub = hub
    self.board = board
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

  /// Looks at those that nobody looks at yet.
  private func look() {
    let new = state.withLock { state -> [FollowedSpace] in
      guard state.isStarted else { return [] }
      let new = state.spaces.values.filter { state.watched[$0.id] != $0.url }
      for space in new { state.watched[space.id] = space.url }
      return new
    }
    for space in new { Task { await look(at: space.id, space.url) } }
  }

  private func look(at id: Int, _ url: String) async {
    await forgetUnfollowed(id, url)
    let found = state.withLock { state -> FollowedSpace? in
      if let space = state.spaces[id], space.url == url { return space }
      if state.watched[id] == url { state.watched[id] = nil }
      return nil
    }
    guard let before = found else { return }
    let space = await read(before)
    let isKept = state.withLock { state in
      guard state.spaces[id]?.url == url else { return false }
      state.spaces[id] = space
      return true
    }
    if isKept {
      await keep(space)
      if space.known != before.known || space.problem != before.problem {
        await tellBoard()
        hub.channels.publish(SpaceChannel.followed, on: SpaceChannel.name, [:])
      }
    }
    hub.loop.perform { [self] in
      hub.loop.schedule(after: isKept ? space.pause : 0) { Task { await self.look(at: id, url) } }
    }
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
