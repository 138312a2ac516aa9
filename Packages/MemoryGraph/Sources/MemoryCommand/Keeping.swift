import Analysis
import Glibc
import Graph
import Lifecycle
import Report
import Settings

extension MemoryCommand {
  private static let outputs = ["json", "html", "dot", "snapshot"]

  /// True if the standard output is used for one of the files (`--json -`), and so not for the report.
  func outputsToStandard(_ arguments: Arguments) -> Bool { Self.outputs.contains { arguments[$0] == "-" } }

  /// Refuses "-" where the outputs could not be separated.
  ///
  /// - Parameter owner: the program that owns the standard output, if this one does not.
  func checkOutputs(_ arguments: Arguments, owner: String? = nil) throws(SettingsError) {
    let chosen = Self.outputs.filter { arguments[$0] == "-" }
    guard let first = chosen.first else { return }
    if let owner { throw SettingsError("--\(first) -: the standard output is \(owner); a file is accepted.") }
    guard chosen.count == 1 else {
      throw SettingsError("--\(first) - and --\(chosen[1]) -: the standard output takes one of them.")
    }
    guard first != "snapshot" || isatty(STDOUT_FILENO) == 0 else {
      throw SettingsError("--snapshot -: the standard output is a terminal; a file or a pipe is accepted.")
    }
  }

  /// Writes a look into the files requested.
  func keep(_ look: Look, _ arguments: Arguments, object: Int? = nil, pathTo target: Int? = nil) throws {
    if let file = arguments["snapshot"] {
      let kept = GraphFile(
        look.examination.graph, takenAt: look.takenAt ?? SystemTime().now, method: look.method,
        stopSeconds: look.stopSeconds, seconds: look.seconds, looks: look.looks)
      try OutputFile.write(kept.bytes(), to: file)
    }
    if let file = arguments["json"] {
      try OutputFile.write(JSONReport.bytes(look, object: object, pathTo: target), to: file)
    }
    if let file = arguments["html"] { try OutputFile.write(HTMLReport.bytes(look.weighed()), to: file) }
    if let file = arguments["dot"] { try OutputFile.write(DOTReport.bytes(look), to: file) }
  }

  /// The patterns of harmless findings: the built-in ones, and those of a file.
  func known(_ path: String?) throws -> KnownPatterns {
    guard let path else { return .builtIn }
    guard let bytes = try LookTaking.bytes(of: path) else { throw SettingsError("There is no file \(path).") }
    do {
      var known = KnownPatterns.builtIn
      known.patterns += try KnownPatterns(String(decoding: bytes, as: UTF8.self)).patterns
      return known
    } catch {
      throw GraphError("\(path), \(error.message)")
    }
  }

  /// Prints the differences between two processes or snapshots, or between a snapshot and its process.
  func diff(_ arguments: Arguments, _ verb: Verb) throws -> Int32 {
    guard arguments.words.count == 3 else { throw usage(verb) }
    try checkOutputs(arguments)
    let taking = try taking(arguments)
    let report = DiffReport(
      from: try taking.take(arguments.words[1]), to: try taking.take(arguments.words[2]), style: style(arguments))
    if !outputsToStandard(arguments) { say(report.text()) }
    if let file = arguments["json"] { try OutputFile.write(report.json(), to: file) }
    return report.exitCode
  }

  func watch(_ taking: LookTaking, _ arguments: Arguments) throws -> Int32 {
    for option in ["html", "dot", "snapshot", "once", "since"] where arguments.has(option) {
      throw SettingsError("--\(option) does not go with --every; --json does.")
    }
    try checkOutputs(arguments, owner: "where new leaks are told")
    guard let process = Int32(arguments.words[1]), process > 0 else {
      throw SettingsError("--every \"\(arguments.words[1])\": a running process is accepted, by its number.")
    }
    return try Watching(
      command: self, process: LookTaking.process(of: process), taking: taking,
      interval: try Watching.seconds(arguments["every"]!), arguments: arguments
    ).run()
  }
}
