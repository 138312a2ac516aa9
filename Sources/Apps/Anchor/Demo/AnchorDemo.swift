import AnchorWatch
import EventLoop
import Hub
import Lifecycle
import Positions
import Store
import Wire

/// A night of the club's boat in a bay, and those before, for those who look at a demonstration.
enum AnchorDemo {
  private static let hours = 6
  private static let step = 20.0
  /// Seconds between two reports while somebody looks at the demonstration: so few that pictures of its first minutes
  /// stay comparable.
  private static let pause = 240.0
  private static let anchor = Position(latitude: 54.4265, longitude: 10.1792)
  /// Earlier nights: how many days ago, hours, bearing and distance of the place, the farthest, and alarms.
  private static let nights: [(Double, Double, Double, Double, Double, Int)] = [
    (3, 11, 70, 2_400, 41.2, 1), (4, 9, 115, 7_900, 22.6, 0), (11, 13, 30, 5_200, 28.9, 0),
  ]
  /// Nobody sails in a demonstration, so no report is missed for a hundred years.
  private static let unwatched = 100 * 365 * 86_400.0

  /// Does nothing if an anchor was ever dropped.
  static func fill(_ hub: Hub) async throws {
    let now = hub.time.now
    guard let anchor else { return }
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
        let (fix, reach) = boat(around: anchor, since: now - Double(hours) * 3_600, after: time)
        try database.add(fix, source: source.id)
        (source.fix, most) = (fix, max(most, reach))
      }
      source.fix?.time = now
      try database.save(source)
      var form = WatchSettingsForm(anchor: anchor, radius: 32)
      // Her reports are so far apart that her place would count as old in between.
      form.settings.lost = 2 * pause
      form = (try? form.changed(by: ["rode": ["length_m": 30, "depth_m": 5, "tide_m": 0.4]])) ?? form
      var one = Anchorage(from: now - Double(hours) * 3_600, position: anchor, settings: form.json)
      (one.most, one.armedAt, one.person) = (most, one.from, tjark)
      _ = try database.add(one)
      for what in ["anchor.dropped", "anchor.armed"] {
        try club.tell(what, by: .tjark, at: one.from, in: database)
      }
      for (days, hours, bearing, away, most, alarms) in nights {
        let from = now - days * 86_400
        let place = anchor.moved(bearing: bearing, distance: away)
        var past = Anchorage(
          from: from, to: from + hours * 3_600, position: place, settings: WatchSettingsForm(anchor: place).json)
        (past.most, past.alarms, past.person) = (most, alarms, tjark)
        _ = try database.add(past)
        try club.tell("anchor.dropped", by: .tjark, at: from, in: database)
        if alarms > 0 { try club.tell("anchor.acknowledged", by: .mira, at: from + 5.4 * 3_600, in: database) }
        try club.tell("anchor.weighed", by: .tjark, at: from + hours * 3_600, in: database)
      }
    }
  }

  /// The boat at a moment, and how far she is from her anchor.
  private static func boat(around anchor: Position, since start: Double, after time: Double) -> (Fix, Double) {
    let swing = 200 + 45 * wave(time / 5_400) + 12 * wave(time / 700)
    let reach = 17 + 2.5 * wave(time / 900 + 0.3) + 0.6 * wave(time / 61)
    let position = anchor.moved(bearing: swing, distance: reach)
    return (Fix(time: start + time, position: position, accuracy: 3.2, hdop: 0.9), reach)
  }

  /// The boat goes on swinging and reporting, as long as she is there: otherwise the page would say of a demonstration
  /// that she has fallen silent.
  static func run(_ hub: Hub, _ watch: SecondWatch) async throws {
    try await Poller(hub.loop).run {
      let now = hub.time.now
      let last = try await hub.store.read { database throws(StoreError) in
        try database.anchorSource(.agent, named: DemoClub.boat)?.last
      }
      guard let last, let anchor else { return nil }
      guard now - last >= pause else { return last + pause - now }
      try await hub.commit(as: .room(AnchorRoom.id)) { change in
        guard let start = try change.database.anchorage()?.from else { return }
        var report = Report(kind: .agent, name: DemoClub.boat)
        report.state = "holding"
        report.fixes = [boat(around: anchor, since: start, after: now - start).0]
        _ = try watch.take(report, in: change)
      }
      return pause
    }
  }

  /// A wave between −1 and 1 with the period 1, of parabolas.
  private static func wave(_ turns: Double) -> Double {
    let part = turns - turns.rounded(.down)
    return part < 0.5 ? 16 * part * (0.5 - part) : -16 * (part - 0.5) * (1 - part)
  }
}
