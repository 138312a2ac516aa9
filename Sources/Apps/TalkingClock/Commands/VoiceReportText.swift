import Sound
import SpeakingClock
import Terminal
import Wire

/// A look at a voice, as `voice check` prints it.
enum VoiceReportText {
  static func text(_ report: VoiceReport) -> String {
    let count = report.rows.count
    let language = report.pack.manifest.language == .english ? "English" : "German"
    var lines = ["\(Layout.plain(report.pack.name)): \(language), \(count) part\(count == 1 ? "" : "s")", ""]
    lines += report.rows.map { row in
      guard row.error == nil, let loudness = row.loudness else { return "✗ \(row.error?.message ?? row.part.name)" }
      let remarks = row.remarks.map { "   \($0.words)" }.joined()
      let name = Layout.padded(row.part.name, 11)
      return "\(row.remarks.isEmpty ? "✓" : "!") \(name) \(Layout.padded(tenths(row.seconds, 100) + " s", 8))"
        + " \(tenths(loudness, 10)) dB\(remarks)"
    }
    lines.append("")
    for way in report.ways {
      let minutes = way.intervals.map(String.init).joined(separator: ", ")
      lines.append("\(Layout.padded(name(way.settings), 43)) \(minutes.isEmpty ? "never" : "every \(minutes) minutes")")
      if let missing = way.missing {
        let names = missing.parts.prefix(mostNames).map(\.name).joined(separator: ", ")
        let more = missing.parts.count > mostNames ? " and \(missing.parts.count - mostNames) more" : ""
        lines.append("  for every \(missing.interval) minutes it lacks: \(names)\(more)")
      }
    }
    return lines.map(Layout.plain).joined(separator: "\n")
  }

  private static let mostNames = 12

  static func json(_ report: VoiceReport) -> JSON {
    let rows = report.rows.map { row -> JSON in
      .object([
        .init("part", .string(row.part.name)),
        .init("files", .array((report.pack.manifest.parts[row.part] ?? []).map { .string($0) })),
        .init("seconds", .double(rounded(row.seconds, 1_000))),
        .init("loudness_db", JSON(row.loudness.map { rounded($0, 10) })),
        .init("peak_db", JSON(row.peak.map { rounded($0, 10) })),
        .init("remarks", .array(row.remarks.map { .string($0.rawValue) })),
        .init("error", row.error.map { ["code": .string($0.code.rawValue), "message": .string($0.message)] } ?? .null),
      ])
    }
    let ways = report.ways.map { way -> JSON in
      .object([
        .init("hours", .int(way.settings.isTwentyFourHours ? 24 : 12)),
        .init("quarters", .string(way.settings.quarters.rawValue)),
        .init("oclock", .bool(way.settings.saysOClock)),
        .init("intervals", .array(way.intervals.map { .int($0) })),
        .init(
          "missing",
          way.missing.map {
            ["every": .int($0.interval), "parts": .array($0.parts.map { .string($0.name) })]
          } ?? .null),
      ])
    }
    return [
      "name": .string(report.pack.name), "language": .string(report.pack.manifest.language.rawValue),
      "good": .bool(report.isGood), "parts": .array(rows), "ways": .array(ways),
    ]
  }

  private static func name(_ settings: ClockSettings) -> String {
    switch (settings.language, settings.isTwentyFourHours) {
    case (.english, false): settings.saysOClock ? "12 hours, with \"o'clock\"" : "12 hours"
    case (.german, false): settings.quarters == .to ? "12 hours, \"viertel vier\"" : "12 hours, \"Viertel nach drei\""
    case (_, true): "24 hours"
    }
  }

  private static func rounded(_ value: Double, _ parts: Double) -> Double { (value * parts).rounded() / parts }

  private static func tenths(_ value: Double, _ parts: Double) -> String { "\(rounded(value, parts))" }
}
