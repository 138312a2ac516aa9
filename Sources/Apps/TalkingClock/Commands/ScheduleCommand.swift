import CivilTime
import Hub
import Settings
import SpeakingClock
import Terminal
import Wire

/// `eightbells clock schedule`: what a clock would say, and when.
enum ScheduleCommand {
  static let command = RoomCommand(
    alone: Verb(
      "clock schedule", usage: "--from DATE --to DATE [--zone ZONE] [--json]",
      options: [
        Option("from", "DATE", help: "the first day, such as 2026-06-01"),
        Option("to", "DATE", help: "the day before which it ends"), ClockOptions.zone,
        Option("json", help: "a line of JSON for each announcement"),
      ] + ClockOptions.settings,
      summary: "Lists the announcements of some days, with the times of their zone.")
  ) { _, arguments throws(CommandError) in
    let settings = try ClockOptions.settings(arguments)
    let zone = try ClockOptions.zone(arguments)
    let (start, end) = (try midnight("from", arguments, zone), try midnight("to", arguments, zone))
    guard start <= end else { throw CommandError(usage: "--to is before --from; it is the day before which it ends.") }
    for one in settings.announcements(from: start, before: end, offset: zone.offset(at:)) {
      let at = timestamp(one.at, in: zone)
      let names = one.parts.map(\.name)
      if arguments.has("json") {
        print(JSON.object([.init("at", .string(at)), .init("parts", .array(names.map { .string($0) }))]).text)
      } else {
        print("\(at)  \(names.joined(separator: " "))")
      }
    }
  }

  /// The instant at which a day begins in the zone.
  private static func midnight(
    _ name: String, _ arguments: Arguments, _ zone: Zone
  ) throws(CommandError) -> EpochSeconds {
    guard let text = arguments[name] else { throw CommandError(usage: "--\(name) DATE is missing.") }
    guard let date = CivilDate(text) else {
      throw ClockOptions.wrong(name, text, "a date is accepted, such as 2026-06-01.")
    }
    return zone.start(of: date)
  }
}
