import Agent
import Crypto
import Glibc
public import Hub
import Settings
package import Terminal
import Wire

/// `eightbells serve` and the commands beside it, composed of a list of rooms.
public struct Program: Sendable {
  let rooms: RoomList

  public init(rooms: RoomList) { self.rooms = rooms }

  /// The hub's own commands that have options; those of rooms are in their plans.
  package var verbs: [Verb] {
    [DoctorCommand(rooms: rooms).verb, HealthCommand.verb, LinkCommand(rooms: rooms).verb, BackupCommand.backup(rooms)]
      + [BackupCommand.restoration] + TokenCommand(rooms: rooms).verbs + PeopleCommand.verbs + StoreCommand.verbs
      + AgentCommand.verbs(program: Self.name, name: Self.agent) + [Self.version("version")]
  }

  private static let name = "eightbells"
  private static let agent = "agent"

  private static func version(_ word: String) -> Verb {
    Verb(word, usage: "[--json]", options: [Verb.json], summary: "Says which version this is.")
  }

  /// Runs the command in the arguments; on failure, ends the process.
  public func run() {
    signal(SIGPIPE, SIG_IGN)
    OpenSSL.staysToTheEnd()
    var arguments = Array(CommandLine.arguments.dropFirst())
    // `help serve` is the same as `serve --help`.
    if arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-") {
      arguments = arguments.dropFirst() + ["--help"]
    }
    do throws(CommandError) {
      try run(arguments)
      // A token is printed once: a script must not go on without it.
      try flushOutput()
    } catch {
      printError("eightbells: \(error.message)")
      exit(error.exitCode)
    }
  }

  private func run(_ arguments: [String]) throws(CommandError) {
    let words = Array(arguments.dropFirst())
    switch arguments.first {
    case "serve": try ServeCommand(rooms: rooms).run(words)
    case "people": try PeopleCommand(rooms: rooms).run(words)
    case "token": try TokenCommand(rooms: rooms).run(words)
    case "link": try LinkCommand(rooms: rooms).run(words)
    case "doctor": try DoctorCommand(rooms: rooms).run(words)
    case "health": try HealthCommand.run(words, rooms)
    case "store": try StoreCommand(rooms: rooms).run(words)
    case "backup": try BackupCommand.backUp(words, rooms)
    case "restore": try BackupCommand.restore(words, rooms)
    case Self.agent: try AgentCommand.run(words, program: Self.name, name: Self.agent)
    case "memory": try MemoryGraphCommand.run()
    case "--version", "version":
      let isJSON = try Self.version(arguments[0]).parse(words).has("json")
      print(isJSON ? (["version": .string(productVersion)] as JSON).text : "\(Self.name) \(productVersion)")
    case "--help", "-h", "help":
      try alone(
        arguments, usage: arguments.first == "help" ? "[COMMAND]" : "",
        summary: "Lists the commands; with the name of one, says more of it.")
      print(HelpPage.text(rooms))
    case nil:
      printError(HelpPage.text(rooms))
      exit(2)
    case .some(let name):
      if let plan = rooms.plans.first(where: { $0.commandWords.contains(name) && !$0.commands.isEmpty }) {
        return try RoomCommands(rooms: rooms).run(plan, name, words)
      }
      let near = suggestion(for: name, among: HelpPage.names + rooms.commandWords)
      let question = near.map { " Did you mean \($0)?" } ?? ""
      throw CommandError(usage: "Unknown command \(name).\(question) eightbells --help lists the commands.")
    }
  }

  /// Checks that a command has no arguments.
  private func alone(_ arguments: [String], usage: String, summary: String) throws(CommandError) {
    _ = try Verb(arguments[0], usage: usage, options: [], summary: summary).parse(Array(arguments.dropFirst()))
  }
}
