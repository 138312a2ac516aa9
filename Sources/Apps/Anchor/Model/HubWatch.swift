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
  case lost(Source)
  case back(Source)
  /// A witness lies outside, or elsewhere than the chosen source, by so many metres.
  case objects(Source, Double)
  /// A source's own receivers do not agree.
  case divided(Source)
  /// A source's clock is wrong.
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

  /// - Parameters:
  ///   - settings: nil while it is not armed.
  ///   - standing: as it was told last.
  init(_ settings: WatchSettings?, sources: [Source], standing: Standing = .waiting, since: Double, now: Double) {
    self.settings = settings
    self.sources = Dictionary(sources.map { ($0.id, $0) }) { first, _ in first }
    self.standing = standing
    self.since = max(since, now - WatchLimits.remembered)
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
    sources[source.id] = source
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
    (since, listeningSince, watches) = (now, now, [:])
    for id in sources.keys { sources[id]?.last = now }
  }

  /// A source that tells its position seldom is not lost between two of them.
  private static func settings(_ settings: WatchSettings, of source: Source) -> WatchSettings {
    var own = settings
    own.gap = max(settings.gap, 1.5 * source.interval)
    own.lost = max(settings.lost, 2 * source.interval)
    return own
  }

  /// Seconds after which somebody who promised a sign of life so often is lost.
  static func patience(_ interval: Double) -> Double { 2 * interval + WatchLimits.slack }

  // MARK: Judging

  /// Judges a source's fixes, by the hub's clock and in their order.
  mutating func take(_ fixes: [Fix], from id: Int, now: Double) -> [WatchNews] {
    guard let settings, let source = sources[id] else { return [] }
    var watch = watches[id] ?? AnchorWatch(Self.settings(settings, of: source), since: since)
    var news: [WatchNews] = []
    for fix in fixes where fix.time > watch.lastFix?.time ?? -.infinity && fix.time > now - WatchLimits.late {
      let events = watch.take(fix)
      if id == chosen || chosen == nil { news += Self.others(events) }
    }
    watches[id] = watch
    return news + look(now: now)
  }

  /// Feeds fixes of the time before a start, of which nothing has to be told.
  mutating func remember(_ fixes: [(source: Int, fix: Fix)]) {
    guard let settings else { return }
    for (id, fix) in fixes {
      guard let source = sources[id] else { continue }
      var watch = watches[id] ?? AnchorWatch(Self.settings(settings, of: source), since: fix.time)
      _ = watch.take(fix)
      watches[id] = watch
    }
  }

  /// Time passes.
  mutating func pass(to now: Double) -> [WatchNews] {
    guard settings != nil else { return [] }
    var news: [WatchNews] = []
    // The watches of a start know nothing of the time that the hub was off.
    let isListening = now < listeningSince + WatchLimits.usualInterval + WatchLimits.slack
    if !isListening {
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
    if next != standing {
      news.append(.standing(next, was: standing, distance: watch?.distance ?? 0))
      standing = next
    }
    return news + objections(now: now)
  }

  private func health(_ source: Source, now: Double) -> Source.Health {
    var source = source
    source.last = max(source.last, listeningSince)
    return source.health(now: now)
  }

  /// Sources that have fallen silent, and those that are back. The last one is the boat itself.
  private mutating func notice(now: Double) -> [WatchNews] {
    var news: [WatchNews] = []
    let isSomebodyHeard = sources.values.contains { health($0, now: now) == .ok }
    for var source in sources.values.sorted(by: { $0.id < $1.id }) {
      let health = health(source, now: now)
      if health == .ok, source.told.contains(.lost) {
        source.told.remove(.lost)
        news.append(.back(source))
      } else if health == .lost, isSomebodyHeard, source.last >= since, source.told.insert(.lost).inserted {
        news.append(.lost(source))
      }
      sources[source.id] = source
    }
    return news
  }

  private func isFresh(_ id: Int, now: Double) -> Bool {
    guard let source = sources[id], source.state != "lost", let state = watches[id]?.state else { return false }
    return health(source, now: now) != .lost && state != .lost && state != .waiting
  }

  private mutating func choose(now: Double) {
    let fresh = watches.keys.filter { isFresh($0, now: now) }
    guard let best = fresh.min(by: { (sources[$0]?.rank ?? 0, $0) < (sources[$1]?.rank ?? 0, $1) }) else {
      chosen = chosen ?? watches.keys.min()
      return
    }
    // A change for nothing would make the boat jump by the difference of two receivers.
    guard let chosen, fresh.contains(chosen), sources[chosen]?.rank ?? 0 <= 2 * (sources[best]?.rank ?? 0) else {
      self.chosen = best
      return
    }
  }

  private func judged(now: Double) -> Standing {
    let isSomebodyHeard = sources.values.contains { health($0, now: now) == .ok }
    if let chosen, let watch, isFresh(chosen, now: now) {
      // If one of the two watches, the agent's own and this one, sees her outside, it is right.
      if sources[chosen]?.kind == .agent, sources[chosen]?.state == "alarm" { return .alarm }
      switch watch.state {
      case .alarm: return .alarm
      case .warning: return .warning
      default: return .holding
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

  /// True if a witness says the same as the chosen source; nil for the chosen one itself, and while too little is
  /// known.
  func agrees(_ id: Int, now: Double) -> Bool? {
    guard let chosen, id != chosen, let own = watches[id], let best = watches[chosen], isFresh(id, now: now),
      isFresh(chosen, now: now), let there = own.lastFix, let here = best.lastFix
    else { return nil }
    if own.state == .alarm, best.state != .alarm { return false }
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
      case true?: sources[id]?.told.remove(.objects)
      case nil: break
      }
    }
    return news
  }
}
