import AnchorWatch

/// The boat's lot, as far as the hub knows it.
enum Standing: String, Sendable {
  case waiting, holding, warning, alarm
  case positionLost = "position lost"
  case boatLost = "boat lost"

  /// The word of the API.
  var state: String {
    switch self {
    case .positionLost, .boatLost: "lost"
    default: rawValue
    }
  }
}

/// Something that the crew, or the record, has to be told.
enum WatchNews: Equatable, Sendable {
  case standing(Standing, was: Standing, distance: Double)
  /// A creeping anchor, a wind that shifts, depth, a gap.
  case event(WatchEvent)
  /// The boat has noticed something by itself and told the hub; it is in the track already.
  case told(WatchKind)
  case lost(Source)
  case back(Source)
  /// A witness lies outside, or elsewhere than the chosen source, by so many metres.
  case objects(Source, Double)
  /// It lies where the chosen one does again.
  case agrees(Source)
  /// A source's own receivers do not agree.
  case divided(Source)
  /// A source keeps nothing on its disk.
  case forgets(Source)
  /// A source's clock is wrong, or right again.
  case clock(Source)
}

/// The second watch: each source's positions are judged by the very rules of the boat's own watch, the best one counts,
/// and the others are witnesses. A value without a clock or a store.
struct HubWatch: Sendable {
  private(set) var settings: WatchSettings?
  private(set) var sources: [Int: Source] = [:]
  private(set) var chosen: Int?
  private(set) var standing = Standing.waiting
  private var watches: [Int: AnchorWatch] = [:]
  /// Since when it is armed, and since when reports are awaited: the hub has begun, or its clock was set.
  private var since = 0.0
  private var listeningSince = 0.0
  /// True if it was armed by a clock that was ahead: the time since then is not known.
  private let wasArmedAhead: Bool
  /// The sources that have told a fix since then. What is remembered of the time before is no news of the boat.
  private var taken: Set<Int> = []
  /// An alarm was told and is not over: it lasts while she is lost from sight.
  private var isAlarmOpen: Bool
  /// The time of the last fix by which she was outside; not stored, since after a start `taken` says what is news.
  private var outsideAt = -Double.infinity

  /// - Parameters:
  ///   - settings: nil while it is not armed.
  ///   - standing: as it was told last.
  ///   - isAlarmOpen: true if she was outside when she was seen last, and that was told.
  init(
    _ settings: WatchSettings?, sources: [Source], standing: Standing = .waiting, isAlarmOpen: Bool = false,
    since: Double, now: Double
  ) {
    self.settings = settings
    self.sources = Dictionary(sources.map { ($0.id, $0) }) { first, _ in first }
    self.standing = standing
    self.isAlarmOpen = isAlarmOpen
    wasArmedAhead = since > now
    // What was noted by a clock that was ahead would keep a silence from being noticed until then.
    self.since = max(min(since, now), now - WatchLimits.remembered)
    for source in sources { self.sources[source.id]?.last = min(source.last, now) }
    listeningSince = now
  }

  /// The watch of the source that counts.
  var watch: AnchorWatch? { chosen.flatMap { watches[$0] } }

  /// New settings, and another anchor: what is known of each source stays.
  mutating func change(_ settings: WatchSettings) {
    self.settings = settings
    for (id, source) in sources { watches[id]?.change(Self.settings(settings, of: source)) }
  }

  /// Notes what a source has told of itself.
  mutating func heard(_ source: Source) {
    let triedAt = sources[source.id]?.skewTriedAt ?? 0
    sources[source.id] = source
    // It is in no row: what is read from the store knows nothing of it.
    sources[source.id]?.skewTriedAt = max(source.skewTriedAt, triedAt)
    guard let settings, let watch = watches[source.id] else { return }
    let own = Self.settings(settings, of: source)
    // A change begins each confirmation anew.
    if own != watch.settings { watches[source.id]?.change(own) }
  }

  mutating func forget(_ id: Int) {
    (sources[id], watches[id]) = (nil, nil)
    if chosen == id { chosen = nil }
  }

