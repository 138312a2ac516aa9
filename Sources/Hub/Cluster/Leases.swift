import EventLoop
import Lifecycle
import Observe
import Store
import Synchronization

/// The work that only one of several hubs does at a time. Each piece has a lease, which its holder renews every second,
/// and which another hub takes when it has ended by the database server's clock. A holder stops its work before that;
/// if it stood still meanwhile, its writes are refused for their old token (`WriteCondition`).
final class Leases: Sendable {
  private struct Piece {
    var lease: Lease?
    /// The uptime until which the work may go on.
    var until = 0.0
    var tasks: [Int: Task<Void, any Error>] = [:]
    var waiting: [Int: UnsafeContinuation<Void, Never>] = [:]
  }
  private struct State {
    var pieces: [String: Piece] = [:]
    var calls = 0
    /// The other hubs that run.
    var others: [Member] = []
    /// True once this hub takes no work any more.
    var isLeaving = false
    /// This hub, once it is one of those that run.
    var member: Member?
    /// The uptime since which it waits for an answer about its leases; nil while it does not.
    var askedAt: Double?
    /// The uptime since which the server has not renewed its leases; nil while it does.
    var awaySince: Double?
    /// Seconds by which the server's clock is ahead of this machine's.
    var serverAhead = 0.0
  }
  private let state = Mutex(State())
  private let id: String
  private let store: Store
  private let loop: EventLoop
  private let log: Log
  private let poller: Poller

  /// - Parameter id: the hub's (`Cluster.id`).
  init(_ id: String, _ hub: Hub) {
    (self.id, store, loop, log) = (id, hub.store, hub.loop, hub.log)
    poller = Poller(hub.loop)
  }

  /// This hub is one of those that run.
  func enter(as member: Member) { state.withLock { $0.member = member } }

  /// Does the work whenever this hub holds the lease, until the task is cancelled.
  func run(_ name: String, _ work: @escaping @Sendable () async throws -> Void) async throws {
    let call = state.withLock { state in
      state.calls += 1
      return state.calls
    }
    while true {
      let lease = try await take(name, call)
      let id = id
      let condition = WriteCondition { database throws(StoreError) in
        guard try database.isHeld(lease, by: id) else {
          throw StoreError(.takenOver, "Another hub does this work now", context: lease.name)
        }
      }
      let task = Task(executorPreference: loop) {
        try await WriteCondition.$current.withValue(condition) { try await work() }
      }
      // It may have been lost again since it was taken.
      let isHeld = state.withLock { state in
        state.pieces[name]?.tasks[call] = task
        return state.pieces[name]?.lease == lease
      }
      if !isHeld { task.cancel() }
      defer { state.withLock { $0.pieces[name]?.tasks[call] = nil } }
      do {
        try await withTaskCancellationHandler {
          try await task.value
        } onCancel: {
          task.cancel()
        }
        return
      } catch {
        // Lost: it waits for its turn again. Everything else is a failure of the work.
        try Task.checkCancellation()
        guard task.isCancelled || state.withLock({ $0.pieces[name]?.lease != lease }) else { throw error }
        log.info("work has ended here, as its lease has", ["work": name])
      }
    }
  }

  /// Waits until this hub holds the lease.
  private func take(_ name: String, _ call: Int) async throws -> Lease {
    while true {
      try Task.checkCancellation()
      if let lease = state.withLock({ state in
        state.pieces[name, default: Piece()].lease
      }) {
        return lease
      }
      poller.wake()
      await withTaskCancellationHandler {
        await withUnsafeContinuation { (continuation: UnsafeContinuation<Void, Never>) in
          let isOver = state.withLock { state in
            if Task.isCancelled || state.pieces[name]?.lease != nil { return true }
            state.pieces[name, default: Piece()].waiting[call] = continuation
            return false
          }
          if isOver { continuation.resume() }
        }
      } onCancel: {
        state.withLock { $0.pieces[name]?.waiting.removeValue(forKey: call) }?.resume()
      }
    }
  }

  /// Renews what this hub holds, and takes what has ended, until the task is cancelled.
  func keep() async throws {
    try await poller.run { [self] in
      let began = loop.time.uptime
      state.withLock { $0.askedAt = began }
      defer { state.withLock { $0.askedAt = nil } }
      do throws(StoreError) {
        let (names, held, members) = try await store.write { [self] database throws(StoreError) in
          // Asked here, since what is taken before `leave` is to be given back by it.
          let names = state.withLock { $0.isLeaving ? [] : $0.pieces.keys.sorted() }
          try compareClocks(database)
          if try !database.renewMember(id, for: LeaseTimes.seconds), let member = state.withLock({ $0.member }) {
            try database.add(member, for: LeaseTimes.seconds)
          }
          return (names, try database.renew(names, of: id, for: LeaseTimes.seconds), try database.members())
        }
        let awaySince = state.withLock { state in
          state.others = members.filter { $0.hub != id }
          defer { state.awaySince = nil }
          return state.awaySince
        }
        apply(held, of: names, until: LeaseTimes.end(asked: began))
        if let awaySince {
          let seconds = Int(loop.time.uptime - awaySince)
          log.info("leases are renewed again", ["held": "\(held.count)", "after_s": "\(seconds)"])
        }
      } catch {
        // Asked every second, and the end is told: only the first time is news.
        let isNews = state.withLock { state in
          defer { state.awaySince = state.awaySince ?? began }
          return state.awaySince == nil
        }
        if isNews { log.warning("leases were not renewed", ["error": error.description]) }
        let lost = state.withLock { $0.pieces.filter { $0.value.until <= loop.time.uptime }.map(\.key) }
        apply([], of: lost, until: 0)
      }
      return LeaseTimes.renewSeconds
    }
  }

