import Calendar
import Testing

/// Files that are not in UTF-8.
struct CharacterSetTests {
  private static let note = "The calendar is not in UTF-8; it is read as Windows-1252."

  /// The title, and the warnings, of a calendar of which the title has these bytes.
  private func read(_ title: [UInt8], more: String = "") throws -> [String] {
    let head = "BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:a\r\nDTSTART:20260701T100000Z\r\n\(more)SUMMARY:"
    let fixture = try CalendarFixture(bytes: head.utf8 + title + "\r\nEND:VEVENT\r\nEND:VCALENDAR\r\n".utf8)
    return try fixture.occurrences().map(\.title) + fixture.calendar.warnings
  }

  @Test func `what is not in UTF-8 is read as Windows-1252, with a note`() throws {
    // »Spaß« für 5 €: the two bytes of ß« would be a character of UTF-8.
    let spass: [UInt8] = [0xBB, 0x53, 0x70, 0x61, 0xDF, 0xAB, 0x20, 0x66, 0xFC, 0x72, 0x20, 0x35, 0x20, 0x80]
    #expect(try read(spass) == ["»Spaß« für 5 €", Self.note])
    #expect(try read([0xC4]) == ["Ä", Self.note])
    #expect(try read([0x41, 0x81]) == ["A\u{FFFD}", Self.note], "it has no character there")
  }

  @Test func `UTF-8 stays so, also where a character is folded or cut`() throws {
    #expect(try read(Array("Größe 🍏".utf8)) == ["Größe 🍏"])
    #expect(try read([0xC3] + Array("\r\n ".utf8) + [0xA4]) == ["ä"])
    #expect(try read([0xF0, 0x9F] + Array("\n\t".utf8) + [0x8D, 0x8F]) == ["🍏"])
    #expect(try read([0x41, 0xC3], more: "LOCATION:Köln\r\n") == ["A\u{FFFD}"])
  }

  @Test(arguments: [
    ("CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:Restm=C3=BCll; gelb=", "Restmüll; gelb"),
    ("encoding=quoted-printable:Restm=FCll=0D=0AGlas", "Restmüll Glas"),
    ("ENCODING=QUOTED-PRINTABLE:https://a.example/?a=b&c=20", "https://a.example/?a=b&c=20"),
    ("X=1:a=C3=BC", "a=C3=BC"),
  ])
  func `quoted-printable is read where it is named and is some`(line: String, title: String) throws {
    let fixture = try CalendarFixture(CalendarFixture.event("a", "DTSTART:20260701T100000Z", "SUMMARY;\(line)"))
    #expect(try fixture.occurrences().map(\.title) == [title])
    #expect(fixture.calendar.warnings == [])
  }

  @Test func `UTF-16 is refused as such`() {
    let text = Array("BEGIN:VCALENDAR\r\n".utf8).flatMap { byte -> [UInt8] in [byte, 0] }
    #expect(throws: CalendarError.notACalendar(kind: "UTF-16 text")) {
      try CalendarFixture(bytes: [0xFF, 0xFE] + text)
    }
  }
}
