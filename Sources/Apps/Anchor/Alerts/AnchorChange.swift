import AnchorWatch
import Hub
import Positions
import Server
import Store
import Wire

/// The things that people do with the anchor and its watch: each with its row, its audit, and what devices are told.
enum AnchorChange {
  static let channel = Channel.private(AnchorRoom.id)

  /// Tells the pages that the watch, its alarms or its history have changed: they fetch them.
  static func tell(_ change: Change) { change.publish("anchor", on: channel, [:]) }

  /// - Parameters:
  ///   - settings: those that are to differ from the last anchor's.
  ///   - arms: true if the watch begins at once.
  static func drop(
    at place: Position?, bearing: Double?, distance: Double?, settings: JSON?, arms: Bool, _ watch: SecondWatch,
    in change: Change
  ) throws {
    let database = change.database
    guard try database.anchorage() == nil else {
      throw HTTPError(.anchorIsDown, "The anchor is down already.", help: "Weigh it first, or move it by PATCH.")
    }
    let fresh = try database.anchorSources().filter { source in
      source.fix.map { $0.time > change.now - WatchLimits.fresh } ?? false
    }
    let boat = AnchorAnswer.best(of: fresh, now: change.now)?.fix
    guard var anchor = place ?? boat?.position else {
      throw HTTPError(
        .noFreshPosition, "No device has told a position in the last two minutes.",
        help: "Wait for one, let the phone report now, or send lat and lon.")
    }
    var placing = place == nil ? Anchorage.Placing.drop : .map
    if place == nil, let bearing, let distance {
      (anchor, placing) = (anchor.moved(bearing: bearing, distance: distance), .bearing)
    }
    var before = try database.lastAnchorSettings().flatMap { try? WatchSettingsForm($0) }
    // A rode that comes with the drop counts for the radius that is offered, and a zone in spite of it.
    if let settings { before = try changed(before ?? WatchSettingsForm(anchor: anchor), by: settings) }
    var form = WatchSettingsForm.offered(at: anchor, after: before, boat: boat?.position, hdop: boat?.quality)
    if let settings { form = try changed(form, by: settings) }
    try begin(form, at: change.now, placing: placing, by: change.principal.person, in: change)
    if arms { try arm(watch, in: change) } else { try watch.settingsChanged(in: change) }
  }

  private static func changed(_ form: WatchSettingsForm, by json: JSON) throws(HTTPError) -> WatchSettingsForm {
    let help = "Nothing was changed. GET /api/v1/anchor has the settings."
    if let by = json["anchor_by"], by.string.flatMap(Anchorage.Placing.init(rawValue:)) == nil {
      let accepted = Anchorage.Placing.allCases.map(\.rawValue).joined(separator: ", ")
      throw HTTPError(.invalidField, "anchor_by: \(by.text.prefix(40)); \(accepted) are accepted.", help: help)
    }
    do throws(WatchSettingsForm.Fault) {
      return try form.changed(by: json)
    } catch {
      throw HTTPError(.invalidField, error.message, help: help)
    }
  }

  /// Begins an anchorage.
  private static func begin(
    _ form: WatchSettingsForm, at time: Double, armedAt: Double? = nil, placing: Anchorage.Placing, by person: Int?,
    in change: Change
  ) throws {
    var one = Anchorage(from: time, position: form.settings.anchor, settings: form.json, placing: placing)
    one.version = try change.database.lastAnchorVersion()
    one.changed(at: time)
    (one.person, one.armedAt) = (person, armedAt)
    _ = try change.database.add(one)
    try change.database.add(TrackEvent(at: time, kind: "dropped", distance: 0))
    try change.audit("anchor.dropped")
  }

  /// Takes over what was ordered on the boat, if nothing newer was done here: an anchor that was dropped there anew
  /// ends the anchorage before, which stays in the history.
  /// - Parameter person: the person whose agent it is.
  static func ordered(_ order: BoatOrder, by person: Int?, _ watch: SecondWatch, in change: Change) throws {
    let database = change.database
    var now = try database.anchorage()
    let version = try now?.version ?? database.lastAnchorVersion()
    guard order.isNewest(version: version, changedAt: try database.lastAnchorChange()) else { return }
    // A drop is told until an answer is heard, also with an order that was given meanwhile: it may have been taken.
    let dropped = order.newDrop(after: now?.from)
    if let one = now, order.form == nil || dropped != nil {
      try end(one, at: dropped ?? order.at, in: change)
      now = nil
    }
    if let form = order.form {
      let armedAt = order.isArmed ? order.at : nil
      if var one = now {
        if one.armedAt == nil { one.armedAt = armedAt }
        try save(form, one, at: order.at, in: change)
      } else {
        let at = dropped ?? order.at
        try begin(form, at: at, armedAt: armedAt, placing: .drop, by: person, in: change)
      }
    }
    try watch.settingsChanged(isAnew: now == nil, in: change)
  }

  static func current(in change: Change) throws -> Anchorage {
    guard let anchorage = try change.database.anchorage() else { throw HTTPError.noAnchorDown }
    return anchorage
  }

  /// Applies some of the settings; the history stays when the anchor is moved.
  static func change(_ json: JSON, _ watch: SecondWatch, in change: Change) throws {
    let anchorage = try current(in: change)
    let form = try changed(try WatchSettingsForm(anchorage.settings), by: json)
    let placing = json["anchor_by"]?.string.flatMap(Anchorage.Placing.init)
    try save(form, placing: placing, anchorage, at: change.now, in: change)
    try watch.settingsChanged(in: change)
  }

