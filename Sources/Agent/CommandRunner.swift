import EventLoop
import Glibc

/// Runs a command, one process at a time: it gets bytes on its standard input, and what it writes is taken as its
/// answer. Bounded in time and output. Confined to its loop.
final class CommandRunner: Watcher {
  enum Outcome {
    case answered([UInt8])
    case failed(Failure)
    /// It was ended by `stop`.
    case stopped
  }

  enum Failure: Equatable {
    /// With the seconds that it had.
    case late(Int)
    case tooMuch(bytes: Int)
    case status(Int32)
    case signal(Int32)

    var words: String {
      switch self {
      case .late(let seconds): "the command took longer than \(seconds) s"
      case .tooMuch(let bytes): "the command wrote more than \(bytes >> 10) KB"
      case .status(let code): "the command ended with status \(code)"
      case .signal(let number): "the command was ended by signal \(number)"
      }
    }
  }

  /// The limits of one run.
  struct Bounds {
    /// Seconds after which it is asked to end (SIGTERM).
    var seconds = AgentLimits.commandSeconds
    /// Seconds from then to its end by force.
    var graceSeconds = AgentLimits.graceSeconds
    /// True if an answer counts that it gives between the two.
    var mayFinish = false
    /// Bytes of its output.
    var bytes = AgentLimits.answerBytes
  }

  private let loop: EventLoop
  private let command: String
  private let environment: [String]
  private var process: pid_t = 0
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var rest: ArraySlice<UInt8> = []
  private var answer: [UInt8] = []
  private var bounds = Bounds()
  private var done: ((Outcome) -> Void)?
  private var isExpired = false
  private var timer: LoopTimer?
  private var status: Int32?
  /// The outcome that is certain before the process has ended.
  private var verdict: Outcome?

  /// - Parameter environment: without the agent's secret, and without the socket of its service manager.
  init(_ command: String, _ environment: [String: String], loop: EventLoop) {
    self.command = command
    self.loop = loop
    let hidden: Set = ["EIGHTBELLS_TOKEN", "NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"]
    self.environment = environment.filter { !hidden.contains($0.key) }.map { "\($0.key)=\($0.value)" }
  }

  /// Starts the command.
  /// - Parameter variables: more of its environment, as NAME=VALUE.
  /// - Returns: the reason why it cannot be started; then `done` is not called.
  func run(
    _ bytes: [UInt8], _ bounds: Bounds = Bounds(), variables: [String] = [], _ done: @escaping (Outcome) -> Void
  ) -> String? {
    precondition(process == 0, "one command at a time")
    var (toChild, fromChild) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard pipe(&toChild) == 0 else { return failure(errno) }
    guard pipe(&fromChild) == 0 else {
      let number = errno
      for one in toChild { close(one) }
      return failure(number)
    }
    for one in toChild + fromChild { _ = fcntl(one, F_SETFD, FD_CLOEXEC) }
    let code = spawn(toChild[0], fromChild[1], environment + variables)
    close(toChild[0])
    close(fromChild[1])
    guard code == 0 else {
      close(toChild[1])
      close(fromChild[0])
      process = 0
      return failure(code)
    }
    (input, output) = (toChild[1], fromChild[0])
    for one in [input, output] { _ = fcntl(one, F_SETFL, O_NONBLOCK) }
    (rest, answer, status, verdict, self.done) = (bytes[...], [], nil, nil, done)
    (self.bounds, isExpired) = (bounds, false)
    loop.watch(input, for: .writable, self)
    loop.watch(output, for: .readable, self)
    timer = loop.schedule(after: bounds.seconds) { [weak self] in
      guard let self else { return }
      isExpired = true
      askToEnd(bounds.mayFinish ? nil : late)
    }
    return nil
  }

  private var late: Outcome { .failed(.late(Int(bounds.seconds + (bounds.mayFinish ? bounds.graceSeconds : 0)))) }

  private func failure(_ number: Int32) -> String {
    "the command cannot be started: \(String(cString: strerror(number)))"
  }

