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

  init(_ place: StorePlace) { self.place = place }

  func submit(_ work: StoreWork) {
    let (reader, isRefused) = queue.withLock { queue -> (Reader?, Bool) in
      if queue.isClosed { return (nil, true) }
      queue.waiting.append(work)
      queue.reads += 1
      // The reader that was busy last has the warmest cache.
      if let idle = queue.idle.popLast() { return (idle, false) }
      guard queue.readers < StoreLimits.readers else { return (nil, false) }
      queue.readers += 1
      return (Reader(number: queue.readers), false)
    }
    if isRefused { refuse(work) }
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
      do { try read(work, reader) } catch { work.failure = error }
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

  /// All queries of the call see the same snapshot.
  private func read(_ work: StoreWork, _ reader: Reader) throws {
    let database = try reader.begin(place)
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

  private func refuse(_ work: StoreWork) {
    work.failure = StoreError.closed
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
