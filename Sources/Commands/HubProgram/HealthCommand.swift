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

  /// The address of a hub that was started with the variables and the configuration that are here. Nothing else is
  /// checked: a mistake that was made since is for the hub's next start, and it may be well until then.
  private static func addressHere(_ arguments: Arguments, _ rooms: RoomList) throws(CommandError) -> String {
    let text = try DataFolder.configurationText(in: ServeSettings.dataPath(arguments, rooms, isDemo: false))
    let file = text.map { addressLines(of: $0) }
    let values: Settings
    do throws(SettingsError) {
      values = try ServeSettings.values(rooms, arguments, file: file)
    } catch {
      throw CommandError(error.message)
    }
    // One without the other is such a mistake.
    let isSecure = !values["certificate"].isEmpty && !values["key"].isEmpty
    do throws(ListenError) {
      let address = try ListenAddress(values["listen"])
      return "\(isSecure ? "https" : "http")://\(address.authority(port: address.port))"
    } catch {
      throw CommandError(error.message)
    }
  }

  /// The lines of a configuration that say where its hub listens.
  private static func addressLines(of text: String) -> String {
    // By scalars, since a carriage return and a line feed together are one Character.
    let lines = text.unicodeScalars.split(separator: "\n").map { String($0) }
    let wanted = lines.filter { line in
      let name = String(line.prefix { $0 != "=" }).filter { !$0.isWhitespace && $0 != "\u{FEFF}" }
      return ["listen", "certificate", "key"].contains(name)
    }
    return wanted.joined(separator: "\n")
  }
}
