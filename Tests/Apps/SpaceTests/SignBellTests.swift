import CivilTime
import Hub
import Space
import Testing
import Wire

/// The words with which the turned sign rings.
struct SignBellTests {
  static let zone = Zone(name: "Test/One", transitions: [], initialOffset: 3600)
  /// 2026-11-21T18:40:00+01:00.
  static let evening = 1_795_282_800

  func words(_ sign: Sign, now: Int = SignBellTests.evening) -> [String] {
    let bell = SignBell.bell(sign, now: now, zone: Self.zone)
    return [bell.title.english, bell.body?.english ?? "", bell.title.german, bell.body?.german ?? ""]
  }

  @Test func `it says who has opened, until when, and their message`() {
    let sign = Sign(open: true, lastChange: 0, message: "Come in", until: Self.evening, by: "Ada", source: .person)
    #expect(
      words(sign) == [
        "Open", "Ada has opened, until 18:40: Come in", "Offen", "Ada hat aufgemacht, bis 18:40: Come in",
      ])
  }

  @Test func `an end on another day is said with its day`() {
    let told = words(Sign(open: true, until: Self.evening), now: Self.evening - 86_400)
    #expect(told[1] == "The space is open, until Sat 18:40" && told[3] == "Der Space ist offen, bis Sa 18:40")
    let silent = words(Sign(lastChange: Self.evening, source: .contact), now: Self.evening + 86_400)
    #expect(silent[1].hasPrefix("Unknown since Sat 21 Nov 18:40:"))
  }

  @Test func `without a name it says how it is`() {
    #expect(words(Sign(open: true)) == ["Open", "The space is open", "Offen", "Der Space ist offen"])
    #expect(words(Sign(open: false)) == ["Closed", "The space is closed", "Geschlossen", "Der Space ist zu"])
  }

  @Test func `unknown is said as unknown, with its time`() {
    let told = words(Sign(lastChange: Self.evening, source: .contact))
    #expect(told[0] == "Open or closed?" && told[1].hasPrefix("Unknown since 18:40") && told[3].contains("18:40"))
    // The first turn was undone.
    #expect(
      words(.unknown) == [
        "Open or closed?", "Nobody has turned the sign yet.", "Offen oder zu?", "Noch hat niemand das Schild gedreht.",
      ])
  }

  @Test func `a clock says open and closed, and keeps still otherwise`() throws {
    let parts = [true, false, nil].map { SignBell.bell(Sign(open: $0), now: 0, zone: .utc).parts }
    #expect(parts == [["open"], ["closed"], []])
    let bell = SignBell.bell(Sign(open: true), now: 0, zone: .utc)
    #expect(Bell(bell.json) == bell, "nothing of it is lost on its way")
  }

  @Test func `whoever gets it opens the sign, and an older one is replaced`() {
    let bell = SignBell.bell(Sign(open: true), now: 0, zone: .utc)
    #expect((bell.collapseID, bell.path, bell.to) == ("sign", "/space", ["topic": "space"]))
  }

  @Test func `whoever is near is told so, and nobody twice`() {
    let bell = SignBell.bell(Sign(open: true), now: 0, zone: .utc)
    let near = SignBell.nearBell(bell, around: Place.Coordinates(latitude: 54.32, longitude: 10.14))
    #expect(near.near == Bell.Circle(latitude: 54.32, longitude: 10.14, radius: 500) && near.exceptTopic == "space")
    #expect(near.to == ["topic": "space.near"] && near.collapseID == bell.collapseID)
    #expect(Bell(near.json) == near && Bell(bell.json) == bell)
  }
}
