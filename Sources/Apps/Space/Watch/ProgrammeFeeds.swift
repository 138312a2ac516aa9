import CivilTime
import Hub
import Lifecycle
import Server
import Wire

/// A ready feed.
struct Feed: Sendable {
  var compressed: [UInt8]
  /// Bytes before they were compressed.
  var plainCount: Int
  var etag: String
  /// The day in the space for which it was written.
  var day: Int

  var plain: [UInt8] {
    let bytes = compressed.withUnsafeBufferPointer { Gzip.decompress($0, count: plainCount) }
    guard let bytes else { preconditionFailure("a feed was compressed wrongly") }
    return bytes
  }

  init(_ bytes: [UInt8], day: Int) {
    compressed = Gzip.compress(bytes)
    plainCount = bytes.count
    etag = Response.etag(of: bytes)
    self.day = day
  }
}

/// Why there is no feed.
enum NoFeed: Error {
  case noSuchCalendar
  /// More bytes than `SpaceLimits.feedBytes`.
  case tooLarge
}

/// Calendars to subscribe to.
extension Programme {
  private var today: Int { zone.wall(at: Int(hub.time.now)).dayNumber }

  /// The whole programme, or one calendar of it.
  /// - Parameters:
  ///   - calendar: its identifier; nil for all.
  ///   - name: what the whole is called.
  ///   - source: where the feed is.
  func feed(of calendar: String?, name: String, color: String?, source: String) throws(NoFeed) -> Feed {
    let key = "\(calendar ?? "") \(source) \(name) \(color ?? "")"
    if let ready = feeds[key], ready.day == today { return ready }
    let wanted = sources.filter { calendar == nil || $0.id == calendar }
    if calendar != nil, wanted.isEmpty { throw .noSuchCalendar }
    var feed = CalendarFeed(space: zone, now: Int(hub.time.now))
    for (index, source) in wanted.enumerated() {
      guard let parsed = source.calendar else { continue }
      // Where there is but one, its name and colour are those of the whole.
      let look =
        calendar == nil
        ? CalendarFeed.Look(name: source.name, color: source.settings.color) : CalendarFeed.Look(name: nil, color: nil)
      feed.add(parsed, id: source.id, look: look, share: wanted.count - index)
    }
    guard !feed.isFull else { throw .tooLarge }
    let only = calendar == nil ? nil : wanted.first
    let title = CalendarFeed.Title(
      name: only.map { "\(name): \($0.name ?? $0.id)" } ?? name, color: only.map { $0.settings.color } ?? color,
      source: source)
    let bytes = feed.finish(title)
    guard bytes.count <= SpaceLimits.feedBytes else { throw .tooLarge }
    let ready = Feed(bytes, day: today)
    // Whoever makes up addresses under which the hub is asked does not fill its memory.
    if feeds.count >= SpaceLimits.keptFeeds { feeds.removeAll() }
    feeds[key] = ready
    if bytes.count > SpaceLimits.largeAnswerBytes { releaseFreeMemory() }
    return ready
  }

  /// The events with these identifiers, as far as they are still there.
  func feed(ofEvents ids: [String], name: String, color: String?) throws(NoFeed) -> Feed {
    var feed = CalendarFeed(space: zone, now: Int(hub.time.now))
    let looks = Dictionary(
      sources.map { ($0.id, CalendarFeed.Look(name: $0.name, color: $0.settings.color)) },
      uniquingKeysWith: { first, _ in first })
    let found = find(ids)
    for id in ids {
      guard case .event(let event)? = found[id], event.end >= feed.window.lowerBound else { continue }
      feed.add(event, look: looks[event.calendar] ?? CalendarFeed.Look(name: nil, color: nil))
    }
    guard !feed.isFull else { throw .tooLarge }
    return Feed(feed.finish(CalendarFeed.Title(name: name, color: color, source: nil)), day: today)
  }
}
