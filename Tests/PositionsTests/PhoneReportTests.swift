import AnchorWatch
import Testing

@testable import Positions

struct PhoneReportTests {
  private func ownTracks(_ text: String) throws(PhoneReport.Fault) -> PhoneReport {
    try OwnTracksReport.read(Array(text.utf8))
  }

  @Test func `a location of OwnTracks has position, battery and mode`() throws {
    let report = try ownTracks(
      #"{"_type":"location","BSSID":"aa:bb","acc":9,"alt":12,"batt":87,"bs":2,"conn":"w","created_at":1795348802,"#
        + #""lat":54.1,"lon":10.2,"m":1,"t":"p","tid":"AB","tst":1795348800,"vac":4,"vel":36}"#)
    #expect(report.fixes.count == 1)
    #expect(report.fixes[0].time == NMEATests.noon)
    #expect(report.fixes[0].position == Position(latitude: 54.1, longitude: 10.2))
    #expect(report.fixes[0].accuracy == 9)
    #expect(report.fixes[0].speed == 10)
    #expect(report.battery == 0.87)
    #expect(report.isCharging == true)
    #expect(report.isSparing == true)
    #expect(report.device == "AB")
    #expect(report.trigger == "p")
  }

  @Test func `other messages of OwnTracks are no position, and an encrypted one is explained`() throws {
    #expect(try ownTracks(#"{"_type":"lwt","tst":1795348800}"#) == PhoneReport())
    #expect(try ownTracks(#"{"_type":"location","lat":0,"lon":0,"tst":1}"#).refused == 1)
    #expect(try ownTracks(#"[{"_type":"location","lat":54,"lon":10,"tst":1}]"#).fixes.count == 1)
    #expect(throws: PhoneReport.Fault.self) { try ownTracks(#"{"_type":"encrypted","data":"x"}"#) }
    #expect(throws: PhoneReport.Fault.self) { try ownTracks("hello") }
    #expect(throws: PhoneReport.Fault.self) { try ownTracks("{}") }
  }

  @Test func `a batch of Overland is read in its order`() throws {
    let body =
      #"{"locations":[{"type":"Feature","geometry":{"type":"Point","coordinates":[10.2,54.1]},"properties":"#
      + #"{"timestamp":"2026-11-22T12:00:00Z","horizontal_accuracy":5,"speed":-1,"battery_state":"unplugged","#
      + #""battery_level":0.5,"device_id":"boat"}},{"type":"Feature","geometry":{"type":"Point","coordinates":"#
      + #"[-180,54.1]},"properties":{"timestamp":"2026-11-22T12:00:10Z"}},{"type":"Feature","geometry":null}]}"#
    let report = try OverlandReport.read(Array(body.utf8))
    #expect(report.fixes.map(\.time) == [NMEATests.noon, NMEATests.noon + 10])
    #expect(report.fixes[0].speed == nil)
    #expect(report.fixes[1].position.longitude == -180)
    #expect(report.battery == 0.5)
    #expect(report.isCharging == false)
    #expect(throws: PhoneReport.Fault.self) { try OverlandReport.read(Array("[]".utf8)) }
  }

  @Test func `the Traccar client's query and its JSON are read`() throws {
    let report = try TraccarReport.read([
      ("id", "123"), ("timestamp", "1795348800"), ("lat", "54.1"), ("lon", "10.2"), ("speed", "10"),
      ("bearing", "90"), ("accuracy", "4"), ("batt", "33"), ("charge", "true"),
    ])
    #expect(report.fixes.map(\.time) == [NMEATests.noon])
    #expect(abs(report.fixes[0].speed! - 5.144) < 0.001)
    #expect(report.battery == 0.33)
    #expect(report.isCharging == true)
    let body =
      #"{"location":{"timestamp":"2026-11-22T12:00:00.000Z","coords":{"latitude":54.1,"longitude":10.2,"#
      + #""accuracy":4,"speed":-1,"heading":-1},"battery":{"level":0.33,"is_charging":false}},"device_id":"123"}"#
    let other = try TraccarReport.read(json: Array(body.utf8))
    #expect(other.fixes.map(\.position) == report.fixes.map(\.position))
    #expect(other.isCharging == false)
    #expect(throws: PhoneReport.Fault.self) { try TraccarReport.read([("id", "123")]) }
  }
}
