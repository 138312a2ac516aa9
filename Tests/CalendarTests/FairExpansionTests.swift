import Calendar
import Testing

/// The sharing of an answer between several calendars.
struct FairExpansionTests {
  private typealias Fixture = CalendarFixture
  private static let (from, to) = (1_767_225_600, 1_798_761_600)

  private func calendar(_ count: Int, _ rule: String) throws -> ParsedCalendar {
    try Fixture((0..<count).flatMap { Fixture.event("e\($0)", "DTSTART:19900101T000000Z", "RRULE:\(rule)") }).calendar
  }

  private func answer(
    _ calendars: [ParsedCalendar?], steps: Int = CalendarLimits.steps, occurrences: Int = 20_000,
    bytes: Int = 100_000_000
  ) -> [(occurrences: [Occurrence], warnings: [String])]? {
    expandFairly(
      calendars.enumerated().map { ("c\($0.offset)", $0.element) }, from: Self.from, to: Self.to, steps: steps,
      occurrences: occurrences, bytes: bytes, bytesOfEach: 100)
  }

  @Test func `a calendar that costs too much does not use up what those behind it need`() throws {
    let evil = try calendar(100, "FREQ=HOURLY;BYDAY=MO;COUNT=50000")
    let good = try calendar(1, "FREQ=DAILY;COUNT=40000")
    for calendars in [[evil, good], [good, evil], [evil, evil, evil, good]] {
      let found = try #require(answer(calendars))
      for (calendar, result) in zip(calendars, found) where calendar.series.count == 1 {
        #expect(result.occurrences.count == 365 && result.warnings == [])
      }
      #expect(found.contains { !$0.warnings.isEmpty })
    }
  }

  @Test func `what the modest leave over goes to those that need more`() throws {
    let modest = try calendar(1, "FREQ=WEEKLY")
    let heavy = try calendar(3, "FREQ=DAILY;COUNT=50000")
    let alone = try #require(answer([heavy]))
    let cost = 160_000
    #expect(alone[0].warnings == [])
    let shared = try #require(answer([heavy] + Array(repeating: modest, count: 9), steps: cost * 2))
    #expect(shared[0].occurrences.count == alone[0].occurrences.count && shared[0].warnings == [])
  }

  /// Events that take place once, so that nothing of them can be shortened.
  private func single(_ count: Int) throws -> ParsedCalendar {
    try Fixture((0..<count).flatMap { Fixture.event("s\($0)", "DTSTART:20260701T000000Z") }).calendar
  }

  @Test func `of too many events the largest series are shortened, and say so`() throws {
    let few = try calendar(1, "FREQ=WEEKLY")
    let daily = try calendar(2, "FREQ=DAILY")
    let found = try #require(answer([few, daily, nil], occurrences: 252))
    #expect(found.map(\.occurrences.count) == [52, 200, 0])
    #expect(Set(found[1].occurrences.map(\.start)).count == 100, "the first hundred days of both")
    #expect(found[0].warnings == [] && found[1].warnings.count == 2)
    #expect(found[1].warnings.allSatisfy { $0.contains("repeats too often") && $0.contains("up to 100 of") })
    #expect(try #require(answer([few, few], bytes: 5_100)).map(\.occurrences.count) == [25, 25])
  }

  @Test func `a calendar full of endless rules still has what stands behind them`() throws {
    for rule in ["FREQ=MINUTELY", "FREQ=DAILY;BYHOUR=8,16;BYMINUTE=0,30"] {
      let lines = (0..<22).flatMap { Fixture.event("e\($0)", "DTSTART:20260101T000000Z", "RRULE:\(rule)") }
      let whole = try Fixture(lines + Fixture.event("talk", "DTSTART:20260701T190000Z", "RRULE:FREQ=WEEKLY")).calendar
      let found = try #require(answer([whole]))
      #expect(found[0].occurrences.filter { $0.title == "talk" }.count == 27, "\(rule)")
      #expect((19_900...20_000).contains(found[0].occurrences.count), "\(rule)")
      #expect(found[0].warnings.contains { $0.contains("\"e0\"") })
    }
  }

  @Test func `where there is too much that takes place once, the largest calendar is left out, and says so`() throws {
    let (many, few, weekly) = (try single(300), try single(40), try calendar(1, "FREQ=WEEKLY"))
    let found = try #require(answer([few, many, nil, weekly], occurrences: 200))
    #expect(found.map(\.occurrences.count) == [40, 0, 0, 52])
    #expect(found[1].warnings.last?.contains("Ask for fewer days") == true)
    #expect(found[0].warnings == [] && found[3].warnings == [])
    #expect(answer([many], occurrences: 200) == nil, "where there is nothing else, the whole answer is refused")
    #expect(answer([few, few], bytes: 4_000) == nil)
    #expect(try #require(answer([few, few], bytes: 5_000)).map(\.occurrences.count) == [40, 0])
  }
}
