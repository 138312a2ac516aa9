import Galleries
import Hub
import Lifecycle
import Observe
import Server
import Store
import Synchronization
import Wire

/// One sync of one portfolio: lists what the source has, fetches what is new, and removes what is gone. Each step is
/// in the store before the next begins, so a sync that was cut off goes on where it was.
final class SyncRun: Sendable {
  enum Outcome: Sendable {
    case done(SyncReport)
    /// The source, the disk or the program for pictures needs a pause of so many seconds.
    case waiting(Reason, Double, SyncReport)
    /// It does not pass by itself.
    case stopped(Reason)
    /// Another program has it under way.
    case busy
  }

  /// Another sync of the portfolio has begun since, as by a command at another machine: each of the two would take what
  /// the other one lists for missing.
  private struct Overtaken: Error {}

  private struct Counts {
    var new = 0
    var changed = 0
    /// Bytes of what was made.
    var bytes = 0
    /// The uptime of the last live event.
    var toldAt = -Double.infinity
  }
  private let hub: Hub
  private let source: @Sendable (Portfolio) throws(SourceFault) -> any GallerySource
  private let portfolio: Int
  private let fetching: any PictureMaking
  private let counts = Mutex(Counts())
  private let turn: @Sendable () async throws -> Void
  private let count: @Sendable () -> Void

  /// - Parameters:
  ///   - turn: called when nothing is under way; returns when the sync may go on, so that others have their turns.
  ///   - count: called for each picture that was made.
  init(
    _ hub: Hub, _ source: @escaping @Sendable (Portfolio) throws(SourceFault) -> any GallerySource,
    _ fetching: any PictureMaking, _ portfolio: Int, turn: @escaping @Sendable () async throws -> Void = {},
    count: @escaping @Sendable () -> Void = {}
  ) {
    (self.hub, self.source, self.fetching, self.portfolio) = (hub, source, fetching, portfolio)
    (self.turn, self.count) = (turn, count)
  }

  func run() async throws -> Outcome {
    do { return try await runAlone() } catch is Overtaken { return .busy }
  }

  private func runAlone() async throws -> Outcome {
    let id = portfolio
    let begun = try await hub.commit(as: .room(PortfolioRoom.id)) { change in try SyncChange.begin(id, in: change) }
    guard let (known, run) = begun else { return .done(SyncReport()) }
    do {
      let source = try source(known)
      var loss = SyncChange.Loss()
      if known.source.isListed {
        try await list(source, known, run)
        // Before anything is fetched: what is gone goes, also while the disk is full.
        let isWhole = try await hub.store.read { database throws(StoreError) in
          try database.missingPictures(of: id, run: run).isEmpty
        }
        loss = try await commit(run) { change in
          try SyncChange.removeMissing(of: id, run: run, isWhole: isWhole, in: change)
        }
        try await remove(loss.gone, run)
      }
      try await fetching.waitUntilReady()
      try await fetch(source, known, run)
      if let refusal = loss.refusal { return try await end(.stopped(refusal), run) }
      let again = loss.looksAgain ? PortfolioLimits.againSeconds : PortfolioLimits.lookSeconds
      return try await end(.done(try await report(loss)), run, next: again)
    } catch let fault as SourceFault {
      return try await end(try await outcome(of: fault), run)
    } catch let error as HTTPError where error.code == .diskFull {
      return try await end(try await outcome(of: .noRoom), run)
    }
  }

  /// A change of this sync.
  /// - Throws: `Overtaken`, with nothing changed.
  private func commit<T: Sendable>(
    _ run: Int, _ work: @escaping @Sendable (Change) throws -> T
  ) async throws -> T {
    let id = portfolio
    let made = try await hub.commit(as: .room(PortfolioRoom.id)) { change -> T? in
      guard try !change.database.isOvertaken(run: run, of: id) else { return nil }
      return try work(change)
    }
    guard let made else { throw Overtaken() }
    return made
  }

