import Calendar
import Testing

struct CalendarWriterTests {
  private func file(_ lines: String...) throws -> String {
    let fixture = try CalendarFixture(["BEGIN:VEVENT", "UID:a"] + lines + ["END:VEVENT"])
    return icsText(of: try fixture.occurrences()[0], now: 1_767_225_600)
  }

  /// The text unfolded, as bytes: in a Swift string, a fold's space may combine with the next character.
  private func unfolded(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var index = 0
    while index < bytes.count {
      if bytes[index...].starts(with: [13, 10, 32]) {
        index += 3
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }

  @Test func `a file has what the occurrence has`() throws {
    let text = try file(
      "DTSTART;TZID=Europe/Berlin:20260701T190000", "DTEND;TZID=Europe/Berlin:20260701T210000",
      "SUMMARY:One\\, two\\; three", "LOCATION:Hall", "URL:https://example.org/a", "STATUS:TENTATIVE", "SEQUENCE:3",
      "ATTACH;FMTTYPE=application/pdf:https://example.org/flyer.pdf", "ATTACH:javascript:alert(1)",
      "ATTACH;ENCODING=BASE64;VALUE=BINARY:aHR0cA==")
    for line in [
      "BEGIN:VCALENDAR", "VERSION:2.0", "METHOD:PUBLISH", "DTSTAMP:20260101T000000Z", "DTSTART:20260701T170000Z",
      "DTEND:20260701T190000Z", "SUMMARY:One\\, two\\; three", "LOCATION:Hall", "URL:https://example.org/a",
      "STATUS:TENTATIVE", "SEQUENCE:3", "ATTACH:https://example.org/flyer.pdf", "END:VCALENDAR",
    ] {
      #expect(text.contains("\(line)\r\n"), "\(line)")
    }
    #expect(!text.replacing("\r\n", with: "").contains("\n"))
    #expect(text.split(separator: "ATTACH").count == 2, "nothing but addresses on the web")
  }

  @Test func `an all-day event has dates`() throws {
    let text = try file("DTSTART;VALUE=DATE:20260701", "DTEND;VALUE=DATE:20260703", "SUMMARY:Camp")
    #expect(text.contains("DTSTART;VALUE=DATE:20260701\r\nDTEND;VALUE=DATE:20260703\r\n"))
  }

  @Test func `an event without length has no end`() throws {
    #expect(try !file("DTSTART:20260701T100000Z").contains("DTEND"))
  }

  @Test(arguments: 60...90) func `lines are folded at 75 octets between characters`(length: Int) throws {
    for character in ["x", "ö", "€", "⚓️", "👩‍🚀"] {
      let title = String(repeating: "x", count: length) + String(repeating: character, count: 40)
      let text = try file("DTSTART:20260701T100000Z", "SUMMARY:\(title)")
      for line in Array(text.utf8).split(separator: 10) {
        #expect(line.count <= 76 && line.last == 13)
        #expect(String(validating: line, as: UTF8.self) != nil)
      }
      #expect(unfolded(text).contains(Array("SUMMARY:\(title)\r\n".utf8)))
    }
  }

  @Test func `a file is read back as it was`() throws {
    let text = try file(
      "DTSTART:20260701T100000Z", "DURATION:PT1H", "SUMMARY:Löten \\\\ und\\; mehr",
      "DESCRIPTION:<p>Bring <b>tools</b>\\, see https://example.org</p>")
    let copy = try CalendarFixture(bytes: Array(text.utf8)).occurrences()[0]
    #expect(copy.title == "Löten \\ und; mehr")
    #expect(copy.descriptionHTML.contains("<b>tools</b>, see <a href=\"https://example.org\""))
    #expect(copy.uid.hasSuffix("@eightbells"))
    #expect(copy.end - copy.start == 3600)
  }
}
