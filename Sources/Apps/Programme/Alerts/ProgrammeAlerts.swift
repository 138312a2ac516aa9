import Calendar
import CivilTime
import EventLoop
import Hub
import Lifecycle
import Observe
import Store
import Synchronization
import Wire

/// Rings about the programme: new events, tonight's events, an event that begins, moves or falls out, and reminders.
///
/// One pass at a time: after news of a calendar, and when the next moment comes. A pass compares what the calendars say
/// with what was known, rings, and writes both in one commit, so nothing rings twice, and what was rung is known after
/// a restart.
final class ProgrammeAlerts: Sendable {
  private let hub: Hub
  private let programme: ProgrammeWatch
  private let poller: Poller
  private let alarm: Alarm

  init(_ hub: Hub, _ programme: ProgrammeWatch) {
    self.hub = hub
    self.programme = programme
    poller = Poller(hub.loop)
    alarm = Alarm(hub.loop)
  }

  /// To be called when a calendar, a favourite or the time of a ring has changed.
  func wake() { poller.wake() }

  /// The same on all hubs, once a change is on the disk.
  func wake(in change: Change) {
    change.database.touch(.ringTimes)
    change.then { [self] in wake() }
  }

  func run() async throws {
    defer { alarm.set(at: nil) {} }
    try await poller.run { [self] in
      let next = try await pass()
      alarm.set(at: next.map { Double($0) }) { [weak self] in self?.wake() }
      return nil
    }
  }

  /// - Returns: the next moment at which something may ring.
  private func pass() async throws -> Int? {
    try await programme.catchUp()
    let now = Int(hub.time.now)
    let seen = await programme.lookAhead(from: now - ProgrammeLimits.alertsKept, to: now + ProgrammeLimits.alertsAhead)
    let listed = Set(seen.calendars.map(\.id))
    let albums = hub.offers[.eventAlbums]
    let (known, times, followed, former, marked) = try await hub.store.read { database throws(StoreError) in
      let former = try database.knownCalendars().values.filter { !listed.contains($0.id) }
        .sorted { $0.until > $1.until }.prefix(ProgrammeLimits.calendars).map(\.id)
      return (
        try database.knownEvents(), try database.ringTimes(),
        try albums?.followed(now: Double(now), in: database) ?? [], former,
        try database.marked(after: now)
      )
    }
    let isRead = Set(seen.calendars.filter(\.isRead).map(\.id))
    var there = Set(seen.events.map(\.id))
    // An event that was moved far away is not among those to come, and one beyond the limit of a look is not gone.
    let missing = known.values.filter { isRead.contains($0.calendar) && !there.contains($0.id) && $0.end > now }
    let soonest = missing.filter { !$0.isCancelled }.sorted { $0.start < $1.start }
      .prefix(ProgrammeLimits.alertsMissing)
    let sought = Set(soonest.map(\.id))
    let others = (followed + marked).filter { !there.contains($0) && !sought.contains($0) }
    let calendars = Dictionary(soonest.map { ($0.id, $0.calendar) }, uniquingKeysWith: { first, _ in first })
    let found = await programme.follow(soonest.map(\.id) + others, lastIn: calendars)
    var gone: Set<String> = []
    var elsewhere: [String: KnownEvent] = [:]
    var undecided = Set(missing.map(\.id))
    var events = seen.events
    for (id, found) in found where sought.contains(id) {
      switch found {
      case .event(let event):
        let current = KnownEvent(event)
        if current.id != id {
          elsewhere[id] = current
          gone.insert(id)
        }
        if there.insert(current.id).inserted { events.append(current) }
      case .gone: gone.insert(id)
      case .unknown: continue
      }
      undecided.remove(id)
    }
    // Marked events are watched however far ahead they are.
    for id in marked {
      if case .event(let event)? = found[id], there.insert(event.id).inserted { events.append(KnownEvent(event)) }
    }
    let goneFar = gone.compactMap { known[$0] }.filter { $0.start >= now + ProgrammeLimits.alertsAhead }
    events += await programme.alike(goneFar).filter { there.insert($0.id).inserted }
    for (id, event) in await programme.returned(Set(marked + followed).subtracting(there), from: former) {
      elsewhere[id] = KnownEvent(event)
      if there.insert(event.id).inserted { events.append(KnownEvent(event)) }
    }
    let look = Look(
      now: now, zone: hub.place.zone, calendars: seen.calendars, events: events, gone: gone, elsewhere: elsewhere,
      undecided: undecided, tonightAt: DailyTime(hub.tonightAt(times)), newsAt: DailyTime(hub.newsAt(times)))
    let listener = hub.offers[.eventListener]
    let topics = hub.offers[.bellTopics]
    let (next, missed) = try await hub.commit(as: .room(ProgrammeRoom.id)) { change in
      try topics?.keep(look.topics, of: ProgrammeRoom.id, beginning: ProgrammeBell.prefix, in: change)
      let renamed = try look.compare(in: change)
      if let albums {
        let news = AlbumNews(followed: followed, events: look.events, found: found, renamed: renamed, now: now)
        for event in try albums.follow(news.known, coming: news.coming, in: change) {
          change.publish(ProgrammeChannel.album, on: ProgrammeChannel.channel, ["event": .string(event)])
        }
      }
      return try look.ring(listener, in: change)
    }
    if missed > 0 {
      hub.log.info(
        "rings of the programme were missed: the hub was off, or its clock was put forward", ["count": "\(missed)"])
    }
    return next
  }
}

