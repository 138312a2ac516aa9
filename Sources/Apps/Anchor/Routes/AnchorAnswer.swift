import AnchorWatch
import Delivery
import Hub
import Positions
import Store
import Wire

/// The watch as `GET /api/v1/anchor` tells it.
struct AnchorAnswer {
  let anchorage: Anchorage?
  let sources: [Source]
  let alarms: [OpenAlarm]
  /// Since when it is as it is: an alarm that is open, or what changed last in this watch.
  let since: Double?
  let watchers: [JSON]
  /// The names of those of the crew who have no device that can be heard.
  let withoutDevice: [String]
  let watch: HubWatch
  let swing: Swing?
  let now: Double

  init(_ database: Database, _ second: SecondWatch, now: Double) throws(StoreError) {
    (watch, swing, self.now) = (second.watch, second.swing, now)
    anchorage = try database.anchorage()
    sources = try database.anchorSources()
    alarms = try database.openAlarms()
    let armed = anchorage?.isArmed == true ? anchorage?.armedAt : nil
    let changed = try armed.flatMap { time throws(StoreError) in try database.lastChange(since: time) }
    since = alarms.first?.since ?? changed ?? anchorage?.armedAt ?? anchorage?.from
    let drill = try database.lastDrill(of: AnchorRoom.id, since: now - WatchLimits.drillHours * 3_600)
    let crew = try Crew(database, armedBy: anchorage?.person)
    let ringing = alarms.first { $0.acknowledgedBy == nil }
    var reached: Set<Int> = []
    if let ringing, let anchorage {
      reached = try database.devicesReached(
        by: AnchorBell.collapseID(anchorage), of: AnchorRoom.id, since: max(ringing.since, now - WatchLimits.reached))
    }
    watchers = try crew.devices(database).map { device throws(StoreError) -> JSON in
      let place = device.person.flatMap { crew.persons.firstIndex(of: $0) } ?? 0
      let answered = drill.first { $0.device == device.id }?.answeredAt
      return [
        "device": JSON(id: device.id), "name": .string(device.name),
        "person": JSON(try device.person.flatMap { id throws(StoreError) in try database.personName(id) }),
        "answered": JSON(instant: answered), "rang": .bool(ringing?.hasReached(place) ?? false),
        "reached": .bool(reached.contains(device.id)),
        "rings_at": JSON(instant: ringing?.nextRing(of: place)),
      ]
    }
    withoutDevice = try crew.withoutDevice.map { id throws(StoreError) in try database.personName(id) ?? "" }
  }

  /// The source whose fix is told: the one that counts, else the best that was heard.
  private var best: Source? {
    if let chosen = watch.chosen, let source = sources.first(where: { $0.id == chosen }), source.fix != nil {
      return source
    }
    return Self.best(of: sources, now: now)
  }

  static func best(of sources: [Source], now: Double) -> Source? {
    let known = sources.filter { $0.fix != nil }
    let heard = known.filter { $0.health(now: now) == .ok }
    return (heard.isEmpty ? known : heard).min { ($0.rank, $0.id) < ($1.rank, $1.id) }
  }

  private var state: String {
    guard let anchorage else { return "idle" }
    return anchorage.isArmed ? watch.standing.state : "dropped"
  }

  /// The watch that counts; while it has taken no fix, and for an anchor whose watch is not armed, the zone judged for
  /// the fix that is told.
  private var judged: AnchorWatch? {
    if let watch = watch.watch, watch.lastFix != nil { return watch }
    guard let settings, let fix = best?.fix else { return nil }
    var watch = AnchorWatch(settings, since: fix.time)
    _ = watch.take(fix)
    return watch
  }

