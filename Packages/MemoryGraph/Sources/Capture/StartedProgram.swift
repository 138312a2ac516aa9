import CLinux
import Glibc
import Lifecycle

/// A program started by this tool, with the shim in it. It has the tool's input and outputs, and signals are passed on
/// to it.
public final class StartedProgram {
  /// An event of the program, or a request to the tool.
  public enum Event {
    /// The program waits for a look, until the event is released.
    case look(Moment, waiting: WaitingProgram)
    /// A line of output, without its end.
    case line([UInt8])
    /// A limitation of the shim, as a sentence.
    case remark(String)
    /// The tool received a signal; one from the terminal has reached the program, too.
    case signal(Int32, isFromTerminal: Bool)
    case ended(End)
  }
  public enum Moment: Equatable, Sendable {
    /// All output before was reported.
    case exit
    case named(String)
  }
  public enum End: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  public let process: Int32
  /// True once the shim has reported.
  public private(set) var hasShim = false
  private let requests: LookRequests
  private var outputs: [OutputLines] = []
  /// The reason why no look is possible: the shim does not work in the program.
  public private(set) var refusal: String?
  private var lines: ArraySlice<[UInt8]> = []
  /// An event that has to wait until earlier lines are reported.
  private var waiting: Event?
  /// Requests that came while waiting for something else.
  private var deferred: [Event] = []
  private var signals: Int32 = -1
  private var oldMask = sigset_t()
  private let oldChildHandler: (@convention(c) (Int32) -> Void)?

  private static let passed = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

