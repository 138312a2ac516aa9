#if arch(wasm32)
  import AnchorWatch

  // The rules of the anchor watch for anchor-rules.js of its page. Numbers only: NaN is what nobody told, instants are
  // seconds since 1970, kinds and states are by their codes. One watch and one replay at a time; the things that were
  // found last stay until the next call.

  private nonisolated(unsafe) var settings = usual
  private nonisolated(unsafe) var corners: [Position] = []
  private nonisolated(unsafe) var watch = AnchorWatch(usual, since: 0)
  private nonisolated(unsafe) var replay = Replay(usual)
  private nonisolated(unsafe) var events: [WatchEvent] = []
  private nonisolated(unsafe) var places: [Position] = []
  private nonisolated(unsafe) var swing: Swing?
  /// Fixes that are judged at once: five numbers each, as `watch_take` has them first.
  private nonisolated(unsafe) let buffer = UnsafeMutablePointer<Double>.allocate(capacity: bufferFixes * bufferNumbers)
  private let bufferFixes = 1_024
  private let bufferNumbers = 5

  private var usual: WatchSettings {
    WatchSettings(anchor: Position(latitude: 90, longitude: 0)!, alarm: .circle(radius: 40))
  }

  private func told(_ number: Double) -> Double? { number.isNaN ? nil : number }

  /// A fix of the buffer; nil for what is no place.
  @inline(__always) private func buffered(_ index: Int) -> Fix? {
    let numbers = buffer + index * bufferNumbers
    guard let position = Position(latitude: numbers[1], longitude: numbers[2]) else { return nil }
    return Fix(time: numbers[0], position: position, accuracy: told(numbers[3]), hdop: told(numbers[4]))
  }

  @_expose(wasm, "buffer_at") @_cdecl("buffer_at")
  public func exportedBuffer() -> Int32 { Int32(Int(bitPattern: buffer)) }
  @_expose(wasm, "buffer_fixes") @_cdecl("buffer_fixes")
  public func exportedBufferFixes() -> Int32 { Int32(bufferFixes) }

  // MARK: Settings

  /// Begins new settings with the usual numbers; 0 for what is no place.
  @_expose(wasm, "begin") @_cdecl("begin")
  public func exportedBegin(_ latitude: Double, _ longitude: Double) -> Int32 {
    guard let anchor = Position(latitude: latitude, longitude: longitude) else { return 0 }
    settings = WatchSettings(anchor: anchor, alarm: .circle(radius: 40))
    corners = []
    return 1
  }

  @_expose(wasm, "set_numbers") @_cdecl("set_numbers")
  public func exportedNumbers(
    _ warning: Double, _ gap: Double, _ lost: Double, _ grace: Double, _ creep: Double, _ windShift: Double,
    _ depthMin: Double, _ depthMax: Double, _ bow: Double, _ beat: Double
  ) {
    (settings.warning, settings.gap, settings.lost, settings.grace) = (warning, gap, lost, grace)
    (settings.creep, settings.windShift, settings.bow, settings.beat) = (creep, told(windShift), bow, beat)
    (settings.depthMin, settings.depthMax) = (told(depthMin), told(depthMax))
  }

  @_expose(wasm, "set_circle") @_cdecl("set_circle")
  public func exportedCircle(_ radius: Double) { settings.alarm = .circle(radius: radius) }

  @_expose(wasm, "set_sector") @_cdecl("set_sector")
  public func exportedSector(_ from: Double, _ to: Double, _ inner: Double, _ outer: Double) {
    settings.alarm = .sector(Sector(from: from, to: to, inner: inner, outer: outer))
  }

  /// The next corner of a polygon; 0 for what is no place or too much.
  @_expose(wasm, "add_corner") @_cdecl("add_corner")
  public func exportedCorner(_ latitude: Double, _ longitude: Double) -> Int32 {
    guard let corner = Position(latitude: latitude, longitude: longitude),
      corners.count < AnchorLimits.corners.upperBound
    else { return 0 }
    corners.append(corner)
    settings.alarm = .polygon(corners)
    return 1
  }

  @_expose(wasm, "exclude") @_cdecl("exclude")
  public func exportedExclude(_ from: Double, _ to: Double, _ inner: Double, _ outer: Double) -> Int32 {
    guard settings.excluded.count < AnchorLimits.excluded else { return 0 }
    settings.excluded.append(Sector(from: from, to: to, inner: inner, outer: outer))
    return 1
  }

  // MARK: The watch

  @_expose(wasm, "watch_start") @_cdecl("watch_start")
  public func exportedStart(_ since: Double) { watch = AnchorWatch(settings, since: since) }

  @_expose(wasm, "watch_change") @_cdecl("watch_change")
  public func exportedChange() { watch.change(settings) }

  /// Judges a fix; the number of events, or -1 for what is no place.
  @_expose(wasm, "watch_take") @_cdecl("watch_take")
  public func exportedTake(
    _ time: Double, _ latitude: Double, _ longitude: Double, _ accuracy: Double, _ hdop: Double, _ heading: Double,
    _ depth: Double, _ windDirection: Double
  ) -> Int32 {
    guard let position = Position(latitude: latitude, longitude: longitude) else { return -1 }
    var fix = Fix(time: time, position: position)
    (fix.accuracy, fix.hdop, fix.heading) = (told(accuracy), told(hdop), told(heading))
    (fix.depth, fix.windDirection) = (told(depth), told(windDirection))
    events = watch.take(fix)
    return Int32(events.count)
  }

  /// Judges the first fixes of the buffer; the number of events.
  @_expose(wasm, "watch_take_all") @_cdecl("watch_take_all")
  public func exportedTakeAll(_ count: Int32) -> Int32 {
    events = []
    for index in 0..<min(Int(count), bufferFixes) {
      if let fix = buffered(index) {
        let told = watch.take(fix)
        if !told.isEmpty { events += told }
      }
    }
    return Int32(events.count)
  }

  @_expose(wasm, "watch_pass") @_cdecl("watch_pass")
  public func exportedPass(_ time: Double) -> Int32 {
    events = watch.pass(to: time)
    return Int32(events.count)
  }

  @_expose(wasm, "event_at") @_cdecl("event_at")
  public func exportedEventAt(_ index: Int32) -> Double { events[Int(index)].at }
  @_expose(wasm, "event_kind") @_cdecl("event_kind")
  public func exportedEventKind(_ index: Int32) -> Int32 { Int32(events[Int(index)].kind.rawValue) }
  @_expose(wasm, "event_distance") @_cdecl("event_distance")
  public func exportedEventDistance(_ index: Int32) -> Double { events[Int(index)].distance }

  @_expose(wasm, "watch_state") @_cdecl("watch_state")
  public func exportedState() -> Int32 { Int32(watch.state.rawValue) }
  @_expose(wasm, "watch_distance") @_cdecl("watch_distance")
  public func exportedDistance() -> Double { watch.distance }
  @_expose(wasm, "watch_bearing") @_cdecl("watch_bearing")
  public func exportedBearing() -> Double { watch.bearing }
  @_expose(wasm, "watch_share") @_cdecl("watch_share")
  public func exportedShare() -> Double { watch.share }
  @_expose(wasm, "watch_room") @_cdecl("watch_room")
  public func exportedRoom() -> Double { watch.room }
  /// Belongs to the settings that were begun last.
  @_expose(wasm, "warning_room") @_cdecl("warning_room")
  public func exportedWarningRoom() -> Double { settings.warningRoom }
  @_expose(wasm, "watch_refused") @_cdecl("watch_refused")
  public func exportedRefused() -> Int32 { Int32(watch.refused) }
  @_expose(wasm, "watch_gaps") @_cdecl("watch_gaps")
  public func exportedGaps() -> Int32 { Int32(watch.gaps) }
  @_expose(wasm, "next_check") @_cdecl("next_check")
  public func exportedNextCheck(_ charging: Int32, _ battery: Double) -> Double {
    watch.nextCheck(charging: charging != 0, battery: told(battery))
  }

  // MARK: Replay

  @_expose(wasm, "replay_start") @_cdecl("replay_start")
  public func exportedReplayStart(_ raw: Int32) { replay = Replay(settings, raw: raw != 0) }

  /// Judges the first fixes of the buffer.
  @_expose(wasm, "replay_take_all") @_cdecl("replay_take_all")
  public func exportedReplayTakeAll(_ count: Int32) {
    for index in 0..<min(Int(count), bufferFixes) {
      if let fix = buffered(index) { replay.take(fix) } else { replay.refuse() }
    }
  }

  /// The end of a replay; the number of its events.
  @_expose(wasm, "replay_end") @_cdecl("replay_end")
  public func exportedReplayEnd() -> Int32 {
    events = replay.events
    return Int32(events.count)
  }

  /// 0 fixes, 1 refused, 2 gaps, 3 outside, 4 the farthest in metres, 5 events beyond the bound.
  @_expose(wasm, "replay_number") @_cdecl("replay_number")
  public func exportedReplayNumber(_ which: Int32) -> Double {
    switch which {
    case 0: Double(replay.fixes)
    case 1: Double(replay.refused)
    case 2: Double(replay.gaps)
    case 3: Double(replay.outside)
    case 4: replay.farthest
    default: Double(replay.more)
    }
  }

  // MARK: Places, the swing, the rode

  /// 1 for a place on the earth that a receiver may have told.
  @_expose(wasm, "is_place") @_cdecl("is_place")
  public func exportedIsPlace(_ latitude: Double, _ longitude: Double) -> Int32 {
    Position(latitude: latitude, longitude: longitude) == nil ? 0 : 1
  }

  @_expose(wasm, "distance") @_cdecl("distance")
  public func exportedWay(_ latitude: Double, _ longitude: Double, _ north: Double, _ east: Double) -> Double {
    guard let (from, to) = both(latitude, longitude, north, east) else { return .nan }
    return from.distance(to: to)
  }

  @_expose(wasm, "bearing") @_cdecl("bearing")
  public func exportedDirection(_ latitude: Double, _ longitude: Double, _ north: Double, _ east: Double) -> Double {
    guard let (from, to) = both(latitude, longitude, north, east) else { return .nan }
    return from.bearing(to: to)
  }

  private func both(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> (Position, Position)? {
    guard let from = Position(latitude: a, longitude: b), let to = Position(latitude: c, longitude: d) else {
      return nil
    }
    return (from, to)
  }

  @_expose(wasm, "moved_latitude") @_cdecl("moved_latitude")
  public func exportedMovedLatitude(
    _ latitude: Double, _ longitude: Double, _ bearing: Double, _ metres: Double
  ) -> Double {
    Position(latitude: latitude, longitude: longitude)?.moved(bearing: bearing, distance: metres).latitude ?? .nan
  }
  @_expose(wasm, "moved_longitude") @_cdecl("moved_longitude")
  public func exportedMovedLongitude(
    _ latitude: Double, _ longitude: Double, _ bearing: Double, _ metres: Double
  ) -> Double {
    Position(latitude: latitude, longitude: longitude)?.moved(bearing: bearing, distance: metres).longitude ?? .nan
  }

  @_expose(wasm, "places_clear") @_cdecl("places_clear")
  public func exportedPlacesClear() { places = [] }
  @_expose(wasm, "places_add") @_cdecl("places_add")
  public func exportedPlacesAdd(_ latitude: Double, _ longitude: Double) {
    if let place = Position(latitude: latitude, longitude: longitude) { places.append(place) }
  }

  /// Fits the swing's circle to the places; 1 if there is one.
  @_expose(wasm, "swing_fit") @_cdecl("swing_fit")
  public func exportedSwingFit(_ hours: Double) -> Int32 {
    swing = Swing(of: places, hours: hours)
    return swing == nil ? 0 : 1
  }

  /// 0 latitude, 1 longitude, 2 radius, 3 error, 4 arc; NaN without a circle.
  @_expose(wasm, "swing_number") @_cdecl("swing_number")
  public func exportedSwingNumber(_ which: Int32) -> Double {
    guard let swing else { return .nan }
    switch which {
    case 0: return swing.anchor.latitude
    case 1: return swing.anchor.longitude
    case 2: return swing.radius
    case 3: return swing.error
    default: return swing.arc
    }
  }

  @_expose(wasm, "swing_is_better") @_cdecl("swing_is_better")
  public func exportedSwingIsBetter(_ latitude: Double, _ longitude: Double) -> Int32 {
    guard let swing, let noted = Position(latitude: latitude, longitude: longitude) else { return 0 }
    return swing.isBetter(than: noted) ? 1 : 0
  }

  /// 0 the straight swing, 1 at a pull in newtons, 2 the scope; NaN for a rode that does not reach the ground.
  @_expose(wasm, "rode") @_cdecl("rode")
  public func exportedRode(
    _ which: Int32, _ length: Double, _ depth: Double, _ bowHeight: Double, _ tide: Double, _ chain: Int32,
    _ pull: Double
  ) -> Double {
    let rode = Rode(length: length, depth: depth, bowHeight: bowHeight, tide: tide, isChain: chain != 0)
    switch which {
    case 0: return rode.straight ?? .nan
    case 1: return rode.swing(pull: pull) ?? .nan
    default: return rode.scope
    }
  }

  @_expose(wasm, "pull") @_cdecl("pull")
  public func exportedPull(_ wind: Double, _ length: Double, _ beam: Double) -> Double {
    Rode.pull(wind: wind, length: length, beam: beam)
  }

  @_expose(wasm, "radius_offered") @_cdecl("radius_offered")
  public func exportedRadius(_ swing: Double, _ bow: Double, _ hdop: Double) -> Double {
    Rode.radius(swing: swing, bow: bow, hdop: told(hdop))
  }
#else
  // For the C library's square root, which debug builds call.
  import Glibc

  // As in PortableWeb: this lets a plain `swift build` build the product.
  @main struct Native { static func main() {} }
#endif
