import CivilTime

/// Seconds since 1970 of an RFC 3339 time, with its fraction; nil for anything else.
package func seconds(ofTimestamp text: String) -> Double? {
  guard let whole = parseTimestamp(text) else { return nil }
  guard let point = text.firstIndex(of: ".") else { return Double(whole) }
  let digits = text[text.index(after: point)...].prefix { $0.isASCII && $0.isNumber }
  return Double(whole) + (Double("0.\(digits.prefix(9))") ?? 0)
}

/// An instant as RFC 3339 in UTC, with milliseconds where it has a fraction: "2026-11-20T19:00:00.250Z".
package func utcTimestamp(_ time: Double) -> String {
  let milliseconds = (min(max(time, earliestTime), latestTime) * 1000).rounded()
  let whole = (milliseconds / 1000).rounded(.down)
  let text = timestamp(EpochSeconds(whole), in: .utc)
  let rest = Int(milliseconds - whole * 1000)
  guard rest > 0 else { return text }
  let digits = String(rest)
  return "\(text.dropLast()).\(String(repeating: "0", count: 3 - digits.count))\(digits)Z"
}

/// The years 0 to 9999, which the format can say.
private let earliestTime = -62_167_219_200.0
private let latestTime = 253_402_300_799.0

/// A time in seconds since 1970 that a clock may tell: after 1970, and within the years that RFC 3339 can say.
func plausible(_ time: Double?) -> Double? {
  guard let time, time.isFinite, time >= 0, time <= latestTime else { return nil }
  return time
}

/// Seconds of a time since 1970 that is in seconds, or in milliseconds from 1973 on; as seconds those would be of the
/// year 5138.
func fromMilliseconds(_ time: Double) -> Double { time >= 1e11 ? time / 1000 : time }

let secondsOfDay = 86_400.0

/// Metres a second of a knot.
let knot = 1852.0 / 3600
