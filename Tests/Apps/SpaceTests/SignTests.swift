import CivilTime
import Hub
import Lifecycle
import Space
import Testing
import Wire

struct SignTests {
  /// 2026-11-20T17:40:00Z, 18:40 in Berlin.
  static let now = 1_795_196_400
  static var berlin: Zone { get throws { try systemZone("Europe/Berlin") } }

  static func turn(_ text: String) throws -> SignTurn {
    try SignTurn(try JSON(parsing: text), now: now, zone: try berlin)
  }

  @Test func `the same open again keeps the time of the change and takes the new words`() throws {
    let opened = Sign.unknown.turned(try Self.turn(#"{"open":true,"message":"a","by":"Ada"}"#), now: 100)
    #expect(opened == Sign(open: true, lastChange: 100, message: "a", by: "Ada", source: .person))
    let again = opened.turned(try Self.turn(#"{"open":true,"message":"b"}"#), now: 200)
    #expect(again == Sign(open: true, lastChange: 100, message: "b", source: .person))
    let closed = again.turned(try Self.turn(#"{"open":false}"#), now: 300)
    #expect(closed == Sign(open: false, lastChange: 300, source: .person))
  }

  @Test(arguments: [
    ("23:00", "2026-11-20T23:00:00+01:00"), ("18:41", "2026-11-20T18:41:00+01:00"),
    ("18:40", "2026-11-21T18:40:00+01:00"), ("00:30", "2026-11-21T00:30:00+01:00"),
    ("2026-11-20T22:00:00Z", "2026-11-20T23:00:00+01:00"), ("8:05", "2026-11-21T08:05:00+01:00"),
    ("2026-06-01T00:00:00+02:00", "2026-06-01T00:00:00+02:00"),
  ])
  func `until is a moment, or the next time the clock shows it`(text: String, expected: String) throws {
    let turn = try Self.turn(#"{"open":true,"until":"\#(text)"}"#)
    let sign = Sign.unknown.turned(turn, now: Self.now)
    #expect(sign.json(turn: 1, zone: try Self.berlin, asOf: Self.now)["until"] == .string(expected))
  }

  @Test func `when the clocks go back, the next time they show it may be the second one`() throws {
    // Between the two occurrences of 02:30 on 2026-10-25: 02:45 in summer time.
    let between = try #require(parseTimestamp("2026-10-25T02:45:00+02:00"))
    let turn = try SignTurn(["open": true, "until": "02:30"], now: between, zone: try Self.berlin)
    #expect(turn.until == parseTimestamp("2026-10-25T02:30:00+01:00"))
    // By half an hour on Lord Howe, at 02:00.
    let before = try #require(parseTimestamp("2027-04-04T01:50:00+11:00"))
    let other = try SignTurn(["open": true, "until": "01:45"], now: before, zone: systemZone("Australia/Lord_Howe"))
    #expect(other.until == parseTimestamp("2027-04-04T01:45:00+10:30"))
  }

  @Test(arguments: [
    ("[]", "body"), ("true", "body"), ("{}", "open"), (#"{"open":"true"}"#, "open"), (#"{"open":1}"#, "open"),
    (#"{"open":null}"#, "open"), (#"{"open":true,"opne":1}"#, "opne"), (#"{"open":true,"message":1}"#, "message"),
    (#"{"open":true,"until":"25:00"}"#, "until"), (#"{"open":true,"until":"+1:00"}"#, "until"),
    (#"{"open":true,"until":"soon"}"#, "until"), (#"{"open":true,"until":"0000-01-01T00:00:00Z"}"#, "until"),
    (#"{"open":true,"until":"8:5"}"#, "until"), (#"{"open":true,"until":"008:05"}"#, "until"),
    (#"{"open":true,"until":5}"#, "until"),
    (#"{"open":true,"by":[]}"#, "by"),
  ])
  func `anything else is refused by its field's name`(text: String, field: String) {
    let error = #expect(throws: FieldError.self) { try Self.turn(text) }
    #expect(error?.field == field)
    #expect(error?.message.contains("accepted") == true)
  }
}
