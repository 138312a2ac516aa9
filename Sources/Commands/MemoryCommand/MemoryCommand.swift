import Analysis
import Capture
import Glibc
import Graph
import Lifecycle
import Report
import Settings

/// The memory graph's verbs, the same as `memorygraph` and as `eightbells memory`.
public struct MemoryCommand {
  /// How it is called: "memorygraph", "eightbells memory".
  let program: String

  public init(program: String) { self.program = program }

  private static let options = [
    Option("json", "FILE", help: "also writes everything as JSON"),
    Option("html", "FILE", help: "also draws the findings: one page that needs nothing else"),
    Option("stopped", help: "copies while the process stands still, instead of a copy-on-write twin"),
    Option("no-colour", help: "plain text; so does NO_COLOR in the environment"),
    Option("stacks", help: "run: each block knows the calls that allocated it"),
    Option("at-signal", "SIGNAL", help: "run, check: looks when the program, or this one, gets it, such as SIGUSR2"),
    Option("at-line", "REGEX", help: "run, check: looks when the program writes a line that matches, as in grep -E"),
  ]
  private static let verbs = ["graph", "leaks", "cycles", "types", "path", "object", "run", "check", "help"]

  /// Runs a verb and answers how the program ends: 0 no leaks, 1 leaks, 2 it could not look.
  public func run(_ words: [String]) -> Int32 {
    do {
      return try look(words)
    } catch {
      complain(Self.message(error))
      return 2
    }
  }

  static func message(_ error: any Error) -> String {
    switch error {
    case let error as CaptureError: error.message
    case let error as GraphError: error.message
    case let error as SettingsError: error.message
    default: "\(error)"
    }
  }

  private func look(_ words: [String]) throws -> Int32 {
    // What stands behind "--" is another program's.
    let own = words.prefix { $0 != "--" }
    if words.isEmpty || own.contains("--help") || own.contains("-h") || words.first == "help" {
      say(help, to: words.isEmpty ? STDERR_FILENO : STDOUT_FILENO)
      return words.isEmpty ? 2 : 0
    }
    let arguments = try Arguments(words, accepted: Self.options)
    let verb = try verb(arguments.words)
    if verb == "run" || verb == "check" { return try follow(arguments, Array(words.dropFirst(own.count + 1)), verb) }
    let place = verb == "path" || verb == "object" ? try lastWord(arguments.words, verb) : nil
    guard arguments.words.count == (place == nil ? 2 : 3) else { throw usage(verb) }
    let process = try process(arguments.words[1])
    var look = try take(process, mayTwin: !arguments.has("stopped"))
    try writeFiles(look, arguments)
    let chosen = try place.map { try node($0, look.examination) }
    if let chosen { look.examination.nameFrames(besides: [chosen]) }
    let report = report(look, arguments, to: STDOUT_FILENO)
    switch verb {
    case "leaks": say(report.leaks())
    case "cycles": say(report.cycles())
    case "types": say(report.types())
    case "path": say(report.path(to: chosen!))
    case "object": say(report.object(chosen!))
    default: say(report.summary())
    }
    return look.examination.leaks.findings.isEmpty ? 0 : 1
  }

  private func writeFiles(_ look: Look, _ arguments: Arguments) throws {
    if let file = arguments["json"] { try write(JSONReport.bytes(look), to: file) }
    if let file = arguments["html"] { try write(HTMLReport.bytes(look), to: file) }
  }

  private func report(_ look: Look, _ arguments: Arguments, to file: Int32) -> TerminalReport {
    let hasColour = isatty(file) == 1 && getenv("NO_COLOR") == nil && !arguments.has("no-colour")
    return TerminalReport(look, style: Style(hasColour: hasColour), program: program)
  }

  // MARK: A program from its start

  /// `run` and `check`. The outputs are the program's: what we say goes where errors do.
  private func follow(_ arguments: Arguments, _ words: [String], _ verb: String) throws -> Int32 {
    guard !words.isEmpty, arguments.words.count == words.count + 1 else {
      throw SettingsError("Usage: \(program) \(verb) [OPTIONS] -- PROGRAM [ARGUMENTS]")
    }
    var warned: Set<String> = []
    var run = try ProgramRun(
      words, arguments, isCheck: verb == "check", take: { try take($0, mayTwin: !arguments.has("stopped")) },
      report: { look, moment in
        say("\(program): at \(printable(moment))", to: STDERR_FILENO)
        let report = report(look, arguments, to: STDERR_FILENO)
        if verb == "check" {
          let new = report.warnings().filter { warned.insert($0).inserted }
          say((new + [report.verdict()]).joined(separator: "\n"), to: STDERR_FILENO)
        } else {
          say(report.leaks(), to: STDERR_FILENO)
        }
        try writeFiles(look, arguments)
      }, complain: complain)
    var hasFailed = false
    let code = run.run { end in
      switch end {
      case .code(0): return
      case .code(let code): complain("\(words[0]) ended with \(code).")
      case .signal(let number): complain("\(words[0]) was ended by signal \(number).")
      }
      hasFailed = true
    }
    // A test that fails has not passed, whatever it leaks.
    return code == 0 && verb == "check" && hasFailed ? 2 : code
  }