  func json(lastLooked: Double?) -> JSON {
    let judged = judged
    let fix = best.flatMap { source in
      source.fix.map { fix -> JSON in
        [
          "at": JSON(instant: fix.time), "lat": .double(fix.position.latitude), "lon": .double(fix.position.longitude),
          "accuracy_m": JSON(fix.accuracy), "hdop": JSON(fix.hdop), "heading_deg": JSON(fix.heading),
          "source": JSON(id: source.id),
        ]
      }
    }
    let isAcknowledged = !alarms.isEmpty && alarms.allSatisfy { $0.acknowledgedBy != nil }
    return [
      "state": .string(state), "since": JSON(instant: since),
      "settings": anchorage?.settings ?? .null, "distance_m": JSON(judged.map { $0.distance.tenths }),
      "bearing_deg": JSON(judged.map { $0.bearing.tenths }), "share": JSON(judged?.share),
      "room_m": JSON(judged.map { $0.room.tenths }), "warning_room_m": JSON(warningRoom), "fix": fix ?? .null,
      "acknowledged_by": isAcknowledged ? JSON(alarms.first?.acknowledgedBy) : .null,
      "alarms": .array(
        alarms.map { ["kind": .string($0.kind.rawValue), "since": JSON(instant: $0.since), "rings": .int($0.rings)] }),
      "armed": .bool(anchorage?.isArmed ?? false), "dropped_at": JSON(instant: anchorage?.from),
      "version": JSON(anchorage?.version),
      "sources": .array(sources.map { $0.json(now: now, agrees: watch.agrees($0.id, now: now)) }),
      "watchers": .array(watchers), "anchor_by": JSON(anchorage?.placing.rawValue),
      "max_m": JSON(anchorage.map { $0.most.tenths }), "suggested": suggested ?? .null,
      "last_looked": JSON(instant: lastLooked),
    ]
  }

  private var settings: WatchSettings? { anchorage.flatMap { try? WatchSettingsForm($0.settings).settings } }

  private var warningRoom: Double? { settings?.warningRoom.tenths }

  /// True if it tells at about the same time a place where the boat cannot be as well.
  private func isOnAnotherBoat(_ source: Source) -> Bool {
    guard let there = source.fix, let here = best?.fix, abs(there.time - here.time) <= WatchLimits.fresh else {
      return false
    }
    let errors = [there, here].map { $0.accuracy ?? WatchLimits.usualAccuracy }.reduce(0, +)
    return there.position.distance(to: here.position) > errors + WatchLimits.otherBoat
  }

  private var suggested: JSON? {
    guard let swing, anchorage != nil else { return nil }
    return [
      "anchor": swing.anchor.json, "radius_m": .double(swing.radius.tenths), "error_m": .double(swing.error.tenths),
      "hours": .double(swing.hours.tenths),
    ]
  }

  /// The warnings before one goes to bed: whoever would not wake, and what does not watch. It never refuses.
  func warnings(drill: [DrilledDevice], morning: Double, histories: [Int: [Charge]]) -> [JSON] {
    var warnings: [JSON] = []
    func warn(_ kind: String, name: String? = nil, person: String? = nil) {
      warnings.append(["kind": .string(kind), "name": JSON(name), "person": JSON(person)])
    }
    if watchers.isEmpty { warn("nobody") } else { for name in withoutDevice { warn("no device", person: name) } }
    if drill.isEmpty {
      warn("no drill")
    } else {
      for device in drill where device.answeredAt == nil {
        let person = watchers.first { $0["device"] == JSON(id: device.device) }?["person"]?.string
        warn("no answer", name: device.name, person: person)
      }
      for one in watchers where !drill.contains(where: { JSON(id: $0.device) == one["device"] }) {
        warn("not tried", name: one["name"]?.string, person: one["person"]?.string)
      }
    }
    let heard = sources.filter { $0.health(now: now) == .ok && $0.fix != nil }
    if heard.isEmpty { warn("no position") }
    if heard.count == 1, heard[0].kind != .agent { warn("one source", name: heard[0].name) }
    for one in settings?.instruments ?? []
    where !heard.contains(where: { $0.kind == .agent && $0.tells?.contains(one) ?? true }) {
      warn("no \(one)")
    }
    for source in heard where isOnAnotherBoat(source) { warn("apart", name: source.name) }
    for source in sources {
      switch source.health(now: now) {
      case .late: warn("late", name: source.name)
      case .lost where now - source.last <= WatchLimits.remembered: warn("lost", name: source.name)
      default: break
      }
    }
    for source in heard where source.clockError != nil { warn("clock", name: source.name) }
    for source in heard where source.told.contains(.forgets) { warn("not kept", name: source.name) }
    for source in heard where source.isCharging != true {
      if let end = Battery.emptyAt(histories[source.id] ?? [], now: now), end < morning {
        warn("battery", name: source.name)
      } else if let share = source.battery, share <= WatchLimits.low {
        warn("battery", name: source.name)
      }
    }
    if let share = judged?.share, share > 1 { warn("outside") }
    return warnings
  }
}
