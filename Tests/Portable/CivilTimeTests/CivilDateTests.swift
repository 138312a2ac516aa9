import CivilTime
import Testing

struct CivilDateTests {
  @Test(arguments: [
    (1970, 1, 1, 0), (1969, 12, 31, -1), (2000, 2, 29, 11_016), (1900, 3, 1, -25_508), (2026, 11, 20, 20_777),
    (1600, 2, 29, -135_081), (0, 1, 1, -719_528), (9999, 12, 31, 2_932_896),
  ])
  func `a date has its day number, and back`(year: Int, month: Int, day: Int, number: Int) {
    let date = CivilDate(year: year, month: month, day: day)
    #expect(date.dayNumber == number)
    #expect(CivilDate(dayNumber: number) == date)
  }

  @Test func `four hundred years follow each other day by day`() {
    var expected = CivilDate(year: 1899, month: 12, day: 31)
    for number in expected.dayNumber...expected.dayNumber + 146_097 {
      let date = CivilDate(dayNumber: number)
      guard date == expected, date.dayNumber == number else {
        Issue.record("\(number) is \(date.text), not \(expected.text)")
        return
      }
      let isLastOfMonth = date.day == CivilDate.days(inMonth: date.month, of: date.year)
      expected =
        isLastOfMonth
        ? CivilDate(year: date.month == 12 ? date.year + 1 : date.year, month: date.month % 12 + 1, day: 1)
        : CivilDate(year: date.year, month: date.month, day: date.day + 1)
    }
  }

  @Test(arguments: [
    ("2026-11-20", 5, 47), ("2026-01-01", 4, 1), ("2027-01-03", 7, 53), ("2024-12-30", 1, 1), ("1969-12-29", 1, 1),
  ])
  func `a date has its weekday and week`(text: String, weekday: Int, week: Int) throws {
    let date = try #require(CivilDate(text))
    #expect(date.weekday == weekday)
    #expect(date.isoWeek == week)
    #expect(date.text == text)
  }

  @Test(arguments: [
    "", "2026-1-1", "2026-13-01", "2026-00-10", "2026-02-29", "2026-11-31", "2026-11-20 ", " 2026-11-20", "20261120",
    "2026-11-20T00:00", "+026-11-20", "2026/11/20", "２０２６-11-20",
  ])
  func `what is no date is refused`(text: String) {
    #expect(CivilDate(text) == nil)
  }

  @Test func `dates have the order of time`() {
    #expect(CivilDate(year: 2025, month: 12, day: 31) < CivilDate(year: 2026, month: 1, day: 1))
    #expect(CivilDate(year: 2026, month: 1, day: 31) < CivilDate(year: 2026, month: 2, day: 1))
    #expect(CivilDate(year: 2026, month: 2, day: 1) < CivilDate(year: 2026, month: 2, day: 2))
  }

  @Test func `wall times before 1970 have a date and a second of the day`() {
    let wall = WallTime(seconds: -1)
    #expect(wall.date == CivilDate(year: 1969, month: 12, day: 31))
    #expect(wall.secondOfDay == 86_399)
    #expect(WallTime(date: wall.date, secondOfDay: 86_400) == WallTime(seconds: 0))
  }
}
