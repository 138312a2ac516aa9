import Lifecycle
import Synchronization

/// The one connection for writing, on a thread of its own. Writes that wait at the same time become one transaction
/// with one sync (group commit). One that fails is rolled back alone: each is a savepoint, at once or, where savepoints
/// are dear, when one has failed and all are done again.
final class Writer: @unchecked Sendable {
  /// The calls waiting for the thread, and counters for /metrics.
  private struct Queue {
    var waiting: [StoreWork] = []
    /// The number of calls in the current batch.
    var underWay = 0
    /// True if the thread is working, or about to.
    var isRunning = false
    /// The number of calls that the thread is waiting for; 0 when it is not waiting.
    var wanted = 0
    var writes = 0
    var commits = 0
    var gatherings = 0

    /// Takes the first calls that wait, as long as they are wanted.
    mutating func take(_ most: Int, while isWanted: (StoreWork) -> Bool) -> [StoreWork] {
      let taken = Array(waiting.prefix(most).prefix(while: isWanted))
      waiting.removeFirst(taken.count)
      underWay += taken.count
      return taken
    }
  }
  private let queue = Mutex(Queue())
  private let thread = WorkerThread(name: "store-writer")
  private let enough = ThreadSignal()
  private let time: any TimeSource

  // The following is used on the writer's thread only.
  private var database: Database?
  private let place: StorePlace
  /// Nil where there is no file.
  private let log: LogFolding?
  /// The number of calls when the last batch ended, in it and waiting, if there was more than one.
  private var expected = 0
  private var endOfLast = 0.0

  init(_ place: StorePlace, time: any TimeSource) {
    self.time = time
    self.place = place
    log = if case .file(let path) = place { LogFolding(path: path) } else { nil }
  }

  // MARK: Called by any thread

  /// Opens the database on the writer's thread.
  func open(
    _ open: @escaping @Sendable () throws(StoreError) -> Database
  ) async throws(StoreError) {
    try await thread.run { () throws(StoreError) in
      let opened = try open()
      opened.ofFile?.countLogPages()
      self.database = opened
    }
  }

  /// Ends after the calls so far.
  func close() async {
    await log?.close()
    await thread.run {
      self.runAll()
      self.database = nil
    }
  }

  func submit(_ work: StoreWork) {
    let (mustStart, isEnough) = queue.withLock { queue in
      queue.waiting.append(work)
      if queue.isRunning {
        let isEnough = queue.wanted > 0 && queue.waiting.count >= queue.wanted
        if isEnough { queue.wanted = 0 }
        return (false, isEnough)
      }
      queue.isRunning = true
      return (true, false)
    }
    if mustStart { thread.execute { self.runAll() } }
    if isEnough { enough.post() }
  }

  func addStatistics(to statistics: inout StoreStatistics) {
    queue.withLock { queue in
      statistics.writes = queue.writes
      statistics.commits = queue.commits
      statistics.gatherings = queue.gatherings
      statistics.writesWaiting = queue.underWay + queue.waiting.count
    }
  }

  // MARK: On the writer's thread

  private func runAll() {
    while true {
      let batch = take(StoreLimits.writesPerCommit)
      if batch.isEmpty { return }
      runOne(batch)
    }
  }

  /// Takes the first calls that wait, as a new batch. Without any, the thread is about to end.
  private func take(_ most: Int) -> [StoreWork] {
    queue.withLock { queue in
      let batch = queue.take(most) { _ in true }
      if batch.isEmpty { queue.isRunning = false }
      return batch.filter(\.goesFirst) + batch.filter { !$0.goesFirst }
    }
  }

  /// The calls that have come while the batch was run, and belong to it. After a batch of several, their callers are
  /// about to write again: waiting for them once, a moment, is cheaper than a sync for the first ones alone.
  /// - Parameter count: calls in the batch so far.
  private func gather(after count: Int) -> [StoreWork] {
    let most = min(expected, StoreLimits.writesPerCommit) - count
    guard most > 0, expected > 1 else { return [] }
    let (found, mustWait) = queue.withLock { queue in
      let found = queue.take(most) { !$0.goesFirst }
      guard found.isEmpty, queue.waiting.isEmpty else { return (found, false) }
      queue.wanted = most
      queue.gatherings += 1
      return (found, true)
    }
    guard mustWait else { return found }
    expected = 0
    if !enough.wait(atMost: StoreLimits.gatherSeconds) {
      // A post that came just now belongs to this wait and not to the next one.
      let wasPosted = queue.withLock { queue in
        defer { queue.wanted = 0 }
        return queue.wanted == 0
      }
      if wasPosted { enough.wait(atMost: StoreLimits.gatherSeconds) }
    }
    return queue.withLock { queue in queue.take(most) { !$0.goesFirst } }
  }

