import AnchorWatch
import Testing

@testable import Positions

struct TrackFileTests {
  @Test func `a written GPX track is read again`() throws {
    let anchor = try #require(Position(latitude: -54.1234567, longitude: 0))
    var fixes: [Fix] = []
    for (second, latitude) in [-54.1, -54.10001, -54.10002].enumerated() {
      let place = try #require(Position(latitude: latitude, longitude: -0.2))
      fixes.append(Fix(time: NMEATests.noon + Double(second) + 0.25, position: place, hdop: second == 1 ? 1.5 : nil))
    }
    var bytes = GPXWriter.begin(name: "Bay <of> Plenty & more", anchor: (anchor, NMEATests.noon))
    bytes += GPXWriter.point(fixes[0]) + GPXWriter.point(fixes[1]) + GPXWriter.gap + GPXWriter.point(fixes[2])
    bytes += GPXWriter.end
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(bothWays(text, GPXReader()) == fixes.map(Reading.fix))
    var reader = GPXReader()
    reader.feed(bytes) { _ in }
    #expect(reader.places == [GPXReader.Place(name: "Anchor", position: anchor, time: NMEATests.noon)])
    #expect(text.contains("lat=\"-54.1234567\" lon=\"0.0000000\""))
    #expect(text.contains("Bay &lt;of&gt; Plenty &amp; more"))
  }

  @Test func `GPX of others is read: comments, CDATA, prefixes, either quotation mark`() {
    let text = """
      <?xml version='1.0'?><!-- <trkpt lat="1" lon="1"> > --><g:gpx xmlns:g="x" version="1.0">
      <g:trk><name><![CDATA[<trkpt lat="2" lon="2">]]></name><g:trkseg>
      <g:trkpt lon='10.2'  lat='54.1'>
        <ele>4</ele><g:time>2026-11-22T13:00:00+01:00</g:time>
        <extensions><x:speed xmlns:x="y">1.5</x:speed></extensions>
      </g:trkpt><g:trkpt lat="0" lon="0"><time>2026-11-22T12:00:01Z</time></g:trkpt>
      <g:trkpt lat="54.1" lon="10.2"><time>2026-11-22T12:00:01.5</time></g:trkpt>
      <g:trkpt lat="54.1" lon="10.2"/><g:trkpt lat="NaN" lon="10.2"><time>2026-11-22T12:00:02Z</time></g:trkpt>
      </g:trkseg></g:trk></g:gpx>
      """
    let found = bothWays(text, GPXReader())
    #expect(found.fixes.map(\.time) == [NMEATests.noon, NMEATests.noon + 1.5])
    #expect(found.fixes.first?.speed == 1.5)
    #expect(found.refusals == [.positionImpossible, .timeMissing, .positionMissing])
  }

  @Test func `a cut-off GPX file gives what is whole, and tells of the rest`() {
    let text = "<gpx><trk><trkseg><trkpt lat='54' lon='10'><time>2026-11-22T12:00:00Z</time></trkpt><trkpt lat='5"
    #expect(bothWays(text, GPXReader()).map(\.isFix) == [true, false])
    #expect(bothWays("<gpx \(String(repeating: "x", count: 1 << 20))>" + text, GPXReader()).refusals.first == .tooLong)
    #expect(readings("<gpx><!--\(String(repeating: "x", count: 1 << 20))-->" + text, GPXReader()).count == 2)
  }

  @Test func `a table is read with or without a head, in any order`() {
    let plain = "1795348800,54.1,10.2\n1795348801.5,54.1,10.2\r\n"
    #expect(bothWays(plain, CSVReader()).fixes.map(\.time) == [NMEATests.noon, NMEATests.noon + 1.5])
    let named = "\u{FEFF}lon;Lat;note;\"Timestamp\";hdop\n10.2;54.1;a;2026-11-22T12:00:00Z;1.5\n"
    let fix = bothWays(named, CSVReader()).fixes.first
    #expect(fix?.position == Position(latitude: 54.1, longitude: 10.2))
    #expect(fix?.hdop == 1.5)
    #expect(bothWays("time,lat,lon\n1795348800000,0,10\n", CSVReader()).fixes.map(\.time) == [NMEATests.noon])
  }

  @Test func `a row that is no fix is refused`() {
    let rows = "time,lat,lon\n1,nan,10\n1,0,0\n1,214.7483647,214.7483647\n1,,\nx,54,10\n-5,54,10\n1,54\n1,54,-180\n"
    let found = bothWays(rows, CSVReader())
    #expect(
      found.refusals == [
        .positionImpossible, .positionImpossible, .positionImpossible, .positionMissing, .timeMissing, .timeMissing,
        .positionMissing,
      ])
    #expect(found.fixes.map(\.position.longitude) == [-180])
  }

  @Test(arguments: [
    ("time,lat,lon\n1,54,10\n", TrackFormat.csv), ("1,54,10\n", .csv), ("# mine\n\n1,54,10\n", .csv),
    ("<?xml version=\"1.0\"?>\n<gpx version=\"1.1\">", .gpx), ("\u{FEFF}<g:gpx>", .gpx),
    ("{\"class\":\"VERSION\"}\n", .gpsd), ("{\"class\":\"TPV\"", .gpsd),
    ("{\"name\":\"s\",\"self\":\"x\",\"roles\":[]}\n", .signalK),
    ("[\n {\n \"context\": 1,\n \"updates\": []}]", .signalK),
    ("$GPRMC,1", .nmea), ("!AIVDM,1,1,,A,1,0*00\n\\s:1*00\\$IIGLL,1\n", .nmea), ("12:00:01 $GPGGA,1", .nmea),
  ])
  func `a format is recognised by its content`(beginning: String, format: TrackFormat) {
    #expect(TrackFormat.recognised(Array(beginning.utf8)) == format)
  }

  @Test(arguments: ["", "hello", "<html></html>", "{\"a\":1}", "a,b,c\n1,x,y\n", "PK\u{3}\u{4}", "$5.00, please"])
  func `what is no track is not taken for one`(beginning: String) {
    #expect(TrackFormat.recognised(Array(beginning.utf8)) == nil)
  }

  @Test func `a recording of NMEA takes its first date also for what came before it`() throws {
    let text =
      sentence("GPGGA,115959,5406.0000,N,01012.0000,E,1,08,1.4,0,M,0,M,,")
      + sentence("GPRMC,120000,A,5406.0000,N,01012.0000,E,0,0,221126,,,A")
    var reader = try #require(TrackReader(recognising: Array(text.utf8)))
    var found: [Reading] = []
    Array(text.utf8).withUnsafeBufferPointer { reader.feed($0) { found.append($0) } }
    #expect(found.fixes.map(\.time) == [NMEATests.noon - 1, NMEATests.noon])
  }

  @Test func `times have milliseconds where they need them`() {
    #expect(utcTimestamp(NMEATests.noon) == "2026-11-22T12:00:00Z")
    #expect(utcTimestamp(NMEATests.noon + 0.05) == "2026-11-22T12:00:00.050Z")
    #expect(seconds(ofTimestamp: "2026-11-22T12:00:00.050Z") == NMEATests.noon + 0.05)
    #expect(seconds(ofTimestamp: "2026-11-22") == nil)
  }
}
