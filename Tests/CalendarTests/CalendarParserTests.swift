import Calendar
import Lifecycle
import Testing
import World

struct CalendarParserTests {
  private typealias Fixture = CalendarFixture

  @Test(arguments: [
    ("", "empty"), (" \r\n ", "empty"), ("<!DOCTYPE html><title>Login</title>", "a web page or XML"),
    ("{\"error\": 404}", "JSON"), ("Not found", "text"), ("\u{0}\u{1}\u{2}\u{3}", "binary data"),
    ("BEGIN:VCARD\r\nEND:VCARD", "text"),
  ])
  func `what is no calendar is refused with what it looks like`(text: String, kind: String) {
    do {
      _ = try CalendarFixture(bytes: Array(text.utf8))
      Issue.record("accepted")
    } catch {
      let message = "\(error)"
      #expect(message.contains(kind) && message.contains("accepted are iCalendar files"), "\(message)")
    }
  }

  @Test func `a cut-off calendar is refused, also between two events`() throws {
    let event = Fixture.event("a", "DTSTART:20260701T100000Z").joined(separator: "\n")
    #expect(throws: CalendarError.cutOff(component: "VEVENT", line: 2)) {
      try CalendarFixture(bytes: Array("BEGIN:VCALENDAR\n\(event.dropLast(12))".utf8))
    }
    #expect(throws: CalendarError.cutOff(component: "VCALENDAR", line: 1)) {
      try CalendarFixture(bytes: Array("BEGIN:VCALENDAR\n\(event)\n".utf8))
    }
    // Earlier versions took it: their copies, and files that were uploaded to them, are still read.
    let (copy, zone) = (Array("BEGIN:VCALENDAR\n\(event)\n".utf8), try systemZone("Europe/Berlin"))
    #expect(try parseCalendar(copy, zone: zone, isStored: true).series.count == 1)
    #expect(throws: CalendarError.self) { try parseCalendar(Array(copy.dropLast(12)), zone: zone, isStored: true) }
  }

  @Test func `a calendar that is too large is refused`() {
    let bytes = Array("BEGIN:VCALENDAR\n".utf8) + [UInt8](repeating: 10, count: CalendarLimits.bytes)
    #expect(throws: CalendarError.tooLarge(bytes: bytes.count)) { try CalendarFixture(bytes: bytes) }
    let events = "BEGIN:VEVENT\nEND:VEVENT\n"
    let many = "BEGIN:VCALENDAR\n" + String(repeating: events, count: CalendarLimits.events + 1) + "END:VCALENDAR\n"
    #expect(throws: CalendarError.tooManyEvents(line: 100_002)) { try CalendarFixture(bytes: Array(many.utf8)) }
  }

  @Test func `line feeds alone, a byte order mark and small letters are fine`() throws {
    let text =
      "\u{FEFF}begin:vcalendar\nbegin:vevent\nuid:a\ndtstart:20260701T100000z\nsummary:A\nend:vevent\nend:vcalendar"
    #expect(try CalendarFixture(bytes: Array(text.utf8)).starts() == ["2026-07-01T12:00:00+02:00"])
  }

  @Test func `a line of 31 kB without folds is read whole`() throws {
    let text = String(repeating: "wort ", count: 6_300)
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z", "DESCRIPTION:\(text)ende"), ends: "\n")
    let html = try fixture.occurrences()[0].descriptionHTML
    #expect(html.utf8.count > 31_000 && html.hasSuffix("ende</p>"))
  }

  @Test func `folds are joined, also inside a character`() throws {
    var bytes = Array("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260701T100000Z\r\nSUMMARY:L".utf8)
    bytes += [0xC3] + Array("\r\n ".utf8) + [0xB6] + Array("t\r\n\ten\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    #expect(try CalendarFixture(bytes: bytes).occurrences().map(\.title) == ["Löten"])
  }

  @Test func `a bad event is a warning that names it, and the rest is kept`() throws {
    let fixture = try Fixture(
      Fixture.event("no-start") + Fixture.event("bad-zone", "DTSTART;TZID=Nowhere/Land:20260701T100000")
        + Fixture.event("bad-time", "DTSTART:tomorrow")
        + Fixture.event("bad-rule", "DTSTART:20260702T100000Z", "RRULE:FREQ=SOMETIMES")
        + Fixture.event("good", "DTSTART:20260703T100000Z"))
    #expect(try fixture.occurrences().map(\.uid) == ["bad-zone", "bad-rule", "good"])
    let warnings = fixture.calendar.warnings
    #expect(warnings.count == 4)
    for (warning, words) in zip(
      warnings, [["no-start", "no DTSTART"], ["Nowhere/Land"], ["tomorrow"], ["FREQ=SOMETIMES", "left out"]])
    {
      for word in words { #expect(warning.contains(word), "\(warning)") }
    }
  }

  @Test func `warnings past the limit are counted`() throws {
    let fixture = try Fixture((0..<250).flatMap { Fixture.event("bad-\($0)") })
    #expect(fixture.calendar.warnings.count == 101)
    #expect(fixture.calendar.warnings.last == "Further warnings of this calendar that are not listed: 150.")
  }

  @Test func `texts are unescaped, and alarms inside an event do not count`() throws {
    let fixture = try Fixture(
      ["X-WR-CALNAME:Space\\, Berlin", "BEGIN:VEVENT", "UID:a", "DTSTART:20260701T100000Z"]
        + ["SUMMARY;LANGUAGE=\"de:x\":One\\, two\\; \\\\ three\\nfour", "STATUS:CANCELLED", "SEQUENCE:7"]
        + ["BEGIN:VALARM", "SUMMARY:Alarm", "DTSTART:20200101T000000Z", "END:VALARM"]
        + ["LOCATION: Hall ", "URL:javascript:alert(1)", "END:VEVENT"])
    let one = try #require(fixture.occurrences().first)
    #expect(fixture.calendar.name == "Space, Berlin")
    #expect(one.title == "One, two; \\ three four")
    #expect(one.location == "Hall")
    #expect(one.url == nil)
    #expect(one.status == .cancelled)
    #expect(one.sequence == 7)
  }

  @Test func `HTML is preferred where the calendar has both`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART:20260701T100000Z", "DESCRIPTION:plain",
        "X-ALT-DESC;FMTTYPE=text/html:<html><body><p>rich\\, <b>bold</b></p></body></html>"))
    #expect(try fixture.occurrences()[0].descriptionHTML == "<p>rich, <b>bold</b></p>")
  }

  @Test(arguments: [
    "<html><body></body></html>", "<html><body><img src=\"cid:logo\"></body></html>", "<p>&nbsp\\;</p><br>", "",
  ])
  func `HTML in which there is nothing to read does not hide the text`(html: String) throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART:20260701T100000Z", "X-ALT-DESC;FMTTYPE=text/html:\(html)", "DESCRIPTION:Bring tools"))
    #expect(try fixture.occurrences()[0].descriptionHTML == "<p>Bring tools</p>")
  }

  @Test(arguments: ["CANCELLED", "Cancelled", "CANCELED"])
  func `an event is cancelled in either spelling`(status: String) throws {
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20260701T100000Z", "STATUS:\(status)"))
    #expect(try fixture.occurrences().map(\.status) == [.cancelled])
  }

  @Test func `times in small letters are read, also in lists`() throws {
    let fixture = try Fixture(
      Fixture.event(
        "a", "dtstart:20260701t100000z", "rrule:freq=daily;count=3", "exdate:20260702t100000z,20260703t100000z",
        "rdate:20260705t100000z", "rdate;value=period:20260706t100000z/pt1h"))
    #expect(fixture.calendar.warnings == [])
    #expect(
      try fixture.starts().map { $0.prefix(10) } == ["2026-07-01", "2026-07-05", "2026-07-06"])
  }

  @Test func `backslashes that escape nothing stay, and NUL is left out`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:20260701T100000Z", "LOCATION:C:\\temp \\x 12\\:30\u{0}", "URL:https://x.org/a\\,b"))
    let one = try #require(fixture.occurrences().first)
    #expect(one.location == "C:\\temp \\x 12:30")
    #expect(one.url == "https://x.org/a,b")
  }

  @Test func `a description is read behind a long one in HTML, as Thunderbird writes it`() throws {
    let html = String(repeating: "%3Cp%3EBring%20yarn%3C%2Fp%3E", count: 200)
    let fixture = try Fixture(
      Fixture.event(
        "a", "DTSTART:20260701T100000Z", "DESCRIPTION;ALTREP=\"data:text/html,\(html)\":Bring yarn\\, and: tea",
        "STATUS;X-LONG=\(html):CANCELLED"))
    #expect(try fixture.occurrences()[0].descriptionHTML == "<p>Bring yarn, and: tea</p>")
    #expect(fixture.calendar.warnings.count == 1, "what is no text is left out as before")
  }

  /// Names for test arguments, since whole files would be printed.
  enum LongFile: CaseIterable {
    case parameters, unreadable, longLine, components

    var lines: String {
      switch self {
      case .parameters: "SUMMARY" + String(repeating: ";A", count: 5_000_000) + ":x"
      case .unreadable: String(repeating: "DTEND:x\n", count: 1_000_000)
      case .longLine: "DESCRIPTION:" + String(repeating: "word ", count: 2_000_000)
      case .components: String(repeating: "BEGIN:X\n", count: 1_000_000)
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: LongFile.allCases)
  func `a file made to take long is read at once`(file: LongFile) {
    let lines = file.lines
    let text = "BEGIN:VCALENDAR\nBEGIN:VEVENT\nDTSTART:20260701T100000Z\n\(lines)\nEND:VEVENT\nEND:VCALENDAR\n"
    _ = try? CalendarFixture(bytes: Array(text.utf8))
  }

  @Test func `events without a UID stay apart`() throws {
    let fixture = try Fixture(
      ["BEGIN:VEVENT", "DTSTART:20260701T100000Z", "SUMMARY:A", "END:VEVENT"]
        + ["BEGIN:VEVENT", "DTSTART:20260702T100000Z", "SUMMARY:B", "END:VEVENT"])
    #expect(try fixture.occurrences().map(\.title) == ["A", "B"])
  }

  @Test func `random damage is refused or read, and never traps`() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    let whole = Array(
      (["BEGIN:VCALENDAR"]
        + Fixture.event(
          "a", "DTSTART;TZID=Europe/Berlin:20260701T100000", "DURATION:P1DT2H",
          "RRULE:FREQ=MONTHLY;BYDAY=-1FR;BYSETPOS=1;COUNT=9", "EXDATE:20260731T080000Z",
          "RDATE;VALUE=PERIOD:20260801T100000Z/PT1H")
        + ["END:VCALENDAR"]).joined(separator: "\r\n").utf8)
    let interesting = Array("0129-+;:=,/TZP\r\n\"\\\u{0}<".utf8)
    for _ in 0..<3000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let index = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[index] = interesting.randomElement(using: &random)!
        case 1: bytes.remove(at: index)
        default: bytes.insert(interesting.randomElement(using: &random)!, at: index)
        }
      }
      if let fixture = try? CalendarFixture(bytes: bytes) {
        _ = expand(fixture.calendar, calendarID: "test", from: 1_767_222_000, to: 1_800_000_000)
      }
    }
  }
}
