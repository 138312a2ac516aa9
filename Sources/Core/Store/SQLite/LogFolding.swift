import Lifecycle
import Synchronization

/// Copies the write-ahead log into the database's file beside the writer, so that commits do not wait meanwhile.
///
/// SQLite begins the log anew only when all of it is in the file, which never happens while commits come all the time.
/// Therefore what has come during the last pass is left to the writer, once it is little.
package final class LogFolding: @unchecked Sendable {
  package enum Step: Equatable {
    case nothing
    /// A pass of this thread.
    case beside
    /// The rest, by the writer itself, since it is little; or all of it, since the log has become too long.
    case now
  }
  private struct State {
    /// Pages of the log that are in the file.
    var folded = 0
    var isRunning = false
    var isClosed = false
    var thread: WorkerThread?
  }
  private let state = Mutex(State())
  private let path: String
  /// Used on the thread only.
  private var database: SQLiteConnection?

  init(path: String) { self.path = path }

  /// - Parameters:
  ///   - pages: those in the log.
  ///   - folded: of these, those that are in the file.
  ///   - isRunning: true while a pass is under way.
  package static func step(pages: Int, folded: Int, isRunning: Bool) -> Step {
    if pages >= StoreLimits.mostLogPages { return .now }
    guard pages >= StoreLimits.logPages, !isRunning else { return .nothing }
    return pages - folded <= StoreLimits.restPages ? .now : .beside
  }

  /// To be called by the writer after each commit.
  func committed(_ writer: SQLiteConnection) {
    let pages = writer.logPages
    let (step, thread) = state.withLock { state -> (Step, WorkerThread?) in
      // The log has begun anew.
      if pages < state.folded { state.folded = 0 }
      let step = state.isClosed ? .nothing : Self.step(pages: pages, folded: state.folded, isRunning: state.isRunning)
      guard step == .beside else { return (step, nil) }
      state.isRunning = true
      let thread = state.thread ?? WorkerThread(name: "store-log")
      state.thread = thread
      return (step, thread)
    }
    if step == .now { note(try? writer.fold()) }
    thread?.execute { self.pass() }
  }

  /// Ends after the pass under way.
  func close() async {
    let thread = state.withLock { state in
      state.isClosed = true
      return state.thread
    }
    guard let thread else { return }
    await thread.run { self.database = nil }
  }

  /// A pass that fails, on a full disk for example, leaves the log as it is; a later one tries again.
  private func pass() {
    let folded = try? opened().fold()
    state.withLock { $0.isRunning = false }
    note(folded)
  }

  private func note(_ folded: Int?) {
    guard let folded else { return }
    state.withLock { $0.folded = folded }
  }

  private func opened() throws(StoreError) -> SQLiteConnection {
    if let database { return database }
    let opened = try SQLiteConnection(path: path, .readWrite)
    database = opened
    return opened
  }
}
