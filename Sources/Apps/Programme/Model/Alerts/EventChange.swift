package import CivilTime

/// A change of an event that people are told about.
package struct EventChange: Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// - Parameters:
    ///   - from: its former start.
    ///   - wasAllDay: true if it took whole days before.
    case moved(from: Int, wasAllDay: Bool = false)
    case cancelled
    /// It was cancelled, and takes place after all.
    case back
    /// It begins when it did, in another place or until another time.
    /// - Parameter from: the event as it was.
    case altered(from: KnownEvent)
  }
  package var kind: Kind
  /// The event as it is now; for one that is gone, as it was last known.
  package var event: KnownEvent
  /// The identifiers of all occurrences that changed alike, of which `event` is the first.
  package var ids: [String]
  /// The soonest of their former starts and of those that they have now, in seconds since 1970: when somebody who has
  /// not heard of it would come in vain first, or miss it.
  package var soonest: Int
  /// True if it has another place as well, now that it begins at another time or takes place after all.
  package var hasNewPlace: Bool

  /// - Parameter former: the event as it was before, unless the kind says it.
  package init(_ kind: Kind, _ event: KnownEvent, former: KnownEvent? = nil, ids: [String]? = nil) {
    self.kind = kind
    self.event = event
    self.ids = ids ?? [event.id]
    soonest =
      switch kind {
      case .moved(let from, _): min(from, event.start)
      case .cancelled: min(former?.start ?? event.start, event.start)
      // Nobody would have come at another time.
      case .back, .altered: event.start
      }
    hasNewPlace =
      switch kind {
      case .moved, .back: former.map { $0.location != event.location } ?? false
      case .cancelled, .altered: false
      }
  }

  /// True for what those alone hear of who come to the event.
  var isDetail: Bool {
    if case .altered = kind { true } else { false }
  }

  /// True if it is so near that people have to hear of it at once.
  func isUrgent(now: Int) -> Bool { soonest - now < secondsPerDay }

  fileprivate var kindNumber: Int {
    switch kind {
    case .moved: 0
    case .cancelled: 1
    case .back: 2
    case .altered: 3
    }
  }

  /// Occurrences of one event that changed alike become one change.
  fileprivate static func gathered(_ changes: [EventChange]) -> [EventChange] {
    var gathered: [EventChange] = []
    for change in changes.sorted(by: { ($0.event.start, $0.event.id) < ($1.event.start, $1.event.id) }) {
      let like = gathered.firstIndex {
        $0.event.series == change.event.series && $0.event.calendar == change.event.calendar
          && $0.kindNumber == change.kindNumber
      }
      if let like {
        gathered[like].ids += change.ids
        gathered[like].soonest = min(gathered[like].soonest, change.soonest)
      } else {
        gathered.append(change)
      }
    }
    return gathered
  }
}

/// The comparison of what the calendars say with what was known.
package struct ProgrammeComparison: Equatable, Sendable {
  package var changes: [EventChange] = []
  /// Changes of a place or an end alone.
  package var details: [EventChange] = []
  /// The identifiers of events that are new: of each recurring one the first occurrence.
  package var new: Set<String> = []
  /// The identifiers of those that are gone, also of those that have another one now.
  package var gone: Set<String> = []
  /// The events that have another identifier now, by their former one: those of a series that was moved as a whole, and
  /// those that have gone to another calendar.
  package var renamed: [String: KnownEvent] = [:]

  /// - Parameters:
  ///   - known: the events of the last look.
  ///   - events: those that the calendars have now.
  ///   - gone: the identifiers of known ones that no calendar has any more.
  ///   - elsewhere: those of them that have gone to another calendar, by their former identifiers.
  ///   - undecided: those of known ones that were not seen, and were not looked up, for want of room or since they were
  ///     told as cancelled.
  ///   - calendars: the calendars as they were looked at; nothing is told of one that was not.
  ///   - zone: the zone of the place.
  package init(
    known: [String: KnownEvent], events: [KnownEvent], gone: Set<String>, elsewhere: [String: KnownEvent] = [:],
    undecided: Set<String> = [], calendars: [String: KnownCalendar], zone: Zone, now: Int
  ) {
    let pairing = EventPairing(
      former: gone.union(undecided).compactMap { known[$0] }.filter { $0.awaitedUntil > now },
      new: events.filter { known[$0.id] == nil && $0.end > now }, calendars: calendars, zone: zone)
    renamed = pairing.pairs.merging(elsewhere) { paired, _ in paired }
    self.gone = gone.union(renamed.keys).union(pairing.outOfSight)
    let former = Dictionary(renamed.map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    // One of which all dates were cancelled is news with another one.
    var told = Set(known.values.filter { !$0.isCancelled }.map(\.series)).union(renamed.values.map(\.series))
    var changes: [EventChange] = []
    for event in events.sorted(by: { $0.start < $1.start }) {
      guard let calendar = calendars[event.calendar], calendar.zone == zone.name else { continue }
      if let before = known[former[event.id] ?? event.id] {
        guard before.awaitedUntil > now, event.end > now, let kind = Self.kind(before, event) else { continue }
        changes.append(EventChange(kind, event, former: before))
      } else if event.start > now, event.start < calendar.until, !event.isCancelled,
        told.insert(event.series).inserted
      {
        // An event beyond `until` is not new: the calendar was not known so far ahead at the last look.
        new.insert(event.id)
      }
    }
    let silent = pairing.outOfSight.union(Self.pushedOut(gone, known: known, events: events, now: now))
    for id in gone where renamed[id] == nil && !silent.contains(id) {
      guard let event = known[id], event.awaitedUntil > now, !event.isCancelled,
        calendars[event.calendar]?.zone == zone.name
      else { continue }
      changes.append(EventChange(.cancelled, event))
    }
    let gathered = EventChange.gathered(changes)
    self.changes = gathered.filter { !$0.isDetail }
    details = gathered.filter(\.isDetail)
  }

  /// Those that have no room any more in a calendar that tells of so many events at most, as those of websites do: as
  /// many are there as were, all of them earlier. They are not cancelled. A new one of the same title may be the same
  /// event, entered anew for another day.
  private static func pushedOut(
    _ gone: Set<String>, known: [String: KnownEvent], events: [KnownEvent], now: Int
  ) -> Set<String> {
    func coming(_ all: some Sequence<KnownEvent>) -> [String: [KnownEvent]] {
      Dictionary(grouping: all.filter { $0.end > now && !$0.isCancelled }, by: \.calendar)
    }
    let (before, after) = (coming(known.values), coming(events))
    return gone.filter { id in
      guard let event = known[id], event.series == id, let left = after[event.calendar],
        left.count >= ProgrammeLimits.fewestOfFeed, left.count == before[event.calendar]?.count
      else { return false }
      return left.allSatisfy { $0.start < event.start && ($0.title != event.title || known[$0.id] != nil) }
    }
  }

  private static func kind(_ before: KnownEvent, _ event: KnownEvent) -> EventChange.Kind? {
    if event.isCancelled { return before.isCancelled ? nil : .cancelled }
    if before.isCancelled { return .back }
    if before.start != event.start || before.isAllDay != event.isAllDay {
      return .moved(from: before.start, wasAllDay: before.isAllDay)
    }
    return before.location != event.location || event.hasOtherEnd(than: before) ? .altered(from: before) : nil
  }
}
