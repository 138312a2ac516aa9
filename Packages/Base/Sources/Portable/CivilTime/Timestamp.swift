/// An instant (seconds since 1970 UTC) as RFC 3339 in a zone: "2026-11-20T19:00:00+01:00", for the years 0…9999.
///
/// "Z" is written for `Zone.utc` alone. RFC 3339 has no seconds in offsets; an offset with seconds (local mean time) is
/// truncated to the minute and the time adjusted, so that the instant stays exact.
public func timestamp(_ instant: EpochSeconds, in zone: Zone) -> String {
  let offset = zone.offset(at: instant) / 60 * 60
  let wall = WallTime(seconds: instant + EpochSeconds(offset))
  var text: [UInt8] = []
  text.reserveCapacity(25)
  appendDate(wall.date, to: &text)
  text.append(0x54)
  let second = wall.secondOfDay
  appendNumber(second / 3600, width: 2, to: &text)
  text.append(0x3A)
  appendNumber(second / 60 % 60, width: 2, to: &text)
  text.append(0x3A)
  appendNumber(second % 60, width: 2, to: &text)
  if zone.isUTC {
    text.append(0x5A)
  } else {
    let distance = offset < 0 ? -offset : offset
    text.append(offset < 0 ? 0x2D : 0x2B)
    appendNumber(distance / 3600, width: 2, to: &text)
    text.append(0x3A)
    appendNumber(distance / 60 % 60, width: 2, to: &text)
  }
  return String(decoding: text, as: UTF8.self)
}

/// Parses an RFC 3339 date-time strictly to seconds since 1970 UTC; a fraction of a second is dropped.
///
/// Nil for anything else: a missing offset, a day that does not exist, trailing characters. A leap second (":60")
/// counts as the second after it, and only at 23:59:60 UTC.
public func parseTimestamp(_ text: String) -> EpochSeconds? { parseTimestamp(utf8: Array(text.utf8)) }

/// The same of a text as UTF-8: in the browser, where a String brings more code along than all of this.
public func parseTimestamp(utf8 text: [UInt8]) -> EpochSeconds? {
  var reader = DigitReader(text)
  guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2), reader.skip("-"),
    let day = reader.number(digits: 2), let date = CivilDate(validYear: year, month: month, day: day),
    reader.skip("T") || reader.skip("t"),
    let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
    let minute = reader.number(digits: 2), minute < 60, reader.skip(":"),
    let second = reader.number(digits: 2), second <= 60
  else { return nil }
  if reader.skip("."), reader.skip(while: { $0 >= 0x30 && $0 <= 0x39 }) == 0 { return nil }
  guard let offset = parseOffset(&reader), reader.isAtEnd else { return nil }
  let wall = WallTime(date: date, secondOfDay: hour * 3600 + minute * 60 + second)
  let instant = wall.seconds - EpochSeconds(offset)
  if second == 60, floorRemainder(instant, EpochSeconds(secondsPerDay)) != 0 { return nil }
  return instant
}

/// Parses "Z" or "+hh:mm" to seconds east of UTC.
private func parseOffset(_ reader: inout DigitReader) -> Int? {
  if reader.skip("Z") || reader.skip("z") { return 0 }
  let isWest = reader.skip("-")
  guard isWest || reader.skip("+"), let hours = reader.number(digits: 2), hours < 24, reader.skip(":"),
    let minutes = reader.number(digits: 2), minutes < 60
  else { return nil }
  return (hours * 3600 + minutes * 60) * (isWest ? -1 : 1)
}
