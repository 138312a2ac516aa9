import EventLoop
import Galleries
import Hub
import Imaging
import Lifecycle
import Observe
import Receiving
import Store
import Synchronization
import Terminal
import Wire

/// Keeps portfolios in step with their sources: looks when it is time or asked for, and removes what was deleted.
final class PortfolioWatch: Sendable {
  private let hub: Hub
  private let poller: Poller
  private let bench: PictureBench
  private let turns = Mutex(SyncTurns())
  private let made = Atomic(0)

  let sources: PortfolioSources

  /// Servers' answers may take seconds to be unpacked and read. Its thread lasts as long as the process, for all syncs.
  static let loop: EventLoop = {
    let loop = EventLoop(time: SystemTime())
    loop.runInBackground(name: "portfolios")
    return loop
  }()

  /// - Parameter sources: those of the hub's options, if not given.
  init(_ hub: Hub, _ sources: PortfolioSources? = nil) {
    self.hub = hub
    self.sources = sources ?? PortfolioSources(hub)
    poller = Poller(hub.loop)
    bench = PictureBench(hub)
  }

  /// There is something to look at.
  func wake() { poller.wake() }

  /// Pictures that were made since the start.
  var fetched: Int { made.load(ordering: .relaxed) }

  func isRunning(_ portfolio: Int) -> Bool { turns.withLock { $0.isUnderWay(portfolio) } }

  /// True while it is due and others have their turns.
  func isInLine(_ portfolio: Int) -> Bool { turns.withLock { $0.isWaiting(portfolio) } }

  func run() async throws {
    defer { for task in turns.withLock({ $0.leave() }) { task.cancel() } }
    try await poller.run { [self] in
      while try await forgetSome(), !Task.isCancelled {}
      let (now, uptime) = (hub.time.now, hub.time.uptime)
      let all = try await hub.store.read { database throws(StoreError) in try database.portfolios() }
      let (gone, begun) = turns.withLock { turns in
        let due = all.filter { $0.isDue(now: now) || turns.isAside($0.id) }
        // Whoever has waited longest is first; the end of another sync wakes those that find no place.
        let sorted = due.sorted { ($0.nextAt ?? 0) < ($1.nextAt ?? 0) }
        return (turns.tasks(except: Set(all.map(\.id))), turns.give(to: sorted, now: uptime))
      }
      for task in gone { task.cancel() }
      for portfolio in begun { begin(portfolio.id) }
      let next = all.compactMap(\.nextAt).filter { $0 > now }.min()
      return next.map { min(max(1, $0 - now), PortfolioLimits.lookSeconds) }
    }
  }

  private func begin(_ portfolio: Int) {
    let task = hub.supervisor.once("portfolio.sync", on: Self.loop) { [self] in
      do {
        let outcome = try await sync(portfolio)
        // A command does it at the moment.
        if case .busy = outcome { try await hub.loop.pause(for: PortfolioLimits.commandSeconds) }
      } catch {
        if !Task.isCancelled { hub.log.error("a portfolio could not be synced", ["error": "\(error)"]) }
        // The store takes nothing, or the hub is ending.
        try? await hub.loop.pause(for: PortfolioLimits.commandSeconds)
      }
      end(portfolio)
    }
    guard let task else { return end(portfolio) }
    turns.withLock { $0.note(task, of: portfolio) }
  }

  private func end(_ portfolio: Int) {
    turns.withLock { $0.end(portfolio) }
    wake()
  }

  /// Returns when a sync may go on: at once, or when others had their turns.
  /// - Throws: `CancellationError`.
  private func turn(_ portfolio: Int) async throws {
    guard turns.withLock({ $0.stepAside(portfolio, now: hub.time.uptime) }) else { return }
    wake()
    while turns.withLock({ $0.isAside(portfolio) }) { try await hub.loop.pause(for: PortfolioLimits.lockSeconds) }
  }

  /// - Parameter isCommands: true for a command: a hub at another machine leaves the portfolio to it.
  private func sync(_ portfolio: Int, isCommands: Bool = false) async throws -> SyncRun.Outcome {
    guard let lock = try SyncLock(portfolio, in: hub.dataFolder) else { return .busy }
    defer { withExtendedLifetime(lock) {} }
    // The lock above is in a file of this machine.
    if hub.nameAmongHubs != nil {
      let isFree = try await hub.store.write { database throws(StoreError) in
        try database.takeLock(PortfolioLimits.lockOfServer + portfolio, untilEnd: isCommands)
      }
      guard isFree else { return .busy }
    }
    return try await bench.use { workshop in
      try await SyncRun(
        hub, { [sources] known throws(SourceFault) in try sources.source(of: known) },
        PictureFetching(hub, workshop), portfolio, turn: { [self] in try await turn(portfolio) },
        count: { [self] in made.add(1, ordering: .relaxed) }
      ).run()
    }
  }

  /// A sync by a command, to its end: where a source says "later", it waits.
  /// - Parameter mayLose: true if many pictures may go, which is for each of its looks.
  /// - Throws: `CommandError` with the reason why it has no end.
  func syncNow(_ portfolio: Int, mayLose: Bool = false) async throws -> SyncReport {
    try await hub.commit(as: .commandLine) { change in
      guard let kept = try change.database.portfolio(key: portfolio) else { return }
      try change.database.forgetTries(of: kept)
    }
    var all = SyncReport()
    while true {
      if mayLose {
        try await hub.commit(as: .commandLine) { change in
          guard var kept = try change.database.portfolio(key: portfolio) else { return }
          // A look that is under way leaves the word to the next one.
          (kept.mayLose, kept.nextAt) = (true, change.now)
          try change.database.save(kept)
        }
      }
      switch try await sync(portfolio, isCommands: true) {
      case .busy: try await hub.loop.pause(for: PortfolioLimits.lockSeconds)
      case .done(let report):
        (all.photos, all.failed) = (report.photos, report.failed)
        (all.gone, all.missing) = (report.gone, report.missing)
        all.new += report.new
        all.changed += report.changed
        return all
      case .waiting(let reason, let seconds, let report) where seconds < PortfolioLimits.retrySeconds:
        all.new += report.new
        all.changed += report.changed
        printError("\(reason.text): going on in \(Int(seconds.rounded(.up))) s.")
        try await hub.loop.pause(for: seconds)
      case .waiting(let reason, _, _), .stopped(let reason): throw CommandError("\(reason.text).")
      }
    }
  }

  /// Removes some of the pictures of portfolios that are deleted, or whose people were removed while the room was off.
  /// - Returns: true if there may be more.
  private func forgetSome() async throws -> Bool {
    let hasSome = try await hub.store.read { database throws(StoreError) in try database.hasPortfoliosToForget() }
    guard hasSome else { return false }
    return try await hub.commit(as: .room(PortfolioRoom.id)) { change in
      let rows = PortfolioUploadTables.rows
      try change.database.deletePortfoliosOfNobody(now: change.now)
      let uploads = try rows.abandoned(change.database, limit: PortfolioLimits.removedAtOnce)
      for upload in uploads { try rows.end(upload, change.database) }
      guard uploads.isEmpty else { return true }
      let pictures = try change.database.picturesToForget(limit: PortfolioLimits.removedAtOnce)
      for picture in pictures { try change.database.removePicture(picture, commit: change.number) }
      return !pictures.isEmpty
    }
  }
}
