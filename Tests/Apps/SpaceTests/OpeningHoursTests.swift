import CivilTime
import Lifecycle
import Space
import Testing
import World

struct OpeningHoursTests {
  /// "2 18:00-23:00" for each span, "+" for an open end, "[…]" for the weeks.
  static func told(_ hours: OpeningHours?) -> [String]? {
    hours?.spans.map { span in
      let weeks = span.weeks.isEmpty ? "" : "\(span.weeks)"
      return "\(span.weekday)\(weeks) \(span.from / 60):\(span.from % 60)-\(span.to / 60):\(span.to % 60)"
        + (span.isOpenEnded ? "+" : "")
    }
  }

  @Test(arguments: [
    ("Tu,Th 18:00-23:00", ["2 18:0-23:0", "4 18:0-23:0"]),
    ("Tu, Th 18:00-23:00", ["2 18:0-23:0", "4 18:0-23:0"]),
    (
      "Mo-We 9:00-12:30,14:00-18:00",
      ["1 9:0-12:30", "1 14:0-18:0", "2 9:0-12:30", "2 14:0-18:0", "3 9:0-12:30", "3 14:0-18:0"]
    ),
    ("Fr 20:00-02:00", ["5 20:0-26:0"]),
    ("Fr 20:00-26:00", ["5 20:0-26:0"]),
    ("Sa-Mo 10:00-11:00", ["1 10:0-11:0", "6 10:0-11:0", "7 10:0-11:0"]),
    ("We 18:00+", ["3 18:0-24:0+"]),
    ("We 18:00-22:00+", ["3 18:0-22:0+"]),
    ("Sa[1,3] 14:00-18:00", ["6[1, 3] 14:0-18:0"]),
    ("Su[-1] 14:00-18:00", ["7[-1] 14:0-18:0"]),
    ("Mo-Fr 10:00-18:00; We off", ["1 10:0-18:0", "2 10:0-18:0", "4 10:0-18:0", "5 10:0-18:0"]),
    ("Mo-Tu 10:00-18:00; Tu 12:00-14:00; PH off", ["1 10:0-18:0", "2 12:0-14:0"]),
    ("Tu,PH 10:00-12:00", ["2 10:0-12:0"]),
    ("tu 18:00-23:00", ["2 18:0-23:0"]),
    ("Mo off", []),
    ("Th 19:00-23:00; Th[-1] off", ["4[-5, -4, -3, -2] 19:0-23:0"]),
    ("Sa 14:00-18:00; Sa[1] 10:00-12:00", ["6[1] 10:0-12:0", "6[2, 3, 4, 5] 14:0-18:0"]),
    ("Sa[1,3] 14:00-18:00; Sa[1] off; Su[-1] 10:00-12:00; Su[1] off", ["6[3] 14:0-18:0", "7[-1] 10:0-12:0"]),
    ("Tu 18:00-23:00; Tu[1,-1] off", ["2[2, 3, -3, -2] 18:0-23:0"]),
    ("Tu[1] 18:00-23:00; Tu off", []),
  ])
  func `the common forms are read`(text: String, spans: [String]) {
    #expect(Self.told(OpeningHours(text)) == spans)
  }

  @Test func `a week of days can be said in three ways`() {
    let always = (1...7).map { "\($0) 0:0-24:0" }
    #expect(Self.told(OpeningHours("24/7")) == always)
    #expect(Self.told(OpeningHours("Mo-Su")) == always)
    #expect(Self.told(OpeningHours("00:00-24:00")) == always)
  }

  @Test(arguments: [
    "", ";", "Dienstags ab 18 Uhr", "Tu 18-23", "Tu 18:00", "Tu 25:00-27:00", "Tu 18:60-19:00", "Xx 10:00-12:00",
    "Tu sunrise-sunset", "Dec 24 10:00-12:00", "Tu 18:00-23:00 \"ring\"", "Tu[6] 10:00-12:00", "Tu[0] 10:00-12:00",
    "Tu[1-2] 10:00-12:00", "Tu-We-Th 10:00-12:00", "Tu 10:00-12:00 || Fr", "week 1-10 Tu 10:00-12:00", "Tu +1:00-2:00",
    "by appointment", "Tu[ 10:00-12:00", "-", ",", "Mo- 10:00-11:00",
    "Tu[4] 10:00-12:00; Tu[-1] off",
  ])
  func `of anything else nothing is guessed`(text: String) { #expect(OpeningHours(text) == nil) }

  @Test(arguments: 0..<200)
  func `no text brings it down`(seed: UInt64) {
    var dice = SeededGenerator(state: seed)
    let parts = [
      "Mo", "Tu", "-", ",", " ", "[", "]", "1", "18:00", "24:00", "+", ";", "off", "PH", "24/7", "é\u{301}", "99",
    ]
    for _ in 0..<50 {
      let text = (0..<Int.random(in: 0...12, using: &dice)).map { _ in parts.randomElement(using: &dice)! }.joined()
      for span in OpeningHours(text)?.spans ?? [] {
        #expect((1...7).contains(span.weekday) && span.from < span.to && span.to <= 2 * 1_560, "seed \(seed): \(text)")
      }
    }
  }
}

struct WeekPictureTests {
  static var berlin: Zone { get throws { try systemZone("Europe/Berlin") } }

