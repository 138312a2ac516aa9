package import CivilTime
import Hub
import Lifecycle
import Store
import Wire

/// Fills an empty data folder with a demonstration space: settings, sensors and a year of the sign.
package enum SpaceDemo {
  /// Does nothing if there is a space already.
  static func fill(_ hub: Hub) async throws {
    let now = Int(hub.time.now)
    try await hub.store.write { database throws(StoreError) in
      guard try database.spaceSettings() == nil else { return }
      let (zone, club) = (try database.place()?.zone ?? .utc, try DemoClub(database))
      try database.save(settings: settings)
      let turns = history(before: now, zone: zone)
      for turn in turns {
        _ = try database.save(sign: turn, setAt: turn.lastChange ?? now, isChange: true, token: nil)
      }
      for turn in turns.suffix(turnsTold) {
        guard let name = turn.by, let somebody = DemoClub.Somebody(rawValue: name), let at = turn.lastChange
        else { continue }
        try club.tell("sign.turned", about: turn.state, by: somebody, at: Double(at), in: database)
      }
      for sensor in sensors(now: hub.time.now, club) { try database.save(sensor: sensor, token: nil) }
    }
  }

  /// The last turns, which the history tells too.
  private static let turnsTold = 6

  private static let settings = SpaceSettings(
    url: "https://nordlicht.example", color: "#4a3fa3",
    contact: [
      "email": "hello@nordlicht.example", "matrix": "#nordlicht:nordlicht.example",
      "mastodon": "@nordlicht@social.example", "phone": "+49 421 0000000",
    ],
    openingHours: "Tu,Th 18:00-23:00")

  /// A year of opening and closing: the open evenings with human punctuality, some Saturdays, and a summer break. The
  /// same every time, so that pictures of it stay comparable.
  package static func history(before now: Int, zone: Zone) -> [Sign] {
    var dice = Dice(state: 8)
    var turns: [Sign] = []
    let today = zone.wall(at: now).date.dayNumber
    for day in (today - 365)...today {
      let date = CivilDate(dayNumber: day)
      let isBreak = date.month == 8 && date.day <= 14
      let chance = [2: 97, 4: 95, 6: 45, 1: 25, 3: 30, 5: 20, 7: 20][date.weekday] ?? 0
      guard dice.roll(100) < chance, !isBreak else { continue }
      let opens = (date.weekday == 6 || date.weekday == 7 ? 13 : 18) * 3600 + dice.roll(30) * 60 - 20 * 60
      let closes = opens + (3 * 3600 + dice.roll(150) * 60)
      let person = [DemoClub.Somebody.ada, .jonas, .ada, .tjark, .jonas][dice.roll(5)].name
      for (second, open) in [(opens, true), (closes, false)] {
        let at = zone.instant(of: WallTime(seconds: day * secondsPerDay + second))
        if at < now { turns.append(Sign(open: open, lastChange: at, by: person, source: .person)) }
      }
    }
    return turns
  }

  /// Some sensors with fresh values for two days, and one that has been silent since this morning.
  static func sensors(now: Double, _ say: DemoClub) -> [Sensor] {
    let day = 86_400.0
    return [
      Sensor(
        kind: "temperature", name: "Thermometer",
        fields: ["value": 20.5, "unit": "°C", "location": .string(say("Workshop", german: "Werkstatt"))],
        changedAt: now - 600, reportedAt: now, heartbeat: day),
      Sensor(
        kind: "people_now_present", name: say("Counter", german: "Zähler"),
        fields: ["value": 7, "location": .string(say("All rooms", german: "Alle Räume"))],
        changedAt: now - 1_200, reportedAt: now, heartbeat: day),
      Sensor(
        kind: "door_locked", name: say("Lock", german: "Schloss"),
        fields: ["value": true, "location": .string(say("Attic", german: "Dachboden"))], changedAt: now - day,
        reportedAt: now - 5 * 3600, heartbeat: 900),
    ]
  }

  /// A small random generator with a fixed seed (Numerical Recipes' linear congruence).
  private struct Dice {
    var state: UInt32
    mutating func roll(_ sides: Int) -> Int {
      state = state &* 1_664_525 &+ 1_013_904_223
      return Int(state >> 8) % sides
    }
  }
}
