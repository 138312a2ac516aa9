import Analysis
import CLinux
import Capture
import Glibc
import Graph
import Lifecycle
import Report
import Settings

/// The memory graph's verbs, the same for `memorygraph` and `eightbells memory`.
public struct MemoryCommand {
  /// The command's name: "memorygraph", "eightbells memory".
  let program: String

  private static let options = [
    Option("json", "FILE", help: "also writes everything as JSON"),
    Option("html", "FILE", help: "also draws the findings: one page by itself"),
    Option("dot", "FILE", help: "also draws the findings for Graphviz"),
    Option("snapshot", "FILE", help: "also keeps all that was seen, to be looked at later"),
    Option("known", "FILE", help: "what else is known to be harmless, a line for each"),
    Option("since", "SNAPSHOT", help: "leaks: only what this earlier look did not find"),
    Option("by-counts", help: "counts say what words on stacks hold"),
    Option("once", help: "no second look: what is on its way may be told as a leak"),
    Option("every", "TIME", help: "leaks, graph: looks every 30s, say; tells what is new"),
    Option("exec", "COMMAND", help: "with --every: is run for what is new, with its JSON"),
    Option("stopped", help: "copies while the process stands still"),
    Option("no-colour", help: "plain text; so does NO_COLOR in the environment"),
    Option("stacks", help: "run: records which calls allocate, as check always does"),
    Option("at-signal", "SIGNAL", help: "run, check: looks when one gets it, such as SIGUSR2"),
    Option("at-line", "REGEX", help: "run, check: looks at a line that it writes (grep -E)"),
  ]

  /// This program's name and arguments, byte by byte: file names need not be UTF-8.
  static var arguments: [[CChar]] {
    var found: [[CChar]] = []
    var word = clinux_arguments()!
    while let bytes = word.pointee {
      found.append(Array(UnsafeBufferPointer(start: bytes, count: strlen(bytes) + 1)))
      word += 1
    }
    return found
  }

