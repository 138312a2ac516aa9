import Calendar
import Hub
import Programme
import Testing
import Wire

struct CalendarSettingsTests {
  static let good = """
    {"calendars":[{"kind":"ics","url":"file:a.ics"},{"kind":"ics","url":"https://a.example/b.ics"}]}
    """

  static func check(_ text: String) throws -> [CalendarSource] {
    var check = FieldCheck(try JSON(parsing: text), known: ["calendars"], nullIsNothing: true)
    let calendars = check.calendars("calendars", isAllowed: { _ in true })
    if !check.errors.isEmpty { throw FieldErrors(check.errors) }
    return calendars
  }

  @Test func `a good list is kept as it came`() throws {
    let all = try Self.check(Self.good)
    #expect(all.map(\.address) == ["file:a.ics", "https://a.example/b.ics"])
    #expect(try Self.check(JSON.object([.init("calendars", .array(all.map(\.json)))]).text) == all)
  }

  @Test(arguments: [
    ("\"kind\":\"ics\",\"url\":\"file:a.ics\"", "\"kind\":\"carddav\",\"url\":\"file:a.ics\"", "calendars[0].kind"),
    ("file:a.ics", "ftp://a.example/a.ics", "calendars[0].url"), ("file:a.ics", "https://", "calendars[0].url"),
    ("file:a.ics", "https://a.example/b.ics", "calendars[1].url"),
  ])
  func `each wrong field is named`(part: String, replacement: String, field: String) {
    let error = #expect(throws: FieldErrors.self) { try Self.check(Self.good.replacing(part, with: replacement)) }
    #expect(error?.errors.contains { $0.field == field } == true, "\(error?.message ?? "")")
  }

  @Test func `an address of few characters and many accents is too long`() {
    let url = "https://a.example/b" + String(repeating: "\u{301}", count: ProgrammeLimits.url * 8)
    let error = #expect(throws: FieldErrors.self) {
      try Self.check(Self.good.replacing("https://a.example/b.ics", with: url))
    }
    #expect(error?.errors.map(\.field) == ["calendars[1].url"])
  }
}
