import Lifecycle
import Synchronization

/// The connection for queries of one or two rows by their key, such as the owner of a token, on a thread of its own.
/// All waiting queries are answered in one transaction: when many come at once, the thread is woken once for all.
final class Lookups: @unchecked Sendable {
  private struct Queue {
    var waiting: [StoreWork] = []
    /// The number of queries being answered.
    var underWay = 0
    /// True if the thread is working, or about to.
    var isRunning = false
    var isClosed = false
    var reads = 0
  }
  private let queue = Mutex(Queue())
  private let thread = WorkerThread(name: "store-lookups")
  private let place: StorePlace

  /// Opened when first needed; used on the thread only.
  private var database: Database?

  init(_ place: StorePlace) { self.place = place }

  func submit(_ work: StoreWork) {
    let (mustStart, isRefused) = queue.withLock { queue -> (Bool, Bool) in
      if queue.isClosed { return (false, true) }
      queue.waiting.append(work)
      queue.reads += 1
      defer { queue.isRunning = true }
      return (!queue.isRunning, false)
    }
    if isRefused {
      work.failure = StoreError.closed
      work.finish()
    }
    if mustStart { thread.execute { self.runAll() } }
  }

  /// Ends after the queries so far; later ones fail.
  func close() async {
    await thread.run {
      self.queue.withLock { $0.isClosed = true }
      self.runAll()
      self.database = nil
    }
  }

  func addStatistics(to statistics: inout StoreStatistics) {
    queue.withLock { queue in
      statistics.reads += queue.reads
      statistics.readsWaiting += queue.underWay + queue.waiting.count
    }
  }

  private func runAll() {
    while true {
      // The transaction answers only queries that were made before it began: they must see all earlier writes.
      let batch = queue.withLock { queue in
        let count = min(queue.waiting.count, StoreLimits.lookupsAtOnce)
        let batch = Array(queue.waiting.prefix(count))
        queue.waiting.removeFirst(count)
        queue.underWay = count
        if count == 0 { queue.isRunning = false }
        return batch
      }
      if batch.isEmpty { return }
      do { try answer(batch) } catch { for work in batch where work.failure == nil { work.failure = error } }
      queue.withLock { $0.underWay = 0 }
      Wakes.gather { for work in batch { work.finish() } }
    }
  }

  private func answer(_ batch: [StoreWork]) throws {
    let database = try place.beginReading(&self.database)
    defer { database.connection.rollBack() }
    for work in batch {
      do {
        try work.run(database)
        try database.connection.settle()
      } catch {
        work.failure = error
        // A server answers nothing more in a transaction in which a query has failed.
        database.connection.rollBack()
        try database.connection.begin(.reading)
      }
    }
    try database.connection.commit()
  }
}
