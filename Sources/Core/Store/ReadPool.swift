import Lifecycle
import Synchronization

/// The connections for reading, each on a thread of its own and opened when first needed. They share one queue: a slow
/// query delays nobody while another connection is free.
final class ReadPool: Sendable {
  /// The calls waiting for a reader, and counters for /metrics.
  private struct Queue {
    var waiting: [StoreWork?] = []
    /// The index of the first call in `waiting`, so that taking it moves no others.
    var first = 0
    /// The readers without work. The first of them rest: the server has let them in no more.
    var idle: [Reader] = []
    var resting = 0
    /// The uptime until which these are left alone.
    var restsUntil = 0.0
    var readers = 0
    var isClosed = false
    var whenIdle: UnsafeContinuation<Void, Never>?
    var reads = 0

    var count: Int { waiting.count - first }

    /// A reader for a call that waits; nil where those that work take it.
    mutating func reader(at uptime: Double) -> Reader? {
      guard idle.count > resting || uptime >= restsUntil else { return nil }
      // The reader that was busy last has the warmest cache.
      if let reader = idle.popLast() {
        resting = min(resting, idle.count)
        return reader
      }
      guard readers < StoreLimits.readers else { return nil }
      readers += 1
      return Reader(number: readers)
    }

    mutating func next() -> StoreWork? {
      guard first < waiting.count else {
        waiting.removeAll(keepingCapacity: true)
        first = 0
        return nil
      }
      // The entry is cleared, so that the call is released even if the queue never runs empty.
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
  private let place: StorePlace
  private let time: any TimeSource

  init(_ place: StorePlace, _ time: any TimeSource) { (self.place, self.time) = (place, time) }

  func submit(_ work: StoreWork) {
    let (reader, isRefused) = queue.withLock { queue -> (Reader?, Bool) in
      if queue.isClosed { return (nil, true) }
      queue.waiting.append(work)
      queue.reads += 1
      return (queue.reader(at: time.uptime), false)
    }
    if isRefused { refuse(work, .closed) }
    if let reader { reader.thread.execute { self.run(reader) } }
  }

  /// Ends after the calls so far; later ones fail.
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

  /// Runs all waiting calls one after the other, on a reader's thread.
  private func run(_ reader: Reader) {
    while let work = queue.withLock({ $0.next() }) {
      let began = time.uptime
      do throws(StoreError) {
        let database = try reader.begin(place)
        do { try read(work, database) } catch { work.failure = error }
        work.finish()
      } catch {
        // A call that has waited for long, as for a server that says nothing, is told so.
        let mayWait = time.uptime - began < StoreLimits.restSeconds
        let isResting = error.code == .unavailable && rest(reader, givingBack: mayWait ? work : nil)
        if !isResting || !mayWait { refuse(work, error) }
        if isResting { return }
      }
    }
    let (hasMore, isLast) = queue.withLock { queue in
      guard queue.count == 0 else { return (true, false) }
      queue.idle.append(reader)
      return (false, queue.isClosed && queue.idle.count == queue.readers)
    }
    if hasMore { run(reader) }
    if isLast { finishClosing() }
  }

  /// Puts a reader to rest that the server does not let in, as when it has no room for one more; others do its work. It
  /// would take one call after the other, quicker than they do, and each would fail.
  /// - Returns: false if there is no other.
  private func rest(_ reader: Reader, givingBack work: StoreWork?) -> Bool {
    let (isResting, other) = queue.withLock { queue -> (Bool, Reader?) in
      guard queue.readers - queue.resting > 1 else { return (false, nil) }
      let other = queue.idle.count > queue.resting ? queue.idle.popLast() : nil
      queue.idle.insert(reader, at: 0)
      queue.resting += 1
      queue.restsUntil = time.uptime + StoreLimits.restSeconds
      if let work { queue.waiting.insert(work, at: queue.first) }
      return (true, other)
    }
    if let other { other.thread.execute { self.run(other) } }
    return isResting
  }

  /// All queries of the call see the same snapshot.
  private func read(_ work: StoreWork, _ database: Database) throws {
    defer { database.connection.rollBack() }
    try work.run(database)
    try database.connection.commit()
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

  private func refuse(_ work: StoreWork, _ error: StoreError) {
    work.failure = error
    work.finish()
  }
}

/// One connection and its thread. While a reader is idle, nothing uses its database.
private final class Reader: @unchecked Sendable {
  let thread: WorkerThread
  private var opened: Database?

  init(number: Int) { thread = WorkerThread(name: "store-reader-\(number)") }

  /// Its database, in a transaction for reading.
  func begin(_ place: StorePlace) throws(StoreError) -> Database { try place.beginReading(&opened) }

  func close() { opened = nil }
}
