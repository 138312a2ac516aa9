import CivilTime
import Foundation
import Testing
import World

struct ZoneTests {
  /// A zone from this system's zone files.
  private func zone(_ name: String) throws -> Zone {
    let path = "/usr/share/zoneinfo/\(name)"
    return try Zone(name: name, zoneFile: Array(Data(contentsOf: URL(fileURLWithPath: path))))
  }

  private func wall(_ text: String) throws -> WallTime {
    WallTime(seconds: try #require(parseTimestamp(text + "Z")))
  }

  @Test func `a skipped wall time is read with the offset before the gap`() throws {
    let berlin = try zone("Europe/Berlin")
    let instant = berlin.instant(of: try wall("2026-03-29T02:30:00"))
    #expect(timestamp(instant, in: berlin) == "2026-03-29T03:30:00+02:00")
    #expect(timestamp(berlin.instant(of: try wall("2026-03-29T01:59:59")), in: berlin) == "2026-03-29T01:59:59+01:00")
    #expect(timestamp(berlin.instant(of: try wall("2026-03-29T03:00:00")), in: berlin) == "2026-03-29T03:00:00+02:00")
  }

  @Test func `a wall time that comes twice is the first`() throws {
    let berlin = try zone("Europe/Berlin")
    for text in ["2026-10-25T02:00:00", "2026-10-25T02:30:00", "2026-10-25T02:59:59"] {
      #expect(timestamp(berlin.instant(of: try wall(text)), in: berlin) == "\(text)+02:00")
    }
    #expect(timestamp(berlin.instant(of: try wall("2026-10-25T03:00:00")), in: berlin) == "2026-10-25T03:00:00+01:00")
  }

  @Test func `rules go on after 2037, and after their table's 400 years`() throws {
    let berlin = try zone("Europe/Berlin")
    for year in ["2040", "2437", "2440", "2840", "9999"] {
      #expect(berlin.offset(at: try wall("\(year)-01-15T12:00:00").seconds) == 3600)
      #expect(berlin.offset(at: try wall("\(year)-07-15T12:00:00").seconds) == 7200)
      #expect(berlin.instant(of: try wall("\(year)-07-15T12:00:00")) == (try wall("\(year)-07-15T10:00:00").seconds))
    }
    #expect(timestamp(try wall("2440-03-25T00:59:59").seconds, in: berlin) == "2440-03-25T01:59:59+01:00")
    #expect(timestamp(try wall("2440-03-25T01:00:00").seconds, in: berlin) == "2440-03-25T03:00:00+02:00")
  }

  /// Compares with glibc's own reader of the same zone files.
  @Test func `every zone has glibc's offsets at random instants`() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    let first = try wall("1900-01-01T00:00:00").seconds
    let last = try wall("2100-01-01T00:00:00").seconds
    defer { unsetenv("TZ") }
    for name in TimeZone.knownTimeZoneIdentifiers {
      guard let zone = try? zone(name) else { continue }
      setenv("TZ", ":\(name)", 1)
      tzset()
      for _ in 0..<300 {
        let instant = Int.random(in: first..<last, using: &random)
        var time = time_t(instant)
        var parts = tm()
        localtime_r(&time, &parts)
        guard zone.offset(at: instant) == parts.tm_gmtoff else {
          Issue.record(
            "\(name) at \(instant): \(zone.offset(at: instant)), glibc says \(parts.tm_gmtoff); seed \(seed)")
          break
        }
      }
    }
  }

  /// Foundation has a database of its own, perhaps of another version: only past years are compared.
  @Test func `many zones have Foundation's offsets from 1970 to 2020`() throws {
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    for name in [
      "Europe/Berlin", "Europe/London", "Europe/Dublin", "America/New_York", "America/Los_Angeles", "Asia/Kolkata",
      "America/Sao_Paulo", "Australia/Sydney", "Australia/Lord_Howe", "Asia/Kathmandu", "Pacific/Apia", "Asia/Tokyo",
      "Pacific/Auckland", "Africa/Johannesburg", "Asia/Jerusalem", "UTC",
    ] {
      let ours = try zone(name)
      let theirs = try #require(TimeZone(identifier: name))
      for _ in 0..<2000 {
        let instant = Int.random(in: 0..<1_577_836_800, using: &random)
        let expected = theirs.secondsFromGMT(for: Date(timeIntervalSince1970: Double(instant)))
        #expect(ours.offset(at: instant) == expected, "\(name) at \(instant), seed \(seed)")
      }
    }
  }

