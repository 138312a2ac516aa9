public import CivilTime

/// One event at one time, ready to be displayed.
public struct Occurrence: Sendable {
  public let details: EventDetails
  /// The identifier of its calendar.
  public let calendar: String
  /// Seconds since 1970 UTC. An all-day event begins at midnight in the calendar's home zone.
  public let start: Int
  /// Seconds since 1970 UTC, exclusive; equal to the start if the event has no length.
  public let end: Int
  /// The day numbers of an all-day event, from its first day to the day after its last; nil for other events.
  let days: Range<Int>?
  /// The first part of the identifier.
  let seriesID: String
  /// The original start of an occurrence of a recurring event: see `CalendarTime.key`.
  let original: Original?

  enum Original: Equatable, Sendable {
    case day(Int)
    case instant(Int)
  }

  public var uid: String { details.uid }
  public var title: String { details.title }
  public var location: String? { details.location }
  public var place: GeographicPlace? { details.place }
  public var url: String? { details.url }
  public var attachments: [String] { details.attachments }
  public var descriptionHTML: String { details.descriptionHTML }
  public var status: EventStatus { details.status }
  public var sequence: Int { details.sequence }
  public var allDay: Bool { days != nil }
  /// The first day of an all-day event.
  public var startDate: CivilDate? { days.map { CivilDate(dayNumber: $0.lowerBound) } }
  /// The day after the last of an all-day event, as DTEND has it.
  public var endDate: CivilDate? { days.map { CivilDate(dayNumber: $0.upperBound) } }

  /// The identifier, valid for as long as the event exists, in characters allowed in an address: 12 hexadecimal digits,
  /// and for a recurring event the original start, as in "3f1c09a2b4de-20261120T180000Z" (UTC) or
  /// "3f1c09a2b4de-20261120" (all day). A moved occurrence keeps its identifier.
  public var id: String {
    switch original {
    case nil: seriesID
    case .day(let day): "\(seriesID)-\(compactDate(day))"
    case .instant(let instant): "\(seriesID)-\(compactTime(instant))Z"
    }
  }
}

/// True if a text has the form of an occurrence's identifier; there need not be such an occurrence.
public func isOccurrenceID(_ text: String) -> Bool { parseOccurrenceID(text) != nil }

/// Splits an identifier; nil if it has another form. (libical would accept white space and signs in its numbers.)
func parseOccurrenceID(_ id: String) -> (seriesID: String, original: Occurrence.Original?)? {
  let bytes = Array(id.utf8)
  guard bytes.count >= 12, bytes[..<12].allSatisfy({ ($0 >= 0x30 && $0 <= 0x39) || ($0 >= 0x61 && $0 <= 0x66) }) else {
    return nil
  }
  let seriesID = String(id.prefix(12))
  if bytes.count == 12 { return (seriesID, nil) }
  guard bytes[12] == UInt8(ascii: "-"), let date = number(bytes[13...], digits: 8),
    let day = CivilDate(validYear: date / 10_000, month: date / 100 % 100, day: date % 100)
  else { return nil }
  if bytes.count == 21 { return (seriesID, .day(day.dayNumber)) }
  guard bytes.count == 29, bytes[21] == UInt8(ascii: "T"), bytes[28] == UInt8(ascii: "Z"),
    let time = number(bytes[22...], digits: 6), time / 10_000 < 24, time / 100 % 100 < 60, time % 100 < 60
  else { return nil }
  let second = time / 10_000 * 3600 + time / 100 % 100 * 60 + time % 100
  return (seriesID, .instant(WallTime(date: day, secondOfDay: second).seconds))
}

/// The number at the beginning of a text; nil without so many digits.
private func number(_ text: ArraySlice<UInt8>, digits: Int) -> Int? {
  let text = text.prefix(digits)
  guard text.count == digits, text.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }) else { return nil }
  return text.reduce(0) { $0 * 10 + Int($1 - 0x30) }
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

/// A number from 0 with leading zeros; one that is too wide loses its first digits.
private func padded(_ number: Int, _ width: Int) -> String {
  String(unsafeUninitializedCapacity: width) { buffer in
    var rest = number.magnitude
    for index in stride(from: width - 1, through: 0, by: -1) {
      buffer[index] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    return width
  }
}
