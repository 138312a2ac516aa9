import Glibc
public import Settings

/// One command of the program, such as `space open`, with its arguments and help. Wrong command lines are reported
/// here, alike for all commands.
public struct Verb: Sendable {
  /// The command's words: one, or two for a command with several verbs; none for a program with one command.
  public let name: String
  /// The program that it is a command of.
  let program: String
  /// The operands besides options, such as "FILE"; in brackets if they may be left out, such as "[TIME]".
  public let operands: [String]
  /// The options as in the usage line, such as "--data DIR [--check]".
  public let usage: String
  public let options: [Option]
  public let summary: String
  /// Terms that its options accept, explained in its help, such as roles.
  public let terms: Terms?

  /// Terms with their meanings, under a heading.
  public struct Terms: Sendable {
    public var heading: String
    public var rows: [(name: String, text: String)]

    public init(_ heading: String, _ rows: [(name: String, text: String)]) {
      self.heading = heading
      self.rows = rows
    }
  }

  public init(
    _ name: String, program: String = "eightbells", operands: [String] = [], usage: String, options: [Option],
    summary: String, terms: Terms? = nil
  ) {
    self.name = name
    self.program = program
    self.operands = operands
    self.usage = usage
    self.options = options
    self.summary = summary
    self.terms = terms
  }

  public static let data = Option("data", "DIR", help: "the hub's data folder; or EIGHTBELLS_DATA")
  /// Every command that prints data has it. What a program alone needs, such as a new secret, is JSON without it, too.
  public static let json = Option("json", help: "print JSON, for programs")

  /// The error for a wrong command line, with the right usage.
  public func misused(_ message: String) -> CommandError { Self.misused(message, [self]) }

  /// The number of an option; nil without it.
  public func number(_ option: String, in arguments: Arguments) throws(CommandError) -> Double? {
    guard let text = arguments[option] else { return nil }
    guard let number = Double(text), number.isFinite else {
      throw misused("--\(option): \"\(text.prefix(40))\"; a number is accepted.")
    }
    return number
  }

  private static func misused(_ message: String, _ verbs: [Verb]) -> CommandError {
    CommandError(usage: "\(message)\n\(usageLines(verbs))")
  }

  private static func usageLines(_ verbs: [Verb]) -> String {
    verbs.enumerated().map { index, verb in
      let line = ([verb.program, verb.name] + verb.operands + [verb.usage]).filter { !$0.isEmpty }
      return (index == 0 ? "Usage: " : "       ")
        + Layout.wrapped(line.joined(separator: " "), indent: 11, taken: 7)
    }.joined(separator: "\n")
  }

  // MARK: Command lines

  /// Parses the words after a command with one verb.
  /// - Parameter note: the end of its help.
  public func parse(_ words: [String], note: String = "") throws(CommandError) -> Arguments {
    try Self.help([self], words, summary: summary, note: note)
    return try understand(words)
  }

  /// Parses the words after a command with several verbs: the verb, and its words.
  /// - Parameter summary: the beginning of the help of all verbs.
  public static func choose(
    among verbs: [Verb], _ words: [String], summary: String
  ) throws(CommandError) -> (verb: Verb, arguments: Arguments) {
    let place = firstWord(of: words, verbs)
    let chosen = place.flatMap { place in verbs.first { $0.lastWord == words[place] } }
    try help(chosen.map { [$0] } ?? verbs, words, summary: chosen?.summary ?? summary, note: "")
    guard let place, let chosen else {
      let known = verbs.map(\.lastWord)
      let accepted = "\(list(known)) \(known.count == 1 ? "is" : "are") accepted."
      guard let place else { throw misused("What to do is missing: \(accepted)", verbs) }
      let near = suggestion(for: words[place], among: known).map { " Did you mean \($0)?" } ?? ""
      throw misused("Unknown word \"\(words[place])\": \(accepted)\(near)", verbs)
    }
    var rest = words
    rest.remove(at: place)
    return (chosen, try chosen.understand(rest))
  }

  /// The verb within its command.
  public var lastWord: String { String(name.split(separator: " ").last ?? "") }

  private static func list(_ words: [String]) -> String {
    words.count < 2 ? words.joined() : "\(words.dropLast().joined(separator: ", ")) and \(words[words.count - 1])"
  }

  /// The index of the first word that is neither an option nor an option's value.
  private static func firstWord(of words: [String], _ verbs: [Verb]) -> Int? {
    let taking = Set(verbs.flatMap(\.options).filter { $0.placeholder != nil }.map { "--\($0.name)" })
    var isValue = false
    return words.firstIndex { word in
      defer { isValue = taking.contains(word) }
      return !isValue && !word.hasPrefix("-")
    }
  }

  private func understand(_ words: [String]) throws(CommandError) -> Arguments {
    let arguments: Arguments
    do throws(SettingsError) {
      arguments = try Arguments(words, accepted: options)
    } catch {
      throw misused(error.message)
    }
    if arguments.words.count > operands.count {
      throw misused("Unexpected argument \"\(arguments.words[operands.count])\".")
    }
    let given = zip(operands, arguments.words + operands.map { _ in "" })
    if let missing = given.first(where: { $0.1.isEmpty && !$0.0.hasPrefix("[") })?.0 {
      throw misused("\(missing) is missing.")
    }
    return arguments
  }

  // MARK: Help

  /// Prints the help and ends the program if help was requested.
  private static func help(_ verbs: [Verb], _ words: [String], summary: String, note: String) throws(CommandError) {
    guard words.contains("--help") || words.contains("-h") else { return }
    var options: [Option] = []
    for option in verbs.flatMap(\.options) where !options.contains(option) { options.append(option) }
    var parts = [Layout.paragraphs(summary), usageLines(verbs)]
    if !options.isEmpty { parts.append(Layout.rows(options.map { ($0.usage, $0.help) })) }
    if verbs.count > 1 { parts.append(Layout.rows(verbs.map { ($0.lastWord, $0.summary) })) }
    if let terms = verbs.lazy.compactMap(\.terms).first { parts.append("\(terms.heading)\n\(Layout.rows(terms.rows))") }
    if !note.isEmpty { parts.append(Layout.paragraphs(note)) }
    print(parts.joined(separator: "\n\n"))
    exit(0)
  }

  // MARK: Shared options

  /// The folder that `--data` or its environment variable names.
  public func dataPath(_ arguments: Arguments) throws(CommandError) -> String {
    guard let path = arguments["data"] ?? environment()["EIGHTBELLS_DATA"] else {
      let meant = options.first { $0.name == "data" }?.help.prefix { $0 != ";" } ?? ""
      throw misused("--data is missing: \(meant).")
    }
    return path
  }
}
