import CivilTime
import Lifecycle
import Settings
import SpeakingClock
import Terminal

/// The options with which a command says when a clock speaks, and how.
enum ClockOptions {
  static let zone = Option("zone", "ZONE", help: "the time zone, such as Europe/Berlin (the machine's)")

  static let settings = [
    Option("every", "MINUTES", help: "from one announcement to the next: quarter (15), half, full, or minutes (15)"),
    Option("language", "en|de", help: "the language of its words (en)"),
    Option("hours", "12|24", help: "with AM and PM, or 24 hours (12)"),
    Option("quarters", "past|to", help: "in German: \"Viertel nach drei\", or \"viertel vier\" (past)"),
    Option("strokes", "none|one|hours", help: "at the full hour: none, one, or as many as the hour (one)"),
    Option("oclock", help: "says \"o'clock\" at the full hour"),
    Option("style", "speech|bells", help: "words, or the bells of a ship (speech)"),
    Option("quiet", "FROM-TO", help: "keeps still in these hours of each day, such as 22:00-07:00"),
  ]

  static func settings(_ arguments: Arguments) throws(CommandError) -> ClockSettings {
    var settings = ClockSettings()
    if let text = arguments["every"] { settings.every = try every(text) }
    if let language = try choice(arguments, "language", ClockSettings.Language.self) { settings.language = language }
    if let quarters = try choice(arguments, "quarters", ClockSettings.Quarters.self) { settings.quarters = quarters }
    if let strokes = try choice(arguments, "strokes", ClockSettings.Strokes.self) { settings.strokes = strokes }
    if let style = try choice(arguments, "style", ClockSettings.Style.self) { settings.style = style }
    if let text = arguments["hours"] {
      guard ["12", "24"].contains(text) else { throw wrong("hours", text, "12 and 24 are accepted.") }
      settings.isTwentyFourHours = text == "24"
    }
    settings.saysOClock = arguments.has("oclock")
    if let text = arguments["quiet"] { settings.quiet = try quiet(text) }
    return settings
  }

  /// The zone that `--zone` names, or the machine's.
  static func zone(_ arguments: Arguments) throws(CommandError) -> Zone {
    guard let name = arguments["zone"] else { return MachineZone().zone }
    do {
      return try systemZone(name)
    } catch {
      throw wrong("zone", name, "names of the tz database are accepted, such as Europe/Berlin or UTC.")
    }
  }

  private static func every(_ text: String) throws(CommandError) -> Int {
    let words = ["quarter": 15, "half": 30, "full": 60]
    guard let minutes = words[text] ?? Int(text), ClockSettings.intervals.contains(minutes) else {
      let numbers = ClockSettings.intervals.map(String.init).joined(separator: ", ")
      throw wrong("every", text, "quarter, half, full, and the minutes that divide an hour are accepted: \(numbers).")
    }
    return minutes
  }

  private static func quiet(_ text: String) throws(CommandError) -> QuietHours {
    let times = text.split(separator: "-", omittingEmptySubsequences: false).map { parseTimeOfDay(String($0)) }
    guard times.count == 2, let from = times[0], let to = times[1] else {
      throw wrong("quiet", text, "two times of day are accepted, such as 22:00-07:00.")
    }
    return QuietHours(from: from / 60, to: to / 60)
  }

  private static func choice<Choice: RawRepresentable & CaseIterable>(
    _ arguments: Arguments, _ name: String, _: Choice.Type
  ) throws(CommandError) -> Choice? where Choice.RawValue == String {
    guard let text = arguments[name] else { return nil }
    guard let choice = Choice(rawValue: text) else {
      throw wrong(name, text, "\(Choice.allCases.map(\.rawValue).joined(separator: ", ")) are accepted.")
    }
    return choice
  }

  static func wrong(_ name: String, _ text: String, _ accepted: String) -> CommandError {
    CommandError(usage: "--\(name) \(text.prefix(80)): \(accepted)")
  }
}