  private func runOne(_ first: [StoreWork]) {
    var batch = first
    if time.uptime - endOfLast >= StoreLimits.gatherMemorySeconds { expected = 0 }
    if let database {
      if batch.allSatisfy(\.onlyLooks) { look(for: batch, database) } else { commit(&batch, database) }
    } else {
      // A background task may still write while the hub is shutting down.
      for work in batch { work.failure = StoreError.closed }
    }
    let behind = queue.withLock { queue in
      queue.underWay = 0
      queue.writes += batch.count
      queue.commits += 1
      return queue.waiting.count
    }
    expected = batch.count + behind
    endOfLast = time.uptime
    Wakes.gather { for work in batch { work.finish() } }
    if let connection = database?.ofFile { log?.committed(connection) }
  }

  /// Takes over what others have committed, without waiting for those who change something now.
  private func look(for batch: [StoreWork], _ database: Database) {
    do {
      try reopenIfLost(database)
      try database.connection.begin(.reading)
      defer { database.connection.rollBack() }
      try database.takeOver()
    } catch {
      for work in batch { work.failure = error }
    }
  }

  /// Makes a new connection where the last batch has lost its own. Whether that batch was committed is its own matter,
  /// and no reason to give up those behind it.
  private func reopenIfLost(_ database: Database) throws(StoreError) {
    if database.connection.isLost { database.connection = try place.open(isReadOnly: false).connection }
  }

  /// The ways to run a batch: after the first one each undoes more, and costs more.
  private enum Way {
    /// Without savepoints. Ends with `Undo` where a write fails that has changed something.
    case together
    case savepoints
    /// With savepoints, waiting for the server after each write, so that it is known which one fails.
    case oneByOne
  }
  /// A write has failed, and has to be undone alone.
  private struct Undo: Error {}

  private func commit(_ batch: inout [StoreWork], _ database: Database) {
    // Files that were moved stay so when a batch is done again.
    let isPlain = database.connection.changes != nil && !batch.contains(where: \.goesFirst)
    var way = isPlain ? Way.together : .savepoints
    do {
      try reopenIfLost(database)
      while true {
        do {
          try attempt(&batch, database, way)
          break
        } catch {
          guard let next = try next(way, after: error, database) else { throw error }
          way = next
        }
        database.connection.rollBack()
        database.forget(from: Database.Mark())
        for work in batch { work.failure = nil }
      }
    } catch {
      database.connection.rollBack()
      database.forget(from: Database.Mark())
      for work in batch where work.failure == nil { work.failure = error }
    }
    database.runHooks()
  }

  /// The way in which a batch that failed as a whole may succeed; nil if there is none. If the connection was lost
  /// before the commit, a new one is made.
  private func next(_ way: Way, after error: any Error, _ database: Database) throws -> Way? {
    if way == .oneByOne { return nil }
    if database.connection.isLost {
      if database.connection.mayHaveCommitted { return nil }
      database.connection = try place.open(isReadOnly: false).connection
      return .oneByOne
    }
    if database.connection.hasLateFailure { return .oneByOne }
    return error is Undo ? .savepoints : nil
  }

  /// Runs the batch in a transaction, and what comes meanwhile.
  private func attempt(_ batch: inout [StoreWork], _ database: Database, _ way: Way) throws {
    try database.connection.begin(.writing)
    try database.noticeOthers()
    try database.takeOver()
    var next = batch
    while !next.isEmpty {
      for work in next { try run(work, database, way) }
      next = way == .oneByOne ? [] : gather(after: batch.count)
      batch += next
    }
    try database.writeSums()
    try database.conclude()
    try database.connection.commit()
  }

  private func run(_ work: StoreWork, _ database: Database, _ way: Way) throws {
    if way == .together { return try runTogether(work, database) }
    do {
      try database.savepoint("one_write") {
        try work.run(database)
        if way == .oneByOne { try database.connection.settle() }
      }
    } catch {
      work.failure = error
      // The whole transaction is gone, or has failed: the rest of the batch fails as well, or is done again.
      guard database.isInTransaction, way == .oneByOne || !database.connection.hasLateFailure else { throw error }
    }
  }

  private func runTogether(_ work: StoreWork, _ database: Database) throws {
    let (mark, changes) = (database.mark, database.connection.changes)
    do {
      try work.run(database)
    } catch {
      // Nearly all that refuse have only looked.
      guard database.isInTransaction, !database.connection.hasLateFailure else { throw error }
      guard database.connection.changes == changes else { throw Undo() }
      database.forget(from: mark)
      work.failure = error
    }
  }
}