  private static func save(
    _ form: WatchSettingsForm, placing: Anchorage.Placing? = nil, _ before: Anchorage, at time: Double,
    by somebody: Principal? = nil, in change: Change
  ) throws {
    var anchorage = before
    anchorage.settings = form.json
    anchorage.changed(at: time)
    if anchorage.position != form.settings.anchor {
      anchorage.position = form.settings.anchor
      anchorage.placing = placing ?? .map
      try change.database.add(TrackEvent(at: time, kind: "moved", distance: 0))
    }
    try change.database.save(anchorage)
    try change.audit("anchor.changed", by: somebody)
  }

  static func arm(_ watch: SecondWatch, in change: Change) throws {
    var anchorage = try current(in: change)
    if anchorage.armedAt == nil {
      anchorage.armedAt = change.now
      anchorage.person = change.principal.person ?? anchorage.person
      anchorage.changed(at: change.now)
      try change.database.save(anchorage)
      try change.database.add(TrackEvent(at: change.now, kind: "armed", distance: 0))
      try change.audit("anchor.armed")
    }
    try watch.settingsChanged(in: change)
  }

  /// Somebody is on it: every device keeps still.
  /// - Parameter somebody: who it is, if that is not who asked: whoever answered a notification.
  static func acknowledge(_ watch: SecondWatch, by somebody: Principal? = nil, in change: Change) throws {
    let anchorage = try current(in: change)
    let name = somebody?.name ?? change.principal.name
    let open = try change.database.openAlarms().filter { $0.acknowledgedBy == nil }
    // The boat rings by herself, too: for water that is too shallow, or as a reminder of what is over.
    guard !open.isEmpty else { return try AgentPush.send(silences: true, in: change) }
    let crew = try Crew(change.database, armedBy: anchorage.person)
    let boat = watch.watch.watch
    var reached = 1
    for var alarm in open {
      reached = max(reached, alarm.reached)
      alarm.acknowledge(
        by: name, now: change.now, distance: boat?.distance ?? alarm.distance, beyond: boat.map { -$0.room })
      try change.database.save(alarm)
    }
    let bell = AnchorBell.onIt(name, at: anchorage, to: crew.first(reached))
    if !crew.isEmpty { try change.ring("anchor.acknowledged", bell.json) }
    try change.database.add(TrackEvent(at: change.now, kind: "acknowledged", distance: 0))
    try change.audit("anchor.acknowledged", by: somebody)
    try AgentPush.send(in: change)
    tell(change)
  }

  /// A zone a quarter larger.
  static func extend(_ watch: SecondWatch, by somebody: Principal? = nil, in change: Change) throws {
    let anchorage = try current(in: change)
    guard var form = try? WatchSettingsForm(anchorage.settings) else { return }
    form.settings.alarm = form.settings.alarm.extended(by: 1.25, around: form.settings.anchor)
    try save(form, anchorage, at: change.now, by: somebody, in: change)
    try watch.settingsChanged(in: change)
  }

  static func weigh(_ watch: SecondWatch, by somebody: Principal? = nil, in change: Change) throws {
    try end(try current(in: change), at: change.now, by: somebody, in: change)
    try watch.settingsChanged(in: change)
  }

  private static func end(
    _ before: Anchorage, at time: Double, by somebody: Principal? = nil, in change: Change
  ) throws {
    var anchorage = before
    anchorage.to = max(time, before.from)
    anchorage.changed(at: time)
    try change.database.save(anchorage)
    try change.database.add(TrackEvent(at: time, kind: "weighed", distance: 0))
    let open = try change.database.openAlarms()
    if !open.isEmpty {
      let crew = try Crew(change.database, armedBy: anchorage.person)
      let title = Bell.Words("The anchor is up", german: "Der Anker ist auf")
      let reached = open.map(\.reached).max() ?? 1
      if !crew.isEmpty {
        try change.ring("anchor.weighed", AnchorBell.quiet(title, at: anchorage, to: crew.first(reached)).json)
      }
    }
    try change.takeBack(AnchorBell.ending(anchorage, try change.database.anchorSources()), "anchor.weighed")
    try change.database.closeAlarms()
    try change.audit("anchor.weighed", by: somebody)
  }

  /// An answer that somebody gave to a notification.
  static func answered(_ answer: BellAnswer, _ watch: SecondWatch, in change: Change) throws {
    guard let what = AnchorBell.Answer(rawValue: answer.action), let anchorage = try change.database.anchorage() else {
      return
    }
    if what == .onIt, answer.collapseID == AnchorBell.depthID(anchorage) { return try depthAnswered(in: change) }
    guard answer.collapseID == AnchorBell.collapseID(anchorage) else { return }
    let somebody = try answer.person.flatMap { id throws(StoreError) in try change.database.actor(person: id) }
    switch what {
    case .onIt: try acknowledge(watch, by: somebody, in: change)
    case .extend:
      try acknowledge(watch, by: somebody, in: change)
      try extend(watch, by: somebody, in: change)
    case .weigh: try weigh(watch, by: somebody, in: change)
    }
  }

  /// Somebody is on the depth, perhaps that of hours ago: they may know nothing of an alarm that is open, which rings
  /// on, also on the boat.
  private static func depthAnswered(in change: Change) throws {
    guard try change.database.openAlarms().allSatisfy({ $0.acknowledgedBy != nil }) else { return }
    try AgentPush.send(silences: true, in: change)
  }
}
