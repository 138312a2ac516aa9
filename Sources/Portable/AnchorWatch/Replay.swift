/// A night that was, judged by tonight's settings: how often it would have rung.
public struct Replay: Sendable {
  /// Fixes that were judged, those that were not believed or not even read, and silences.
  public private(set) var fixes = 0
  public private(set) var refused = 0
  public private(set) var gaps = 0
  /// The greatest distance from the anchor in metres, and the fixes beyond the zone's edge.
  public private(set) var farthest = 0.0
  public private(set) var outside = 0
  /// The events that would have been told, without gaps; `more` are those beyond the bound.
  public private(set) var events: [WatchEvent] = []
  public private(set) var more = 0

  private var watch: AnchorWatch?
  private var settings: WatchSettings
  private let isRaw: Bool
  private let plane: Plane
  private let zone: Zone
  private var level = 0
  private var last: Double?
  private var distance = 0.0

  /// - Parameter raw: judges each fix alone, without grace and filter: anybody can check the arithmetic.
  public init(_ settings: WatchSettings, raw: Bool = false) {
    (self.settings, isRaw, plane) = (settings, raw, Plane(around: settings.anchor))
    zone = Zone(settings.alarm, excluded: settings.excluded, in: plane)
  }

  /// A line or a sentence that was no fix, but should have been one.
  public mutating func refuse() { refused += 1 }

  public mutating func take(_ fix: Fix) {
    isRaw ? takeRaw(fix) : takeWatched(fix)
  }

  /// The silences that are told from here on, in seconds: whoever promises positions seldom is not lost between them.
  public mutating func allow(gap: Double, lost: Double) {
    (settings.gap, settings.lost) = (gap, lost)
    watch?.settings.gap = gap
    watch?.settings.lost = lost
  }

  private mutating func takeWatched(_ fix: Fix) {
    var watch = self.watch ?? AnchorWatch(settings, since: fix.time)
    self.watch = nil
    let refusedBefore = watch.refused
    let gapsBefore = watch.gaps
    for event in watch.take(fix) where event.kind != .gap { note(event) }
    gaps += watch.gaps - gapsBefore
    if watch.refused > refusedBefore {
      refused += 1
    } else {
      fixes += 1
      farthest = max(farthest, watch.distance)
      if watch.share > 1 { outside += 1 }
    }
    self.watch = watch
  }

  private mutating func takeRaw(_ fix: Fix) {
    if let last {
      let silence = fix.time - last
      if silence >= settings.gap { gaps += 1 }
      if silence > settings.lost {
        note(.positionLost, last + settings.lost)
        distance = plane.point(fix.position).length
        note(.positionBack, fix.time)
      }
    }
    last = fix.time
    fixes += 1
    let point = plane.point(fix.position)
    distance = point.length
    farthest = max(farthest, distance)
    let clearance = zone.clearance(point)
    if clearance < 0 { outside += 1 }
    let now = clearance < 0 ? 2 : zone.share(clearance: clearance) > settings.warning ? 1 : 0
    if now < level { note(.clear, fix.time) }
    if now != level, now > 0 { note(now == 2 ? .alarm : .warning, fix.time) }
    level = now
  }

  private mutating func note(_ kind: WatchKind, _ time: Double) {
    note(WatchEvent(at: time, kind: kind, distance: distance))
  }

  private mutating func note(_ event: WatchEvent) {
    if events.count < AnchorLimits.replayEvents { events.append(event) } else { more += 1 }
  }

  /// The times at which it would have rung: alarms, and positions that were lost.
  public var rings: [WatchEvent] { events.filter { $0.kind == .alarm || $0.kind == .positionLost } }
}
