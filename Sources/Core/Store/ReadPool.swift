import Lifecycle
import Synchronization

/// Connections that read, each on a thread of its own and opened when it is first needed. One line for all of them: a
/// slow question holds up nobody while another connection is free.
final class ReadPool: Sendable {
  private struct Line {
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
  private let line = Mutex(Line())
  private let path: String

  init(path: String) { self.path = path }

  func submit(_ work: StoreWork) {
    let (reader, isRefused) = line.withLock { line -> (Reader?, Bool) in
      if line.isClosed { return (nil, true) }
      line.waiting.append(work)
      line.reads += 1
      // The one that was busy last has the warmest cache.
      if let idle = line.idle.popLast() { return (idle, false) }
      guard line.readers < StoreLimits.readers else { return (nil, false) }
      line.readers += 1
      return (Reader(number: line.readers), false)
    }
    if isRefused { refuse(work) }
    if let reader { reader.thread.execute { self.run(reader) } }
  }

  /// Ends after what was asked before; what comes later fails.
  func close() async {
    await withUnsafeContinuation { continuation in
      let isIdle = line.withLock { line in
        line.isClosed = true
        line.whenIdle = continuation
        return line.idle.count == line.readers
      }
      if isIdle { finishClosing() }
    }
  }

  func addStatistics(to statistics: inout StoreStatistics) {
    line.withLock { line in
      statistics.reads = line.reads
      statistics.readsWaiting = line.count
      statistics.readers = line.readers
      statistics.busyReaders = line.readers - line.idle.count
    }
  }

  /// On a reader's thread: everything that waits, one after the other.
  private func run(_ reader: Reader) {
    while let work = line.withLock({ $0.next() }) {
      do throws(StoreError) {
        let database = try reader.database(path)
        try database.inTransaction(Dialect.beginReading) { () throws(StoreError) in try work.run(database) }
      } catch {
        work.failure = error
      }
      work.finish()
    }
    let (hasMore, isLast) = line.withLock { line in
      guard line.count == 0 else { return (true, false) }
      line.idle.append(reader)
      return (false, line.isClosed && line.idle.count == line.readers)
    }
    if hasMore { run(reader) }
    if isLast { finishClosing() }
  }

  private func finishClosing() {
    let (continuation, idle) = line.withLock { line in
      defer { line.whenIdle = nil }
      return (line.whenIdle, line.idle)
    }
    guard let continuation else { return }
    for reader in idle { reader.close() }
    continuation.resume()
  }

  private func refuse(_ work: StoreWork) {
    work.failure = StoreError(.closed, "The store is closed", context: "the hub is going down")
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
