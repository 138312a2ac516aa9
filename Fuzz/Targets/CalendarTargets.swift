import Calendar
import CivilTime
import Lifecycle
import Markup
import Wire

/// The parsers of calendars from other people's servers.
nonisolated(unsafe) let calendarTargets: [String: (UnsafeBufferPointer<UInt8>) -> Void] = [
  "calendar": { bytes in
    guard let calendar = try? parseCalendar(Array(bytes), zone: berlin) else { return }
    for range in [firstInstant..<lastInstant, 1_767_225_600..<1_798_761_600, -7200..<7200] {
      // Few steps and occurrences, so that thousands of files are read in a second.
      var budget = ExpansionBudget(steps: 3_000, occurrences: 20)
      let found = expand(
        calendar, calendarID: "fuzz", from: range.lowerBound, to: range.upperBound, budget: &budget
      ).occurrences
      require(Set(found.map(\.id)).count == found.count)
      for one in found { check(one, of: calendar, in: range) }
    }
    checkFeed(of: calendar)
  },
  "google": { bytes in checkGoogle(Array(bytes)) },
  "description": { bytes in
    let text = String(decoding: bytes, as: UTF8.self)
    for isHTML in [nil, true, false] {
      let once = cleanDescription(text, isHTML: isHTML)
      requireClean(once)
      // Cleaned text stays the same when it is cleaned again as HTML.
      requireClean(cleanDescription(once, isHTML: true))
      _ = plainText(fromHTML: once)
    }
  },
]

private let berlin: Zone = {
  do { return try systemZone("Europe/Berlin") } catch { fatalError("\(error)") }
}()
private let firstInstant = WallTime(date: CivilDate(year: 0, month: 1, day: 1), secondOfDay: 0).seconds
private let lastInstant = WallTime(date: CivilDate(year: 9999, month: 12, day: 31), secondOfDay: 0).seconds

/// Checks that a feed can be parsed as a calendar, whatever its source was.
private func checkFeed(of calendar: ParsedCalendar) {
  var feed = CalendarFeed(zone: berlin, now: 1_795_200_000)
  feed.add(calendar, id: "fuzz", look: .init(name: nil, color: nil), share: 40)
  let file = feed.finish(.init(name: "fuzz", color: "#123456", source: nil))
  guard (try? parseCalendar(file, zone: berlin)) != nil else {
    fatalError("unreadable: \(String(decoding: file, as: UTF8.self))")
  }
}

/// Checks that a stored Google calendar is the same after reading it, and can be written as iCalendar.
private func checkGoogle(_ bytes: [UInt8]) {
  var calendar = GoogleCalendar()
  guard let page = try? GooglePage(bytes), (try? calendar.take(page)) != nil else { return }
  guard GoogleCalendar(calendar.bytes) == calendar else { fatalError("what is kept is another calendar") }
  let file = calendar.iCalendar(zone: berlin)
  guard (try? parseCalendar(file, zone: berlin)) != nil else {
    fatalError("unreadable: \(String(decoding: file, as: UTF8.self))")
  }
}

/// Checks that an occurrence is in the range, is found by its identifier, and is the same in a file of its own.
private func check(_ one: Occurrence, of calendar: ParsedCalendar, in range: Range<Int>) {
  require(one.start < range.upperBound && one.end >= range.lowerBound && one.end >= one.start, "\(one) in \(range)")
  let said = (timestamp(one.start, in: .utc), timestamp(one.end, in: berlin))
  require(said.0.utf8.count == 20 && said.1.utf8.count == 25, "\(said)")
  let again = occurrence(id: one.id, in: calendar, calendarID: "fuzz")
  require(again?.id == one.id, "no \(one.id)")
  require(again?.start == one.start && again?.end == one.end, "\(one.id): \(one.start), \(again!.start)")
  let file = icsText(of: one, now: 0)
  guard let copy = try? parseCalendar(Array(file.utf8), zone: berlin) else { fatalError("unreadable: \(file)") }
  // In another zone, the first and the last day there are may lie outside of the years allowed.
  guard copy.warnings.isEmpty else { return }
  let read = expand(copy, calendarID: "copy", from: range.lowerBound, to: range.upperBound).occurrences
  guard read.count == 1, read[0].start == one.start, read[0].end == one.end else { fatalError("another: \(file)") }
}

private let tags: Set<String> = [
  "a", "b", "strong", "i", "em", "u", "s", "code", "pre", "blockquote", "p", "br", "ul", "ol", "li", "h4", "hr",
]

/// Checks that every "<" begins an allowed tag, in the one form in which tags are written.
private func requireClean(_ html: String) {
  // By bytes, since a combining character joins a ">" before it.
  for piece in html.utf8.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
    guard let end = piece.firstIndex(of: UInt8(ascii: ">")) else { fatalError("open tag: \(html)") }
    let tag = String(decoding: piece[..<end], as: UTF8.self)
    if tags.contains(tag.hasPrefix("/") ? String(tag.dropFirst()) : tag) { continue }
    let schemes = ["http://", "https://", "mailto:", "tel:"]
    let parts = tag.utf8.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard parts.count == 7, parts[0] == "a href=", schemes.contains(where: { isAfter($0, parts[1]) }),
      parts[2] == " rel=", parts[3] == "noopener noreferrer nofollow", parts[4] == " target=", parts[5] == "_blank",
      parts[6].isEmpty
    else { fatalError("forbidden tag <\(tag)>: \(html)") }
  }
}

/// True if an address has something after its scheme. By bytes, since a combining accent joins a "/" before it.
private func isAfter(_ scheme: String, _ address: String) -> Bool {
  let isCapital = UInt8(ascii: "A")...UInt8(ascii: "Z")
  return address.utf8.count > scheme.utf8.count
    && address.utf8.starts(with: scheme.utf8) { $0 == $1 || isCapital.contains($0) && $0 | 0x20 == $1 }
}
