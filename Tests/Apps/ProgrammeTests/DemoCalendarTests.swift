import Calendar
import CivilTime
import Hub
import Lifecycle
import Programme
import Testing

struct DemoCalendarTests {
  @Test func `late in the evening, the next one is tomorrow's`() throws {
    let zone = try systemZone("Europe/Berlin")
    let (today, club) = (CivilDate(year: 2026, month: 11, day: 25), DemoClub(isGerman: false))
    for isLate in [false, true] {
      let text = DemoCalendar.text(today: today, isLate: isLate, club)
      let start = zone.instant(of: WallTime(date: today, secondOfDay: 0))
      let (season, _) = expand(
        try parseCalendar(Array(text.utf8), zone: zone), calendarID: "demo", from: start, to: start + 3 * 86_400)
      let talks = season.filter { $0.title == "Lightning talks" }.map(\.start)
      #expect(talks == [start + (isLate ? 44 : 20) * 3_600])
    }
  }

  /// Every day of more than a year: whichever day somebody tries the demo, its season is whole.
  @Test func `the season is understood without a warning, and something is on tonight, on any day`() throws {
    let zone = try systemZone("Europe/Berlin")
    let first = CivilDate(year: 2026, month: 1, day: 1).dayNumber
    for day in stride(from: first, to: first + 400, by: 1) {
      let (today, club) = (CivilDate(dayNumber: day), DemoClub(isGerman: day % 2 == 0))
      let calendar = try parseCalendar(Array(DemoCalendar.text(today: today, club).utf8), zone: zone)
      let start = zone.instant(of: WallTime(date: today, secondOfDay: 0))
      let courses = try parseCalendar(Array(DemoCalendar.courses(today: today, club).utf8), zone: zone)
      let (evenings, complaints) = expand(courses, calendarID: "courses", from: start, to: start + 120 * 86_400)
      #expect(courses.warnings + complaints == [])
      #expect(evenings.count >= 4)
      let (season, warnings) = expand(calendar, calendarID: "demo", from: start, to: start + 120 * 86_400)
      #expect(calendar.warnings + warnings == [])
      #expect(season.count > 50)
      #expect(season.contains { $0.start < start + 86_400 })
      #expect(season.contains { $0.status == .cancelled })
      #expect(season.contains { $0.allDay })
      #expect(Set(season.map(\.id)).count == season.count)
    }
  }
}