  /// Removes pictures, some in each change: others' go between.
  private func remove(_ gone: [Int], _ run: Int) async throws {
    var left = gone[...]
    while !left.isEmpty {
      let some = left.prefix(PortfolioLimits.removedAtOnce)
      left = left.dropFirst(some.count)
      try await commit(run) { change in
        for picture in some { try change.database.removePicture(picture, commit: change.number) }
      }
    }
  }

  /// - Throws: `CancellationError`.
  private func outcome(of fault: SourceFault) async throws -> Outcome {
    let reason = fault.reason ?? Reason(.hubFailed)
    switch fault {
    case .cancelled: throw CancellationError()
    case .denied, .broken, .gone: return .stopped(reason)
    case .later(let seconds, _):
      return .waiting(reason, max(1, seconds ?? PortfolioLimits.busySeconds), try await report())
    case .unreachable, .noRoom: return .waiting(reason, PortfolioLimits.retrySeconds, try await report())
    }
  }

  private func end(
    _ outcome: Outcome, _ run: Int, next: Double = PortfolioLimits.lookSeconds
  ) async throws -> Outcome {
    let (id, now) = (portfolio, hub.time.now)
    var (fault, again): (Reason?, Double?)
    switch outcome {
    case .waiting(let reason, let seconds, _): (fault, again) = (reason, now + seconds)
    case .stopped(let reason): fault = reason
    case .done, .busy: break
    }
    try await commit(run) { [fault, again] change in
      try SyncChange.end(id, fault: fault, again: again, next: now + next, in: change)
    }
    return outcome
  }

  private func report(_ loss: SyncChange.Loss = .init()) async throws -> SyncReport {
    let id = portfolio
    let (photos, failed) = try await hub.store.read { database throws(StoreError) in
      (
        try database.counts(of: id).pictures,
        try database.failedPictures(of: id, limit: PortfolioLimits.failed)
      )
    }
    let counts = counts.withLock { $0 }
    return SyncReport(
      photos: photos, new: counts.new, changed: counts.changed, gone: loss.gone.count, missing: loss.missing,
      failed: failed)
  }

  // MARK: Listing

  private func list(_ source: any GallerySource, _ known: Portfolio, _ run: Int) async throws {
    let found = try await source.galleries()
    guard found.count <= GalleryLimits.galleries else {
      throw SourceFault.denied(.tooMany(found.count, limit: GalleryLimits.galleries))
    }
    let toList = try await commit(run) { change in try SyncChange.note(found, of: known, run: run, in: change) }
    for (gallery, id) in toList {
      try await turn()
      do {
        try await list(gallery, id, source, run)
      } catch let fault as SourceFault {
        // The others can be had: this one stays as it is.
        guard case .broken(let reason) = fault else { throw fault }
        hub.log.warning("a gallery could not be listed", ["why": reason.text])
        try await commit(run) { change in try SyncChange.note(reason, ofGallery: id, in: change) }
      }
    }
  }

  private func list(_ gallery: SourceGallery, _ id: Int, _ source: any GallerySource, _ run: Int) async throws {
    let (portfolio, turn) = (portfolio, turn)
    let listed = Atomic(0)
    let notice = Mutex<Reason?>(nil)
    try await source.pictures(of: gallery) { page throws(SourceFault) in
      if let told = page.notice { notice.withLock { $0 = told } }
      var rest = page.pictures[...]
      while !rest.isEmpty {
        let some = rest.prefix(GalleryLimits.page)
        let first = listed.add(some.count, ordering: .relaxed).oldValue
        try SourceFault.demand(first + some.count, atMost: GalleryLimits.pictures)
        try await self.keep(run) { change in
          try SyncChange.note(some, in: id, from: first, of: portfolio, run: run, in: change)
        }
        rest = rest.dropFirst(some.count)
      }
      do { try await turn() } catch { throw .cancelled }
    }
    let left = notice.withLock { $0 }
    try await keep(run) { change in
      guard try change.database.portfolio(key: portfolio) != nil else { return }
      try change.database.endListing(of: id, tag: gallery.tag, notice: left, run: run)
    }
  }