/// One pass: the events that it has read, and the rings that follow from them.
private struct Look: Sendable {
  let now: Int
  let zone: Zone
  let calendars: [ProgrammeWatch.SeenCalendar]
  let events: [KnownEvent]
  let gone: Set<String>
  let elsewhere: [String: KnownEvent]
  let undecided: Set<String>
  let tonightAt: DailyTime?
  let newsAt: DailyTime?

  var bell: ProgrammeBell { ProgrammeBell(zone: zone, now: now) }

  var topics: [BellTopic] {
    zip(1..., calendars).map { number, calendar in
      // Such a topic has one name for all languages, but for a number's (`RoomPlan.numbered`).
      let name = calendar.name ?? "\(ProgrammeBell.calendar.english) \(number)"
      return BellTopic(ProgrammeBell.prefix + calendar.id, Bell.Words(name, german: name), isForAll: true)
    }
  }

  // MARK: Changes

  /// Rings events that have moved or fallen out, and notes new ones.
  /// - Returns: those that have another identifier now, by their former one.
  func compare(in change: Change) throws -> [String: KnownEvent] {
    let database = change.database
    let (known, before) = (try database.knownEvents(), try database.knownCalendars())
    let result = ProgrammeComparison(
      known: known, events: events, gone: gone, elsewhere: elsewhere, undecided: undecided, calendars: before,
      zone: zone, now: now)
    // By a clock that was days ahead, events were forgotten as over that are to come: they are no news.
    let wasAhead = try database.rungUntil() ?? now > now + ProgrammeLimits.alertsKept
    for event in events where known[event.id] != event {
      try database.save(known: event, isNew: !wasAhead && result.new.contains(event.id))
    }
    for (id, event) in result.renamed { try database.rename(known: id, event) }
    // An event that was told as cancelled stays known as such, so that it is told if it comes back.
    let cancelled = Set(result.changes.filter { $0.kind == .cancelled }.flatMap(\.ids))
    for id in result.gone {
      if cancelled.contains(id) { try database.cancel(known: id) } else { try database.forget(known: id) }
    }
    for (id, event) in result.renamed {
      for person in try database.rename(favourite: id, event, now: change.now) {
        change.publish(ProgrammeChannel.favourites, on: .person(person), [:])
      }
      if try database.rename(opening: id, event) { try change.tellOpeners(of: [id, event.id]) }
    }
    for calendar in calendars where calendar.isRead {
      let kept = KnownCalendar(id: calendar.id, until: now + ProgrammeLimits.alertsAhead, zone: zone.name)
      if before[calendar.id] != kept { try database.save(known: kept) }
    }
    for (id, kept) in before where !kept.zone.isEmpty && !calendars.contains(where: { $0.id == id }) {
      try database.forgetEvents(knownCalendar: id)
    }
    try database.forgetKnown(endedBefore: now - ProgrammeLimits.alertsKept)
    // Subscribers were not told yet of events beyond this, and of those that wait to be told as new.
    let sight = now + ProgrammeLimits.alertsAhead
    let waiting = try newsAt?.secondOfDay == nil ? [] : database.newSeries()
    func isTold(_ one: EventChange) -> Bool {
      one.soonest < sight && (one.isUrgent(now: now) || !waiting.contains(one.event.series))
    }
    try ringChanges(result.changes.filter { isTold($0) }, in: change)
    try ringDetails(result.changes.filter { !isTold($0) } + result.details, in: change)
    return result.renamed
  }