  /// - Parameter words: the program, searched in the `PATH`, and its arguments, as C strings.
  public init(_ words: [[CChar]], _ shim: Shim) throws(CaptureError) {
    requests = try LookRequests()
    askingSignal = shim.signal
    if shim.writesLines {
      outputs = [try OutputLines(for: STDOUT_FILENO)]
      if !OutputLines.areSame(STDOUT_FILENO, STDERR_FILENO) { outputs.append(try OutputLines(for: STDERR_FILENO)) }
    }
    // If the tool's caller ignores it, the kernel would not keep the program's exit status.
    oldChildHandler = Glibc.signal(SIGCHLD, SIG_DFL)
    let ignoresChildren = unsafeBitCast(oldChildHandler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
    let environment: [[CChar]]
    do {
      environment = try shim.environment(socket: requests.name, ignoresChildren: ignoresChildren)
    } catch {
      Glibc.signal(SIGCHLD, oldChildHandler)
      throw error
    }
    var watched = sigset_t()
    sigemptyset(&watched)
    for signal in Self.passed + [SIGCHLD] + (shim.signal.map { [$0] } ?? []) { sigaddset(&watched, signal) }
    pthread_sigmask(SIG_BLOCK, &watched, &oldMask)
    signals = signalfd(-1, &watched, Int32(SFD_CLOEXEC | SFD_NONBLOCK))
    do {
      process = try Self.start(words, environment, outputs, mask: oldMask)
    } catch {
      pthread_sigmask(SIG_SETMASK, &oldMask, nil)
      Glibc.signal(SIGCHLD, oldChildHandler)
      close(signals)
      throw error
    }
    for output in outputs { output.closeWriter() }
  }

  deinit {
    leaveForwarder()
    // Discards signals for the program, which would end the tool now that the program has ended.
    var told = signalfd_siginfo()
    while read(signals, &told, MemoryLayout<signalfd_siginfo>.size) > 0 {}
    close(signals)
    Glibc.signal(SIGCHLD, oldChildHandler)
    pthread_sigmask(SIG_SETMASK, &oldMask, nil)
  }

  private static func start(
    _ words: [[CChar]], _ environment: [[CChar]], _ outputs: [OutputLines], mask: sigset_t
  ) throws(CaptureError) -> Int32 {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var mask = mask
    var usual = sigset_t()
    sigemptyset(&usual)
    sigaddset(&usual, SIGPIPE)
    posix_spawnattr_setsigmask(&attributes, &mask)
    posix_spawnattr_setsigdefault(&attributes, &usual)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for target in [STDOUT_FILENO, STDERR_FILENO] {
      guard let output = outputs.first(where: { $0.target == target }) ?? outputs.first else { continue }
      posix_spawn_file_actions_adddup2(&actions, output.writer, target)
    }
    let arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    let variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process: pid_t = 0
    let code = posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
    guard code == 0 else {
      let name = words[0].withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      throw CaptureError(.refused, "Cannot start \(name): \(String(cString: strerror(code))).")
    }
    return process
  }

  // MARK: Events

  /// Waits for the next event. There is none after `ended`.
  public func next() -> Event {
    while true {
      if let line = lines.popFirst() { return .line(line) }
      if !deferred.isEmpty { return deferred.removeFirst() }
      if let event = waiting {
        waiting = nil
        return event
      }
      var ready = [pollfd(fd: signals, events: Int16(POLLIN), revents: 0)]
      ready.append(pollfd(fd: requests.listener, events: Int16(POLLIN), revents: 0))
      let open = outputs.filter { !$0.hasEnded }
      ready += open.map { pollfd(fd: $0.reader, events: Int16(POLLIN), revents: 0) }
      let hasLate = StoppedProcess.letLateGo()
      // A look may have consumed the signal of the program's end.
      let end = ended()
      _ = poll(&ready, nfds_t(ready.count), end != nil ? 0 : hasLate ? CaptureLimits.latePause : -1)
      let writing = zip(open, ready.dropFirst(2)).filter { $0.1.revents != 0 }.map(\.0)
      for output in writing { lines += output.take() }
      // The program's output is complete when it has ended; other writers may go on for ever.
      if end != nil { takenSinceEnd += 1 }
      if !writing.isEmpty, takenSinceEnd < Self.mostSinceEnd { continue }
      if let end {
        // The program may have reported the shim, and nothing else.
        waiting = .ended(end)
        if ready[1].revents != 0, case .remark(let words)? = request() { return .remark(words) }
        continue
      }
      if ready[0].revents != 0, let event = signal() { return event }
      if ready[1].revents != 0, let event = request() { return event }
    }
  }

  private var end: End?
  private var takenSinceEnd = 0
  /// The most reads after the program's end: a pipe has room for a sixteenth of that, unless it was enlarged.
  private static let mostSinceEnd = 16

  private func ended() -> End? {
    guard end == nil, !StoppedProcess.isLate(process) else { return end }
    var status: Int32 = 0
    let answer = waitpid(process, &status, WNOHANG)
    guard answer != 0 else { return nil }
    // The end of a traced program may have been reported during a look.
    if answer < 0 { status = StopWatch.end(of: process) ?? SIGKILL }
    let signal = status & 0x7F
    end = signal == 0 ? .code(status >> 8 & 0xFF) : .signal(signal)
    return end
  }

  private func signal() -> Event? {
    var told = signalfd_siginfo()
    guard read(signals, &told, MemoryLayout<signalfd_siginfo>.size) == MemoryLayout<signalfd_siginfo>.size,
      told.ssi_signo != UInt32(SIGCHLD)
    else { return nil }
    return .signal(Int32(told.ssi_signo), isFromTerminal: told.ssi_code == Self.fromKernel)
  }

  /// SI_KERNEL of <asm-generic/siginfo.h>: the signal was typed on the terminal, not sent.
  private static let fromKernel: Int32 = 0x80

  private func request() -> Event? {
    guard let (words, waiting) = requests.next(of: process) else { return nil }
    return event(words, waiting)
  }

  private func event(_ words: String, _ waiting: WaitingProgram) -> Event? {
    hasShim = true
    if words == "hello" || words.hasPrefix("remark: ") {
      handlesCalls = false
      if ProcessFiles(process).isForbidden { waiting.memory.answerCalls() }
    } else if words == "own calls" {
      handlesCalls = true
    }
    func rest(_ kind: String) -> String? { words.hasPrefix(kind) ? String(words.dropFirst(kind.count)) : nil }
    if words == "end" {
      // No more output will come.
      lines += outputs.flatMap { $0.takeRest() }
      self.waiting = .look(.exit, waiting: waiting)
    } else if let moment = rest("look at ") {
      return .look(.named(moment), waiting: waiting)
    } else if let remark = rest("remark: ") {
      return .remark(remark)
    } else if let reason = rest("refused: ") {
      refusal = reason
    }
    return nil
  }

  /// Asks the program to wait for a look, whatever it is doing. Nil when it cannot, or does not in time.
  public func call() -> WaitingProgram? {
    let files = ProcessFiles(process)
    // The program may have just reported.
    while !handlesCalls, requests.isAsked(within: 0) { if let event = request() { deferred.append(event) } }
    if handlesCalls { return nil }
    // A program that blocks the signal in all threads may fetch it in another way.
    guard files.hasSignal(Self.calling, in: "SigCgt"),
      files.threads.contains(where: { !files.hasSignal(Self.calling, in: "SigBlk", of: $0) })
    else { return nil }
    kill(process, Self.calling)
    let time = SystemTime()
    let deadline = time.uptime + CaptureLimits.callSeconds
    while time.uptime < deadline {
      guard requests.isAsked(within: Int32((deadline - time.uptime) * 1000) + 1),
        let (words, waiting) = requests.next(of: process)
      else { continue }
      // The second is its answer if this signal is also the one that requests looks.
      if words == "asked" || askingSignal == Self.calling && words == "look at the signal" { return waiting }
      if let event = event(words, waiting) { deferred.append(event) }
    }
    return nil
  }

  /// Ignored by programs that do not handle it, so that it does no harm after an exec (Shim/standing.h).
  private static let calling = SIGURG
  private let askingSignal: Int32?
  private var handlesCalls = false

  /// Leaves a process that forwards the outputs, since children that outlive the program may still write to them.
  private func leaveForwarder() {
    for output in outputs { output.closeWriter() }
    let open = outputs.filter { output in
      var ready = pollfd(fd: output.reader, events: Int16(POLLIN), revents: 0)
      return !output.hasEnded && !(poll(&ready, 1, 0) == 1 && ready.revents == Int16(POLLHUP))
    }
    if !open.isEmpty { clinux_leave_forwarder(open.map(\.reader), open.map(\.target), Int32(open.count)) }
  }

  // MARK: Signals

  /// True if a signal would end the program: it neither handles, ignores nor blocks it.
  public func wouldEnd(of signal: Int32) -> Bool {
    let files = ProcessFiles(process)
    return files.status("SigCgt") != nil
      && !["SigCgt", "SigIgn", "SigBlk"].contains { files.hasSignal(signal, in: $0) }
  }

  public func pass(_ signal: Int32) { kill(process, signal) }
}
