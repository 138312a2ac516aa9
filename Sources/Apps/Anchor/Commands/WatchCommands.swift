import Device
import Hub
import Settings
import Terminal
import Wire

/// `eightbells anchor drop|arm|set|move|acknowledge|weigh|status`: the watch from the command line, over the hub's API.
enum WatchCommands {
  private static let place = [
    Option("at", "LAT,LON", help: "the anchor's place in degrees (where the boat is now)"),
    Option("bearing", "DEGREES", help: "with --distance: the anchor as it is seen from the boat, degrees true"),
    Option("distance", "M", help: "metres from the boat to the anchor"),
  ]
  private static let settings = [
    Option("radius", "M", help: "metres around the anchor in which the boat may lie, 5 to 5000"),
    Option("warning", "SHARE", help: "the share of the way to the edge at which it warns, 0.1 to 1, such as 0.8"),
    Option("settings", "JSON", help: "any of the settings, as the API has them"),
  ]
  private static let json = Option("json", help: "print the watch as JSON")
  private static let unarmed = Option("no-arm", help: "notes the anchor, and does not watch yet")

  private static let agent = Option(
    "agent", "DIR", help: "the state folder of the agent on this machine, which watches by itself")

  private static func verb(_ name: String, _ options: [Option], _ summary: String) -> Verb {
    let usage = (options + [json]).map { "[\($0.usage)]" }.joined(separator: " ")
    return Verb(
      "anchor \(name)", usage: "(--agent DIR | [--hub URL] --token TOKEN) \(usage)",
      options: [Verb.hub, Verb.token, agent] + options + [json], summary: summary)
  }

  private static let drop = verb("drop", place + settings + [unarmed], "Notes where the anchor lies, and watches it.")
  private static let arm = verb("arm", [], "Begins the watch over an anchor that is down.")
  private static let acknowledge = verb("acknowledge", [], "Silences the alarm that rings; the watch goes on.")
  private static let set = verb("set", settings, "Changes the settings of the watch.")
  private static let move = verb("move", place, "Moves the anchor's place; the watch goes on.")
  private static let weigh = verb("weigh", [], "Ends the watch: the anchor is up.")
  private static let status = verb("status", [], "Says how the boat lies, and who watches.")

  static let all = [
    command(drop) { hub, arguments async throws(CommandError) in
      var wish = try spot(drop, arguments) + [.init("arm", .bool(!arguments.has("no-arm")))]
      let changes = try changes(drop, arguments)
      if !changes.isEmpty { wish.append(.init("settings", .object(changes))) }
      return try await hub.ask("POST", "\(path)/drop", .object(wish))
    },
    command(arm) { hub, _ async throws(CommandError) in try await hub.ask("POST", "\(path)/arm", [:]) },
    command(acknowledge) { hub, _ async throws(CommandError) in
      try await hub.ask("POST", "\(path)/acknowledge", [:])
    },
    command(set) { hub, arguments async throws(CommandError) in
      try await hub.ask("PATCH", path, .object(try changes(set, arguments)))
    },
    command(move) { hub, arguments async throws(CommandError) in
      let place = try spot(move, arguments)
      let (watch, now) = try await hub.look(path)
      guard watch["settings"]?.members != nil else { throw CommandError("No anchor is down: anchor drop drops it.") }
      return try await hub.ask("PATCH", path, ["anchor": try anchor(place, watch["fix"], now: now)])
    },
    command(weigh) { hub, _ async throws(CommandError) in
      try await hub.ask("POST", "\(path)/weigh", ["sure": true])
    },
    command(status) { hub, _ async throws(CommandError) in try await hub.ask("GET", path) },
  ]

  private static let path = "/api/v1/anchor"

  /// A command that asks a hub, or orders the agent of this machine.
  private static func command(
    _ verb: Verb, _ ask: @escaping @Sendable (RemoteHub, Arguments) async throws(CommandError) -> JSON
  ) -> RoomCommand {
    RoomCommand(alone: verb) { loop, arguments async throws(CommandError) in
      let changes = try changes(verb, arguments)
      if verb.name == set.name, changes.isEmpty {
        throw verb.misused("nothing to set: --radius, --warning or --settings is needed.")
      }
      guard let folder = arguments["agent"] else {
        let hub = try RemoteHub(arguments, verb: verb, needs: "a member's token keeps the watch", on: loop)
        return tell(try await ask(hub, arguments), arguments)
      }
      if arguments.has("hub") || arguments.has("token") {
        throw verb.misused("--agent asks the agent on this machine, --hub and --token a hub: one of them is accepted.")
      }
      if verb.name == arm.name || arguments.has("no-arm") {
        throw verb.misused("an agent's watch begins when the anchor is dropped; --hub and --token are accepted here.")
      }
      var order = [JSON.Member("do", .string(verb.name.split(separator: " ").last.map(String.init) ?? ""))]
      order += try spot(verb, arguments)
      if !changes.isEmpty { order.append(.init("settings", .object(changes))) }
      do throws(DeviceError) {
        tell(try LocalOrders.give(.object(order), toAgentIn: folder), arguments)
      } catch {
        throw CommandError(error.message)
      }
    }
  }
}