  /// Nothing that was heard before says how long a source has been silent.
  mutating func clockWasSet(now: Double) {
    (since, listeningSince, watches, taken, outsideAt) = (now, now, [:], [], -.infinity)
    for id in sources.keys {
      sources[id]?.last = now
      sources[id]?.skewTriedAt = 0
    }
  }

  /// Goes on where another value of the same watch was, which is read from the store anew while the hub runs: nobody
  /// was heard by that, and silences are as long as they were.
  /// - Parameter isBehind: true if the store knows of reports that the other value has not taken.
  mutating func goOn(from before: HubWatch, now: Double, isBehind: Bool = false) {
    (listeningSince, taken, outsideAt) = (before.listeningSince, before.taken, before.outsideAt)
    for id in sources.keys { sources[id]?.skewTriedAt = before.sources[id]?.skewTriedAt ?? 0 }
    if wasArmedAhead, before.settings != nil { since = before.since }
    if settings == before.settings {
      // Only alarms are in the store: that she is near the edge was told already.
      if standing == .waiting, [.holding, .warning].contains(before.standing) { standing = before.standing }
      // Each has taken all that was told, and the store may not tell it again: after a clock was put back, the anchor
      // was dropped in the future, and old positions lie among the new ones.
      if !isBehind { watches = before.watches.filter { sources[$0.key] != nil } }
      if let chosen = before.chosen, watches[chosen] != nil { self.chosen = chosen }
    }
    guard !isListening(now: now) else { return }
    for id in watches.keys { _ = watches[id]?.pass(to: now) }
  }

  /// True soon after a start, when the watches know nothing of the time that the hub was off.
  private func isListening(now: Double) -> Bool {
    now < listeningSince + WatchLimits.usualInterval + WatchLimits.slack
  }

  /// A source that tells its position seldom is not lost between two of them.
  static func settings(_ settings: WatchSettings, of source: Source) -> WatchSettings {
    var own = settings
    own.gap = max(settings.gap, 1.5 * source.interval)
    own.lost = max(settings.lost, 2 * source.interval)
    return own
  }

  /// Seconds after which somebody who promised a sign of life so often is lost.
  static func patience(_ interval: Double) -> Double { 2 * interval + WatchLimits.slack }

  // MARK: Judging

  /// The watch of a source that had none: an alarm that was told goes on until she is seen inside for long enough.
  private func begun(of source: Source, _ settings: WatchSettings, since: Double) -> AnchorWatch {
    let isOutside = isAlarmOpen && (watch.map { $0.state == .alarm } ?? true)
    return AnchorWatch(Self.settings(settings, of: source), since: since, state: isOutside ? .alarm : .waiting)
  }

  /// Judges a source's fixes, by the hub's clock and in their order.
  mutating func take(_ fixes: [Fix], from id: Int, now: Double) -> [WatchNews] {
    guard let settings, let source = sources[id] else { return [] }
    var watch = watches[id] ?? begun(of: source, settings, since: since)
    let before = watch.lastFix?.time
    var news: [WatchNews] = []
    // A look that finds no news is thrown away, and with it the time that it has passed.
    watch.note(time: now)
    for fix in fixes where fix.time > watch.lastFix?.time ?? -.infinity && fix.time > now - WatchLimits.late {
      let events = watch.take(fix)
      if id == chosen || chosen == nil { news += Self.others(events) }
    }
    watches[id] = watch
    if watch.lastFix?.time != before { taken.insert(id) }
    return news + look(now: now)
  }

  /// Feeds fixes of the time before a start, of which nothing has to be told: it was, at its time.
  mutating func remember(_ fixes: [(source: Int, fix: Fix)]) {
    guard let settings else { return }
    for (id, fix) in fixes {
      guard let source = sources[id] else { continue }
      var watch = watches[id] ?? begun(of: source, settings, since: fix.time)
      _ = watch.take(fix)
      watches[id] = watch
    }
    guard standing == .waiting else { return }
    choose(now: listeningSince)
    switch watch?.state {
    case .warning: standing = .warning
    case .holding: standing = watch?.isOld(at: listeningSince, lost: settings.lost) == true ? .waiting : .holding
    default: break
    }
  }