  private func ringChanges(_ changes: [EventChange], in change: Change) throws {
    let told = try concerned(changes, in: change)
    if changes.count <= ProgrammeLimits.changesOneByOne {
      for (one, persons) in told { try change.ring("programme.changed", bell.changed(one, persons: persons).json) }
    } else {
      try ringLists(changes, of: \.event.calendar, "programme.changed", in: change) {
        bell.changed($0, $1, persons: [])
      }
      try ringOwn(told, in: change)
    }
  }

  private typealias Told = (change: EventChange, persons: [Int])

  private func concerned(_ changes: [EventChange], in change: Change) throws(StoreError) -> [Told] {
    try changes.map { one throws(StoreError) in (one, try change.database.concerned(by: one.ids)) }
  }

  /// Rings other places and ends, and what is far ahead, for those alone who come to these events.
  private func ringDetails(_ details: [EventChange], in change: Change) throws {
    let told = try concerned(details, in: change).filter { !$0.persons.isEmpty }
    guard told.count <= ProgrammeLimits.changesOneByOne else { return try ringOwn(told, in: change) }
    for (detail, persons) in told {
      try change.ring("programme.changed", bell.changed(detail, persons: persons, isForThem: true).json)
    }
  }

  /// Rings a list for each person: one of all would not name everybody's own events.
  private func ringOwn(_ told: [Told], in change: Change) throws {
    for person in Set(told.flatMap { $0.persons }).sorted() {
      let theirs = told.filter { $0.persons.contains(person) }.map { $0.change }
      let news =
        theirs.count == 1
        ? bell.changed(theirs[0], persons: [person], isForThem: true)
        : bell.changed(theirs, .people, persons: [person])
      try change.ring("programme.changed", news.json)
    }
  }

  /// Rings a list for the whole programme, and for each calendar its part.
  private func ringLists<Item>(
    _ items: [Item], of calendar: (Item) -> String, _ topic: String, in change: Change,
    _ bell: ([Item], ProgrammeBell.Scope) -> Bell
  ) throws {
    guard !items.isEmpty else { return }
    if calendars.count == 1 {
      try change.ring(topic, bell(items, .only(calendars[0].id)).json)
      return
    }
    try change.ring(topic, bell(items, .all).json)
    for one in calendars {
      let part = items.filter { calendar($0) == one.id }
      if !part.isEmpty { try change.ring(topic, bell(part, .calendar(one.id)).json) }
    }
  }

  // MARK: Due rings

  /// Rings the events, lists and reminders whose moment has come since the last pass.
  /// - Returns: the next moment, and the number of rings that were missed.
  func ring(_ listener: (any EventListener)?, in change: Change) throws -> (next: Int?, missed: Int) {
    let database = change.database
    let clock = AlertClock(done: try database.rungUntil(), now: now)
    var missed = 0
    func isDue(_ moment: Int?, before last: Int = .min) -> Bool {
      switch moment.map({ clock.verdict($0, before: last) }) {
      case .due: return true
      case .missed: missed += 1; return false
      case .not, nil: return false
      }
    }
    for event in try database.beginning(from: clock.done, to: now + 1) where isDue(event.start) {
      try change.ring("programme.begins", bell.begins(event).json)
      try listener?.eventBegins(event.planned, in: change)
    }
    let reminders = try database.reminders(after: min(clock.done, now), zone: zone)
    for reminder in reminders where isDue(reminder.at, before: reminder.event.awaitedUntil) {
      try change.ring("programme.reminder", bell.reminder(reminder.event, for: reminder.person).json)
    }
    let today = zone.wall(at: now).date
    if isDue(tonightAt?.moment(on: today, zone: zone)) {
      let morning = WallTime(date: today.adding(1), secondOfDay: ProgrammeLimits.nightEnds)
      let events = try database.beginning(from: now, to: zone.instant(of: morning))
      try ringLists(events, of: \.calendar, "programme.tonight", in: change) { bell.tonight($0, $1) }
    }
    if isDue(newsAt?.moment(on: today, zone: zone)) {
      try ringLists(try database.newEvents(after: now), of: \.calendar, "programme.new", in: change) {
        bell.new($0, $1)
      }
      try database.noNewEvents()
    }
    try database.save(rungUntil: max(now, clock.done))
    let moments = [
      try database.nextBeginning(after: now), reminders.first { $0.at > now }?.at,
      tonightAt?.next(after: now, zone: zone), newsAt?.next(after: now, zone: zone), now + 86_400,
    ]
    return (moments.compactMap { $0 }.min(), missed)
  }
}
