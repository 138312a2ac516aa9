import EventLoop
import Glibc

/// Runs the command of `--exec`, one at a time: it gets bytes on its standard input, and what it writes is taken as its
/// answer. Bounded in time and output. Confined to its loop.
final class CommandRunner: Watcher {
  enum Outcome {
    case answered([UInt8])
    /// It failed, with the reason as words.
    case failed(String)
    /// It was ended by `stop`.
    case stopped
  }

  private let loop: EventLoop
  private let command: String
  private let environment: [String]
  private var process: pid_t = 0
  private var input: Int32 = -1
  private var output: Int32 = -1
  private var rest: ArraySlice<UInt8> = []
  private var answer: [UInt8] = []
  private var done: ((Outcome) -> Void)?
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

  var isRunning: Bool { process != 0 }

  /// Starts the command.
  /// - Returns: the reason why it cannot be started; then `done` is not called.
  func run(_ bytes: [UInt8], _ done: @escaping (Outcome) -> Void) -> String? {
    precondition(process == 0, "one command at a time")
    var (toChild, fromChild) = ([Int32](repeating: -1, count: 2), [Int32](repeating: -1, count: 2))
    guard pipe(&toChild) == 0 else { return failure(errno) }
    guard pipe(&fromChild) == 0 else {
      let number = errno
      for one in toChild { close(one) }
      return failure(number)
    }
    for one in toChild + fromChild { _ = fcntl(one, F_SETFD, FD_CLOEXEC) }
    let code = spawn(toChild[0], fromChild[1])
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
    loop.watch(input, for: .writable, self)
    loop.watch(output, for: .readable, self)
    timer = loop.schedule(after: AgentLimits.commandSeconds) { [weak self] in
      self?.end(.failed("the command took longer than \(Int(AgentLimits.commandSeconds)) s"))
    }
    return nil
  }

  private func failure(_ number: Int32) -> String {
    "the command cannot be started: \(String(cString: strerror(number)))"
  }

  /// In a process group of its own, so that all of it can be ended.
  private func spawn(_ input: Int32, _ output: Int32) -> Int32 {
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
        if answer.count > AgentLimits.answerBytes {
          shut(&output)
          end(.failed("the command wrote more than \(AgentLimits.answerBytes >> 10) KB"))
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
    var code: Int32 = 0
    guard process != 0, status == nil, waitpid(process, &code, WNOHANG) == process else { return }
    status = code
    timer?.cancel()
    collect()
    guard status != nil, process != 0 else { return }
    timer = loop.schedule(after: AgentLimits.outputSeconds) { [weak self] in
      guard let self else { return }
      shut(&output)
      finish()
    }
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
    case (0, _): done(.failed("the command ended with status \(code)"))
    default: done(.failed("the command was ended by signal \(signal)"))
    }
  }

  // MARK: Ending

  /// Ends the command early.
  func stop() { end(.stopped) }

  private func end(_ outcome: Outcome) {
    guard process != 0, status == nil, verdict == nil else { return }
    verdict = outcome
    kill(-process, SIGTERM)
    timer?.cancel()
    timer = loop.schedule(after: AgentLimits.graceSeconds) { [weak self] in
      guard let self, process != 0, status == nil else { return }
      kill(-process, SIGKILL)
    }
  }
}
