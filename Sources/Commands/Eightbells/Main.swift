import Glibc
import Observe
import Settings

/// The one program: `eightbells serve` and the commands beside it.
@main
struct Main {
  static let version = productVersion

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    var arguments = Array(CommandLine.arguments.dropFirst())
    // `help serve` is `serve --help`.
    if arguments.first == "help", arguments.count > 1, !arguments[1].hasPrefix("-") {
      arguments = arguments.dropFirst() + ["--help"]
    }
    do throws(CommandError) {
      switch arguments.first {
      case "serve": try ServeCommand.run(Array(arguments.dropFirst()))
      case "token": try TokenCommand.run(Array(arguments.dropFirst()))
      case "link": try LinkCommand.run(Array(arguments.dropFirst()))
      case "doctor": try DoctorCommand.run(Array(arguments.dropFirst()))
      case "space": try SpaceCommand.run(Array(arguments.dropFirst()))
      case "store": try StoreCommand.run(Array(arguments.dropFirst()))
      case "backup": try BackupCommand.backUp(Array(arguments.dropFirst()))
      case "restore": try BackupCommand.restore(Array(arguments.dropFirst()))
      case "memory": try MemoryGraphCommand.run()
      case "--version", "version":
        try alone(arguments, summary: "Says which version this is.")
        print("eightbells \(version)")
      case "--help", "-h", "help":
        try alone(
          arguments, usage: arguments.first == "help" ? "[COMMAND]" : "",
          summary: "Lists the commands; with the name of one, says more of it.")
        print(help)
      case nil:
        printError(help)
        exit(2)
      case .some(let name):
        let near = suggestion(for: name, among: names)
        let question = near.map { " Did you mean \($0)?" } ?? ""
        throw CommandError(usage: "Unknown command \(name).\(question) eightbells --help lists the commands.")
      }
    } catch {
      printError("eightbells: \(error.message)")
      exit(error.exitCode)
    }
  }

  /// Understands a command that nothing stands behind.
  private static func alone(_ arguments: [String], usage: String = "", summary: String) throws(CommandError) {
    _ = try Verb(arguments[0], usage: usage, options: [], summary: summary).parse(Array(arguments.dropFirst()))
  }

  private static let names = [
    "serve", "doctor", "link", "token", "space", "store", "backup", "restore", "memory", "help", "version",
  ]

  private static let help = """
    Eightbells keeps the watch while your phone sleeps.

      eightbells serve [--data DIR] [--listen HOST:PORT] [--demo]
          runs the hub
      eightbells doctor [--data DIR]
          says what is wrong with a set-up, and how to mend it
      eightbells link --data DIR --role ROLE [--name NAME]
          makes a one-time link that signs somebody in, also while the hub runs
      eightbells token create --data DIR --name NAME --role ROLE
          makes a token and prints it, also while the hub runs
      eightbells space status|open|close [--hub URL] [--token TOKEN]
          reads and turns the sign
      eightbells store verify|migrate --data DIR
          checks every row and every blob; brings the tables up to date
      eightbells backup FILE --data DIR
          writes all that the hub keeps into one file, also while it runs
      eightbells restore FILE --data DIR
          puts a backup into a new or empty folder
      eightbells --version

    For developers: eightbells memory finds leaks in running Swift programs.

    Each command says more with --help, and so does eightbells help COMMAND.
    """
}

/// What a command could not do, and how it ends: 1 when something failed, 2 when it was called wrongly.
struct CommandError: Error {
  var message: String
  var exitCode: Int32

  init(_ message: String) {
    self.message = message
    exitCode = 1
  }
  init(usage message: String) {
    self.message = message
    exitCode = 2
  }
}

func printError(_ text: String) {
  Log.standardError(Layout.plainLines(text) + "\n")
}

/// The process's variables.
func environment() -> [String: String] {
  var found: [String: String] = [:]
  var entry = environ
  while let variable = entry.pointee {
    let parts = String(cString: variable).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 { found[String(parts[0])] = String(parts[1]) }
    entry += 1
  }
  return found
}
