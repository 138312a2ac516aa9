import Calendar
import CivilTime
import Hub
import Lifecycle
import Server
import Wire

/// The reason why there is no feed.
enum NoFeed: Error {
  case noSuchCalendar
  /// More bytes than `CalendarLimits.feedBytes`.
  case tooLarge
}

/// Calendar feeds.
extension ProgrammeWatch {
  /// The path of the whole programme's feed; nil without calendars.
  nonisolated var feedPath: String? { calendars.isEmpty ? nil : "/space/calendar.ics" }

  private var today: Int { zone.wall(at: Int(hub.time.now)).dayNumber }

  /// The feed of the whole programme, or of one calendar.
  /// - Parameters:
  ///   - calendar: its identifier; nil for all.
  ///   - name: the name of the whole.
  ///   - source: the feed's public address, if the owner has set one. That of the request is not used, since callers
  ///     can choose it, and would make the hub write the same feed again and again.
  func feed(of calendar: String?, name: String, color: String?, source: String?) throws(NoFeed) -> PackedAnswer {
    let key = "\(calendar ?? "") \(name) \(color ?? "")"
    if let ready = feeds[key], ready.day == today { return try ready.feed.get() }
    let wanted = sources.filter { calendar == nil || $0.id == calendar }
    if calendar != nil, wanted.isEmpty { throw .noSuchCalendar }
    let made: Result<PackedAnswer, NoFeed>
    do throws(NoFeed) {
      made = .success(try write(wanted, isOne: calendar != nil, name: name, color: color, source: source))
    } catch {
      // A refusal is cached as well, since it has cost as much.
      made = .failure(error)
    }
    // Names come from the settings, so there are hardly more of them than calendars.
    if feeds.count >= ProgrammeLimits.keptFeeds { feeds.removeAll() }
    feeds[key] = (today, made)
    if case .success(let feed) = made, feed.plainCount <= ProgrammeLimits.largeAnswerBytes { return feed }
    releaseFreeMemory()
    return try made.get()
  }

  private func write(
    _ wanted: [WatchedCalendar], isOne: Bool, name: String, color: String?, source: String?
  ) throws(NoFeed) -> PackedAnswer {
    var feed = CalendarFeed(zone: zone, now: Int(hub.time.now))
    for (index, source) in wanted.enumerated() {
      guard let parsed = source.calendar else { continue }
      // With a single calendar, its name and colour are those of the whole.
      let look =
        isOne
        ? CalendarFeed.Look(name: nil, color: nil) : CalendarFeed.Look(name: source.name, color: source.settings.color)
      feed.add(parsed, id: source.id, look: look, share: wanted.count - index)
    }
    guard !feed.isFull else { throw .tooLarge }
    let only = isOne ? wanted.first : nil
    let title = CalendarFeed.Title(
      name: only.map { "\(name): \($0.name ?? $0.id)" } ?? name, color: only.map { $0.settings.color } ?? color,
      source: source)
    let bytes = feed.finish(title)
    guard bytes.count <= CalendarLimits.feedBytes else { throw .tooLarge }
    return PackedAnswer(bytes)
  }

  /// The feed of the events with these identifiers, as far as they still exist.
  func feed(ofEvents ids: [String], name: String, color: String?) throws(NoFeed) -> PackedAnswer {
    var feed = CalendarFeed(zone: zone, now: Int(hub.time.now))
    let looks = Dictionary(
      sources.map { ($0.id, CalendarFeed.Look(name: $0.name, color: $0.settings.color)) },
      uniquingKeysWith: { first, _ in first })
    let found = find(ids)
    for id in ids {
      guard case .event(let event)? = found[id], event.end >= feed.window.lowerBound else { continue }
      feed.add(event, look: looks[event.calendar] ?? CalendarFeed.Look(name: nil, color: nil))
    }
    guard !feed.isFull else { throw .tooLarge }
    return PackedAnswer(feed.finish(CalendarFeed.Title(name: name, color: color, source: nil)))
  }
}
