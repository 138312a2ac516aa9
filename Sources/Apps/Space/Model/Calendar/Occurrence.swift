package import CivilTime
import COpenSSL

/// One event at one time, ready to be shown.
package struct Occurrence: Sendable {
  package let details: EventDetails
  /// The identifier of the calendar that it comes from.
  package let calendar: String
  /// Seconds since 1970 UTC. An all-day event begins at midnight in the space.
  package let start: Int
  /// Seconds since 1970 UTC, exclusive; equal to the start if the event has no length.
  package let end: Int
  /// Of an all-day event: its first day and the day after its last, as day numbers.
  let days: Range<Int>?
  /// The first part of the identifier.
  let seriesID: String
  /// The original start of a recurring event's occurrence: see `CalendarTime.key`.
  let original: Original?

  enum Original: Equatable, Sendable {
    case day(Int)
    case instant(Int)
  }

  package var uid: String { details.uid }
  package var title: String { details.title }
  package var location: String? { details.location }
  package var url: String? { details.url }
  package var descriptionHTML: String { details.descriptionHTML }
  package var status: EventStatus { details.status }
  package var sequence: Int { details.sequence }
  package var allDay: Bool { days != nil }
  /// The first day of an all-day event.
  package var startDate: CivilDate? { days.map { CivilDate(dayNumber: $0.lowerBound) } }
  /// The day after the last of an all-day event, as DTEND has it.
  package var endDate: CivilDate? { days.map { CivilDate(dayNumber: $0.upperBound) } }

  /// Names the occurrence for as long as its event exists, in characters that an address may have: 12 hexadecimal
  /// digits, and for a recurring event the original start, as in "3f1c09a2b4de-20261120T180000Z" (UTC) or
  /// "3f1c09a2b4de-20261120" (all day). A moved occurrence keeps its identifier.
  package var id: String {
    switch original {
    case nil: seriesID
    case .day(let day): "\(seriesID)-\(compactDate(day))"
    case .instant(let instant): "\(seriesID)-\(compactTime(instant))Z"
    }
  }
}

/// The first part of an occurrence's identifier: 12 hexadecimal digits of SHA-256 over calendar, NUL, UID.
func seriesID(calendar: String, uid: String) -> String {
  var text = Array(calendar.utf8)
  text.append(0)
  text += uid.utf8
  var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
  SHA256(text, text.count, &digest)
  return String(unsafeUninitializedCapacity: 12) { buffer in
    for index in 0..<12 {
      let digit = digest[index / 2] >> (index % 2 == 0 ? 4 : 0) & 15
      buffer[index] = digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10
    }
    return 12
  }
}

/// Splits an identifier; nil if it cannot be one.
func parseOccurrenceID(_ id: String) -> (seriesID: String, original: Occurrence.Original?)? {
  let bytes = Array(id.utf8)
  guard bytes.count >= 12, bytes[..<12].allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }) else {
    return nil
  }
  let seriesID = String(id.prefix(12))
  if bytes.count == 12 { return (seriesID, nil) }
  guard bytes[12] == UInt8(ascii: "-"), let time = parseTime(bytes[13...]) else { return nil }
  switch (time.form, bytes.count) {
  case (.date, 21): return (seriesID, .day(time.wall.dayNumber))
  case (.utc, 29): return (seriesID, .instant(time.wall.seconds))
  default: return nil
  }
}

/// "20261120"
func compactDate(_ dayNumber: Int) -> String {
  let date = CivilDate(dayNumber: dayNumber)
  return padded(date.year * 10_000 + date.month * 100 + date.day, 8)
}

/// "20261120T190000"
func compactTime(_ wallSeconds: Int) -> String {
  let wall = WallTime(seconds: wallSeconds)
  let second = wall.secondOfDay
  let time = second / 3600 * 10_000 + second / 60 % 60 * 100 + second % 60
  return "\(compactDate(wall.dayNumber))T\(padded(time, 6))"
}

/// A number with leading zeros.
private func padded(_ number: Int, _ width: Int) -> String {
  String(unsafeUninitializedCapacity: width) { buffer in
    var rest = number
    for index in stride(from: width - 1, through: 0, by: -1) {
      buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    return width
  }
}
