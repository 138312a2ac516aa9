import Glibc
import Lifecycle
import Observe
import Synchronization

/// Shows the progress of a long operation on standard error: on a terminal in one line that is rewritten, elsewhere in
/// a line for every quarter.
public let printProgress = ProgressPrinter()

public final class ProgressPrinter: Sendable {
  private struct State {
    var step = ""
    var quarter = -1
    var shownAt = -Double.infinity
    var isOpen = false
  }
  private let state = Mutex(State())
  private let time = SystemTime()
  private let isTerminal = isatty(STDERR_FILENO) == 1

  /// Seconds between two updates of the line.
  private static let pause = 0.1

  /// The progress of an operation.
  private struct Progress {
    var step: String
    var done: Int
    var total: Int
  }

  /// - Parameters:
  ///   - step: the operation, such as "Copying".
  ///   - done: the part done of `total`; 0 of 0 counts as all.
  public func show(_ step: String, _ done: Int, of total: Int) {
    let progress = Progress(step: step, done: done, total: total)
    let text = state.withLock { state in
      isTerminal ? line(progress, &state) : quarter(progress, &state)
    }
    if let text { Log.standardError(text) }
  }

  /// Ends the line, so that the next output begins a new one.
  public func finish() {
    let wasOpen = state.withLock { state in
      defer { state = State() }
      return state.isOpen
    }
    if wasOpen { Log.standardError("\n") }
  }

  private func line(_ progress: Progress, _ state: inout State) -> String? {
    let isNew = state.step != progress.step
    let isLast = progress.done == progress.total
    guard isNew || isLast || time.uptime - state.shownAt >= Self.pause else { return nil }
    let end = isNew && state.isOpen ? "\n" : ""
    state.step = progress.step
    state.shownAt = time.uptime
    state.isOpen = true
    return "\(end)\r\u{1B}[K\(words(progress))"
  }

  private func quarter(_ progress: Progress, _ state: inout State) -> String? {
    if state.step != progress.step { (state.step, state.quarter) = (progress.step, -1) }
    let quarter = progress.total == 0 ? 4 : progress.done * 4 / progress.total
    guard quarter > state.quarter else { return nil }
    state.quarter = quarter
    return "\(words(progress))\n"
  }

  private func words(_ progress: Progress) -> String {
    let percent = progress.total == 0 ? 100 : progress.done * 100 / progress.total
    return "\(progress.step): \(percent) %"
  }
}
