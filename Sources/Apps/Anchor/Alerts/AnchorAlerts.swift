import AnchorWatch
import CivilTime
import Hub
import Store
import Wire

/// Tells the crew, and the record, what the watch has noticed; all of it in the change in which it was noticed.
struct AnchorAlerts {
  let change: Change
  var anchorage: Anchorage
  let crew: Crew
  let zone: Zone

  init(_ anchorage: Anchorage, in change: Change, zone: Zone) throws(StoreError) {
    self.change = change
    self.anchorage = anchorage
    self.zone = zone
    crew = try Crew(change.database, armedBy: anchorage.person)
  }

  mutating func tell(_ news: [WatchNews]) throws {
    for one in news { try tell(one) }
  }

  private mutating func tell(_ news: WatchNews) throws {
    switch news {
    case .standing(let standing, let was, let distance): try tell(standing, was: was, distance)
    case .event(let event):
      try change.database.add(TrackEvent(at: event.at, kind: event.kind.name.description, distance: event.distance))
      try ring(event.kind)
    case .told(let kind): try ring(kind)
    case .lost(let source):
      try note("source lost", 0)
      try ring("source", AnchorBell.lost(source, to: own(source)))
    case .back(let source):
      try note("source back", 0)
      try ring("source", AnchorBell.back(source, to: own(source)))
    case .objects(let source, let distance):
      try note("witness objects", distance)
      try ring("witness", AnchorBell.objects(source, to: crew.all))
    case .agrees(let source): try ring("witness", AnchorBell.agrees(source, to: crew.all))
    case .divided(let source): try ring("witness", AnchorBell.divided(source, to: crew.all))
    case .forgets(let source): try ring("disk", AnchorBell.forgets(source, to: own(source)))
    case .clock(let source): try ring("clock", AnchorBell.clock(source, to: own(source)))
    }
  }

  /// The person whose phone it is first: the missed beat rings this very phone.
  private func own(_ source: Source) -> JSON { crew.all(after: source.person) }

  private mutating func tell(_ standing: Standing, was: Standing, _ distance: Double) throws {
    switch standing {
    case .alarm:
      anchorage.alarms += 1
      try note("alarm", distance)
      try open(.alarm, distance)
    case .positionLost:
      try note("position lost", distance)
      try change.database.close(.boatLost)
      try open(.positionLost, distance)
    case .boatLost:
      try note("boat lost", distance)
      try change.database.close(.positionLost)
      try open(.boatLost, distance)
    case .warning, .holding, .waiting:
      for alarm in try change.database.openAlarms() {
        try change.database.close(alarm.kind)
        try note(alarm.kind == .alarm ? "clear" : alarm.kind == .boatLost ? "boat back" : "position back", distance)
        try ring("over", over(alarm, distance))
      }
      if standing == .warning, was != .alarm {
        try note("warning", distance)
        try ring("warning", AnchorBell.warning(distance, at: anchorage, to: crew.all))
      } else if standing == .holding, was == .warning {
        try note("clear", distance)
        let title = Bell.Words("She holds", german: "Der Anker hält")
        try ring("over", AnchorBell.quiet(title, at: anchorage, to: crew.all))
      }
    }
    // When a boat is heard again and lies outside, the alarm alone matters.
    if standing == .alarm {
      try change.database.close(.boatLost)
      try change.database.close(.positionLost)
    }
  }

  private func over(_ alarm: OpenAlarm, _ distance: Double) -> Bell {
    AnchorBell.over(alarm.kind, at: anchorage, distance: distance, to: crew.first(alarm.reached))
  }

  private func isOpen(_ kind: OpenAlarm.Kind) throws(StoreError) -> Bool {
    try change.database.openAlarms().contains { $0.kind == kind }
  }

  /// The boat is outside. If no alarm is open, this hub has found so by what another one noted, and nobody was told.
  mutating func tellUntold(_ distance: Double) throws {
    guard try !isOpen(.alarm) else { return }
    try tell(.alarm, was: .alarm, distance)
  }

  private func note(_ what: String, _ distance: Double) throws(StoreError) {
    try change.database.add(TrackEvent(at: change.now, kind: what, distance: distance.tenths))
  }

  private func open(_ kind: OpenAlarm.Kind, _ distance: Double) throws {
    // One that was lost from sight and is seen again rings on as before, and whoever is on it still is.
    guard try !isOpen(kind) else { return }
    try ring(OpenAlarm(kind: kind, since: change.now, distance: distance))
  }

  /// Rings an open alarm, the next person too when nobody has acted for long enough.
  func ring(_ alarm: OpenAlarm) throws {
    let bell = AnchorBell.alarm(
      alarm, isOutside: try isOpen(.alarm), at: anchorage, to: crew.first(alarm.reached), now: change.now)
    try change.database.save(alarm.rung(now: change.now))
    try ring(alarm.kind.rawValue, bell)
  }

  /// The time of a ring has come. Of an alarm that somebody is on, only if the boat drags on.
  /// - Parameter beyond: metres beyond the zone's edge.
  func ringAgain(_ alarm: OpenAlarm, distance: Double, beyond: Double?) throws {
    var alarm = alarm
    alarm.distance = distance
    guard alarm.rings(at: distance, beyond: beyond) else {
      alarm.nextAt = change.now + WatchLimits.ring
      return try change.database.save(alarm)
    }
    (alarm.acknowledgedBy, alarm.acknowledgedDistance, alarm.acknowledgedBeyond) = (nil, nil, nil)
    try ring(alarm)
  }

  func tell(_ news: [BatteryNews], of source: Source, morning: Double) throws {
    let words = Bell.Words.moment(Int(morning), now: Int(change.now), zone: zone)
    for one in news {
      try ring("battery", AnchorBell.battery(one, of: source, morning: words, to: own(source)))
    }
  }

  private func ring(_ kind: WatchKind) throws {
    let word = kind.name.description
    if let bell = AnchorBell.event(word, at: anchorage, to: crew.all) { try ring(word, bell) }
  }

  func ring(_ what: String, _ bell: Bell) throws {
    guard !crew.isEmpty else { return }
    try change.ring("anchor.\(what.replacing(" ", with: "-"))", bell.json)
  }
}
