import CivilTime
import Hub
import Space
import Testing

/// The rules for who is asked to open, and for when a space opens next.
struct OpenerQuestionTests {
  static let start = 1_795_200_000

  func step(
    _ asked: [OpenerQuestion.Asked] = [], openers: [Int] = [], at seconds: Int = 0, length: Int = 10_000,
    wasHeld: Bool = false
  ) -> OpenerQuestion.Step {
    OpenerQuestion(
      openers: openers, keykeepers: [1, 2, 3], asked: asked, start: Self.start, end: Self.start + length
    ).step(now: Self.start + seconds, wasHeld: wasHeld)
  }

  func asked(_ person: Int, _ seconds: Int, isRefused: Bool = false) -> OpenerQuestion.Asked {
    .init(person: person, at: Self.start + seconds, isRefused: isRefused)
  }

  @Test func `one after the other is asked, first who wanted to open`() {
    #expect(step() == .ask(1))
    #expect(step(openers: [3]) == .ask(3))
    #expect(step(openers: [9]) == .ask(1), "they may not open any more")
    #expect(step([asked(3, 0, isRefused: true)], openers: [3], at: 5) == .ask(1))
    #expect(step([asked(1, 0)], at: 599) == .wait(until: Self.start + 600))
    #expect(step([asked(1, 0)], at: 600) == .ask(2))
    #expect(step([asked(1, 0, isRefused: true)], at: 5) == .ask(2))
    #expect(step([asked(1, 0, isRefused: true), asked(2, 5)], at: 600) == .wait(until: Self.start + 605))
    // Nobody is left, but one of them may still come, until the end.
    let all = [asked(1, 0, isRefused: true), asked(2, 0, isRefused: true), asked(3, 0)]
    #expect(step(all, at: 5000) == .wait(until: Self.start + 7200) && step(all, at: 7200) == .over)
  }

  @Test func `it ends with the event, or after two hours, and is not taken up late`() {
    #expect(step([asked(1, 0)], at: 7199) == .missed)
    #expect(step([asked(1, 5400)], at: 7199) == .ask(2))
    #expect(step([asked(1, 7000)], at: 7200) == .over)
    #expect(step([asked(1, 0)], at: 900, length: 900) == .over)
    #expect(step(at: 1800) == .ask(1) && step(at: 1801) == .missed)
    #expect(step(at: 1801, wasHeld: true) == .ask(1) && step(at: 7200, wasHeld: true) == .over)
    #expect(step(at: 60, length: 0) == .ask(1), "an event without length")
  }

  static let zone = Zone(name: "Test/One", transitions: [], initialOffset: 3600)

  /// - Parameter day: of November 2026; the 20th is a Friday.
  func opens(_ hours: String, day: Int, hour: Int, minute: Int = 0) -> String? {
    let now = WallTime(date: CivilDate(year: 2026, month: 11, day: day), secondOfDay: hour * 3600 + minute * 60)
    return OpeningHours(hours)?.nextOpening(after: Self.zone.instant(of: now), zone: Self.zone).map {
      timestamp($0, in: Self.zone)
    }
  }

  @Test func `the next opening by the hours`() {
    #expect(opens("Tu,Th 18:00-23:00", day: 20, hour: 19) == "2026-11-24T18:00:00+01:00")
    #expect(opens("Fr 18:00-23:00", day: 20, hour: 17, minute: 59) == "2026-11-20T18:00:00+01:00")
    #expect(opens("Fr 18:00-23:00", day: 20, hour: 18) == "2026-11-27T18:00:00+01:00", "it should be open now")
    #expect(opens("We[1] 18:00-23:00", day: 20, hour: 18) == "2026-12-02T18:00:00+01:00")
    #expect(opens("Mo 18:00-23:00; Mo[-1] off", day: 24, hour: 18) == "2026-12-07T18:00:00+01:00")
    #expect(opens("Mo[-1] 18:00-23:00", day: 20, hour: 18) == "2026-11-30T18:00:00+01:00")
    #expect(opens("Su off", day: 20, hour: 18) == nil)
    #expect(opens("24/7", day: 20, hour: 18) == nil, "midnight opens nothing")
    #expect(opens("Fr 18:00-24:00; Sa 00:00-04:00,20:00-24:00", day: 20, hour: 19) == "2026-11-21T20:00:00+01:00")
  }

  @Test func `a closed sign says when it opens next`() {
    let now = 1_795_282_800
    let words = { (sign: Sign) in
      SignBell.bell(sign, opens: now + 3 * 86_400, now: now, zone: Self.zone).body.map { [$0.english, $0.german] }
    }
    #expect(
      words(Sign(open: false, by: "Ada")) == [
        "Ada has closed; opens Tue 18:40", "Ada hat zugemacht; öffnet Di 18:40",
      ])
    #expect(words(Sign(open: false, message: "Bye."))?[0] == "The space is closed: Bye. Opens Tue 18:40")
    #expect(words(Sign(open: true, by: "Ada"))?[0] == "Ada has opened")
  }
}
