/// Judges a boat's positions against its anchor's zone. A value without a clock: fixes and the passing of time are told
/// to it, both by the same clock, and it answers with what there is to say.
public struct AnchorWatch: Sendable {
  public internal(set) var settings: WatchSettings
  /// Metres from the anchor, as last known, and the share of the way to the zone's edge (1 is the edge).
  public private(set) var distance = 0.0
  public private(set) var share = 0.0
  public var lastFix: Fix? { hasFix ? fix : nil }
  /// Fixes that were not believed, and silences of `gap` seconds or more.
  public private(set) var refused = 0
  public private(set) var gaps = 0

  private var fix: Fix
  private var hasFix: Bool
  private var plane: Plane
  private var zone: Zone
  /// The positions of the boat and of its antenna.
  private var (boat, antenna) = (Point(east: 0, north: 0), Point(east: 0, north: 0))
  private var (warning, alarm, depth) = (Confirmed(), Confirmed(), Confirmed())
  private var creep = Creep()
  private var wind = TurningWind()
  private var doubts = Doubts()
  /// The time of the last fix that was believed, or of the beginning.
  private var heard: Double
  /// The time that was passed last; endless in a replay, to which none is.
  private var passed = Double.infinity
  private var isSilent = false
  /// True while no position has come for as long as `lost`, also of a boat that was outside when she was seen last.
  public private(set) var isLost = false

  /// - Parameters:
  ///   - since: when the watch begins, or when it last heard of the boat: whoever begins again after a restart must not
  ///     forget that it has heard nothing for long.
  ///   - last: the last fix before a restart.
  ///   - state: what was thought before a restart.
  public init(_ settings: WatchSettings, since: Double, last: Fix? = nil, state: WatchState = .waiting) {
    self.settings = settings
    plane = Plane(around: settings.anchor)
    zone = Zone(settings.alarm, excluded: settings.excluded, in: plane)
    heard = last?.time ?? since
    (fix, hasFix) = (last ?? Fix(time: since, position: settings.anchor), last != nil)
    if state == .alarm { alarm = Confirmed(holds: true) }
    if state == .alarm || state == .warning { warning = Confirmed(holds: true) }
    isLost = state == .lost
    measure()
  }

  /// The present state. An alarm stays one when the position is lost.
  public var state: WatchState {
    if alarm.holds { return .alarm }
    if isLost { return .lost }
    if warning.holds { return .warning }
    return !hasFix ? .waiting : .holding
  }

  /// Degrees true from the anchor to the boat.
  public var bearing: Double { boat.bearing }

  /// True if her last place is too old to say that she holds: as old as the silence after which a position is lost,
  /// though one that is told more seldom than that is not lost yet.
  public func isOld(at time: Double, lost: Double) -> Bool { time - heard >= lost }

  /// Metres that are left to the edge; negative outside.
  public var room: Double { (1 - share) * zone.depth }

  // MARK: Fixes

  public mutating func take(_ fix: Fix) -> [WatchEvent] {
    guard fix.time.isFinite, fix.time <= passed + AnchorLimits.ahead else { return refuse() }
    let here = plane.point(fix.position)
    if fix.time <= heard, hasFix, !isNewClock(fix.time) { return refuse() }
    var events: [WatchEvent] = []
    if fix.time - heard >= settings.gap || fix.time - heard > settings.lost {
      events = silence(until: fix.time, isHeard: true)
    }
    let boat = place(here, fix)
    let clearance = zone.clearance(boat)
    if isTooCoarse(fix, clearance) || isGlitch(here, at: fix.time, clearance) {
      refused += 1
      return events
    }
    if let since = doubts.outsideSince { alarm.began(at: since) }
    doubts.end()
    (self.boat, antenna, distance) = (boat, here, boat.length)
    share = zone.share(clearance: clearance)
    self.fix = fix
    (hasFix, heard) = (true, fix.time)
    isSilent = false
    if isLost {
      isLost = false
      events.append(event(.positionBack, fix.time))
    }
    let (isNear, isOut) = (share > settings.warning, clearance < 0)
    if isNear == warning.holds, isOut == alarm.holds {
      // The usual second: nothing changes.
      warning.settle()
      alarm.settle()
    } else {
      judge(isNear, isOut, fix, &events)
    }
    if creep.isDue(at: fix.time), creep.take(boat, at: fix.time, most: settings.creep * zone.depth) {
      events.append(event(.creep, fix.time))
    }
    if settings.windShift != nil || settings.depthMin != nil || settings.depthMax != nil { look(around: fix, &events) }
    return events
  }

  private mutating func refuse() -> [WatchEvent] {
    refused += 1
    return []
  }

  private func event(_ kind: WatchKind, _ time: Double) -> WatchEvent {
    WatchEvent(at: time, kind: kind, distance: distance)
  }

  /// The bow's place where the heading is told, else the antenna's, which swings wider.
  private func place(_ antenna: Point, _ fix: Fix) -> Point {
    guard settings.bow != 0, let heading = fix.heading else { return antenna }
    return Point(
      east: antenna.east + sine(heading * radians) * settings.bow,
      north: antenna.north + cosine(heading * radians) * settings.bow)
  }

  /// A fix whose error is large is only used when it decides in spite of it.
  private func isTooCoarse(_ fix: Fix, _ clearance: Double) -> Bool {
    let error = fix.accuracy ?? fix.hdop.map { $0 * AnchorLimits.metresPerHDOP } ?? 0
    return error > AnchorLimits.coarse && clearance.magnitude < error
  }

