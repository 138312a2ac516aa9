import AnchorWatch
import Testing

@testable import Positions

struct SignalKTests {
  private func delta(
    _ context: String?, _ value: String, at time: String? = "2026-11-22T12:00:00.000Z",
    from source: String = "\"$source\":\"a.GP\""
  ) -> String {
    let stamp = time.map { "\"timestamp\":\"\($0)\"," } ?? ""
    return "{\(context.map { "\"context\":\"\($0)\"," } ?? "")\"updates\":[{\(source),\(stamp)\"values\":["
      + "{\"path\":\"navigation.position\",\"value\":\(value)}]}]}\n"
  }
  private let place = #"{"latitude":54.1,"longitude":10.2}"#

  @Test func `a delta of the own vessel is a fix, with what was told beside it in degrees`() throws {
    let text = """
      {"name":"signalk-server","version":"2.8.0","self":"vessels.urn:mrn:imo:mmsi:211000000","roles":["master"]}
      {
        "context": "vessels.urn:mrn:imo:mmsi:211000000",
        "updates": [
          {
            "source": {"label": "N2000-01", "type": "NMEA2000", "src": "017", "pgn": 127488},
            "timestamp": "2026-11-22T12:00:00.500Z",
            "values": [
              {"path": "navigation.position", "value": {"latitude": 54.1, "longitude": 10.2, "altitude": 2}},
              {"path": "navigation.headingTrue", "value": 1.5707963267948966},
              {"path": "environment.depth.belowTransducer", "value": 4.2},
              {"path": "environment.wind.directionTrue", "value": 3.141592653589793},
              {"path": "navigation.gnss.horizontalDilution", "value": 1.5}
            ]
          }
        ]
      }

      """
    let found = bothWays(text, SignalKReader())
    let fix = try #require(found.fixes.first)
    #expect(found.count == 1)
    #expect(fix.time == NMEATests.noon + 0.5)
    #expect(fix.position == Position(latitude: 54.1, longitude: 10.2))
    #expect(fix.heading == 90)
    #expect(fix.windDirection == 180)
    #expect(fix.depth == 4.2)
    #expect(fix.hdop == 1.5)
  }

  @Test func `another vessel's position is never the own one`() {
    let other = delta("vessels.urn:mrn:imo:mmsi:211999999", place)
    let own = delta("vessels.urn:mrn:imo:mmsi:211000000", place)
    let hello = #"{"self":"urn:mrn:imo:mmsi:211000000","roles":["main"]}"# + "\n"
    #expect(readings(hello + other + own + delta(nil, place), SignalKReader()).count == 2)
    #expect(readings(delta("vessels.self", place) + other, SignalKReader()).count == 1)
    // A recording without a greeting: the vessel of the first position.
    #expect(readings(own + other + own, SignalKReader()).count == 2)
  }

  @Test(arguments: [
    (#"{"latitude":0,"longitude":0}"#, Refusal.positionImpossible),
    (#"{"latitude":214.7483647,"longitude":10}"#, .positionImpossible),
    ("null", .positionMissing), (#"{"latitude":null,"longitude":10}"#, .positionMissing),
  ])
  func `a position that cannot be is refused`(value: String, refusal: Refusal) {
    #expect(bothWays(delta("vessels.self", value), SignalKReader()) == [.refused(refusal)])
  }

  @Test func `a delta without a time has that of its arrival, and none in a recording`() {
    let text = delta("vessels.self", place, at: nil)
    #expect(readings(text, SignalKReader(), received: 7).fixes.map(\.time) == [7])
    #expect(readings(text, SignalKReader()).refusals == [.timeMissing])
  }

  @Test func `a server that repeats itself for ever tells nothing new`() {
    let text = String(repeating: delta("vessels.self", place), count: 100)
    #expect(Set(readings(text, SignalKReader(), received: NMEATests.noon + 9).fixes.map(\.time)) == [NMEATests.noon])
  }

  @Test func `an old position that a server has kept is no sign of life, until its time goes on`() {
    let (old, next) = (delta(nil, place), delta(nil, place, at: "2026-11-22T12:00:01Z"))
    let hours = NMEATests.noon + 5 * 3_600
    #expect(readings(old + old, SignalKReader(), received: hours) == [])
    // The server's clock is wrong, by hours in either direction, and its receiver is well.
    for received in [hours, NMEATests.noon - 3_600] {
      #expect(readings(old + next, SignalKReader(), received: received).fixes.map(\.time) == [NMEATests.noon + 1])
    }
    // Each receiver has one of its own, and each connection begins so.
    let other = delta(nil, place, from: #""source":{"label":"n2k","src":"2"}"#)
    var reader = SignalKReader()
    var found: [Reading] = []
    for text in [old + other + next, old, next] {
      reader.feed(text.utf8, received: hours) { found.append($0) }
      reader.restart()
    }
    #expect(found.fixes.map(\.time) == [NMEATests.noon + 1] && found.count == 1)
    // A recording is as old as it is.
    #expect(readings(old, SignalKReader()).fixes.count == 1)
  }

  @Test func `of two receivers one counts, also after a break, and the other is its witness`() {
    func second(_ second: Int, _ receivers: Int...) -> String {
      receivers.map { number in
        let time = "2026-11-22T12:00:\(second < 10 ? "0" : "")\(second)Z"
        return delta(nil, place, at: time, from: #""source":{"label":"n2k","src":"\#(number)"}"#)
      }.joined()
    }
    var reader = SignalKReader()
    var found: [Reading] = []
    reader.feed(second(0, 1, 2).utf8) { found.append($0) }
    reader.restart()
    reader.feed((second(30, 2, 1) + second(31, 2, 1)).utf8) { found.append($0) }
    #expect(found.fixes.map(\.time) == [0, 30, 31].map { NMEATests.noon + $0 })
    #expect(found.witnesses == ["n2k.2", "n2k.2", "n2k.2"])
    // It has fallen silent.
    let rest = (32..<50).map { second($0, 2) }.joined()
    reader.feed(rest.utf8) { found.append($0) }
    #expect(found.fixes.map(\.time) == [0, 30, 31, 47, 48, 49].map { NMEATests.noon + $0 })
  }

  @Test func `a logger's lines and a list of deltas are read`() {
    let line = "1795348800000;I;" + delta("vessels.self", place)
    let list = "[\n  " + delta("vessels.self", place) + ",  " + delta("vessels.self", place) + "]\n"
    #expect(bothWays(line, SignalKReader()).map(\.isFix) == [true])
    #expect(bothWays(list, SignalKReader()).map(\.isFix) == [true, true])
  }
}