  /// Time passes.
  mutating func pass(to now: Double) -> [WatchNews] {
    guard settings != nil else { return [] }
    var news: [WatchNews] = []
    if !isListening(now: now) {
      for id in watches.keys {
        guard let events = watches[id]?.pass(to: now), id == chosen else { continue }
        news += Self.others(events)
      }
    }
    return news + look(now: now)
  }

  private static func others(_ events: [WatchEvent]) -> [WatchNews] {
    events.filter { [.gap, .creep, .windShift, .depth].contains($0.kind) }.map(WatchNews.event)
  }

  /// Chooses the source that counts, and notices what has changed.
  private mutating func look(now: Double) -> [WatchNews] {
    var news = notice(now: now)
    choose(now: now)
    let next = judged(now: now)
    if next == .alarm, let chosen, let watch, watch.state == .alarm || isAlarmed(chosen) {
      outsideAt = max(outsideAt, watch.lastFix?.time ?? outsideAt)
    }
    if next != standing {
      news.append(.standing(next, was: standing, distance: watch?.distance ?? 0))
      standing = next
      switch next {
      case .alarm: isAlarmOpen = true
      case .positionLost, .boatLost: break
      case .waiting, .holding, .warning: isAlarmOpen = false
      }
    }
    return news + objections(now: now)
  }

  private func health(_ source: Source, now: Double) -> Source.Health {
    var source = source
    source.last = max(source.last, listeningSince)
    return source.health(now: now)
  }

  /// Sources that have fallen silent, and those that are back. The last one is the boat itself. One that was lost when
  /// the watch was armed was named then.
  private mutating func notice(now: Double) -> [WatchNews] {
    var news: [WatchNews] = []
    let isSomebodyHeard = sources.values.contains { health($0, now: now) == .ok }
    for var source in sources.values.sorted(by: { $0.id < $1.id }) {
      let health = health(source, now: now)
      if health == .ok, source.last > listeningSince, source.told.contains(.lost) {
        source.told.remove(.lost)
        news.append(.back(source))
      } else if health == .lost, isSomebodyHeard, source.last + Self.patience(source.interval) >= since,
        source.told.insert(.lost).inserted
      {
        news.append(.lost(source))
      }
      sources[source.id] = source
    }
    return news
  }

  private func isFresh(_ id: Int, now: Double) -> Bool {
    guard let source = sources[id], source.state != "lost", let watch = watches[id], let last = watch.lastFix else {
      return false
    }
    // A phone that seldom tells where she is does not stand in for the boat's own receiver.
    if source.kind != .agent, watch.isOld(at: now, lost: settings?.lost ?? 0), isBlind(now: now) { return false }
    // A position from before she was seen outside cannot end an alarm.
    if isAlarmOpen, watch.state != .alarm, !isAlarmed(id), last.time <= outsideAt { return false }
    return health(source, now: now) != .lost && !watch.isLost
  }

  /// True while the boat's own receiver, which was there in this watch, is silent or knows no place.
  func isBlind(now: Double) -> Bool {
    let agents = sources.values.filter { $0.kind == .agent }
    let isGone = agents.contains { source in
      if source.told.contains(.lost) { return true }
      guard source.last + Self.patience(source.interval) >= since else { return false }
      return source.state == "lost" || health(source, now: now) == .lost
    }
    return isGone && !agents.contains { isFresh($0.id, now: now) }
  }

  /// True for an agent whose own watch sees her outside.
  private func isAlarmed(_ id: Int) -> Bool { sources[id]?.kind == .agent && sources[id]?.state == "alarm" }

