import AnchorWatch
import Testing

@testable import Positions

struct GPSDTests {
  private static let hello = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#

  private func report(_ members: String) -> String { "{\"class\":\"TPV\",\"device\":\"/dev/pts/1\",\(members)}\r\n" }

  @Test func `a report of mode 3 is a fix, with the dilution of the satellites' report`() throws {
    let text =
      Self.hello + "\r\n" + #"{"class":"SKY","device":"/dev/pts/1","hdop":1.25,"satellites":[{"PRN":4,"el":40}]}"#
      + "\n"
      + report(#""mode":3,"time":"2026-11-22T12:00:00.250Z","lat":54.1,"lon":10.2,"eph":4.5,"speed":0.1,"track":90.5"#)
    let found = bothWays(text, GPSDReader())
    let fix = try #require(found.fixes.first)
    #expect(found.count == 1)
    #expect(fix.time == NMEATests.noon + 0.25)
    #expect(fix.position == Position(latitude: 54.1, longitude: 10.2))
    #expect(fix.accuracy == 4.5)
    #expect(fix.hdop == 1.25)
    #expect(fix.course == 90.5)
  }

  @Test(arguments: [#""eph":-1"#, #""epx":1e200,"epy":1e200"#])
  func `an error that cannot be is none that is told`(members: String) throws {
    let text = report(#""mode":3,"time":"2026-11-22T12:00:00Z","lat":54.1,"lon":10.2,"# + members)
    let fix = try #require(bothWays(text, GPSDReader()).fixes.first)
    #expect(fix.accuracy == nil)
  }

  @Test(arguments: [
    (#""mode":1,"time":"2026-11-22T12:00:00Z""#, Refusal.noFix),
    (#""mode":0,"lat":54.1,"lon":10.2,"time":"2026-11-22T12:00:00Z""#, .noFix),
    (#""mode":2,"status":5,"lat":54.1,"lon":10.2,"time":"2026-11-22T12:00:00Z""#, .noFix),
    (#""mode":3,"status":7,"lat":54.1,"lon":10.2,"time":"2026-11-22T12:00:00Z""#, .noFix),
    (#""mode":3,"time":"2026-11-22T12:00:00Z""#, .positionMissing),
    (#""mode":3,"lat":54.1,"lon":10.2"#, .timeMissing),
    (#""mode":3,"lat":54.1,"lon":10.2,"time":-1"#, .timeMissing),
    (#""mode":3,"lat":0,"lon":0,"time":"2026-11-22T12:00:00Z""#, .positionImpossible),
    (#""mode":3,"lat":214.7483647,"lon":214.7483647,"time":"2026-11-22T12:00:00Z""#, .positionImpossible),
    (#""mode":3,"lat":54.1,"lon":NaN,"time":"2026-11-22T12:00:00Z""#, .unreadable),
  ])
  func `what is no fix is refused`(members: String, refusal: Refusal) {
    // Also at a time that is known: a receiver's first reports have none of their own.
    #expect(bothWays(report(members), GPSDReader(), received: NMEATests.noon) == [.refused(refusal)])
  }

  @Test func `satellites with dead reckoning beside them are a fix`() {
    let text = report(#""mode":3,"status":6,"time":"2026-11-22T12:00:00Z","lat":54.1,"lon":10.2"#)
    #expect(bothWays(text, GPSDReader()).map(\.isFix) == [true])
  }

  @Test func `half an object is refused, and the next line counts`() {
    let good = report(#""mode":3,"time":"2026-11-22T12:00:00Z","lat":54.1,"lon":10.2"#)
    #expect(bothWays(good.prefix(40) + "\r\n" + good, GPSDReader()).map(\.isFix) == [false, true])
    #expect(bothWays(String(good.prefix(40)), GPSDReader()).refusals == [.unfinished])
    #expect(bothWays("hello {\n" + good, GPSDReader()).map(\.isFix) == [false, true])
    // Raw sentences beside the objects, and comments, are nothing that was refused.
    #expect(bothWays("# mine\n$GPGGA,{,*00\r\n" + good + "!AIVDM,1\n", GPSDReader()).map(\.isFix) == [true])
  }

  @Test(arguments: ["x", "{", "{\"", "[", " "])
  func `a megabyte without a line end is bounded, and the next line counts`(_ unit: String) {
    let good = report(#""mode":3,"time":"2026-11-22T12:00:00Z","lat":54.1,"lon":10.2"#)
    let found = readings(String(repeating: unit, count: 1 << 20) + "\n" + good, GPSDReader())
    #expect(found.fixes.count == 1)
    #expect(found.refusals == (["[", " "].contains(unit) ? [] : [.tooLong]))
  }

  @Test func `of two receivers one counts until it falls silent, and the other is its witness`() {
    func report(_ device: String, _ second: Int) -> String {
      "{\"class\":\"TPV\",\"device\":\"\(device)\",\"mode\":2,\"time\":\(NMEATests.noon + Double(second)),"
        + "\"lat\":54.1,\"lon\":10.2}\n"
    }
    let text = (0..<3).map { report("a", $0) + report("b", $0) }.joined() + (3..<30).map { report("b", $0) }.joined()
    let found = bothWays(text, GPSDReader())
    #expect(found.fixes.map { Int($0.time - NMEATests.noon) } == Array(0..<3) + Array(17..<30))
    #expect(found.witnesses == Array(repeating: "b", count: 17))
  }
}