  @Test func `wall and instant agree except where the wall skips or repeats`() throws {
    for name in ["Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "Pacific/Apia", "America/Caracas"] {
      let zone = try zone(name)
      var repeated = 0
      for instant in stride(from: 0, to: 2_000_000_000, by: 1_801) {
        let back = zone.instant(of: zone.wall(at: instant))
        if back != instant {
          // The second of two equal wall times: reading it gives the first, which shows the same.
          repeated += 1
          #expect(back < instant && zone.wall(at: back) == zone.wall(at: instant))
        }
      }
      #expect(repeated < 400)
    }
  }

  @Test(arguments: [
    ("CET-1CEST,M3.5.0,M10.5.0/3", "2050-07-01", 7200), ("<+03>-3", "2050-07-01", 10_800),
    ("EST5EDT,M3.2.0,M11.1.0", "2050-07-01", -14_400), ("IST-2IDT,M3.4.4/26,M10.5.0", "2050-07-01", 10_800),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2050-07-01", -3600), ("XXX3EDT4,0/0,J365/23", "2050-01-01", -14_400),
    ("AAA-10BBB-11:30,J60/0,300/167", "2051-03-01", 41_400), ("NZST-12NZDT,M9.5.0,M4.1.0/3", "2050-01-01", 46_800),
  ])
  func `a footer's rule is followed`(rule: String, day: String, offset: Int) throws {
    let zone = try Zone(name: "Test", zoneFile: file(footer: rule))
    #expect(zone.offset(at: try wall("\(day)T12:00:00").seconds) == offset)
  }

  @Test(arguments: [
    "X1", "CET", "CET-1CEST", "CET-1CEST,M13.1.0,M10.5.0", "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0/3x",
  ])
  func `a footer that is no rule is refused`(rule: String) {
    #expect(throws: ZoneError.footer(rule)) { try Zone(name: "Test", zoneFile: file(footer: rule)) }
  }

  @Test func `damaged files are refused and never trap`() throws {
    #expect(throws: ZoneError.notZoneFile) { try Zone(name: "Test", zoneFile: Array("<!DOCTYPE html>".utf8)) }
    #expect(throws: ZoneError.notZoneFile) { try Zone(name: "Test", zoneFile: []) }
    let whole = Array(try Data(contentsOf: URL(fileURLWithPath: "/usr/share/zoneinfo/Europe/Berlin")))
    for length in 0..<whole.count - 1 {
      #expect(throws: ZoneError.self) { try Zone(name: "Test", zoneFile: Array(whole[..<length])) }
    }
    let seed = UInt64.random(in: 0..<1_000_000)
    print("seed \(seed)")
    var random = SeededGenerator(state: seed)
    for _ in 0..<2000 {
      var bytes = whole
      for _ in 0..<4 {
        bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
      }
      if let zone = try? Zone(name: "Test", zoneFile: bytes) { _ = zone.offset(at: 4_000_000_000) }
    }
  }

  @Test func `transitions from outside may be in any order`() {
    let zone = Zone(
      name: "Test", transitions: [.init(instant: 200, offset: 0), .init(instant: 100, offset: 3600)], initialOffset: 60)
    #expect([99, 100, 199, 200].map { zone.offset(at: $0) } == [60, 3600, 3600, 0])
  }

  /// The smallest file of version 2: no transitions, one type, and a footer.
  private func file(footer: String) -> [UInt8] {
    var header = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, 0, 0, 1, 4] as [UInt8] { header += [0, 0, 0, count] }
    let block = header + [0, 0, 0, 0, 0, 0] + Array("AAA\0".utf8)
    return block + block + Array("\n\(footer)\n".utf8)
  }
}
