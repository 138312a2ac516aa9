import AnchorWatch
import Testing

@testable import Positions

struct NMEATests {
  static let noon = 1_795_348_800.0  // 2026-11-22T12:00:00Z

  @Test func `a recommended minimum is a fix with its date`() throws {
    let found = bothWays(sentence("GPRMC,120000.50,A,5406.0000,N,01012.0000,E,0.5,123.4,221126,,,A"), NMEAReader())
    let fix = try #require(found.fixes.first)
    #expect(found.count == 1)
    #expect(fix.time == Self.noon + 0.5)
    #expect(abs(fix.position.latitude - 54.1) < 1e-12)
    #expect(abs(fix.position.longitude - 10.2) < 1e-12)
    #expect(abs(fix.speed! - 0.2572) < 0.0001)
    #expect(fix.course == 123.4)
  }

  @Test func `south and west are negative, and the date line and latitude 0 are places`() throws {
    func place(_ angles: String) -> Position? {
      readings(sentence("GNGLL,\(angles),120000,A,A"), NMEAReader()).fixes.first?.position
    }
    #expect(place("3351.6000,S,15112.6000,E") == Position(latitude: -(33 + 51.6 / 60), longitude: 151 + 12.6 / 60))
    #expect(place("1000.0,N,18000.0000,W") == Position(latitude: 10, longitude: -180))
    #expect(place("0000.0000,N,00630.0000,E") == Position(latitude: 0, longitude: 6.5))
    #expect(place("5128.0000,N,00000.0000,E") == Position(latitude: 51 + 28.0 / 60, longitude: 0))
    #expect(place("0000.0000,N,00000.0000,E") == nil)
  }

  @Test(arguments: [
    ("GPRMC,120000,V,5406.0000,N,01012.0000,E,0,0,221126,,,N", Refusal.noFix),
    ("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,E", .noFix),
    ("GPGGA,120000,5406.0000,N,01012.0000,E,0,00,99.99,0,M,0,M,,", .noFix),
    ("GPGGA,120000,5406.0000,N,01012.0000,E,6,04,1.0,0,M,0,M,,", .noFix),
    ("GPGGA,120000,5406.0000,N,01012.0000,E,,04,1.0,0,M,0,M,,", .noFix),
    ("GPGLL,5406.0000,N,01012.0000,E,120000,V,N", .noFix),
    ("GNGNS,120000,5406.0000,N,01012.0000,E,NN,04,1.0,0,0,,", .noFix),
    ("GPRMC,120000,A,,,,,0,0,221126,,,A", .positionMissing),
    ("GPRMC,,A,5406.0000,N,01012.0000,E,0,0,221126,,,A", .timeMissing),
    ("GPRMC,250000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A", .timeMissing),
    ("GPRMC,120000,A,5466.0000,N,01012.0000,E,0,0,221126,,,A", .positionImpossible),
    ("GPRMC,120000,A,5406.0000,N,21444.9000,E,0,0,221126,,,A", .positionImpossible),
    ("GPRMC,120000,A,nan,N,nan,E,0,0,221126,,,A", .positionImpossible),
    ("GPRMC,120000,A,5406.0000,E,01012.0000,N,0,0,221126,,,A", .positionImpossible),
  ])
  func `what is no fix is refused`(body: String, refusal: Refusal) {
    #expect(bothWays(sentence(body), NMEAReader()) == [.refused(refusal)])
  }

  @Test func `a sentence without a right checksum is refused, and the next one counts`() {
    let good = sentence("GPGLL,5406.0000,N,01012.0000,E,120000,A,A")
    let wrong = good.replacing("5406", with: "5407")
    let without = "\(good.prefix { $0 != "*" })\r\n"
    let half = "$GPGLL,5406.00"
    #expect(bothWays(wrong + good, NMEAReader()).map(\.isFix) == [false, true])
    #expect(bothWays(wrong, NMEAReader()).refusals == [.checksumWrong])
    #expect(bothWays(without, NMEAReader()).refusals == [.checksumMissing])
    #expect(bothWays("\(half)\r\n" + good, NMEAReader()).map(\.isFix) == [false, true])
    // A cut-off sentence that runs into the next one takes nothing from it.
    #expect(bothWays(half + good, NMEAReader()).map(\.isFix) == [true])
    #expect(bothWays(String(good.dropLast(3)), NMEAReader()).refusals == [.unfinished])
  }

  @Test func `a megabyte without a line end is refused once, and the next line counts`() {
    let good = sentence("GPGLL,5406.0000,N,01012.0000,E,120000,A,A")
    let found = readings(String(repeating: "x", count: 1 << 20) + "\r\n" + good, NMEAReader())
    #expect(found.map(\.isFix) == [false, true])
    #expect(found.refusals == [.tooLong])
  }

  @Test func `sentences of one instant are one fix, and another talker is a witness`() {
    let text =
      sentence("GPGGA,120000,5406.0000,N,01012.0000,E,1,08,1.4,0,M,0,M,,")
      + sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
      + sentence("IIGLL,5406.0001,N,01012.0000,E,120000,A,A")
      + sentence("GPGGA,120001,5406.0000,N,01012.0000,E,1,08,1.5,0,M,0,M,,")
    let found = readings(text, NMEAReader(near: Self.noon + 3_600))
    #expect(found.fixes.map(\.time) == [Self.noon, Self.noon + 1])
    #expect(found.fixes.map(\.hdop) == [1.4, 1.5])
    #expect(found.witnesses == ["II"])
  }

