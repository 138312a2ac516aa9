import Hub
import Settings
import Terminal
import Wire

/// `eightbells health`: asks a running hub whether it is well. A container has no other program that could.
enum HealthCommand {
  static let verb = Verb(
    "health", usage: "[--hub URL] [--json]",
    options: [
      Option("hub", "URL", help: "the hub's address (http://127.0.0.1:8080); or EIGHTBELLS_HUB"), Verb.json,
    ],
    summary: """
      Asks a running hub whether it can read and write what it keeps. Ends with 0 if it can, else with 1 and the reason;
      for the health checks of containers and monitors.
      """)

  static func run(_ words: [String]) throws(CommandError) {
    let arguments = try verb.parse(words)
    let answer = try runOnLoop { loop async throws(CommandError) in
      try await RemoteHub(arguments, verb: verb, needs: nil, on: loop).ask("GET", "/healthz")
    }
    print(arguments.has("json") ? answer.text : "The hub is well.")
  }
}
