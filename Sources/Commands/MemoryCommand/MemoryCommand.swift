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
    Option("dot", "FILE", help: "also draws the findings for Graphviz"),
    Option("snapshot", "FILE", help: "also keeps all that was seen; every verb takes it instead of a PID"),
    Option("known", "FILE", help: "what else is known to be harmless, a line for each"),
    Option("once", help: "does not look again: what is on its way just now may be told as a leak"),
    Option("every", "TIME", help: "leaks and graph: looks again and again, such as every 30s, and tells what is new"),
    Option("exec", "COMMAND", help: "with --every: is run for each new leak, which it gets as JSON on its input"),
    Option("stopped", help: "copies while the process stands still, instead of a copy-on-write twin"),
    Option("no-colour", help: "plain text; so does NO_COLOR in the environment"),
    Option("stacks", help: "run: each block knows the calls that allocated it"),
    Option("at-signal", "SIGNAL", help: "run, check: looks when the program, or this one, gets it, such as SIGUSR2"),
    Option("at-line", "REGEX", help: "run, check: looks when the program writes a line that matches, as in grep -E"),
  ]
  private static let verbs = [
    "graph", "leaks", "cycles", "types", "path", "object", "diff", "run", "check", "help",
  ]

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
    for option in ["stacks", "at-signal", "at-line"] where arguments.has(option) {
      throw SettingsError("--\(option) goes with run\(option == "stacks" ? "" : " and check").")
    }
    if verb == "diff" { return try diff(arguments) }
    let place = verb == "path" || verb == "object" ? try lastWord(arguments.words, verb) : nil
    guard arguments.words.count == (place == nil ? 2 : 3) else { throw usage(verb) }
    let taking = try taking(arguments)
    if arguments.has("every") { return try watch(verb, taking, arguments) }
    guard !arguments.has("exec") else { throw SettingsError("--exec needs --every, such as --every 30s.") }
    var look = try taking.take(arguments.words[1]) { examination in
      // What is no object is told when the look is there.
      place.flatMap { try? node($0, examination) }.map { [$0] } ?? []
    }
    if ["graph", "cycles", "types", "object"].contains(verb) { look = look.weighed() }
    try keep(look, arguments)
    let chosen = try place.map { try node($0, look.examination) }
    let report = TerminalReport(look, style: style(arguments), program: program)
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

  func taking(_ arguments: Arguments) throws -> LookTaking {
    LookTaking(
      mayTwin: !arguments.has("stopped"), isConfirmed: !arguments.has("once"), known: try known(arguments["known"]))
  }

  func style(_ arguments: Arguments, for file: Int32 = STDOUT_FILENO) -> Style {
    Style(hasColour: isatty(file) == 1 && getenv("NO_COLOR") == nil && !arguments.has("no-colour"))
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
    return SettingsError("Usage: \(program) \(verb) PID|SNAPSHOT\(more) [--json FILE] [--html FILE]")
  }

  private func lastWord(_ words: [String], _ verb: String) throws -> String {
    guard words.count == 3 else { throw usage(verb) }
    return words[2]
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

  static func write(_ bytes: [UInt8], to path: String) throws {
    let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).") }
    defer { close(file) }
    guard writeAll(bytes, to: file) else {
      throw SettingsError("Cannot write \(path): \(String(cString: strerror(errno))).")
    }
  }

  private static func writeAll(_ bytes: [UInt8], to file: Int32) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { Glibc.write(file, $0.baseAddress! + done, bytes.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN {
        var ready = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
        poll(&ready, 1, -1)
        continue
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }

  func say(_ text: String, to file: Int32 = STDOUT_FILENO) { _ = Self.writeAll(Array((text + "\n").utf8), to: file) }
  func complain(_ text: String) { say("\(program): \(printable(text))", to: STDERR_FILENO) }

  private var help: String {
    let width = (Self.options.map(\.usage.count).max() ?? 0) + 2
    let rows = Self.options.map { option in
      "  " + option.usage + String(repeating: " ", count: width - option.usage.count) + option.help
    }
    return """
      Looks into a running program, finds what has leaked, and shows the retain cycles. The program runs on unharmed:
      it stands still for milliseconds. Swift's objects are told by their types and fields, all other blocks as well.

        \(program) graph PID|SNAPSHOT        a summary that fits a screen
        \(program) leaks …                   every leak, with the chain that closes it
        \(program) cycles …                  retain cycles that are still reachable
        \(program) types …                   how many of each type
        \(program) path … ADDRESS|TYPE       why an object is still there: the shortest way from a root
        \(program) object … ADDRESS          one object: type, size, counts, who refers to it
        \(program) diff … …                  what has changed from one look to another
        \(program) run -- PROGRAM …          starts a program and looks at it before it ends, or when it is asked to
        \(program) check -- PROGRAM …        the same for tests: warnings with file and line, and 2 also when it fails

      \(rows.joined(separator: "\n"))

      Ends with 0 when there is no leak, 1 when there are leaks, 2 when it could not look. It needs the right to trace
      the process: the same user, or root. Known are the heaps of \(GlibcVersion.knownText).
      """
  }
}
