import AnchorWatch
import CivilTime
import Hub
import Lifecycle
import Positions
import Settings
import Terminal
import Wire

/// `eightbells anchor replay FILE`: a recorded track, judged by settings: how often would it have rung?
enum ReplayCommand {
  static let command = RoomCommand(
    alone: Verb(
      "anchor replay", operands: ["FILE"],
      usage: "--radius M [--anchor LAT,LON|first|median:60] [--warning M] [--raw] [--json]",
      options: [
        Option("radius", "M", help: "metres from the anchor to the edge"),
        Option("anchor", "PLACE", help: "54.1,10.2, first (position), or median:N, that of the first N (median:60)"),
        Option("warning", "M", help: "metres from the anchor from which a warning comes (80 % of the radius)"),
        Option("raw", help: "judges each position alone, without grace and filter"),
        Option("json", help: "prints an object of JSON"),
      ],
      summary:
        "Judges a recorded track as the anchor watch would: NMEA 0183, GPX, gpsd's JSON, Signal K's deltas, or a "
        + "table with time,lat,lon. A FILE of - is the standard input.")
  ) { _, arguments throws(CommandError) in
    let question = try ReplayQuestion(arguments)
    var answer = ReplayAnswer(question)
    let source = arguments.words[0]
    let format = try TrackFile.read(source) { answer.take($0) }
    let replay = try answer.end(source)
    print(arguments.has("json") ? json(replay, format, answer).text : text(replay, format, answer, question))
    if replay.fixes == 0 { throw CommandError("\(source): no position in it\(answer.reasons).") }
  }

  private static func text(
    _ replay: Replay, _ format: TrackFormat, _ answer: ReplayAnswer, _ question: ReplayQuestion
  ) -> String {
    let zone = MachineZone().zone
    func time(_ seconds: Double) -> String { timestamp(EpochSeconds(seconds.rounded(.down)), in: zone) }
    let span = answer.span.map { " from \(time($0.lowerBound)) to \(time($0.upperBound))" } ?? ""
    var lines = [
      "\(format.rawValue): \(count(replay.fixes, "position"))\(span); \(replay.refused) refused\(answer.reasons), "
        + "\(count(replay.gaps, "gap")).",
      "At most \(metres(replay.farthest)) from the anchor; \(count(replay.outside, "position")) beyond "
        + "\(metres(question.radius)).",
    ]
    if answer.witnesses > 0 {
      let others = count(answer.witnesses, "position")
      lines.append("\(others) of other receivers in it were not judged, at most \(metres(answer.apart)) elsewhere.")
    }
    let rings = replay.rings
    let atLeast = replay.more > 0 ? "at least " : ""
    lines.append(rings.isEmpty ? "It would not have rung." : "It would have rung \(atLeast)\(times(rings.count)).")
    lines += replay.events.map { "  \(time($0.at))  \($0.kind.name)  \(metres($0.distance))" }
    if replay.more > 0 { lines.append("  and \(replay.more) more") }
    return lines.joined(separator: "\n")
  }

  private static func json(_ replay: Replay, _ format: TrackFormat, _ answer: ReplayAnswer) -> JSON {
    let reasons = Refusal.allCases.compactMap { refusal in
      answer.refusals[refusal].map { JSON.Member(refusal.rawValue, .int($0)) }
    }
    return replay.json.with([
      "format": .string(format.rawValue), "from": JSON(instant: answer.span?.lowerBound),
      "to": JSON(instant: answer.span?.upperBound), "reasons": .object(reasons), "witnesses": .int(answer.witnesses),
      "apart_m": .double((answer.apart * 1_000).rounded() / 1_000),
    ])
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
  private static func times(_ number: Int) -> String { number == 1 ? "once" : "\(number) times" }
  private static func metres(_ distance: Double) -> String { "\(distance.tenths) m" }
}
