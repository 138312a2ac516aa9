import Calendar
import Testing

struct LookScheduleTests {
  @Test func `a calendar that is well is looked at every five minutes`() {
    var schedule = LookSchedule()
    #expect(schedule.isDue(at: 0))
    for chance in [0, 0.5, 0.999] {
      schedule.succeed(at: 1000, chance: chance)
      #expect(!schedule.isDue(at: 1000 + 269) && schedule.isDue(at: 1000 + 331))
    }
  }

  @Test func `pauses double up to a maximum, and one success ends them`() {
    var schedule = LookSchedule()
    var pauses: [Double] = []
    for _ in 0..<40 {
      schedule.fail(at: 0, retryAfter: nil, chance: 0.5)
      pauses.append(schedule.due)
    }
    #expect(Array(pauses.prefix(8)) == [300, 600, 1200, 2400, 4800, 9600, 19200, 21600])
    #expect(pauses.dropFirst(8).allSatisfy { $0 == CalendarLimits.longestPause })
    schedule.succeed(at: 0, chance: 0.5)
    #expect(schedule.failures == 0 && schedule.due == 300)
  }

  @Test func `chance spreads the pauses, and never beyond the maximum`() {
    for chance in stride(from: 0.0, to: 1, by: 0.1) {
      var schedule = LookSchedule()
      for failures in 1...10 {
        schedule.fail(at: 0, retryAfter: nil, chance: chance)
        let middle = min(300 * Double(1 << (failures - 1)), CalendarLimits.longestPause)
        #expect(schedule.due >= 0.75 * middle && schedule.due <= min(1.25 * middle, CalendarLimits.longestPause))
      }
    }
  }

  @Test func `a server is left alone for as long as it asks, and no longer than a day`() {
    var schedule = LookSchedule()
    schedule.fail(at: 0, retryAfter: 7200, chance: 0)
    #expect(schedule.due == 7200)
    schedule.fail(at: 0, retryAfter: 10, chance: 0.5)
    #expect(schedule.due == 600, "what is asked for is a least")
    schedule.fail(at: 0, retryAfter: 1e9, chance: 0)
    #expect(schedule.due == CalendarLimits.longestRetryAfter)
  }

  @Test(
    arguments: [
      ("120", 120), ("0", 0), ("Fri, 20 Nov 2026 18:42:00 GMT", 120), ("Fri, 20 Nov 2026 18:00:00 GMT", 0),
      ("99999999999999999999", CalendarLimits.longestRetryAfter), ("-5", nil), ("soon", nil), ("", nil), (nil, nil),
      ("1.5", nil), ("12 ", nil),
    ] as [(String?, Double?)])
  func `Retry-After is a number of seconds or a date`(field: String?, seconds: Double?) {
    #expect(retryAfterSeconds(field, now: 1_795_200_000) == seconds)
  }
}
