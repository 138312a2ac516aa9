import CivilTime
import Testing

struct TimestampTests {
  @Test(arguments: [
    ("1970-01-01T00:00:00Z", 0), ("2026-11-20T19:00:00+01:00", 1_795_197_600), ("2026-11-20t18:00:00z", 1_795_197_600),
    ("2026-11-20T18:00:00.999999Z", 1_795_197_600), ("2026-11-20T23:30:00+05:30", 1_795_197_600),
    ("1969-12-31T23:59:59Z", -1), ("2016-12-31T23:59:60Z", 1_483_228_800), ("2017-01-01T00:59:60+01:00", 1_483_228_800),
    ("2026-11-20T18:00:00-00:00", 1_795_197_600),
  ])
  func `an RFC 3339 time is an instant`(text: String, instant: Int) {
    #expect(parseTimestamp(text) == instant)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T19:00:00", "2026-11-20 19:00:00Z", "2026-11-20T19:00Z", "2026-11-20T24:00:00Z",
    "2026-11-20T19:60:00Z", "2026-11-20T19:00:61Z", "2026-11-20T19:00:60Z", "2026-11-20T19:00:00.Z",
    "2026-11-20T19:00:00+1:00", "2026-11-20T19:00:00+0100", "2026-11-20T19:00:00+24:00", "2026-02-29T19:00:00Z",
    "2026-11-20T19:00:00Zjunk", "2026-11-20T19:00:00+01:60",
  ])
  func `what is no RFC 3339 time is refused`(text: String) {
    #expect(parseTimestamp(text) == nil)
  }

  @Test(arguments: [
    ("00:00", 0), ("8:05", 29_100), ("08:05", 29_100), ("23:59", 86_340), ("24:00", nil), ("12:60", nil), ("12:5", nil),
    ("012:00", nil), ("12", nil), ("", nil), (":00", nil), ("+8:00", nil), ("12:00 ", nil), ("12:000", nil),
    ("１２:00", nil),
  ])
  func `a time of day is the seconds since midnight`(text: String, second: Int?) {
    #expect(parseTimeOfDay(text) == second)
    if let second { #expect(timeOfDay(second).hasSuffix(text)) }
  }

  @Test func `Z is for UTC alone`() throws {
    let elsewhere = Zone(name: "Elsewhere", transitions: [], initialOffset: 0)
    #expect(timestamp(0, in: .utc) == "1970-01-01T00:00:00Z")
    #expect(timestamp(0, in: elsewhere) == "1970-01-01T00:00:00+00:00")
  }

  @Test(arguments: [3600, -12_600, 3208, -3208, 50_400, 0])
  func `a written instant is read back exactly, whatever the offset`(offset: Int) {
    let zone = Zone(name: "Test", transitions: [], initialOffset: offset)
    for instant in [-1, 0, 1_795_197_600, 253_402_000_000, -62_000_000_000] {
      #expect(parseTimestamp(timestamp(instant, in: zone)) == instant)
    }
  }

  @Test(arguments: [(0, 0), (1, 1), (-1, -1), (2, 2), (6, 2), (7, 3), (400, 3), (-2, -2), (-6, -2), (-7, -3)])
  func `a day has its word`(distance: Int, word: Int) {
    #expect(relativeDay(today: 20_777, day: 20_777 + distance) == word)
  }

  @Test(arguments: [
    (-5, 0, 0), (0, 0, 0), (59, 0, 0), (60, 1, 1), (3599, 1, 59), (3600, 2, 1), (86_399, 2, 23), (86_400, 3, 1),
    (864_000, 3, 10),
  ])
  func `an age has its unit and count`(seconds: Int, unit: Int, count: Int) {
    #expect(ageUnit(seconds: seconds) == unit)
    #expect(ageCount(seconds: seconds) == count)
  }
}
