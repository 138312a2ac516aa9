import Hub
import Server
import Settings
import Terminal
import Wire

/// `eightbells health`: asks a running hub whether it is well. A container has no other program that could.
enum HealthCommand {
  static let verb = Verb(
    "health", usage: "[--hub URL] [--json]",
    options: [
      Option("hub", "URL", help: "the hub's address; or EIGHTBELLS_HUB; or where a hub listens with the settings here"),
      Verb.json,
    ],
    summary: """
      Asks a running hub whether it can read and write what it keeps. Ends with 0 if it can, else with 1 and the reason;
      for the health checks of containers and monitors. Without an address it asks the hub that eightbells serve would
      run here, by the same variables and file.
      """)

  static func run(_ words: [String], _ rooms: RoomList) throws(CommandError) {
    let arguments = try verb.parse(words)
    let isNamed = arguments.has("hub") || environment()["EIGHTBELLS_HUB"] != nil
    let here = isNamed ? nil : try addressHere(arguments, rooms)
    let answer = try runOnLoop { loop async throws(CommandError) in
      let hub =
        if let here { RemoteHub(ofThisMachine: here, on: loop) } else {
          try RemoteHub(arguments, verb: verb, needs: nil, on: loop)
        }
      return try await hub.ask("GET", "/healthz")
    }
    print(arguments.has("json") ? answer.text : "The hub is well.")
  }

  /// The address of a hub that was started with the variables and the configuration that are here.
  private static func addressHere(_ arguments: Arguments, _ rooms: RoomList) throws(CommandError) -> String {
    let text = try DataFolder.configurationText(in: ServeSettings.dataPath(arguments, rooms, isDemo: false))
    do throws(SettingsError) {
      let values = try Settings(ServeSettings.all(rooms), arguments: arguments, environment: environment(), file: text)
      let plan = try ServePlan(values, rooms)
      return plan.url(port: plan.address.port)
    } catch {
      throw CommandError(usage: error.message)
    }
  }
}