  private mutating func choose(now: Double) {
    var fresh = watches.keys.filter { isFresh($0, now: now) }
    // After a start whoever tells where she is counts, and not who told it best before.
    if [.alarm, .positionLost, .boatLost].contains(standing), fresh.contains(where: taken.contains) {
      fresh.removeAll { !taken.contains($0) }
    }
    // If one of the two watches, an agent's own and this one, sees her outside, it is right.
    if fresh.contains(where: isAlarmed) { fresh.removeAll { !isAlarmed($0) } }
    // After a start a silent one gets time to be heard; meanwhile whoever tells where she is now counts.
    let recent = fresh.filter { watches[$0]?.isOld(at: now, lost: settings?.lost ?? 0) == false }
    if !recent.isEmpty { fresh = recent }
    // Whoever tells much more often where she is, and about as exactly, comes before the most exact one. To leave it
    // takes more than to take it, or the boat would jump to and fro with its error.
    let least = fresh.map(rank).min() ?? 0
    let often = fresh.filter { !isSeldom($0) && rank($0) <= ($0 == self.chosen ? 3 : 2) * least }
    guard let best = (often.isEmpty ? fresh : often).min(by: { (rank($0), $0) < (rank($1), $1) }) else {
      chosen = chosen ?? watches.keys.min()
      return
    }
    // A change for nothing would make the boat jump by the difference of two receivers.
    guard let chosen, fresh.contains(chosen), rank(chosen) <= 2 * rank(best), !isSeldom(chosen) || isSeldom(best) else {
      self.chosen = best
      return
    }
  }

  private func rank(_ id: Int) -> Double { sources[id]?.rank ?? 0 }

  /// True if she could drag far between two of its reports.
  private func isSeldom(_ id: Int) -> Bool { sources[id]?.interval ?? 0 > 1.5 * (settings?.gap ?? 0) }

  private func judged(now: Double) -> Standing {
    let isSomebodyHeard = sources.values.contains { health($0, now: now) == .ok }
    if let chosen, let watch, isFresh(chosen, now: now) {
      // After a start only what is told from then on ends an alarm.
      if [.alarm, .positionLost, .boatLost].contains(standing), !taken.contains(chosen) { return standing }
      if isAlarmed(chosen) { return .alarm }
      // A fix outside ends no alarm, though it is the first one that this source has told.
      if isAlarmOpen, watch.room < 0 { return .alarm }
      switch watch.state {
      case .alarm: return .alarm
      case .warning: return .warning
      // Nobody says that she holds by a place that is older than what counts as lost.
      default: return watch.isOld(at: now, lost: settings?.lost ?? 0) ? .waiting : .holding
      }
    }
    let begun = max(since, listeningSince)
    let patience = max(settings?.lost ?? 0, Self.patience(sources.values.map(\.interval).min() ?? 0))
    guard isSomebodyHeard else {
      let heard = max(begun, sources.values.map(\.last).max() ?? begun)
      return now - heard > patience ? .boatLost : standing
    }
    return now - begun > patience ? .positionLost : standing
  }

  /// True for the source whose positions are the boat's track: the one that counts, or the best while nothing is
  /// judged.
  func isTracked(_ id: Int, now: Double) -> Bool {
    if settings != nil { return id == chosen || chosen == nil }
    let heard = sources.values.filter { $0.fix != nil && health($0, now: now) == .ok }
    return heard.min { ($0.rank, $0.id) < ($1.rank, $1.id) }?.id ?? id == id
  }

  // MARK: Witnesses

  /// True if a witness says the same as the chosen source said at about that time; nil for the chosen one itself, and
  /// while too little is known.
  func agrees(_ id: Int, now: Double) -> Bool? {
    guard let chosen, id != chosen, let own = watches[id], let best = watches[chosen], isFresh(id, now: now),
      isFresh(chosen, now: now), let there = own.lastFix, let here = best.lastFix
    else { return nil }
    if own.state == .alarm, best.state != .alarm { return false }
    // She swings far between two positions of one that tells them seldom.
    guard abs(there.time - here.time) <= WatchLimits.fresh else { return nil }
    let allowed = (there.accuracy ?? WatchLimits.usualAccuracy) + (here.accuracy ?? WatchLimits.usualAccuracy)
    return there.position.distance(to: here.position) <= allowed + WatchLimits.disagreement
  }

  private mutating func objections(now: Double) -> [WatchNews] {
    var news: [WatchNews] = []
    for id in sources.keys.sorted() {
      switch agrees(id, now: now) {
      case false?:
        if sources[id]?.told.insert(.objects).inserted == true, let source = sources[id] {
          news.append(.objects(source, watches[id]?.distance ?? 0))
        }
      case true?:
        if sources[id]?.told.remove(.objects) != nil, let source = sources[id] { news.append(.agrees(source)) }
      case nil: break
      }
    }
    return news
  }
}
