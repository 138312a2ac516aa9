import AnchorWatch
import CivilTime
import EventLoop
import Hub
import Lifecycle
import Positions
import Server
import Store
import Synchronization
import Wire

/// The hub's watch beside the boat's own: judges what devices report, notices those that fall silent, and rings until
/// somebody acts.
final class SecondWatch: Sendable {
  private struct State {
    var watch: HubWatch
    var tidiedAt = 0.0
    /// The anchor's place by the swing, and when it was last looked for.
    var swing: Swing?
    var swungAt = 0.0
    /// When a person looked at the watch last, and what of it is written.
    var looked: Double?
    var lookedNoted: Double?
    /// The uptime since when looks have found the boat outside, and no alarm open.
    var untoldSince: Double?
    /// The devices whose pages have watched of late, by the names of their sources, and the uptime of the last report.
    var pages: [String: (device: Int, at: Double)] = [:]
    /// Seconds by which the wall clock is ahead of uptime, to notice when it is set.
    var difference: Double?
  }

  private let hub: Hub
  private let places: RungPlaces
  private let poller: Poller
  private let state: Mutex<State>

  init(_ hub: Hub) async throws(StoreError) {
    self.hub = hub
    places = RungPlaces(hub: hub)
    poller = Poller(hub.loop)
    let now = hub.time.now
    let (watch, looked) = try await hub.store.read { database throws(StoreError) in
      (try Self.watch(in: database, now: now), try database.lastLook())
    }
    state = Mutex(State(watch: watch, looked: looked, lookedNoted: looked))
  }

  var now: Double { hub.time.now }

  /// As the watch stands now; for answers.
  var watch: HubWatch { state.withLock { $0.watch } }

  /// A better place of the anchor than the noted one, by the arc on which the boat has swung; nil if there is none.
  var swing: Swing? { state.withLock { $0.swing } }

  /// When a person looked at the watch last.
  var lastLook: Double? { state.withLock { $0.looked } }

  /// A person looks at the watch.
  /// - Returns: the time of the look before.
  func looked() -> Double? {
    let now = now
    return state.withLock { state in
      defer { state.looked = now }
      return state.looked
    }
  }

  private func noteLook() async throws {
    let looked = state.withLock { state -> Double? in
      guard let looked = state.looked, abs(looked - (state.lookedNoted ?? 0)) >= WatchLimits.lookNoted else {
        return nil
      }
      state.lookedNoted = looked
      return looked
    }
    guard let looked else { return }
    try await hub.store.write { database throws(StoreError) in
      try database.saveLastLook(looked)
      database.touch(.looked)
    }
  }

  /// Somebody has looked at another hub.
  func hasLooked(_ time: Double?) {
    guard let time else { return }
    state.withLock { state in
      state.looked = max(state.looked ?? time, time)
      state.lookedNoted = max(state.lookedNoted ?? time, time)
    }
  }

  /// A command beside the hub may have changed everything.
  func commandEnded() {
    _ = hub.supervisor.once("anchor.reload") { [self] in
      let now = hub.time.now
      let watch = try? await hub.store.read { database throws(StoreError) in try Self.watch(in: database, now: now) }
      if var watch {
        state.withLock { state in
          watch.goOn(from: state.watch, now: now)
          state.watch = watch
        }
      }
      poller.wake()
    }
  }

  // MARK: Memory

  /// The watch as the store knows it, with the memory of the last hour.
  static func watch(in database: Database, now: Double) throws(StoreError) -> HubWatch {
    let sources = try database.anchorSources()
    guard let anchorage = try database.anchorage(), let armedAt = anchorage.armedAt,
      let settings = try? WatchSettingsForm(anchorage.settings).settings
    else { return HubWatch(nil, sources: sources, since: now, now: now) }
    let kinds = try database.openAlarms().map(\.kind)
    let isAlarmOpen = kinds.contains(.alarm)
    // Beside an alarm one of these says that she was lost from sight after it.
    let standing: Standing =
      kinds.contains(.boatLost)
      ? .boatLost : kinds.contains(.positionLost) ? .positionLost : isAlarmOpen ? .alarm : .waiting
    var watch = HubWatch(
      settings, sources: sources, standing: standing, isAlarmOpen: isAlarmOpen, since: armedAt, now: now)
    watch.remember(
      try database.fixes(
        ofTrack: 0, from: max(now - WatchLimits.remembered, anchorage.from), to: now, limit: WatchLimits.answered))
    return watch
  }

