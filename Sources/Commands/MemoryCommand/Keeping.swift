import Analysis
import Glibc
import Graph
import Lifecycle
import Report
import Settings

extension MemoryCommand {
  /// Writes a look into the files that were asked for.
  func keep(_ look: Look, _ arguments: Arguments) throws {
    if let file = arguments["snapshot"] {
      let kept = GraphFile(
        look.examination.graph, takenAt: look.takenAt ?? SystemTime().now, method: look.method,
        stopSeconds: look.stopSeconds, seconds: look.seconds)
      try Self.write(kept.bytes(), to: file)
    }
    if let file = arguments["json"] { try Self.write(JSONReport.bytes(look), to: file) }
    if let file = arguments["html"] { try Self.write(HTMLReport.bytes(look.weighed()), to: file) }
    if let file = arguments["dot"] { try Self.write(DOTReport.bytes(look), to: file) }
  }

  /// What is harmless: what is known here, and what a file adds.
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

  /// What has changed between two processes or snapshots, or from a snapshot to the process itself.
  func diff(_ arguments: Arguments, _ verb: Verb) throws -> Int32 {
    guard arguments.words.count == 3 else { throw usage(verb) }
    for option in ["html", "dot", "snapshot", "every", "exec"] where arguments.has(option) {
      throw SettingsError("--\(option) does not go with diff; --json does.")
    }
    let taking = try taking(arguments)
    let report = DiffReport(
      from: try taking.take(arguments.words[1]), to: try taking.take(arguments.words[2]), style: style(arguments))
    if let file = arguments["json"] { try Self.write(report.json(), to: file) }
    say(report.text())
    return report.hasNewLeaks ? 1 : 0
  }

  func watch(_ verb: String, _ taking: LookTaking, _ arguments: Arguments) throws -> Int32 {
    guard verb == "leaks" || verb == "graph" else { throw SettingsError("--every goes with leaks and graph.") }
    for option in ["html", "dot", "snapshot", "once"] where arguments.has(option) {
      throw SettingsError("--\(option) does not go with --every; --json does.")
    }
    guard let process = Int32(arguments.words[1]), process > 0 else {
      throw SettingsError("--every \"\(arguments.words[1])\": a running process is accepted, by its number.")
    }
    let watching = Watching(
      process: process, taking: taking, interval: try Watching.seconds(arguments["every"]!), json: arguments["json"],
      command: arguments["exec"], time: SystemTime(), style: style(arguments), program: program,
      say: { say($0) }, complain: complain)
    return try watching.run()
  }
}