  /// Runs the verb in the arguments and returns the exit status: 0 no leaks, 1 leaks, 2 failure.
  public static func run() -> Int32 {
    let words = arguments.map { $0.withUnsafeBufferPointer { String(cString: $0.baseAddress!) } }
    // The hub's command becomes this program, whose messages then use its name.
    let command = MemoryCommand(program: words.first == "eightbells memory" ? "eightbells memory" : "memorygraph")
    do {
      return try command.look(Array(words.dropFirst()))
    } catch {
      command.complain(message(error))
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
    // Words after "--" belong to another program.
    let own = words.prefix { $0 != "--" }
    if words.isEmpty || own.contains("--help") || own.contains("-h") || words.first == "help" {
      let verb = Verb.all.first { own.prefix(2).contains($0.name) }
      say(
        verb?.text(program, Self.options) ?? Verb.text(program, Self.options),
        to: words.isEmpty ? STDERR_FILENO : STDOUT_FILENO)
      return words.isEmpty ? 2 : 0
    }
    if own == ["--version"] || own == ["version"] {
      say("\(program) \(productVersion)")
      return 0
    }
    let arguments = try Arguments(words, accepted: Self.options)
    let verb = try verb(arguments.words)
    try verb.check(arguments)
    if verb.isProgram { return try follow(arguments, Array(words.dropFirst(own.count + 1)), verb) }
    if verb.name == "diff" { return try diff(arguments, verb) }
    let hasPlace = verb.name == "path" || verb.name == "object"
    guard arguments.words.count == (hasPlace ? 3 : 2) else { throw usage(verb) }
    let place = hasPlace ? arguments.words[2] : nil
    try checkOutputs(arguments)
    let taking = try taking(arguments)
    if arguments.has("every") { return try watch(taking, arguments) }
    guard !arguments.has("exec") else { throw SettingsError("--exec needs --every, such as --every 30s.") }
    var look = try taking.take(arguments.words[1]) { examination in
      // A word that is not an object is reported later, when the look exists.
      place.flatMap { try? node($0, examination) }.map { [$0] } ?? []
    }
    if let earlier = arguments["since"] { look = try taking.new(in: look, since: earlier) }
    if ["graph", "cycles", "types", "object"].contains(verb.name) { look = look.weighed() }
    let chosen = try place.map { try node($0, look.examination) }
    // A file that cannot be written keeps nobody from what was found: the process need not be looked at again.
    let kept = Result {
      try keep(
        look, arguments, object: verb.name == "object" ? chosen : nil, pathTo: verb.name == "path" ? chosen : nil)
    }
    if !outputsToStandard(arguments) {
      let report = TerminalReport(look, style: style(arguments), program: program)
      switch verb.name {
      case "leaks": say(report.leaks())
      case "cycles": say(report.cycles())
      case "types": say(report.types())
      case "path": say(report.path(to: chosen!))
      case "object": say(report.object(chosen!))
      default: say(report.summary())
      }
    }
    try kept.get()
    return look.exitCode
  }

  func taking(_ arguments: Arguments) throws -> LookTaking {
    LookTaking(
      mayTwin: !arguments.has("stopped"), isConfirmed: !arguments.has("once"), known: try known(arguments["known"]),
      isByCounts: arguments.has("by-counts"), readsValues: arguments.has("html") || arguments.has("snapshot"))
  }

  func style(_ arguments: Arguments, for file: Int32 = STDOUT_FILENO) -> Style {
    // Fails without a terminal, and gives 0 columns when the terminal does not know them.
    var window = winsize()
    let isTerminal = ioctl(file, UInt(TIOCGWINSZ), &window) == 0
    return Style(
      hasColour: isTerminal && getenv("NO_COLOR") == nil && !arguments.has("no-colour"), width: Int(window.ws_col))
  }

  // MARK: Words

  private func verb(_ words: [String]) throws -> Verb {
    guard let verb = words.first else { throw SettingsError("Usage: \(program) VERB PID; --help lists the verbs.") }
    guard let known = Verb.all.first(where: { $0.name == verb }) else {
      let near = suggestion(for: verb, among: Verb.all.map(\.name)).map { " Did you mean \($0)?" } ?? ""
      let hint = Int32(verb) == nil ? near : " Did you mean \(program) graph \(verb)?"
      throw SettingsError("Unknown verb \(verb).\(hint) \(program) --help lists the verbs.")
    }
    return known
  }

  func usage(_ verb: Verb) -> SettingsError {
    SettingsError("Usage: \(program) \(verb.usage); \(program) \(verb.name) --help says more.")
  }

  /// The most objects of a type that are compared: finding a path is quick, but not for a million.
  private static let compared = 1000
  private static let listed = 8

  /// The block at an address, or the nearest one of a type.
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
    let types = graph.types(named: word)
    guard types.count < 2 else {
      let list = types.prefix(Self.listed).map { "\($0.name) (\($0.count))" }.joined(separator: ", ")
      let rest = types.count > Self.listed ? " and \(types.count - Self.listed) more" : ""
      throw SettingsError("\"\(word)\" may be \(list)\(rest): the name of one of them, or an address, is accepted.")
    }
    let matches = Set(graph.types.indices.filter { graph.types[$0].name == types.first?.name })
    let nodes = (0..<graph.count).lazy.filter { matches.contains(Int(graph.typeOf[$0])) }.prefix(Self.compared)
    // The one reached most surely, and nearest to a root; else one that has leaked.
    func distance(_ node: Int) -> (Int, Int) { examination.reach.distance(to: node, in: graph) }
    if let node = nodes.min(by: { distance($0) < distance($1) }) { return node }
    let known = graph.types.filter(\.isOwn).flatMap { [$0.name, $0.shortName] }
    let near = suggestion(for: word, among: known).map { " Did you mean \($0)?" } ?? ""
    // A program whose types are not known has none that could be found.
    let why = graph.remarks.filter { $0.contains("types") }.map { " \($0)" }.joined()
    throw SettingsError(
      "There is no object of a type \"\(word)\".\(near) An address or a type's name is accepted.\(why)")
  }

  // MARK: Output

  func say(_ text: String, to file: Int32 = STDOUT_FILENO) { _ = OutputFile.all(Array((text + "\n").utf8), to: file) }
  func complain(_ text: String) { say("\(program): \(printable(text))", to: STDERR_FILENO) }
}