  /// The anchor was dropped, moved or weighed, the watch armed, or its settings changed, in this change.
  /// - Parameter isAnew: true for another anchor than that which is watched.
  func settingsChanged(isAnew: Bool = false, in change: Change) throws {
    let before = watch(in: change)
    if before.settings == nil || isAnew {
      // At another anchor it is news again, and nobody was told of it while none was watched.
      for var source in try change.database.anchorSources() {
        source.told.subtract([.lost, .objects, .divided, .forgets])
        try change.database.save(source)
      }
    }
    let watch = try Self.changed(before, isAnew: isAnew, in: change.database, now: change.now)
    try Self.measureAnew(watch, before, in: change.database)
    try AgentPush.send(in: change)
    try keep(watch, .settings(isAnew: isAnew), in: change)
    // Another anchor has another swing, which the next look finds.
    change.then { [self] in state.withLock { ($0.swing, $0.swungAt) = (nil, 0) } }
  }

  /// The place of a boat that somebody is on, from another anchor or in another zone: the old metres would let her drag
  /// far before it rings again, or ring though she lies still. Other settings are no reason to forget how far she was.
  private static func measureAnew(_ watch: HubWatch, _ before: HubWatch, in database: Database) throws(StoreError) {
    guard let old = before.settings, let new = watch.settings, let boat = watch.watch,
      old.anchor != new.anchor || old.alarm != new.alarm || old.excluded != new.excluded || old.bow != new.bow
    else { return }
    for var alarm in try database.openAlarms() where alarm.kind == .alarm && alarm.acknowledgedBy != nil {
      (alarm.acknowledgedDistance, alarm.acknowledgedBeyond) = (boat.distance, -boat.room)
      try database.save(alarm)
    }
  }

  static func changed(
    _ before: HubWatch, isAnew: Bool, in database: Database, now: Double
  ) throws(StoreError) -> HubWatch {
    guard let anchorage = try database.anchorage(), anchorage.isArmed,
      let settings = try? WatchSettingsForm(anchorage.settings).settings
    else { return HubWatch(nil, sources: try database.anchorSources(), since: now, now: now) }
    if before.settings == nil || isAnew { return try Self.watch(in: database, now: now) }
    var watch = before
    watch.change(settings)
    return watch
  }

  /// The watch with what earlier reports of the same transaction have changed.
  private func watch(in change: Change) -> HubWatch { change.database.drafts[Self.draft] as? HubWatch ?? watch }
  private static let draft = "anchor.watch"

  private func keep(_ watch: HubWatch, _ step: WatchStep, in change: Change) throws(StoreError) {
    AnchorChange.tell(change)
    try change.pass(.watch, step.json)
    change.database.drafts[Self.draft] = watch
    change.then { [self] in replace(watch) }
  }

  func replace(_ watch: HubWatch) {
    state.withLock { $0.watch = watch }
    poller.wake()
  }

  // MARK: Reports

  /// The name of the source that a page on this device is. Two phones of one person may have the same name: as one
  /// source they would be charging and not in turn, and neither would be missed.
  func name(ofPage name: String, on device: Int) -> String {
    let uptime = hub.time.uptime
    return state.withLock { state in
      state.pages = state.pages.filter { uptime - $0.value.at <= WatchLimits.pageName }
      let names = [name] + (2...WatchLimits.sources).map { "\(name) \($0)" }
      let own = names.first { state.pages[$0]?.device == device } ?? names.first { state.pages[$0] == nil } ?? name
      state.pages[own] = (device: device, at: uptime)
      return own
    }
  }

