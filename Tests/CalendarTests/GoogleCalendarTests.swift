import CivilTime
import Lifecycle
import Calendar
import Testing
import World

struct GoogleCalendarTests {
  private func taken(_ pages: String...) throws -> GoogleCalendar {
    var calendar = GoogleCalendar()
    for page in pages { try calendar.take(try GooglePage(Array(page.utf8))) }
    return calendar
  }

  private func starts(_ calendar: GoogleCalendar) throws -> [String] {
    let zone = try systemZone("Europe/Berlin")
    let parsed = try parseGoogleCalendar(calendar.bytes, zone: zone)
    #expect(parsed.warnings == [])
    return expand(parsed, calendarID: "test", from: 1_767_225_600, to: 1_798_761_600).occurrences.map {
      "\($0.title) \(timestamp($0.start, in: zone))"
    }
  }

  private static let weekly = #"""
    {"id":"w","status":"confirmed","summary":"W","start":{"dateTime":"2026-06-02T18:00:00+02:00",
    "timeZone":"Europe/Berlin"},"end":{"dateTime":"2026-06-02T19:00:00+02:00","timeZone":"Europe/Berlin"},
    "recurrence":["RRULE:FREQ=WEEKLY;COUNT=3"]}
    """#
  private static let cancelled = #"""
    {"id":"w_1","status":"cancelled","recurringEventId":"w","originalStartTime":
    {"dateTime":"2026-06-09T16:00:00Z","timeZone":"UTC"}}
    """#

  @Test func `a page says what follows it`() throws {
    let first = try GooglePage(Array(#"{"items":[],"nextPageToken":"p"}"#.utf8))
    #expect(first.next == "p" && first.sync == nil && first.isEmpty)
    let last = try GooglePage(Array(#"{"items":[{"id":"a"}],"nextSyncToken":"s","summary":"Ours"}"#.utf8))
    #expect(last.next == nil && last.sync == "s" && last.name == "Ours" && !last.isEmpty)
  }

  @Test func `an exception that is cancelled takes its occurrence out, whichever came first`() throws {
    let wanted = ["W 2026-06-02T18:00:00+02:00", "W 2026-06-16T18:00:00+02:00"]
    #expect(try starts(taken(#"{"items":[\#(Self.weekly),\#(Self.cancelled)]}"#)) == wanted)
    #expect(try starts(taken(#"{"items":[\#(Self.cancelled)]}"#, #"{"items":[\#(Self.weekly)]}"#)) == wanted)
  }

  @Test func `what is kept is the same calendar again, and has the same bytes`() throws {
    let calendar = try taken(
      #"{"summary":"S","timeZone":"Europe/Berlin","items":[\#(Self.weekly),\#(Self.cancelled)]}"#)
    let again = try #require(GoogleCalendar(calendar.bytes))
    #expect(again == calendar && again.bytes == calendar.bytes)
    #expect(GoogleCalendar(Array("{}".utf8)) == nil && GoogleCalendar(Array("BEGIN:VCALENDAR".utf8)) == nil)
  }

  @Test func `who comes and who made it is not kept`() throws {
    let calendar = try taken(#"{"items":[{"id":"a","creator":{"email":"secret@example.org"},"attendees":[1]}]}"#)
    #expect(!String(decoding: calendar.bytes, as: UTF8.self).contains("secret"))
  }

  @Test func `events come in any order and pages of any size to the same calendar`() throws {
    let items =
      (0..<20).map { number in
        #"{"id":"e\#(number)","summary":"E\#(number)","start":{"date":"2026-06-\#(number + 10)"},"#
          + #""end":{"date":"2026-06-\#(number + 11)"}}"#
      } + [Self.weekly, Self.cancelled]
    let seed = UInt64.random(in: 0...UInt64.max)
    print("seed", seed)
    var generator = SeededGenerator(state: seed)
    let whole = try taken(#"{"items":[\#(items.joined(separator: ","))]}"#)
    for _ in 0..<20 {
      var calendar = GoogleCalendar()
      var rest = items.shuffled(using: &generator)
      while !rest.isEmpty {
        let count = min(rest.count, Int.random(in: 0...5, using: &generator))
        let page = #"{"items":[\#(rest.prefix(count).joined(separator: ","))]}"#
        try calendar.take(try GooglePage(Array(page.utf8)))
        rest.removeFirst(count)
      }
      #expect(calendar == whole)
    }
  }

  @Test func `a zone is known by a name that was replaced, and by one that the system has no file of`() throws {
    // It may have files of the names that were replaced; it has none in lower case.
    for zone in ["Asia/Calcutta", "asia/calcutta"] {
      let calendar = try taken(
        #"""
        {"timeZone":"\#(zone)","items":[{"id":"a","summary":"A","recurrence":["RRULE:FREQ=MONTHLY;COUNT=2"],
        "start":{"dateTime":"2026-03-10T18:00:00+05:30","timeZone":"\#(zone)"},
        "end":{"dateTime":"2026-03-10T19:00:00+05:30","timeZone":"\#(zone)"}}]}
        """#)
      #expect(try starts(calendar) == ["A 2026-03-10T13:30:00+01:00", "A 2026-04-10T14:30:00+02:00"])
      let file = String(decoding: calendar.iCalendar(zone: .utc), as: UTF8.self)
      #expect(file.contains("X-WR-TIMEZONE:Asia/"))
    }
  }

  @Test func `the second of two equal times in autumn stays the second`() throws {
    let calendar = try taken(
      #"""
      {"items":[{"id":"a","summary":"A","start":{"dateTime":"2026-10-25T02:30:00+01:00","timeZone":"Europe/Berlin"},
      "end":{"dateTime":"2026-10-25T03:30:00+01:00","timeZone":"Europe/Berlin"}}]}
      """#)
    #expect(try starts(calendar) == ["A 2026-10-25T02:30:00+01:00"])
  }
}
