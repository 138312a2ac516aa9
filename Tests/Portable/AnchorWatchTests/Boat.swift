import AnchorWatch

/// A boat for tests: fixes at metres from an anchor, and the watch that takes them.
struct Boat {
  static let anchor = Position(latitude: 54.1, longitude: 10.2)!
  static let start = 1_790_000_000.0

  var watch: AnchorWatch
  var time = start
  var events: [WatchEvent] = []

  init(_ shape: Shape = .circle(radius: 40), change: (inout WatchSettings) -> Void = { _ in }) {
    var settings = WatchSettings(anchor: Self.anchor, alarm: shape)
    change(&settings)
    watch = AnchorWatch(settings, since: Self.start)
  }

  static func place(_ distance: Double, _ bearing: Double = 90) -> Position {
    anchor.moved(bearing: bearing, distance: distance)
  }

  /// A fix a second, the last of them `seconds` after the one before.
  mutating func lie(
    _ distance: Double, _ bearing: Double = 90, seconds: Int = 1, change: (inout Fix) -> Void = { _ in }
  ) {
    for _ in 0..<seconds {
      time += 1
      var fix = Fix(time: time, position: Self.place(distance, bearing))
      change(&fix)
      events += watch.take(fix)
    }
  }

  mutating func wait(_ seconds: Double) {
    time += seconds
    events += watch.pass(to: time)
  }

  mutating func moveAnchor(to place: Position) {
    var settings = watch.settings
    settings.anchor = place
    watch.change(settings)
  }

  var kinds: [WatchKind] { events.map(\.kind) }
  /// Seconds from the beginning of the events.
  var times: [Double] { events.map { $0.at - Self.start } }
}