  /// Takes a report, with all that follows from it.
  /// - Returns: the source, and the time of its report before.
  func take(_ report: Report, in change: Change) throws -> (source: Int, before: Double?) {
    let (database, known) = (change.database, watch(in: change))
    var watch = known
    let before = try database.anchorSource(report.kind, named: report.name)?.last
    var source = try source(of: report, &watch, in: change)
    let wasCharging = source.isCharging
    source.last = change.now
    source.device = report.device ?? source.device
    source.person = report.person ?? source.person
    source.interval = report.interval ?? source.interval
    if report.battery != nil { source.battery = report.battery }
    if report.isCharging != nil { source.isCharging = report.isCharging }
    source.state = report.state
    source.tells = report.tells ?? source.tells
    var news: [WatchNews] = []
    if report.agrees != false {
      source.told.remove(.divided)
    } else if source.told.insert(.divided).inserted {
      news.append(.divided(source))
    }
    if report.keeps != false {
      source.told.remove(.forgets)
    } else if source.told.insert(.forgets).inserted {
      news.append(.forgets(source))
    }
    let wasWrong = source.clockError != nil
    let fixes = source.corrected(report.fixes.sorted { $0.time < $1.time }, now: change.now, at: report.at)
    if let newest = fixes.last, newest.time >= source.fix?.time ?? 0 || newest.time > change.now - WatchLimits.late {
      source.fix = newest
    }
    if let error = source.clockError {
      // A report that was long on its way looks like a clock that is behind: one alone is no reason to ring.
      let isSure = wasWrong || error > 0
      if isSure, watch.settings != nil, source.told.insert(.clock).inserted { news.append(.clock(source)) }
    } else if source.told.remove(.clock) != nil, watch.settings != nil {
      news.append(.clock(source))
    }
    let battery = try self.battery(of: &source, wasCharging: wasCharging, in: change)
    watch.heard(source)
    news += watch.take(fixes, from: source.id, now: change.now)
    if watch.isTracked(source.id, now: change.now) {
      for fix in fixes { try database.add(fix, source: source.id) }
    }
    for var event in report.events {
      // Whoever has not heard the answer tells them again.
      if try database.has(event) { continue }
      event.at = min(event.at - (source.clockError ?? 0), change.now)
      try database.add(event)
      if watch.settings != nil, let kind = Self.seenAboard(event, by: source, now: change.now) {
        news.append(.told(kind))
      }
    }
    for one in watch.sources.values where one.id == source.id || one != known.sources[one.id] {
      try database.save(one)
    }
    if var anchorage = try database.anchorage(), anchorage.isArmed {
      let distance = watch.watch?.distance ?? 0
      if distance > anchorage.most { anchorage.most = distance }
      var alerts = try AnchorAlerts(anchorage, in: change, zone: hub.place.zone)
      try alerts.tell(news)
      try alerts.tell(battery, of: source, morning: morning(now: change.now))
      if alerts.anchorage != (try database.anchorage()) { try database.save(alerts.anchorage) }
    }
    try keep(watch, .take(source: source.id, fixes, at: change.now), in: change)
    return (source.id, before)
  }

  /// An event that only the boat can notice, since reports tell neither depth nor wind; nil for other and for old ones.
  private static func seenAboard(_ event: TrackEvent, by source: Source, now: Double) -> WatchKind? {
    guard source.kind == .agent, event.at > now - WatchLimits.late else { return nil }
    return [WatchKind.depth, .windShift].first { $0.name.description == event.kind }
  }

  private func source(
    of report: Report, _ watch: inout HubWatch, in change: Change
  ) throws -> Source {
    let database = change.database
    if let known = try database.anchorSource(report.kind, named: report.name) {
      return watch.sources[known.id] ?? known
    }
    var source = Source(name: report.name, kind: report.kind, last: change.now)
    source.id = try database.add(source)
    let kept = Set(try database.anchorSources().map(\.id))
    for id in watch.sources.keys where !kept.contains(id) {
      watch.forget(id)
      try places.forget(source: id, in: change)
    }
    return source
  }

  private func battery(of source: inout Source, wasCharging: Bool?, in change: Change) throws(StoreError)
    -> [BatteryNews]
  {
    var history: [Charge] = []
    if source.isCharging == true {
      try change.database.forgetCharges(of: source.id)
    } else if let share = source.battery {
      history = try change.database.note(Charge(at: change.now, share: share), of: source.id)
    }
    return Battery.news(
      of: &source, wasCharging: wasCharging, history: history, now: change.now, morning: morning(now: change.now))
  }

  /// The next morning at the hub's place.
  func morning(now: Double) -> Double {
    let wall = hub.place.zone.wall(at: Int(now))
    let left = WatchLimits.morning * 60 - wall.secondOfDay
    return now + Double(left > 0 ? left : left + 86_400)
  }

  /// A device was removed in this change, and is not missed.
  func forget(_ kind: Source.Kind, named name: String, in change: Change) throws {
    guard let source = try change.database.anchorSource(kind, named: name) else { return }
    try change.database.removeAnchorSource(source.id)
    try places.forget(source: source.id, in: change)
    var watch = watch(in: change)
    watch.forget(source.id)
    try keep(watch, .forget(source: source.id), in: change)
  }

  // MARK: Time

  func run() async throws {
    try await poller.run { [self] in
      noticeSetClock()
      try await look()
      try await findSwing()
      try await noteLook()
      try await tidy()
      return watch.settings == nil ? WatchLimits.idleLook : WatchLimits.look
    }
  }