  /// In a process group of its own, so that all of it can be ended.
  private func spawn(_ input: Int32, _ output: Int32, _ environment: [String]) -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)
    posix_spawnattr_setflags(&attributes, Int16(flags))
    var words: [UnsafeMutablePointer<CChar>?] = ["sh", "-c", command].map { (word: String) in strdup(word) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for one in words + variables { free(one) } }
    return posix_spawn(&process, "/bin/sh", &actions, &attributes, &words, &variables)
  }

  // MARK: Running

  func ready(_ readiness: Readiness) {
    feed()
    collect()
  }

  private func feed() {
    while input >= 0, !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(input, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if errno == EAGAIN {
        return
      } else if errno != EINTR {
        // It does not read its input, which is its own choice.
        rest = []
      }
    }
    shut(&input)
  }

  private func collect() {
    var piece = [UInt8](repeating: 0, count: 4096)
    while output >= 0 {
      let count = read(output, &piece, piece.count)
      if count > 0 {
        answer += piece[..<count]
        if answer.count > bounds.bytes {
          shut(&output)
          askToEnd(.failed(.tooMuch(bytes: bounds.bytes)))
        }
      } else if count == 0 || errno != EAGAIN && errno != EINTR {
        shut(&output)
      } else if errno == EAGAIN {
        return
      }
    }
    finish()
  }

  private func shut(_ descriptor: inout Int32) {
    guard descriptor >= 0 else { return }
    loop.unwatch(descriptor)
    close(descriptor)
    descriptor = -1
  }

  /// To be called when a child has ended (SIGCHLD).
  func childEnded() {
    guard process != 0, status == nil, let code = Self.end(of: process) else { return }
    status = code
    timer?.cancel()
    if verdict != nil || isExpired {
      // The shell ends when it is asked to; what it has started may not, and would ring on, or stay for ever. The shell
      // is waited for no earlier, so that its number, which is the group's, is given to no other.
      loop.schedule(after: bounds.graceSeconds) { [process] in
        kill(-process, SIGKILL)
        waitpid(process, nil, 0)
      }
    } else {
      waitpid(process, nil, 0)
    }
    collect()
    guard status != nil, process != 0 else { return }
    // The shell ends at once when it is asked to, and what it has started may still answer.
    let mayAnswer = isExpired && bounds.mayFinish
    timer = loop.schedule(after: mayAnswer ? bounds.graceSeconds : AgentLimits.outputSeconds) { [weak self] in
      guard let self else { return }
      shut(&output)
      finish()
    }
  }

  /// The status of a child that has ended, as waitpid tells it, without waiting for the child; nil while it runs.
  private static func end(of process: pid_t) -> Int32? {
    var told = siginfo_t()
    guard waitid(P_PID, id_t(process), &told, WEXITED | WNOHANG | WNOWAIT) == 0 else { return nil }
    let child = told._sifields._sigchld
    guard child.si_pid == process else { return nil }
    return Int(told.si_code) == Int(CLD_EXITED) ? child.si_status << 8 : child.si_status
  }

  private func finish() {
    guard let status, output < 0, let done else { return }
    timer?.cancel()
    shut(&input)
    (process, self.done) = (0, nil)
    if let verdict { return done(verdict) }
    let (signal, code) = (status & 0x7f, status >> 8 & 0xff)
    switch (signal, code) {
    case (0, 0): done(.answered(answer))
    // It was asked to end, and that is how it did.
    case _ where isExpired: done(bounds.mayFinish && !answer.isEmpty ? .answered(answer) : late)
    case (0, _): done(.failed(.status(code)))
    default: done(.failed(.signal(signal)))
    }
  }

  // MARK: Ending

  /// Ends the command early.
  func stop() { askToEnd(.stopped) }

  /// - Parameter outcome: nil if what it still answers counts.
  private func askToEnd(_ outcome: Outcome?) {
    guard process != 0, status == nil, verdict == nil else { return }
    verdict = outcome
    kill(-process, SIGTERM)
    timer?.cancel()
    timer = loop.schedule(after: outcome == nil ? bounds.graceSeconds : AgentLimits.graceSeconds) { [weak self] in
      guard let self, process != 0, status == nil else { return }
      verdict = verdict ?? late
      kill(-process, SIGKILL)
    }
  }
}