  private func take(_ process: Int32, mayTwin: Bool) throws -> Look {
    let time = SystemTime()
    let start = time.uptime
    let (graph, method, stopSeconds) = try read(process, mayTwin: mayTwin)
    var examination = Examination(graph)
    examination.nameFrames()
    return Look(examination, method: method, stopSeconds: stopSeconds, seconds: time.uptime - start)
  }

  /// In a function of its own: when it returns, the copy of the process's memory is gone.
  @inline(never)
  private func read(_ process: Int32, mayTwin: Bool) throws -> (ObjectGraph, method: String, stopSeconds: Double) {
    let snapshot = try Snapshot(of: process, mayTwin: mayTwin)
    return (try GraphReader.read(snapshot), snapshot.method.rawValue, snapshot.stopSeconds)
  }

  // MARK: Words

  private func verb(_ words: [String]) throws -> String {
    guard let verb = words.first else { throw SettingsError("Usage: \(program) VERB PID; --help lists the verbs.") }
    guard Self.verbs.contains(verb) else {
      let near = suggestion(for: verb, among: Self.verbs).map { " Did you mean \($0)?" } ?? ""
      let hint = Int32(verb) == nil ? near : " Did you mean \(program) graph \(verb)?"
      throw SettingsError("Unknown verb \(verb).\(hint) \(program) --help lists the verbs.")
    }
    return verb
  }

  private func usage(_ verb: String) -> SettingsError {
    let more = verb == "path" ? " ADDRESS|TYPE" : verb == "object" ? " ADDRESS" : ""
    return SettingsError("Usage: \(program) \(verb) PID\(more) [--json FILE] [--html FILE]")
  }

  private func lastWord(_ words: [String], _ verb: String) throws -> String {
    guard words.count == 3 else { throw usage(verb) }
    return words[2]
  }

  private func process(_ word: String) throws -> Int32 {
    guard let process = Int32(word), process > 0 else {
      throw SettingsError("Process \"\(word)\": a number above 0 is accepted, as ps shows it.")
    }
    return process
  }

  /// Objects of a type that are compared: a way is found in no time, but not a million of them.
  private static let compared = 1000

  /// The block that an address lies in, or the nearest one of a type.
  private func node(_ word: String, _ examination: Examination) throws -> Int {
    let graph = examination.graph
    if word.hasPrefix("0x") {
      guard let address = UInt64(word.dropFirst(2), radix: 16) else {
        throw SettingsError("Address \"\(word)\": a hexadecimal number such as 0x55d0c0ffee00 is accepted.")
      }
      guard let node = graph.node(at: address) else {
        throw SettingsError("No living block of the heap holds \(word).")
      }
      return node
    }
    let matches = graph.types.indices.filter { graph.types[$0].name == word || graph.types[$0].shortName == word }
    let nodes = (0..<graph.count).lazy.filter { matches.contains(Int(graph.typeOf[$0])) }.prefix(Self.compared)
    // The one nearest to a root; else one that has leaked.
    func distance(_ node: Int) -> Int { examination.reach.path(to: node, in: graph)?.steps.count ?? .max }
    if let node = nodes.min(by: { distance($0) < distance($1) }) { return node }
    let known = graph.types.filter(\.isOwn).flatMap { [$0.name, $0.shortName] }
    let near = suggestion(for: word, among: known).map { " Did you mean \($0)?" } ?? ""
    throw SettingsError("There is no object of a type \"\(word)\".\(near) An address or a type's name is accepted.")
  }

  // MARK: Output

  private func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).") }
    defer { close(file) }
    guard writeAll(bytes, to: file) else {
      throw SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).")
    }
  }

  private func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  private func say(_ text: String, to file: Int32 = STDOUT_FILENO) { _ = writeAll(Array((text + "\n").utf8), to: file) }
  private func complain(_ text: String) { say("\(program): \(printable(text))", to: STDERR_FILENO) }

  private var help: String {
    let width = (Self.options.map(\.usage.count).max() ?? 0) + 2
    let rows = Self.options.map { option in
      "  " + option.usage + String(repeating: " ", count: width - option.usage.count) + option.help
    }
    return """
      Looks into a running program, finds what has leaked, and shows the retain cycles. The program runs on unharmed:
      it stands still for milliseconds. Swift's objects are told by their types and fields, all other blocks as well.

        \(program) graph PID                 a summary that fits a screen
        \(program) leaks PID                 every leak, with the chain that closes it
        \(program) cycles PID                retain cycles that are still reachable
        \(program) types PID                 how many of each type
        \(program) path PID ADDRESS|TYPE     why an object is still there: the shortest way from a root
        \(program) object PID ADDRESS        one object: type, size, counts, who refers to it
        \(program) run -- PROGRAM …          starts a program and looks at it before it ends, or when it is asked to
        \(program) check -- PROGRAM …        the same for tests: warnings with file and line, and 2 also when it fails

      \(rows.joined(separator: "\n"))

      Ends with 0 when there is no leak, 1 when there are leaks, 2 when it could not look. It needs the right to trace
      the process: the same user, or root. Known are the heaps of glibc \(GlibcVersion.known.joined(separator: ", ")).
      """
  }
}
