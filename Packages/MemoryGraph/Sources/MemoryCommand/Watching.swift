import Analysis
import Capture
import Glibc
import Graph
import Lifecycle
import Report
import Settings

/// `--every`: takes looks at a process until it or the watch ends, and reports what is new.
struct Watching {
  let command: MemoryCommand
  let process: Int32
  let taking: LookTaking
  /// Seconds between two looks.
  let interval: Double
  let arguments: Arguments
  private let time = SystemTime()

  /// Seconds between two checks that the process still exists.
  private static let slice = 0.2

  /// - Returns: the exit status: 0 nothing was found, 1 something was, 2 the heap is damaged, or the process could not
  ///   be looked at any more.
  func run() throws -> Int32 {
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, number) }
    // For good: the program ends with the watch, and another Ctrl-C must not change the status.
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    let start = ProcessFiles(process).startTime
    var watch = LeakWatch()
    var history: WatchHistory?
    var calls = FindingCalls()
    var problem: String?
    // Why the last look has failed; nil when it has not.
    var failure: String?
    func status() -> Int32 {
      let code = history?.exitCode ?? 0
      return code == 0 && failure != nil ? 2 : code
    }
    defer { finish(&calls, signals) }
    while true {
      let now = time.now
      do {
        let look = try taking.takeOnce(process)
        failure = nil
        let news = watch.look(look.examination, at: now)
        let report = TerminalReport(look, style: command.style(arguments), program: command.program)
        if history == nil {
          history = WatchHistory(look)
          command.say(report.watching(every: interval))
        }
        history!.add(look, at: now, news)
        for one in news {
          command.say("\n" + report.news(one))
          guard let called = arguments["exec"] else { continue }
          let (words, line) = (JSONReport.words(one, look.examination), JSONReport.news(one, look.examination))
          if let problem = calls.start(called, line, words, time.uptime) { command.complain(problem) }
        }
        if let file = arguments["json"] { try keep(history!.json(), in: file, &problem) }
      } catch let error as CaptureError {
        // A failure may pass, such as while a debugger has stopped the process.
        guard history != nil else { throw error }
        if error.code != .gone, error.message != failure {
          command.complain(error.message)
          failure = error.message
        }
      }
      let next = now + interval
      while true {
        for problem in calls.poll(time.uptime) { command.complain(problem) }
        guard ProcessFiles(process).startTime == start, start != nil else {
          command.say("\nThe process has ended.")
          return status()
        }
        if isUnheard { return status() }
        let left = next - time.now
        // The clock may be set back; no wait is longer than the interval.
        let isLate = left <= 0 || left > interval
        // Also checked when a look takes longer than the interval, since the watch could not be ended otherwise.
        if Self.wait(signals, isLate ? 0 : min(Self.slice, left)) { return status() }
        if isLate { break }
      }
    }
  }

  /// True if what it tells goes nowhere but into a pipe that nobody reads any more, as with `| head`.
  private var isUnheard: Bool {
    guard !arguments.has("json"), !arguments.has("exec") else { return false }
    var output = pollfd(fd: STDOUT_FILENO, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0 && output.revents & Int16(POLLERR) != 0
  }

  /// True if a signal has come that ends the watch.
  private static func wait(_ signals: sigset_t, _ seconds: Double) -> Bool {
    var signals = signals
    var span = timespec(tv_sec: Int(seconds), tv_nsec: Int((seconds - seconds.rounded(.down)) * 1e9))
    return sigtimedwait(&signals, nil, &span) > 0
  }

  /// Lets running commands finish within their time; another signal ends them at once.
  private func finish(_ calls: inout FindingCalls, _ signals: sigset_t) {
    while calls.isRunning {
      for problem in calls.poll(time.uptime) { command.complain(problem) }
      if calls.isRunning, Self.wait(signals, Self.slice) { calls.end() }
    }
  }

  /// Writes the history. A full disk must not end the watch, except at the first look, where it is the user's mistake.
  ///
  /// - Parameter problem: the last problem; empty if there was none, nil before the first look.
  private func keep(_ bytes: [UInt8], in path: String, _ problem: inout String?) throws {
    let isFirst = problem == nil
    do {
      // Signals that end the watch would not end waiting for a reader.
      try OutputFile.write(bytes, to: path, waits: false)
      problem = ""
    } catch {
      if isFirst { throw error }
      let told = MemoryCommand.message(error)
      if told != problem { command.complain(told) }
      problem = told
    }
  }

  /// Parses "30s", "5m", "500ms", "2h" to seconds.
  static func seconds(_ text: String) throws -> Double {
    let digits = text.prefix { $0.isASCII && $0.isNumber }
    let units: [Substring: Double] = ["ms": 0.001, "s": 1, "m": 60, "h": 3600]
    guard let number = Double(digits), let unit = units[text.dropFirst(digits.count)],
      case let seconds = number * unit, (0.1...86400).contains(seconds)
    else { throw SettingsError("--every \(text): a time such as 30s, 5m or 1h is accepted, from 100ms to 24h.") }
    return seconds
  }
}

extension ProcessFiles {
  /// The start time of the process in the kernel's ticks; nil when it has ended. It distinguishes it from a later one
  /// with the same number.
  fileprivate var startTime: Substring? {
    // After the name, which may contain anything, come the state and, as the twentieth field, the start time.
    let fields = text("stat")?.split(separator: ")").last?.split(separator: " ") ?? []
    guard fields.count > 19, fields[0] != "Z", fields[0] != "X" else { return nil }
    return fields[19]
  }
}