  /// A jump that no boat makes, until so many in a row say the same: then it was the boat.
  private mutating func isGlitch(_ here: Point, at time: Double, _ clearance: Double) -> Bool {
    guard hasFix else { return false }
    let reach = settings.glitchSpeed * max(time - heard, 1)
    let jump = here - antenna
    guard jump.east * jump.east + jump.north * jump.north > reach * reach else { return false }
    return doubts.jumped(isOutside: clearance < 0, at: time) < settings.glitchCount
  }

  /// True for a time before the last one when so many in a row come from there: the receiver's clock was set. Late
  /// reports of a phone are no such thing, for they are far behind the clock that is passed.
  private mutating func isNewClock(_ time: Double) -> Bool {
    if time == heard { return false }
    if passed.isFinite, (time - passed).magnitude > settings.lost { return false }
    guard doubts.wentBack(to: time) >= settings.glitchCount else { return false }
    shift(by: time - heard - 1)
    return true
  }

  private mutating func judge(_ isNear: Bool, _ isOut: Bool, _ fix: Fix, _ events: inout [WatchEvent]) {
    let patience = settings.grace * fix.quality
    let before = level
    let isWarned = warning.judge(isNear, at: fix.time, patience: patience)
    let isAlarmed = alarm.judge(isOut, at: fix.time, patience: patience)
    if isWarned || isAlarmed { tell(from: before, at: fix.time, &events) }
  }

  /// Wind and water, where somebody asked for them and they are told.
  private mutating func look(around fix: Fix, _ events: inout [WatchEvent]) {
    if let most = settings.windShift, let direction = fix.windDirection,
      wind.take(direction, at: fix.time, most: most)
    {
      events.append(event(.windShift, fix.time))
    }
    if let water = fix.depth, settings.depthMin != nil || settings.depthMax != nil {
      let isOdd = water < settings.depthMin ?? -.infinity || water > settings.depthMax ?? .infinity
      if depth.judge(isOdd, at: fix.time, patience: settings.grace), depth.holds {
        events.append(event(.depth, fix.time))
      }
    }
  }

  /// 2 in an alarm, 1 in a warning.
  private var level: Int { alarm.holds ? 2 : warning.holds ? 1 : 0 }

  private func tell(from before: Int, at time: Double, _ events: inout [WatchEvent]) {
    let now = level
    if now < before { events.append(event(.clear, time)) }
    if now != before, now > 0 { events.append(event(now == 2 ? .alarm : .warning, time)) }
  }

  // MARK: Time

  /// Time goes by without a fix: a gap, and after a longer one the position is lost. Told now and then, at the latest
  /// after `nextCheck`.
  public mutating func pass(to time: Double) -> [WatchEvent] {
    guard time.isFinite else { return [] }
    if passed.isFinite, time < passed - AnchorLimits.clockBack { shift(by: time - passed) }
    passed = time
    return silence(until: time, isHeard: false)
  }

  /// It is as late as this, which judges no silence: a fix of now is none of the future. In a replay, nothing.
  public mutating func note(time: Double) {
    if passed.isFinite, time > passed { passed = time }
  }

  private mutating func silence(until time: Double, isHeard: Bool) -> [WatchEvent] {
    guard time - heard >= min(settings.gap, settings.lost) else { return [] }
    var events: [WatchEvent] = []
    if !isSilent, hasFix, time - heard >= settings.gap {
      isSilent = true
      gaps += 1
      events.append(event(.gap, heard + settings.gap))
      let before = level
      // Outside when last seen, and silent since: nobody waits for another fix.
      alarm.fallSilent(believe: true)
      warning.fallSilent(believe: alarm.holds)
      tell(from: before, at: heard + settings.gap, &events)
    }
    if !isLost, isHeard ? time - heard > settings.lost : time - heard >= settings.lost {
      isLost = true
      events.append(event(.positionLost, heard + settings.lost))
    }
    return events
  }

  /// The clock was set: silences are as long as they were.
  private mutating func shift(by seconds: Double) {
    heard += seconds
    warning.shift(by: seconds)
    alarm.shift(by: seconds)
    depth.shift(by: seconds)
    creep.shift(by: seconds)
    wind.shift(by: seconds)
    doubts.shift(by: seconds)
  }

  /// Seconds until the next look at the position: always when charging, in trouble or near the edge; else no later than
  /// a drifting boat could be near it, and rarer with an emptying battery (0 to 1), but never so rare that it is a gap.
  public func nextCheck(charging: Bool, battery: Double?) -> Double {
    guard !charging, state == .holding, share < settings.warning, alarm.otherwiseSince == nil else { return 1 }
    let rarest = settings.gap * AnchorLimits.rarestCheck
    let usual = min(AnchorLimits.usualCheck, rarest)
    let charge = min(max(battery ?? 1, 0), 1)
    let longest = charge >= 0.5 ? usual : rarest - (rarest - usual) * charge * 2
    let reach = (settings.warning - share) * zone.depth / AnchorLimits.driftSpeed
    return max(1, min(longest, reach))
  }

  // MARK: Changes

  /// The anchor may lie elsewhere now. What was believed stays so until the next fixes say otherwise.
  public mutating func change(_ settings: WatchSettings) {
    let isMoved = settings.anchor != self.settings.anchor
    self.settings = settings
    plane = Plane(around: settings.anchor)
    zone = Zone(settings.alarm, excluded: settings.excluded, in: plane)
    warning.fallSilent(believe: false)
    alarm.fallSilent(believe: false)
    if isMoved { creep = Creep() }
    measure()
  }

  private mutating func measure() {
    guard hasFix else { return }
    antenna = plane.point(fix.position)
    boat = place(antenna, fix)
    distance = boat.length
    share = zone.share(clearance: zone.clearance(boat))
  }
}
