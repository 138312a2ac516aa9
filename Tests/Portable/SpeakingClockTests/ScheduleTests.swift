import CivilTime
import Lifecycle
import SpeakingClock
import Testing

struct ScheduleTests {
  private func day(_ date: String, _ zone: String, _ change: (inout ClockSettings) -> Void = { _ in }) throws
    -> [Announcement]
  {
    var settings = ClockSettings()
    change(&settings)
    let zone = try systemZone(zone)
    let start = try #require(CivilDate(date)).dayNumber
    let midnights = [start, start + 1].map { day in
      zone.instant(of: WallTime(seconds: EpochSeconds(day) * EpochSeconds(secondsPerDay)))
    }
    return settings.announcements(from: midnights[0], before: midnights[1], offset: zone.offset(at:))
  }

  @Test(arguments: [
    ("2026-06-01", "Europe/Berlin", 96), ("2026-03-29", "Europe/Berlin", 92), ("2026-10-25", "Europe/Berlin", 100),
    ("2026-04-05", "Australia/Lord_Howe", 98), ("2026-10-04", "Australia/Lord_Howe", 94),
  ])
  func `Quarters of a day`(date: String, zone: String, count: Int) throws {
    let day = try day(date, zone)
    #expect(day.count == count)
    #expect(Set(day.map(\.at)).count == count)
  }

  @Test func `A zone that is 45 minutes off is announced at its own quarters`() throws {
    let day = try day("2026-06-01", "Asia/Kathmandu")
    #expect(day.count == 96 && day[0].parts.map(\.name) == ["bigben", "12", "AM"])
  }

  @Test func `A minute that the clock skips is not announced, one that comes twice is said twice`() throws {
    let spring = try day("2026-03-29", "Europe/Berlin").map(\.minute)
    #expect(!spring.contains(120) && !spring.contains(165) && spring.contains(180))
    let autumn = try day("2026-10-25", "Europe/Berlin").map(\.minute)
    #expect(autumn.count { $0 == 135 } == 2)
  }

  @Test func `A clock that is set between two announcements goes on at the next minute it shows`() {
    // At instant 1000 the clock is put forward by 7 minutes: 16:40 becomes 23:40, and the next quarter is 30:00.
    let settings = ClockSettings()
    let next = settings.next(after: 901) { $0 < 1000 ? 0 : 420 }
    #expect(next?.at == 1380 && next?.minute == 30)
    // By so much that it shows a quarter at that very second.
    #expect(settings.next(after: 901) { $0 < 1000 ? 0 : 800 }?.at == 1000)
  }

  @Test func `Quiet hours begin with their first minute and end before their last`() throws {
    let minutes = try day("2026-06-01", "Europe/Berlin") { $0.quiet = QuietHours(from: 1320, to: 420) }.map(\.minute)
    #expect(minutes.first == 420 && minutes.last == 1305)
    let noon = try day("2026-06-01", "Europe/Berlin") { $0.quiet = QuietHours(from: 720, to: 780) }.map(\.minute)
    #expect(noon.count == 92 && !noon.contains(720) && noon.contains(780))
    #expect(try day("2026-06-01", "Europe/Berlin") { $0.quiet = QuietHours(from: 60, to: 60) }.isEmpty)
  }

  @Test func `Every interval divides the day`() throws {
    for every in ClockSettings.intervals {
      #expect(try day("2026-06-01", "Europe/Berlin") { $0.every = every }.count == 1440 / every)
    }
    #expect(try day("2026-06-01", "Europe/Berlin") { $0.style = .bells }.count == 48)
  }
}

struct DueAnnouncementsTests {
  private let settings = ClockSettings()

  private func next(_ due: inout DueAnnouncements, _ now: EpochSeconds) -> Announcement? {
    due.next(settings, now: now) { _ in 0 }
  }

  @Test func `A restart just before a quarter still announces it, one just after does not`() {
    var due = DueAnnouncements(last: 0)
    #expect(next(&due, 890)?.at == 900)
    #expect(next(&due, 902)?.at == 900)
    #expect(next(&due, 903)?.at == 1800)
  }

  @Test func `After a long sleep only the next one comes`() {
    var due = DueAnnouncements(last: 900)
    #expect(next(&due, 100_000)?.at == 100_800)
  }

  @Test func `What was begun does not come again, by whomever it was told`() throws {
    var due = DueAnnouncements()
    let own = try #require(next(&due, 890))
    due.told(own, now: 885)
    due.begun(own)
    due.told(own, now: 901)
    #expect(next(&due, 901)?.at == 1800)
  }

  @Test func `Others may tell of an announcement that is not among one's own`() {
    var due = DueAnnouncements()
    due.told(Announcement(at: 1000, minute: 16, parts: [.number(4)]), now: 990)
    #expect(next(&due, 990)?.at == 1000)
    due.begun(Announcement(at: 1000, minute: 16, parts: []))
    #expect(next(&due, 1001)?.at == 1800)
  }

  @Test func `One that somebody tells too late is not spoken`() {
    var due = DueAnnouncements()
    due.told(Announcement(at: 1000, minute: 16, parts: []), now: 1010)
    #expect(next(&due, 1010)?.at == 1800)
  }

  @Test(arguments: [1200, 31_536_000])
  func `A clock that is set back goes on speaking`(seconds: EpochSeconds) {
    var due = DueAnnouncements(last: 40_000_500)
    #expect(next(&due, 40_000_500 - seconds) != nil)
    #expect(next(&due, 40_000_500 - seconds)!.at <= 40_000_500 - seconds + 900)
  }

  @Test func `A clock that is corrected by some seconds does not repeat`() {
    var due = DueAnnouncements(last: 900)
    #expect(next(&due, 870)?.at == 1800)
  }

  @Test func `Crossing a zone says nothing twice and leaves no later one out`() throws {
    var due = DueAnnouncements()
    var spoken: [EpochSeconds] = []
    // Each second of five hours; every 20 minutes the clock is in the next zone, over the date line and back.
    let offsets = [0, 3600, 20_700, 43_200, -43_200, 46_800, -12_600]
    for now in EpochSeconds(0)..<18_000 {
      let offset = offsets[Int(now / 1200) % offsets.count]
      guard let one = due.next(settings, now: now, offset: { _ in offset }), one.at <= now else { continue }
      due.begun(one)
      spoken.append(one.at)
    }
    #expect(spoken == (0..<20).map { EpochSeconds($0 * 900) })
  }

  @Test func `A simulated year has each quarter once`() throws {
    let zone = try systemZone("Europe/Berlin")
    let start = zone.instant(of: WallTime(date: CivilDate(year: 2026, month: 1, day: 1), secondOfDay: 0))
    let end = zone.instant(of: WallTime(date: CivilDate(year: 2027, month: 1, day: 1), secondOfDay: 0))
    var due = DueAnnouncements()
    var (now, count) = (start - 1, 0)
    while let one = due.next(settings, now: now, offset: zone.offset(at:)), one.at < end {
      now = one.at
      due.begun(one)
      count += 1
    }
    #expect(count == 365 * 96)
  }
}
