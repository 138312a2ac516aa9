import Capture
import Settings

/// A verb with its arguments and purpose, for the help, which has 80 columns.
struct Verb {
  let name: String
  let takes: String
  let help: String
  /// Its options besides the common ones.
  var options: [String] = []

  private static let look = ["html", "dot", "snapshot"]
  private static let start = look + ["stacks", "at-signal", "at-line"]
  private static let common = ["json", "known", "by-counts", "once", "stopped", "no-colour"]

  static let all = [
    Verb(
      name: "graph", takes: "PID|SNAPSHOT", help: "a summary that fits a screen", options: look + ["every", "exec"]),
    Verb(
      name: "leaks", takes: "PID|SNAPSHOT", help: "every leak, with the chain that closes it",
      options: look + ["since", "every", "exec"]),
    Verb(name: "cycles", takes: "PID|SNAPSHOT", help: "retain cycles that are still reachable", options: look),
    Verb(name: "types", takes: "PID|SNAPSHOT", help: "how many of each type", options: look),
    Verb(
      name: "path", takes: "PID|SNAPSHOT ADDRESS|TYPE", help: "why an object is there: the way from a root",
      options: look),
    Verb(
      name: "object", takes: "PID|SNAPSHOT ADDRESS|TYPE", help: "one object, and who refers to it", options: look),
    Verb(name: "diff", takes: "PID|SNAPSHOT PID|SNAPSHOT", help: "what has changed from one look to another"),
    Verb(name: "run", takes: "-- PROGRAM …", help: "starts a program, looks at its end", options: start),
    Verb(
      name: "check", takes: "-- PROGRAM …", help: "for tests: warnings with file and line",
      options: start),
  ]

  /// Refuses options of other verbs.
  func check(_ arguments: Arguments) throws(SettingsError) {
    for option in arguments.options.keys.sorted() where !(options + Self.common).contains(option) {
      let others = Self.all.filter { $0.options.contains(option) }.map(\.name)
      let first = others.dropLast().joined(separator: ", ")
      throw SettingsError(
        "--\(option) does not go with \(name), but with \(first)\(first.isEmpty ? "" : " and ")\(others.last!).")
    }
  }

  /// True if it starts a program, whose words come after "--".
  var isProgram: Bool { takes.hasPrefix("--") }

  var usage: String {
    isProgram ? "\(name) [OPTIONS] -- PROGRAM [ARGUMENTS]" : "\(name) \(takes) [OPTIONS]"
  }

  /// The verb's own help.
  func text(_ program: String, _ known: [Option]) -> String {
    let own = known.filter { (options + Self.common).contains($0.name) }
    return "Usage: \(program) \(usage)\n\n" + help.prefix(1).uppercased() + help.dropFirst() + ".\n\n"
      + rows(own.map { ($0.usage, $0.help) })
  }

  static func text(_ program: String, _ known: [Option]) -> String {
    """
    Looks into a running program, finds what has leaked, and shows the retain
    cycles. The program runs on unharmed: it stands still for milliseconds; under a
    filter of system calls, as in most containers, for as long as its memory is
    copied. Swift's objects are told by their types and fields, those of C++ with
    virtual functions by their types, all other blocks by their sizes.

      \(program) graph PID          looks at a process
      \(program) VERB --help        says more of a verb
      \(program) --version

    \(rows(all.map { ("\($0.name) \($0.takes)", $0.help) }))

    \(rows(known.map { ($0.usage, $0.help) }))

    In the place of a SNAPSHOT a core file is taken, too: gcore's, the kernel's, or
    that of lldb's process save-core.
    FILE may be -, the standard output, which gets no report then. Ends with 0 when
    there is no leak, 1 when there are leaks, 2 when it could not look, or found no
    leaks in what could be read of a damaged heap. It needs the right to trace the
    process: the same user, or root. Known are the heaps of
    \(GlibcVersion.knownText).
    """
  }
}

/// Two aligned columns.
private func rows(_ rows: [(String, String)]) -> String {
  let width = (rows.map(\.0.count).max() ?? 0) + 2
  return rows.map { "  " + $0 + String(repeating: " ", count: width - $0.count) + $1 }.joined(separator: "\n")
}
