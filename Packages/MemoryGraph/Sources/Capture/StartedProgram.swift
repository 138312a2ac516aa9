import CLinux
import Glibc
import Lifecycle

/// A program that we have started, with the shim in it. It has our input and outputs, and the signals that we get are
/// passed on to it.
public final class StartedProgram {
  /// What happens to it, or is asked of us.
  public enum Event {
    /// The program waits for a look, until the event is let go.
    case look(Moment, waiting: WaitingProgram)
    /// A line that it has written, without its end.
    case line([UInt8])
    /// Something that the shim cannot do, in a sentence.
    case remark(String)
    /// We got a signal; from the terminal the program has got it, too.
    case signal(Int32, isFromTerminal: Bool)
    case ended(End)
  }
  public enum Moment: Equatable, Sendable {
    /// All that it has written before has been told.
    case exit
    case named(String)
  }
  public enum End: Equatable, Sendable {
    case code(Int32)
    case signal(Int32)
  }

  public let process: Int32
  /// Whether the shim has said that it is there.
  public private(set) var hasShim = false
  private let requests: LookRequests
  private var outputs: [OutputLines] = []
  /// Why there will be no look: the shim does nothing in the program.
  public private(set) var refusal: String?
  private var lines: ArraySlice<[UInt8]> = []
  /// What has to wait until its lines are told.
  private var waiting: Event?
  /// What was asked of us while we waited for something else.
  private var deferred: [Event] = []
  private var signals: Int32 = -1
  private var oldMask = sigset_t()
  private let oldChildHandler: (@convention(c) (Int32) -> Void)?

  /// Those that are passed on.
  private static let passed = [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2]

  /// - Parameter words: the program, looked for in the `PATH`, and its arguments, byte by byte, with their zeroes.
  public init(_ words: [[CChar]], _ shim: Shim) throws(CaptureError) {
    requests = try LookRequests()
    askingSignal = shim.signal
    if shim.writesLines {
      outputs = [try OutputLines(for: STDOUT_FILENO)]
      if !OutputLines.areSame(STDOUT_FILENO, STDERR_FILENO) { outputs.append(try OutputLines(for: STDERR_FILENO)) }
    }
    // Our caller may ignore it: then the kernel would not tell how the program has ended.
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
    // What came for the program is not to end us now that it has ended.
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

  /// Waits for what happens next. After `ended` nothing does.
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
      // A look may have taken the signal that tells of the program's end.
      let end = ended()
      _ = poll(&ready, nfds_t(ready.count), end != nil ? 0 : hasLate ? CaptureLimits.latePause : -1)
      let writing = zip(open, ready.dropFirst(2)).filter { $0.1.revents != 0 }.map(\.0)
      for output in writing { lines += output.take() }
      // What it has written is there when it has ended; others may go on for ever.
      if end != nil { takenSinceEnd += 1 }
      if !writing.isEmpty, takenSinceEnd < Self.mostSinceEnd { continue }
      if let end {
        // It may have said that the shim was there, and no more.
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
  /// A pipe has room for a sixteenth of it, if it is not made larger.
  private static let mostSinceEnd = 16

  private func ended() -> End? {
    guard end == nil, !StoppedProcess.isLate(process) else { return end }
    var status: Int32 = 0
    let answer = waitpid(process, &status, WNOHANG)
    guard answer != 0 else { return nil }
    // Traced by us, its end may have been told during a look.
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

  /// SI_KERNEL of <asm-generic/siginfo.h>: nobody has sent it, somebody has typed it.
  private static let fromKernel: Int32 = 0x80

  private func request() -> Event? {
    guard let (words, waiting) = requests.next(of: process) else { return nil }
    return event(words, waiting)
  }

  private func event(_ words: String, _ waiting: WaitingProgram) -> Event? {
    hasShim = true
    if words == "hello" || words.hasPrefix("remark: ") {
      handlesCalls = false
      if ProcessFiles(process).isForbidden { waiting.answerCalls() }
    } else if words == "own calls" {
      handlesCalls = true
    }
    func rest(_ kind: String) -> String? { words.hasPrefix(kind) ? String(words.dropFirst(kind.count)) : nil }
    if words == "end" {
      // What it has written is all that there will be.
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

  /// Has the program come and wait for a look, whatever it does. nil when it cannot, or does not in time.
  public func call() -> WaitingProgram? {
    let files = ProcessFiles(process)
    // It may have told us just now.
    while !handlesCalls {
      var ready = pollfd(fd: requests.listener, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, 0) == 1 else { break }
      if let event = request() { deferred.append(event) }
    }
    if handlesCalls { return nil }
    // Whoever blocks it in all threads may fetch it in another way.
    guard files.hasSignal(Self.calling, in: "SigCgt"),
      files.threads.contains(where: { !files.hasSignal(Self.calling, in: "SigBlk", of: $0) })
    else { return nil }
    kill(process, Self.calling)
    let time = SystemTime()
    let deadline = time.uptime + CaptureLimits.callSeconds
    while time.uptime < deadline {
      var ready = pollfd(fd: requests.listener, events: Int16(POLLIN), revents: 0)
      guard poll(&ready, 1, Int32((deadline - time.uptime) * 1000) + 1) == 1 else { continue }
      guard let (words, waiting) = requests.next(of: process) else { continue }
      // The second is its answer if it is to be looked at by this very signal.
      if words == "asked" || askingSignal == Self.calling && words == "look at the signal" { return waiting }
      if let event = event(words, waiting) { deferred.append(event) }
    }
    return nil
  }

  /// Ignored by whoever does not handle it, so that it does nothing after an exec (Shim/standing.h).
  private static let calling = SIGURG
  private let askingSignal: Int32?
  /// The program handles the signal itself.
  private var handlesCalls = false

  /// Children that outlive the program write where it wrote; without us nobody would end them for it.
  private func leaveForwarder() {
    for output in outputs { output.closeWriter() }
    let open = outputs.filter { output in
      var ready = pollfd(fd: output.reader, events: Int16(POLLIN), revents: 0)
      return !output.hasEnded && !(poll(&ready, 1, 0) == 1 && ready.revents == Int16(POLLHUP))
    }
    if !open.isEmpty { clinux_leave_forwarder(open.map(\.reader), open.map(\.target), Int32(open.count)) }
  }

  // MARK: Signals

  /// Whether a signal would end the program just so: it neither handles, ignores nor holds it off, to fetch it later.
  public func wouldEnd(of signal: Int32) -> Bool {
    let files = ProcessFiles(process)
    return files.status("SigCgt") != nil
      && !["SigCgt", "SigIgn", "SigBlk"].contains { files.hasSignal(signal, in: $0) }
  }

  public func pass(_ signal: Int32) { kill(process, signal) }
}