  /// The work of every hub for its own answers, beside the one that keeps the watch.
  func runBeside() async throws {
    let poller = Poller(hub.loop)
    guard hub.nameAmongHubs != nil else { return try await poller.run { nil } }
    try await poller.run { [self] in
      // The clock of a machine is set for all hubs on it.
      noticeSetClock()
      try await findSwing()
      try await noteLook()
      return WatchLimits.look
    }
  }

  private func look() async throws {
    let now = hub.time.now
    var ahead = watch
    let news = ahead.pass(to: now)
    let open = try await hub.store.read { database throws(StoreError) in try database.openAlarms() }
    let isRinging = open.contains { $0.isDue(now: now) }
    let isOutside = ahead.standing == .alarm && !open.contains { $0.kind == .alarm }
    // Not at once: another hub may have ended the alarm a moment ago, by a report that has yet to arrive here.
    let isUntold = state.withLock { state in
      state.untoldSince = isOutside ? state.untoldSince ?? hub.time.uptime : nil
      return state.untoldSince.map { hub.time.uptime - $0 >= WatchLimits.look } ?? false
    }
    guard isRinging || isUntold || !news.isEmpty || ahead.sources != watch.sources else { return }
    try await hub.commit(as: .room(AnchorRoom.id)) { [self] change in
      let known = watch(in: change)
      var watch = known
      guard let anchorage = try change.database.anchorage(), anchorage.isArmed else {
        try change.database.closeAlarms()
        return
      }
      let news = watch.pass(to: change.now)
      var alerts = try AnchorAlerts(anchorage, in: change, zone: hub.place.zone)
      try alerts.tell(news)
      if isUntold, watch.standing == .alarm { try alerts.tellUntold(watch.watch?.distance ?? 0) }
      for alarm in try change.database.openAlarms() where alarm.isDue(now: change.now) {
        let boat = watch.watch
        try alerts.ringAgain(alarm, distance: boat?.distance ?? alarm.distance, beyond: boat.map { -$0.room })
      }
      for one in watch.sources.values where one != known.sources[one.id] { try change.database.save(one) }
      if alerts.anchorage != anchorage { try change.database.save(alerts.anchorage) }
      try keep(watch, .pass(at: change.now), in: change)
    }
  }

  /// If the clock was set, nothing that was heard before says how long a device has been silent.
  private func noticeSetClock() {
    let (now, uptime) = (hub.time.now, hub.time.uptime)
    state.withLock { state in
      let difference = now - uptime
      if let before = state.difference, abs(difference - before) > WatchLimits.clockJump {
        state.watch.clockWasSet(now: now)
      }
      state.difference = difference
    }
  }

  private func isDue(_ last: WritableKeyPath<State, Double>, every seconds: Double) -> Bool {
    let now = hub.time.now
    return state.withLock { state in
      guard abs(now - state[keyPath: last]) >= seconds else { return false }
      state[keyPath: last] = now
      return true
    }
  }

  private func findSwing() async throws {
    guard isDue(\.swungAt, every: WatchLimits.swing) else { return }
    let now = hub.time.now
    let swing = try await hub.store.read { database throws(StoreError) -> Swing? in
      guard let anchorage = try database.anchorage() else { return nil }
      let from = max(anchorage.from, now - WatchLimits.idleTrack)
      let every = max(WatchLimits.swingStep, (now - from) / Double(WatchLimits.answered))
      let fixes = try database.fixes(ofTrack: 0, from: from, to: now, every: every, limit: WatchLimits.answered)
      guard let first = fixes.first?.fix, let last = fixes.last?.fix,
        let swing = Swing(of: fixes.map(\.fix.position), hours: (last.time - first.time) / 3_600)
      else { return nil }
      return swing.isBetter(than: anchorage.position) ? swing : nil
    }
    state.withLock { $0.swing = swing }
  }

  private func tidy() async throws {
    guard isDue(\.tidiedAt, every: WatchLimits.tidy) else { return }
    let now = hub.time.now
    try await hub.store.write { database throws(StoreError) in try database.tidyAnchorages(now: now) }
    let useless = try await hub.store.read { database throws(StoreError) in try database.uselessFixes(now: now) }
    for (track, times) in useless {
      while try await hub.store.write({ database throws(StoreError) in
        try database.removeFixes(ofTrack: track, times)
      }) {}
    }
  }
}
