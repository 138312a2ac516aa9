import AnchorWatch
import Hub
import Positions
import Settings
import Terminal
import Wire

/// The options of the watch's commands, as the API takes them.
extension WatchCommands {
  /// The anchor's place: `{"lat", "lon"}`, `{"bearing_deg", "distance_m"}`, or nothing for where the boat is.
  static func spot(_ verb: Verb, _ arguments: Arguments) throws(CommandError) -> [JSON.Member] {
    if let text = arguments["at"] {
      let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part in
        Double(part.filter { $0 != " " })
      }
      guard parts.count == 2, let latitude = parts[0], let longitude = parts[1],
        Position(latitude: latitude, longitude: longitude) != nil
      else {
        throw verb.misused("--at: \"\(text.prefix(40))\"; LAT,LON in degrees is accepted, such as 54.1,10.2.")
      }
      return [.init("lat", .double(latitude)), .init("lon", .double(longitude))]
    }
    let bearing = try verb.number("bearing", in: arguments)
    let distance = try verb.number("distance", in: arguments)
    guard let bearing, let distance else {
      guard bearing == nil, distance == nil else { throw verb.misused("--bearing and --distance belong together.") }
      return []
    }
    return [.init("bearing_deg", .double(bearing)), .init("distance_m", .double(distance))]
  }

  /// The settings that are to be changed.
  static func changes(_ verb: Verb, _ arguments: Arguments) throws(CommandError) -> [JSON.Member] {
    var members: [JSON.Member] = []
    if let text = arguments["settings"] {
      guard let given = (try? JSON(parsing: text))?.members else {
        throw verb.misused("--settings: \"\(text.prefix(40))\"; an object of JSON is accepted.")
      }
      members = given
    }
    if let radius = try verb.number("radius", in: arguments) {
      members.append(.init("zone", ["shape": "circle", "radius_m": .double(radius)]))
    }
    if let warning = try verb.number("warning", in: arguments) {
      members.append(.init("warning", .double(warning)))
    }
    return members
  }

  /// The new place of an anchor: as told, or as seen from where the boat is.
  static func anchor(_ spot: [JSON.Member], _ fix: JSON?, now: Double) throws(CommandError) -> JSON {
    let told = JSON.object(spot)
    if told["lat"] != nil { return told }
    guard let boat = fix.flatMap({ Position(json: $0) }) else {
      throw CommandError("The hub knows no position of the boat: --at LAT,LON names the anchor's.")
    }
    if let at = fix?["at"]?.string.flatMap({ seconds(ofTimestamp: $0) }), now - at > WatchLimits.fresh {
      throw CommandError(
        "The hub's newest position is \(Int((now - at) / 60)) min old: --at LAT,LON names the anchor's.")
    }
    guard let bearing = told["bearing_deg"]?.number, let distance = told["distance_m"]?.number else {
      return boat.json
    }
    return boat.moved(bearing: bearing, distance: distance).json
  }

  // MARK: Telling

  static func tell(_ answer: JSON, _ arguments: Arguments) {
    if arguments.has("json") { return print(answer.text) }
    for line in lines(answer) { print(Layout.plain(line)) }
  }

  /// The watch in words.
  static func lines(_ watch: JSON) -> [String] {
    var first = watch["state"]?.string ?? "unknown"
    if first == "idle" { first = "idle: no anchor is down" }
    if first == "waiting", let at = watch["fix"]?["at"]?.string { first += ": the last place is of \(at)" }
    if let distance = watch["distance_m"]?.number, let bearing = watch["bearing_deg"]?.number,
      let share = watch["share"]?.number
    {
      first += ", \(metres(distance)) at \(Int(bearing.rounded()))° from the anchor, "
      first += "\(Int((share * 100).rounded())) % of the way to the edge"
    }
    if first.hasPrefix("dropped") { first += "; not armed" }
    var lines = [first]
    if let name = watch["acknowledged_by"]?.string { lines.append("\(name) is on it") }
    if let kind = watch["ringing"]?.string { lines.append("rings: \(kind)") }
    // An agent tells its own battery, a hub that of each device.
    if let own = battery(watch) { lines.append(own) }
    for source in watch["sources"]?.array ?? [] {
      var words = [source["state"]?.string, battery(source)].compactMap { $0 }
      if let age = source["age_s"]?.number { words.append("\(Int(age.rounded())) s ago") }
      if let problem = source["problem"]?.string { words.append(problem) }
      if source["agrees"]?.bool == false { words.append("sees the boat elsewhere") }
      if let error = source["clock_error_s"]?.number {
        words.append("its clock is \(Int(abs(error))) s \(error > 0 ? "ahead" : "behind")")
      }
      let kind = source["kind"]?.string.map { " (\($0))" } ?? ""
      lines.append("\(source["name"]?.string ?? "")\(kind): \(words.joined(separator: ", "))")
    }
    for warning in watch["warnings"]?.array ?? [] {
      let name = (warning["name"]?.string ?? warning["person"]?.string).map { ": \($0)" } ?? ""
      lines.append("warning: \(words[warning["kind"]?.string ?? ""] ?? "look at the page")\(name)")
    }
    return lines
  }

  private static func battery(_ device: JSON) -> String? {
    device["battery"]?.number.map { share in
      "battery \(Int((share * 100).rounded())) %" + (device["charging"]?.bool == true ? ", charging" : "")
    }
  }

  private static func metres(_ number: Double) -> String { "\(Int(number.rounded())) m" }

  private static let words = [
    "nobody": "nobody has a device that could be rung", "no device": "has no device that could be rung",
    "no drill": "the way of the alarm was not tested tonight",
    "no answer": "did not answer the test", "not tried": "was not part of the test",
    "no position": "no device tells a position",
    "one source": "only one device tells the position", "late": "reports late", "lost": "has fallen silent",
    "clock": "has a wrong clock", "not kept": "cannot write to its disk, and forgets the watch when it is switched off",
    "no depth": "no depth is told, so no alarm of it can ring",
    "no wind": "no wind is told, so no alarm of it can ring",
    "apart": "is far from the others, and a hub watches one boat",
    "battery": "the battery does not last until the morning", "outside": "the boat lies outside of the zone",
  ]
}
