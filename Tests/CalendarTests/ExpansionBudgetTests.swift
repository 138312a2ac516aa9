import CivilTime
import Calendar
import Testing

/// The cost of an answer is bounded, whatever the calendars are.
struct ExpansionBudgetTests {
  private typealias Fixture = CalendarFixture
  private static let (from, to) = (1_767_225_600, 1_924_992_000)
  private static let sixty = (0..<60).map(String.init).joined(separator: ",")

  /// The occurrences in an answer from many calendars, and the rest of its budget.
  private func answer(
    _ calendars: [ParsedCalendar], occurrences: Int = 20_001
  ) -> (occurrences: [Occurrence], warnings: [String], left: ExpansionBudget) {
    var budget = ExpansionBudget(occurrences: occurrences)
    var all: ([Occurrence], [String]) = ([], [])
    for (index, calendar) in calendars.enumerated() {
      let found = expand(
        calendar, calendarID: "c\(index)", from: ExpansionBudgetTests.from, to: ExpansionBudgetTests.to, budget: &budget
      )
      all.0 += found.occurrences
      all.1 += found.warnings
    }
    return (all.0, all.1, budget)
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      "FREQ=HOURLY;BYDAY=MO;BYMINUTE=\(sixty);COUNT=50000", "FREQ=HOURLY;BYDAY=MO;BYMINUTE=\(sixty)",
      "FREQ=HOURLY;INTERVAL=168;BYDAY=TU;BYMINUTE=\(sixty)", "FREQ=DAILY;BYMINUTE=\(sixty);BYMONTH=2;BYMONTHDAY=29",
      "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYMINUTE=\(sixty);BYMONTH=2", "FREQ=MONTHLY;BYMONTHDAY=31;BYMONTH=2,12",
      "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29;BYDAY=MO", "FREQ=YEARLY;BYWEEKNO=53;BYMONTH=6", "FREQ=YEARLY;BYDAY=53MO",
      "FREQ=YEARLY;INTERVAL=100;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYMONTHDAY=31,-31;BYDAY=MO", "FREQ=DAILY",
      "FREQ=DAILY;BYSETPOS=2",
    ])
  func `calendars full of expensive rules end together`(rule: String) throws {
    for start in ["20260105T000000Z", "19000101T000000Z"] {
      let calendar = try Fixture(
        (0..<2500).flatMap {
          Fixture.event("e\($0)", "DTSTART:\(start)", "DURATION:P36525D", "RRULE:\(rule)")
        }
      ).calendar
      let all = answer([ParsedCalendar](repeating: calendar, count: 20))
      #expect(all.left.steps > -CalendarLimits.stepsPerSeries)
      #expect(all.left.steps <= 0 || all.occurrences.count == 20_001)
      #expect((1...20 * 101).contains(all.warnings.count))
    }
  }

  @Test func `what libical leaves out costs steps too`() throws {
    let rules = ["FREQ=DAILY", "FREQ=DAILY;BYMONTH=2", "FREQ=HOURLY;BYDAY=MO;BYMINUTE=0,30", "FREQ=YEARLY;BYDAY=53MO"]
    let costs = try rules.map { rule in
      let fixture = try Fixture(Fixture.event("a", "DTSTART:20260105T000000Z", "RRULE:\(rule)"))
      let left = answer([fixture.calendar]).left.steps
      return CalendarLimits.steps - left
    }
    // 1,826 days; 261 of them have 24 hours with two times, of which 1,000 are taken; 5 years.
    #expect((1_826...6_000).contains(costs[0]))
    #expect((1_826...6_000).contains(costs[1]))
    #expect((1_000...3_000).contains(costs[2]))
    #expect((20...200).contains(costs[3]))
  }

  @Test func `occurrences end where the budget does, one more than are accepted`() throws {
    let calendar = try Fixture(
      (0..<3).flatMap { Fixture.event("e\($0)", "DTSTART:20260105T000000Z", "RRULE:FREQ=DAILY;COUNT=10") }
    ).calendar
    #expect(answer([calendar, calendar], occurrences: 61).occurrences.count == 60)
    #expect(answer([calendar, calendar], occurrences: 61).warnings == [])
    let few = answer([calendar, calendar], occurrences: 45)
    #expect(few.occurrences.count == 45 && few.left.occurrences == 0)
    #expect(
      few.warnings == ["Calendar \"c1\" was not read to its end: there are more occurrences than one answer may have."])
  }

  @Test func `where there is no room for a rule, what takes place once is still there`() throws {
    let calendar = try Fixture(
      Fixture.event("daily", "DTSTART:20260105T000000Z", "RRULE:FREQ=DAILY")
        + Fixture.event("once", "DTSTART:20260705T000000Z")
    ).calendar
    #expect(answer([calendar], occurrences: 10).occurrences.filter { $0.uid == "once" }.count == 1)
  }

  @Test func `without steps, what does not recur is still there`() throws {
    let calendar = try Fixture(
      Fixture.event("weekly", "DTSTART:20260105T000000Z", "RRULE:FREQ=WEEKLY")
        + Fixture.event("once", "DTSTART:20260105T000000Z")
    ).calendar
    var budget = ExpansionBudget(steps: 0)
    let found = expand(
      calendar, calendarID: "c", from: ExpansionBudgetTests.from, to: ExpansionBudgetTests.to, budget: &budget)
    #expect(found.occurrences.map(\.uid).sorted() == ["once", "weekly"])
    #expect(found.warnings.count == 1 && found.warnings[0].contains("\"weekly\""))
  }

  @Test func `where a rule runs out of steps, dates with a length of their own keep it`() throws {
    let calendar = try Fixture(
      Fixture.event(
        "a", "DTSTART:20260105T000000Z", "RRULE:FREQ=DAILY", "RDATE;VALUE=PERIOD:20260107T000000Z/PT30M")
    ).calendar
    var budget = ExpansionBudget(steps: 40)
    let found = expand(
      calendar, calendarID: "c", from: ExpansionBudgetTests.from, to: ExpansionBudgetTests.to, budget: &budget)
    #expect(found.warnings.count == 1)
    #expect(found.occurrences.prefix(3).map { $0.end - $0.start } == [0, 0, 1800])
  }

  @Test(.timeLimit(.minutes(1))) func `thousands of changes for the future cost no more than one`() throws {
    let changes = (0..<15_000).flatMap { number in
      let start = timestamp(2_208_988_800 + number * 3600, in: .utc).filter { $0 != "-" && $0 != ":" }
      return ["BEGIN:VEVENT", "UID:a", "RECURRENCE-ID;RANGE=THISANDFUTURE:\(start)", "DTSTART:\(start)", "END:VEVENT"]
    }
    let rule = "FREQ=DAILY;BYHOUR=\((0..<24).map(String.init).joined(separator: ","))"
    let fixture = try Fixture(Fixture.event("a", "DTSTART:20250101T000000Z", "RRULE:\(rule)") + changes)
    #expect(answer([fixture.calendar]).occurrences.count > 19_000)
  }

  @Test func `hours before 1970 are none too few`() throws {
    let fixture = try Fixture(
      Fixture.event("a", "DTSTART:19691231T200000Z", "RRULE:FREQ=HOURLY;UNTIL=19700101T020000Z"), zone: "UTC")
    #expect(try fixture.starts("1969-12-31", "1970-01-02").count == 7)
    #expect(try fixture.starts("1969-12-31", "1970-01-02") == fixture.starts("1960-01-01", "1980-01-01"))
  }
}
