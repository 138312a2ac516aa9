import Lifecycle
import Synchronization

/// Connections that read, each on a thread of its own and opened when it is first needed. One queue for all of them: a
/// slow question holds up nobody while another connection is free.
final class ReadPool: Sendable {
  /// The calls that wait for a reader, and counters for /metrics.
  private struct Queue {
    var waiting: [StoreWork?] = []
    /// Where `waiting` begins, so that taking the first one moves nothing.
    var first = 0
    var idle: [Reader] = []
    var readers = 0
    var isClosed = false
    var whenIdle: UnsafeContinuation<Void, Never>?
    var reads = 0

    var count: Int { waiting.count - first }

    mutating func next() -> StoreWork? {
      guard first < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return nil
      }
      // What is taken is let go of, also where others wait at all times.
      let work = waiting[first]
      waiting[first] = nil
      first += 1
      if first > waiting.count / 2 {
        waiting.removeFirst(first)
        first = 0
      }
      return work
    }
  }
  private let queue = Mutex(Queue())
  private let path: String

  init(path: String) { self.path = path }

  func submit(_ work: StoreWork) {
    let (reader, isRefused) = queue.withLock { queue -> (Reader?, Bool) in
      if queue.isClosed { return (nil, true) }
      queue.waiting.append(work)
      queue.reads += 1
      // The one that was busy last has the warmest cache.
      if let idle = queue.idle.popLast() { return (idle, false) }
      guard queue.readers < StoreLimits.readers else { return (nil, false) }
      queue.readers += 1
      return (Reader(number: queue.readers), false)
    }
    if isRefused { refuse(work) }
    if let reader { reader.thread.execute { self.run(reader) } }
  }

  /// Ends after what was asked before; what comes later fails.
  func close() async {
    await withUnsafeContinuation { continuation in
      let isIdle = queue.withLock { queue in
        queue.isClosed = true
        queue.whenIdle = continuation
        return queue.idle.count == queue.readers
      }
      if isIdle { finishClosing() }
    }
  }

  func addStatistics(to statistics: inout StoreStatistics) {
    queue.withLock { queue in
      statistics.reads = queue.reads
      statistics.readsWaiting = queue.count
      statistics.readers = queue.readers
      statistics.busyReaders = queue.readers - queue.idle.count
    }
  }

  /// On a reader's thread: everything that waits, one after the other.
  private func run(_ reader: Reader) {
    while let work = queue.withLock({ $0.next() }) {
      do { try read(work, reader.database(path)) } catch { work.failure = error }
      work.finish()
    }
    let (hasMore, isLast) = queue.withLock { queue in
      guard queue.count == 0 else { return (true, false) }
      queue.idle.append(reader)
      return (false, queue.isClosed && queue.idle.count == queue.readers)
    }
    if hasMore { run(reader) }
    if isLast { finishClosing() }
  }

  /// All that the work asks sees the same moment.
  private func read(_ work: StoreWork, _ database: Database) throws {
    try database.run(Dialect.beginReading)
    defer { if database.isInTransaction { try? database.run("ROLLBACK") } }
    try work.run(database)
    try database.run("COMMIT")
  }

  private func finishClosing() {
    let (continuation, idle) = queue.withLock { queue in
      defer { queue.whenIdle = nil }
      return (queue.whenIdle, queue.idle)
    }
    guard let continuation else { return }
    for reader in idle { reader.close() }
    continuation.resume()
  }

  private func refuse(_ work: StoreWork) {
    work.failure = StoreError.closed
    work.finish()
  }
}

/// One connection and its thread. While a reader is idle its database is touched by nobody.
private final class Reader: @unchecked Sendable {
  let thread: WorkerThread
  private var opened: Database?

  init(number: Int) { thread = WorkerThread(name: "store-reader-\(number)") }

  func database(_ path: String) throws(StoreError) -> Database {
    if let opened { return opened }
    let database = try Database(path: path, .readOnly)
    opened = database
    return database
  }

  func close() { opened = nil }
}