  /// Open from `from` to `to` o'clock on the days of so many weeks before 2026-11-16, a Monday.
  static func picture(weekday: Int, from: Double, to: Double, weeks: [Int], of all: Int = 12) throws -> WeekPicture {
    let zone = try berlin
    let monday = CivilDate(year: 2026, month: 11, day: 16).dayNumber
    func instant(_ day: Int, _ hour: Double) -> Int {
      zone.instant(of: WallTime(seconds: day * 86_400 + Int(hour * 3600)))
    }
    var changes = [SpaceAPI.PastEvent(open: false, at: instant(monday - 7 * all, 0), by: nil)]
    for week in weeks.sorted(by: >) {
      let day = monday - 7 * week + weekday - 1
      changes.append(.init(open: true, at: instant(day, from), by: nil))
      changes.append(.init(open: false, at: instant(day, to), by: nil))
    }
    var picture = WeekPicture()
    for stretch in WeekPicture.stretches(changes, from: instant(monday - 7 * all, 0), to: instant(monday, 0)) {
      picture.add(stretch, zone: zone)
    }
    return picture
  }

  @Test func `an evening of each week is a custom by the clock, across the change of the clocks`() throws {
    let picture = try Self.picture(weekday: 2, from: 18, to: 22.5, weeks: Array(1...12))
    #expect(picture.customs == [.init(weekday: 2, from: 18 * 60, to: 22 * 60 + 30, share: 1)])
    #expect(picture.hours[1][18] == 1)
    #expect(picture.hours[1][22] == 0.5)
    #expect(picture.hours[1][17] == 0)
    #expect(picture.hours[3].allSatisfy { $0 == 0 })
  }

  @Test func `every other week is a custom, less is none`() throws {
    #expect(try Self.picture(weekday: 4, from: 19, to: 21, weeks: [1, 3, 5, 7, 9, 11]).customs.count == 1)
    #expect(try Self.picture(weekday: 4, from: 19, to: 21, weeks: [1, 3, 5, 7, 9]).customs == [])
  }

  @Test func `a night belongs to the day on which it begins, also that from Sunday to Monday`() throws {
    let night = try Self.picture(weekday: 7, from: 22, to: 26, weeks: Array(2...12))
    let custom = try #require(night.customs.first)
    #expect(night.customs.count == 1)
    #expect(custom.weekday == 7)
    #expect(custom.from == 22 * 60)
    #expect(custom.to == 26 * 60)
  }

  @Test func `of more than a day at a stretch, each day has its own custom`() throws {
    let weekend = try Self.picture(weekday: 5, from: 16, to: 3 * 24 + 8, weeks: Array(2...12)).customs
    #expect(weekend.map(\.weekday) == [1, 5, 6, 7])
    #expect(weekend.map { [$0.from / 60, $0.to / 60] } == [[0, 8], [16, 24], [0, 24], [0, 24]])
    // In half hours, a quarter to midnight is the next day's first minute, and not 24:00.
    let late = try Self.picture(weekday: 5, from: 23.75, to: 26, weeks: Array(1...12)).customs
    #expect(late.map { [$0.weekday, $0.from, $0.to] } == [[6, 0, 120]])
  }

  @Test func `two weeks are no custom yet, and what is not known counts for nothing`() throws {
    #expect(try Self.picture(weekday: 2, from: 18, to: 22, weeks: [1, 2], of: 2).customs == [])
    let changes: [SpaceAPI.PastEvent] = [.init(open: true, at: 0, by: nil), .init(open: nil, at: 100, by: nil)]
    #expect(WeekPicture.stretches(changes, from: 50, to: 1_000) == [.init(from: 50, to: 100, isSo: true)])
    #expect(WeekPicture.stretches([], from: 0, to: 10) == [])
  }

  @Test func `what is planned at the same time on one day is one week of it`() throws {
    let zone = try Self.berlin
    let saturday = CivilDate(year: 2026, month: 11, day: 14).dayNumber
    let workshops = (0..<8).map { week in
      let start = zone.instant(of: WallTime(seconds: (saturday - 7 * week) * 86_400 + 14 * 3_600))
      return start..<start + 7_200
    }
    #expect(WeekPicture.planned(Array(repeating: workshops[0], count: 8), zone: zone, weeks: 16) == [])
    let custom = WeekPicture.Custom(weekday: 6, from: 14 * 60, to: 16 * 60, share: 0.5)
    #expect(WeekPicture.planned(workshops, zone: zone, weeks: 16) == [custom])
  }

  @Test func `what is planned is counted from the first event on, for six weeks at least`() {
    let week = 7 * 86_400
    let weeks = { (starts: [Int]) in
      WeekPicture.weeks(of: starts.map { $0 * week..<$0 * week + 7_200 }, before: 20 * week, most: 16)
    }
    #expect(weeks([16, 17, 18, 19]) == 6 && weeks([12, 19]) == 8 && weeks([19, 2]) == 16 && weeks([]) == 6)
  }

  @Test func `who is always open is so at all hours`() {
    var picture = WeekPicture()
    picture.add(.init(from: 0, to: 28 * 86_400, isSo: true), zone: .utc)
    #expect(picture.customs.count == 7)
    #expect(picture.customs.allSatisfy { $0.from == 0 && $0.to == 1_440 && $0.share == 1 })
    #expect(WeekPicture().customs == [])
    #expect(WeekPicture().hours.allSatisfy { $0.allSatisfy { $0 == nil } })
  }
}