  /// A change within a source's call, whose faults it has. One that is overtaken finds it out again at its end.
  private func keep(
    _ run: Int, _ work: @escaping @Sendable (Change) throws -> Void
  ) async throws(SourceFault) {
    do {
      try await commit(run, work)
    } catch {
      throw (error as? HTTPError)?.code == .diskFull ? .noRoom : .later(seconds: nil, Reason(.hubFailed))
    }
  }

  // MARK: Fetching

  private func fetch(_ source: any GallerySource, _ known: Portfolio, _ run: Int) async throws {
    let id = portfolio
    // Uploads were counted when they came.
    let limit = known.source.isListed ? PortfolioShare(hub).limit : .max
    while true {
      try await turn()
      let (before, began) = (counts.withLock { $0.bytes }, hub.time.uptime)
      let (batch, used) = try await hub.store.read { database throws(StoreError) in
        (
          try database.picturesToFetch(of: id, run: run, limit: PortfolioLimits.batch),
          try database.portfolioBytes(of: known.person)
        )
      }
      guard !batch.isEmpty else { return }
      func taken() -> Int { used + counts.withLock { $0.bytes } - before }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for (index, picture) in batch.enumerated() {
          if index >= PortfolioLimits.underWay {
            guard hub.time.uptime - began < PortfolioLimits.batchSeconds else { break }
            try await group.next()
          }
          guard taken() < limit else { break }
          group.addTask { try await self.fetch(picture, source, run) }
        }
        try await group.waitForAll()
      }
      let now = taken()
      guard now < limit else { throw SourceFault.denied(.shareFull(now, of: limit)) }
    }
  }

  private func fetch(_ picture: PortfolioPicture, _ source: any GallerySource, _ run: Int) async throws {
    let result: PictureFetching.Result
    do {
      result = try await fetching.fetch(picture, from: source)
    } catch let fault as SourceFault {
      switch fault {
      case .gone, .broken: result = .failed(fault.reason ?? Reason(.hubFailed))
      default: throw fault
      }
    }
    let isTold = mayTell()
    let wasThere = try await commit(run) { change -> Bool? in
      try change.database.noteTried(picture.id, run: run)
      switch result {
      case .made(let made): return try SyncChange.take(made, of: picture, isTold: isTold, in: change)
      case .same: try SyncChange.keep(picture, in: change)
      case .failed(let reason): try SyncChange.failed(picture.id, because: reason, in: change)
      }
      return nil
    }
    guard let wasThere else { return }
    count()
    counts.withLock { counts in
      if case .made(let made) = result { counts.bytes += made.blobs.reduce(0) { $0 + $1.blob.size } }
      if wasThere { counts.changed += 1 } else { counts.new += 1 }
    }
  }

  /// True if the last live event was long enough ago.
  private func mayTell() -> Bool {
    let now = hub.time.uptime
    return counts.withLock { counts in
      guard now - counts.toldAt >= PortfolioLimits.newsSeconds else { return false }
      counts.toldAt = now
      return true
    }
  }
}

extension SourceFault {
  /// - Throws: `.broken` for more than a portfolio takes.
  static func demand(_ count: Int, atMost limit: Int) throws(SourceFault) {
    guard count <= limit else { throw .broken(.tooMany(count, limit: limit)) }
  }
}

extension Reason {
  static func tooMany(_ count: Int, limit: Int) -> Reason {
    Reason(.tooMany, ["count": .number(count), "limit": .number(limit)])
  }
}

extension Reason.Kind {
  static let hubFailed = Self("portfolio-hub-failed", "the hub could not keep it; its log says why")
  static let tooMany = Self("portfolio-too-many", "{count} are more than the {limit} that a portfolio takes")
}
