import CLinux
import Capture
import Glibc
import Graph
import Report
import Settings

extension MemoryCommand {
  // MARK: A program from its start

  /// Runs `run` and `check`. The outputs belong to the program: the tool's own text goes to standard error.
  func follow(_ arguments: Arguments, _ words: [String], _ verb: Verb) throws -> Int32 {
    guard !words.isEmpty, arguments.words.count == words.count + 1 else {
      throw usage(verb)
    }
    if words[0].split(separator: "/").last == "swift", words.dropFirst().first == "test" {
      throw SettingsError(
        "swift test runs the tests in a process of its own, which is not looked at; accepted is their program, as in "
          + "\(program) \(verb.name) -- .build/debug/AppPackageTests.xctest --testing-library swift-testing.")
    }
    for option in ["every", "exec", "since"] where arguments.has(option) {
      throw SettingsError("--\(option) does not go with \(verb.name).")
    }
    try checkOutputs(arguments, owner: "the program's")
    let taking = try taking(arguments)
    var warned: Set<String> = []
    var run = try ProgramRun(
      Self.lastArguments(words.count), name: words[0], arguments, isCheck: verb.name == "check",
      take: { try taking.take($0, asking: $1) },
      report: { look, moment in
        say("\(program): at \(printable(moment))", to: STDERR_FILENO)
        let report = TerminalReport(look, style: style(arguments, for: STDERR_FILENO), program: program)
        if verb.name == "check" {
          let new = report.warnings().filter { warned.insert($0).inserted }
          say((new + [report.verdict()]).joined(separator: "\n"), to: STDERR_FILENO)
        } else {
          say(report.leaks(), to: STDERR_FILENO)
        }
        try keep(look, arguments)
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
    // A failing test has not passed, whatever it leaks.
    return code == 0 && verb.name == "check" && hasFailed ? 2 : code
  }

  /// The arguments after "--", byte by byte: file names need not be UTF-8.
  private static func lastArguments(_ count: Int) -> [[CChar]] {
    var found: [[CChar]] = []
    var word = clinux_arguments()!
    while let bytes = word.pointee {
      found.append(Array(UnsafeBufferPointer(start: bytes, count: strlen(bytes) + 1)))
      word += 1
    }
    return found.suffix(count)
  }
}
