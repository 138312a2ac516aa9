import Calendar
import CivilTime
import Lifecycle
import Space
import Testing

struct DemoTests {
  /// Every day of more than a year, since the demo must work on any day.
  @Test func `the season is understood without a warning, and something is on tonight, on any day`() throws {
    let zone = try systemZone("Europe/Berlin")
    let first = CivilDate(year: 2026, month: 1, day: 1).dayNumber
    for day in stride(from: first, to: first + 400, by: 1) {
      let today = CivilDate(dayNumber: day)
      let calendar = try parseCalendar(Array(DemoCalendar.text(today: today).utf8), zone: zone)
      let start = zone.instant(of: WallTime(date: today, secondOfDay: 0))
      let courses = try parseCalendar(Array(DemoCalendar.courses(today: today).utf8), zone: zone)
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

  @Test func `the year of the sign alternates and ends before now`() throws {
    let zone = try systemZone("Europe/Berlin")
    let now = 1_795_196_400
    let turns = SpaceDemo.history(before: now, zone: zone)
    #expect(turns.count > 150)
    for (one, next) in zip(turns, turns.dropFirst()) {
      #expect(one.open != next.open)
      #expect(try #require(one.lastChange) < (try #require(next.lastChange)))
    }
    #expect(try #require(turns.last?.lastChange) < now)
    #expect(try #require(turns.first?.lastChange) > now - 367 * 86_400)
  }
}