  @Test func `a receiver that changes its talker is heard on after a while, whatever date it tells`() {
    func second(_ talker: String, _ second: Int, year: Int = 26) -> String {
      let time = "1200\(second < 10 ? "0" : "")\(second)"
      return sentence("\(talker)RMC,\(time),A,5406.0000,N,01012.0000,E,0,0,2211\(year),,,A")
    }
    let text = (0..<3).map { second("GP", $0) + second("AI", $0, year: 10) }.joined()
    let found = readings(text + (3..<30).map { second("GN", $0) }.joined(), NMEAReader())
    #expect(found.fixes.map { Int($0.time - Self.noon) } == Array(0..<3) + Array(18..<30))
    #expect(found.witnesses.filter { $0 == "AI" }.count == 3)
  }

  @Test func `a receiver with two talkers is no witness of itself, whichever comes first`() {
    func second(_ talkers: String..., at second: Int) -> String {
      talkers.map { sentence("\($0)GLL,5406.0000,N,01012.0000,E,12000\(second),A,A") }.joined()
    }
    // In the second case the stream began with the last sentence of an instant.
    for begin in ["", second("GN", at: 0)] {
      let text = begin + (1..<5).map { second("GP", "GN", at: $0) }.joined()
      let found = readings(text, NMEAReader(near: Self.noon))
      #expect(Array(found.fixes.map(\.time).suffix(4)) == (1..<5).map { Self.noon + Double($0) })
      #expect(found.witnesses == (begin.isEmpty ? [] : ["GP"]))
    }
  }

  @Test func `a receiver that repeats one time for ever keeps no other one out`() {
    let text = (0..<30).map { second in
      let time = second < 10 ? "12000\(second)" : "1200\(second)"
      return sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
        + sentence("GNRMC,\(time),A,5406.1000,N,01012.0000,E,0,0,221126,,,A")
    }.joined()
    let times = readings(text, NMEAReader()).fixes.map { Int($0.time - Self.noon) }
    #expect(times.filter { $0 > 0 } == Array(15..<30))
  }

  @Test func `two places of one instant and one talker are both told, for the watch to see`() {
    func fixes(_ minutes: String) -> [Fix] {
      let minimum = sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
      let other = sentence("GPGGA,120000,\(minutes),N,01012.0000,E,1,08,1.4,0,M,0,M,,")
      return readings(minimum + other, NMEAReader()).fixes
    }
    #expect(fixes("5406.0200").count == 2 && fixes("5406.0100").count == 1)
  }

  @Test func `the same sentence again at the same time is told again, for the watch to refuse`() {
    let one = sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
    #expect(readings(one + one, NMEAReader()).fixes.map(\.time) == [Self.noon, Self.noon])
  }

  @Test func `sentences without a date go on over midnight`() {
    let text = ["235959", "000000", "000001"].map { sentence("GPGLL,5406.0000,N,01012.0000,E,\($0),A,A") }.joined()
    let midnight = Self.noon + 43_200
    let found = readings(text, NMEAReader(near: midnight - 10))
    #expect(found.fixes.map(\.time) == [midnight - 1, midnight, midnight + 1])
    // A live receiver without dates takes the day of the clock.
    #expect(readings(text, NMEAReader(), received: midnight).fixes.last?.time == midnight + 1)
  }

  @Test func `a receiver's date counts, not that of a computer whose clock is a day off`() {
    let text =
      sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
      + sentence("GPGGA,120001,5406.0000,N,01012.0000,E,1,08,1.4,0,M,0,M,,")
    var reader = NMEAReader()
    var times: [Double] = []
    for line in text.split(separator: "\r\n") {
      reader.feed("\(line)\r\n".utf8, received: Self.noon + 86_400) {
        if case .fix(let fix) = $0 { times.append(fix.time) }
      }
    }
    #expect(times == [Self.noon, Self.noon + 1])
  }

  @Test func `heading, depth, wind and errors go with the fixes that follow, for a while`() throws {
    func gll(_ time: String) -> String { sentence("GPGLL,5406.0000,N,01012.0000,E,\(time),A,A") }
    let text =
      sentence("HEHDT,271.5,T") + sentence("SDDPT,4.2,0.5") + sentence("SDDBT,,f,4.2,M")
      + sentence("WIMWD,200.0,T,198.0,M,12.0,N,6.2,M") + sentence("GPGST,120000,,,,,3.0,4.0,6.0")
      + gll("120000") + gll("120010") + gll("120030")
    let fixes = readings(text, NMEAReader()).fixes
    try #require(fixes.count == 3)
    #expect(fixes[0].heading == 271.5)
    #expect(fixes[0].depth == 4.7, "from the waterline, whatever else the sounder sends")
    let without = readings(sentence("SDDBT,,f,4.2,M") + gll("120000"), NMEAReader()).fixes
    #expect(without.map(\.depth) == [4.2])
    let dbt = String(repeating: sentence("SDDBT,,f,3.9,M"), count: 31)
    let later = readings(sentence("SDDPT,4.2,0.5") + gll("120000") + dbt + gll("120010"), NMEAReader()).fixes
    #expect(later.map(\.depth) == [4.7, 3.9], "DPT comes no more")
    #expect(fixes[0].windDirection == 200)
    #expect(fixes[0].windSpeed == 6.2)
    #expect(fixes[0].accuracy == 5)
    #expect(fixes[1].heading == 271.5)
    #expect(fixes[2].heading == nil)
    #expect(fixes[2].accuracy == nil)
  }
}

extension Reading {
  var isFix: Bool { if case .fix = self { true } else { false } }
}
