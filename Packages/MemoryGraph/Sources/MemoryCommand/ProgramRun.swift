import Analysis
import Capture
import Glibc
import Graph
import Report
import Settings

/// `run` and `check`: a program from its start to its end, with looks at it in between.
struct ProgramRun {
  /// A pattern for lines of the program: an extended regular expression, as in `grep -E`.
  final class Pattern {
    private var compiled = regex_t()

    init(_ text: String) throws(SettingsError) {
      let code = regcomp(&compiled, text, REG_EXTENDED | REG_NOSUB)
      guard code == 0 else {
        var reason = [UInt8](repeating: 0, count: 200)
        reason.withUnsafeMutableBytes { _ = regerror(code, &compiled, $0.baseAddress, $0.count) }
        let words = String(decoding: reason.prefix { $0 != 0 }, as: UTF8.self)
        throw SettingsError("--at-line \"\(text)\": \(words); an extended regular expression is accepted.")
      }
    }

    deinit { regfree(&compiled) }

    /// Zero bytes in the line are ordinary characters.
    func matches(_ line: [UInt8]) -> Bool {
      var place = regmatch_t(rm_so: 0, rm_eo: regoff_t(line.count))
      return regexec(&compiled, line.map { CChar(bitPattern: $0) } + [0], 1, &place, REG_STARTEND) == 0
    }
  }

  /// Signals that may request a look: a program survives those that it does not handle, or uses them for its own
  /// purposes.
  static let signals: [(name: String, number: Int32)] = [
    ("HUP", SIGHUP), ("USR1", SIGUSR1), ("USR2", SIGUSR2), ("URG", SIGURG), ("WINCH", SIGWINCH), ("IO", SIGIO),
  ]

  private let command: MemoryCommand
  private let arguments: Arguments
  private let taking: LookTaking
  private let isCheck: Bool
  private let program: StartedProgram
  private let name: String
  private let shim: Shim
  private let looksAtExit: Bool
  private let pattern: Pattern?
  /// The warnings of `check`, each of which is told once.
  private var warned: Set<String> = []

  private var looks = 0
  private var failures = 0
  private var hasLeaks = false
  /// True if a look has found no leaks, but could not read everything.
  private var isUncertain = false

  /// - Parameters:
  ///   - words: the program and its arguments, byte by byte; `name` is its name in messages.
  ///   - isCheck: true to record stacks, and to take a look before the end in any case.
  init(_ words: [[CChar]], name: String, _ command: MemoryCommand, _ arguments: Arguments, isCheck: Bool) throws {
    (self.command, self.arguments, self.isCheck, self.name) = (command, arguments, isCheck, name)
    taking = try command.taking(arguments)
    pattern = try arguments["at-line"].map { try Pattern($0) }
    var shim = Shim()
    shim.hasStacks = isCheck || arguments.has("stacks")
    shim.signal = try arguments["at-signal"].map { try Self.signal($0) }
    shim.writesLines = pattern != nil
    looksAtExit = isCheck || shim.signal == nil && pattern == nil
    self.shim = shim
    program = try StartedProgram(words, shim)
  }

  private static func signal(_ word: String) throws(SettingsError) -> Int32 {
    let name = word.hasPrefix("SIG") ? String(word.dropFirst(3)) : word
    if let known = signals.first(where: { $0.name == name }) { return known.number }
    let names = signals.map { "SIG\($0.name)" }.joined(separator: ", ")
    throw SettingsError("--at-signal \(word): \(names) are accepted.")
  }

  /// Runs until the program has ended. Returns the exit status: 0 no leaks, 1 leaks, 2 failure.
  mutating func run() -> Int32 {
    while true {
      switch program.next() {
      case .look(.exit, let waiting): if looksAtExit { look("exit", waiting) }
      case .look(.named(let moment), let waiting): look(moment, waiting)
      case .line(let line):
        if pattern?.matches(line) == true { look("the line \"\(String(decoding: line, as: UTF8.self))\"") }
      case .remark(let remark): command.complain("\(name): \(remark)")
      case .signal(let signal, _) where signal == shim.signal: look("the signal")
      case .signal(let signal, let isFromTerminal):
        if isFromTerminal { continue }
        // The signal would end the program without its exit: this is the last moment.
        if looksAtExit, program.wouldEnd(of: signal) { look("signal \(signal)") }
        program.pass(signal)
      case .ended(let end):
        switch end {
        case .code(0): break
        case .code(let code): command.complain("\(name) ended with \(code).")
        case .signal(let number): command.complain("\(name) was ended by signal \(number).")
        }
        if looks + failures == 0 { command.complain(whyNone(end)) }
        if hasLeaks { return 1 }
        // A failing test has not passed, whatever it leaks.
        return looks == 0 || failures > 0 || isUncertain || isCheck && end != .code(0) ? 2 : 0
      }
    }
  }

  private mutating func look(_ moment: String, _ waiting: WaitingProgram? = nil) {
    do {
      let look = try lookAt(waiting)
      looks += 1
      switch look.exitCode {
      case 0: break
      case 1: hasLeaks = true
      default: isUncertain = true
      }
      try report(look, moment)
    } catch {
      failures += 1
      command.complain("At \(moment): \(MemoryCommand.message(error))")
    }
  }

  /// The outputs belong to the program: the tool's own text goes to standard error.
  private mutating func report(_ look: Look, _ moment: String) throws {
    command.say("\(command.program): at \(printable(moment))", to: STDERR_FILENO)
    let report = TerminalReport(
      look, style: command.style(arguments, for: STDERR_FILENO), program: command.program)
    if isCheck {
      let new = report.warnings().filter { warned.insert($0).inserted }
      command.say((new + [report.verdict()]).joined(separator: "\n"), to: STDERR_FILENO)
    } else {
      command.say(report.leaks(), to: STDERR_FILENO)
    }
    try command.keep(look, arguments)
  }

  /// Where tracing is forbidden, the program is asked to help.
  private func lookAt(_ waiting: WaitingProgram?) throws -> Look {
    do {
      return try taking.take(program.process, asking: waiting)
    } catch let error as CaptureError where error.code == .forbidden && waiting == nil {
      guard let called = program.call() else {
        throw CaptureError(
          error.code,
          error.message + " Nor does it answer when it is called: it handles or blocks SIGURG itself, or has ended.")
      }
      return try taking.take(program.process, asking: called)
    }
  }

  private func whyNone(_ end: StartedProgram.End) -> String {
    guard program.hasShim else {
      return """
        \(name) was never looked at: the library that is preloaded was not loaded. Programs are accepted that use \
        glibc as a shared library, have no rights of their own (setuid, capabilities), and are not built with \
        AddressSanitizer, which has to be the first library itself.
        """
    }
    if let refusal = program.refusal { return "\(name) was never looked at: \(refusal)." }
    guard looksAtExit else { return "\(name) was never looked at: it ended before there was a moment to." }
    switch end {
    case .signal(let number): return "\(name) was never looked at: signal \(number) ended it before its end."
    case .code:
      return """
        \(name) was never looked at: it became another program without the shim, had no descriptor left to ask with, \
        or ended unseen.
        """
    }
  }
}