  /// Notes by how much the server's clock is ahead, if that is another time than is known, and tells the log.
  func compareClocks(_ database: Database) throws(StoreError) {
    let before = loop.time.now
    let server = try database.serverTime()
    let after = loop.time.now
    // This machine may have stood still in between, or its clock was set.
    guard (0..<LeaseTimes.renewSeconds).contains(after - before) else { return }
    let ahead = server - (before + after) / 2
    let isNews = state.withLock { state in
      guard abs(ahead - state.serverAhead) > ServerCheck.clockSeconds else { return false }
      state.serverAhead = ahead
      return true
    }
    guard isNews else { return }
    if abs(ahead) > ServerCheck.clockSeconds {
      log.warning("the database server's clock is another than this machine's", ["ahead_s": "\(Int(ahead.rounded()))"])
    } else {
      log.info("the database server's clock is this machine's again")
    }
  }

  /// Ends work in time while the server does not answer, as one does that is cut off: whoever asks it waits for long.
  func watch() async throws {
    while true {
      try await loop.pause(for: LeaseTimes.watchSeconds)
      let now = loop.time.uptime
      let ended = state.withLock { $0.pieces.filter { $0.value.lease != nil && $0.value.until <= now }.map(\.key) }
      guard !ended.isEmpty else { continue }
      let work = ended.sorted().joined(separator: ", ")
      log.warning("leases have ended without an answer of the database server", ["work": work])
      state.withLock { $0.awaySince = $0.awaySince ?? $0.askedAt ?? now }
      apply([], of: ended, until: 0)
    }
  }

  /// Puts out a hub that stands still in the middle of a change, for as long as this one waits for it.
  func endStalled() async throws {
    while true {
      try await loop.pause(for: LeaseTimes.renewSeconds)
      let askedAt = state.withLock { $0.askedAt }
      guard let askedAt, loop.time.uptime - askedAt >= LeaseTimes.renewSeconds else { continue }
      // `keep` tells of a server that cannot be reached.
      let count = (try? await store.endStalled()) ?? 0
      if count > 0 { log.warning("a hub stood still in the middle of a change, and was put out") }
    }
  }

  private func apply(_ answered: [Lease], of names: [String], until: Double) {
    // An answer may come so late that it tells of what is over.
    let held = until > loop.time.uptime ? answered : []
    let (begin, end) = state.withLock { state in
      var begin: [UnsafeContinuation<Void, Never>] = []
      var end: [Task<Void, any Error>] = []
      for name in names {
        let lease = state.isLeaving ? nil : held.first { $0.name == name }
        var piece = state.pieces[name, default: Piece()]
        if let before = piece.lease, before != lease { end += piece.tasks.values }
        piece.lease = lease
        piece.until = until
        if lease != nil {
          begin += piece.waiting.values
          piece.waiting = [:]
        }
        state.pieces[name] = piece
      }
      return (begin, end)
    }
    for task in end { task.cancel() }
    for continuation in begin { continuation.resume() }
  }

  /// Looks now, since another hub has ended its leases.
  func wake() { poller.wake() }

  /// Seconds by which the server's clock is ahead of this machine's, within those that nobody notices.
  var serverAhead: Double { state.withLock { $0.serverAhead } }

  var others: [Member] { state.withLock { $0.others } }

  /// True from the first failure to renew the leases, which the log tells, until they are renewed again.
  var isServerAway: Bool { state.withLock { $0.awaySince != nil } }

  /// Ends this hub's work, gives it back and takes none any more, so that others go on at once while it still serves.
  func leave() async {
    let (names, tasks) = state.withLock { state in
      state.isLeaving = true
      return (Array(state.pieces.keys), state.pieces.values.flatMap(\.tasks.values))
    }
    apply([], of: names, until: 0)
    // Its leases run out meanwhile, so work that does not end keeps nobody waiting for long.
    for task in tasks { _ = await task.result }
    await giveBack(isMember: true)
  }

  /// Gives back everything at the end.
  func end() async { await giveBack(isMember: false) }

  private func giveBack(isMember: Bool) async {
    do throws(StoreError) {
      try await store.write { [id] database throws(StoreError) in
        try database.endLeases(of: id)
        if !isMember { try database.renewMember(id, for: 0) }
        database.touch(.leases)
      }
    } catch {
      log.warning("leases were not given back", ["error": error.description])
    }
  }
}
