import AnchorWatch
import Hub
import Lifecycle
import Positions
import Store
import Wire

/// A night of the club's boat in a bay, and those before, for those who look at a demonstration.
enum AnchorDemo {
  private static let hours = 6
  private static let step = 20.0
  /// Earlier nights: how many days ago, hours, bearing and distance of the place, the farthest, and alarms.
  private static let nights: [(Double, Double, Double, Double, Double, Int)] = [
    (3, 11, 70, 2_400, 41.2, 1), (4, 9, 115, 7_900, 22.6, 0), (11, 13, 30, 5_200, 28.9, 0),
  ]
  /// Nobody sails in a demonstration, so no report is missed for a hundred years.
  private static let unwatched = 100 * 365 * 86_400.0

  /// Does nothing if an anchor was ever dropped.
  static func fill(_ hub: Hub) async throws {
    let now = hub.time.now
    guard let anchor = Position(latitude: 54.4265, longitude: 10.1792) else { return }
    try await hub.store.write { database throws(StoreError) in
      guard try database.lastAnchorVersion() == 0, try database.anchorSources().isEmpty else { return }
      let club = try DemoClub(database)
      let tjark = try club.person(.tjark, in: database)
      var source = Source(name: DemoClub.boat, kind: .agent, last: now)
      source.person = tjark
      source.id = try database.add(source)
      (source.battery, source.isCharging, source.state) = (0.9, true, "holding")
      source.interval = unwatched
      var most = 0.0
      for number in 0..<(hours * 3_600 / Int(step)) {
        // The same each time, so that pictures of it stay comparable: a boat that swings as the wind turns.
        let time = Double(number) * step
        let swing = 200 + 45 * wave(time / 5_400) + 12 * wave(time / 700)
        let reach = 17 + 2.5 * wave(time / 900 + 0.3) + 0.6 * wave(time / 61)
        let position = anchor.moved(bearing: swing, distance: reach)
        let fix = Fix(time: now - Double(hours) * 3_600 + time, position: position, accuracy: 3.2, hdop: 0.9)
        try database.add(fix, source: source.id)
        (source.fix, most) = (fix, max(most, reach))
      }
      source.fix?.time = now
      try database.save(source)
      var form = WatchSettingsForm(anchor: anchor, radius: 32)
      form = (try? form.changed(by: ["rode": ["length_m": 30, "depth_m": 5, "tide_m": 0.4]])) ?? form
      var one = Anchorage(from: now - Double(hours) * 3_600, position: anchor, settings: form.json)
      (one.most, one.armedAt, one.person) = (most, one.from, tjark)
      _ = try database.add(one)
      for (days, hours, bearing, away, most, alarms) in nights {
        let from = now - days * 86_400
        let place = anchor.moved(bearing: bearing, distance: away)
        var past = Anchorage(
          from: from, to: from + hours * 3_600, position: place, settings: WatchSettingsForm(anchor: place).json)
        (past.most, past.alarms, past.person) = (most, alarms, tjark)
        _ = try database.add(past)
      }
    }
  }

  /// A wave between −1 and 1 with the period 1, of parabolas.
  private static func wave(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
  }
}
