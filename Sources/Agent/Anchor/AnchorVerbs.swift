import Device
import Settings
import Terminal
import Wire

/// `eightbells-agent anchor drop|set|move|weigh|acknowledge|status`: orders to the agent that runs on this machine.
enum AnchorVerbs {
  static let word = "anchor"

  private static let place = [
    Option("at", "LAT,LON", help: "the anchor's place in degrees (where the boat is now)"),
    Option("bearing", "DEGREES", help: "with --distance: the anchor as it is seen from the boat, degrees true"),
    Option("distance", "M", help: "metres from the boat to the anchor"),
  ]
  private static let settings = [
    Option("radius", "M", help: "metres around the anchor in which the boat may lie (offered by the swing)"),
    Option("warning", "SHARE", help: "the share of the way to the edge at which it warns (0.8)"),
    Option("still-watching", "SECONDS", help: "how often it says that it watches: 10 to 3600, or 0 for never (0)"),
    Option("settings", "JSON", help: "any of the settings, as the API has them"),
  ]

  static func verbs(_ program: String, _ name: String) -> [Verb] {
    let beginning = name.isEmpty ? word : "\(name) \(word)"
    let common =
      AgentOptions.all.filter { ["token", "state"].contains($0.name) }
      + [Option("json", help: "print the state as JSON")]
    func verb(_ last: String, _ options: [Option], _ summary: String) -> Verb {
      let usage = (options + common).map { "[\($0.usage)]" }.joined(separator: " ")
      return Verb("\(beginning) \(last)", program: program, usage: usage, options: options + common, summary: summary)
    }
    return [
      verb("drop", place + settings, "Notes where the anchor lies, and watches it from now on."),
      verb("set", settings, "Changes the settings of the watch."),
      verb("move", place, "Moves the anchor's place; the watch goes on."),
      verb("weigh", [], "Ends the watch: the anchor is up."),
      verb("acknowledge", [], "Silences the alarm that rings; the watch goes on."),
      verb("status", [], "Prints how the boat lies, and what the watch does."),
    ]
  }

  static func run(_ words: [String], program: String, name: String) throws(CommandError) {
    let (verb, arguments) = try Verb.choose(
      among: verbs(program, name), words, summary: "Tells the agent on this machine about the anchor.")
    let order = try order(verb, arguments)
    let folder = try AgentOptions.stateForLastWords(arguments, verb)
    do throws(DeviceError) {
      let answer = try LocalOrders.give(order, toAgentIn: folder)
      print(arguments.has("json") ? answer.text : inWords(answer))
    } catch {
      throw CommandError(error.message)
    }
  }

  private static func order(_ verb: Verb, _ arguments: Arguments) throws(CommandError) -> JSON {
    func number(_ name: String) throws(CommandError) -> JSON? {
      try verb.number(name, in: arguments).map { .double($0) }
    }
    var members: [JSON.Member] = [.init("do", .string(verb.lastWord))]
    if let text = arguments["at"] {
      let parts = text.split(separator: ",").map { Double($0) }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1] else {
        throw verb.misused("--at: \"\(text.prefix(40))\"; LAT,LON in degrees is accepted, such as 54.1,10.2.")
      }
      members += [.init("lat", .double(latitude)), .init("lon", .double(longitude))]
    }
    if let bearing = try number("bearing") { members.append(.init("bearing_deg", bearing)) }
    if let distance = try number("distance") { members.append(.init("distance_m", distance)) }
    var changes: [JSON.Member] = []
    if let text = arguments["settings"] {
      guard let given = try? JSON(parsing: text), let given = given.members else {
        throw verb.misused("--settings: \"\(text.prefix(40))\"; an object of JSON is accepted.")
      }
      changes += given
    }
    if let radius = try number("radius") {
      changes.append(.init("zone", ["shape": "circle", "radius_m": radius]))
    }
    if let warning = try number("warning") { changes.append(.init("warning", warning)) }
    if let every = try number("still-watching") { changes.append(.init("still_watching", ["every_s": every])) }
    if !changes.isEmpty { members.append(.init("settings", .object(changes))) }
    return .object(members)
  }

  /// The state in words.
  static func inWords(_ status: JSON) -> String {
    let state = status["state"]?.string ?? "unknown"
    var lines = [state]
    if let distance = status["distance_m"]?.number, let share = status["share"]?.number {
      let bearing = Int(status["bearing_deg"]?.number ?? 0)
      lines[0] +=
        ", \(Int(distance.rounded())) m at \(bearing)° from the anchor, "
        + "\(Int((share * 100).rounded())) % of the way to the edge"
    }
    if let kind = status["ringing"]?.string { lines.append("rings: \(kind)") }
    if let battery = status["battery"]?.number {
      let charger = status["charging"]?.bool == true ? "charging" : "not charging"
      lines.append("battery \(Int((battery * 100).rounded())) %, \(charger)")
    }
    for source in status["sources"]?.array ?? [] {
      let age = source["age_s"]?.number.map { "\(Int($0.rounded())) s ago" } ?? "nothing yet"
      let problem = source["problem"]?.string.map { ", \($0)" } ?? ""
      let best = source["best"]?.bool == true ? ", the best" : ""
      lines.append("\(source["name"]?.string ?? ""): \(age)\(best)\(problem)")
    }
    for kind in (status["warnings"]?.array ?? []).compactMap({ $0["kind"]?.string }) {
      lines.append(
        "warning: \(kind)"
          + (kind.hasPrefix("no ") ? " is told, so no alarm of it can ring" : ": the disk cannot be written"))
    }
    return lines.map { Layout.plain($0) }.joined(separator: "\n")
  }
}
