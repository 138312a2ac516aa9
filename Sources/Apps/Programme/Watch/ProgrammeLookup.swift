import Calendar
import Hub
import Lifecycle

/// The result of looking up an event by its identifier.
enum FoundEvent: Sendable {
  /// One that has gone to another calendar has another identifier there.
  case event(Occurrence)
  /// The calendar that it was in was read, or all of them where that is not known, and none contains it.
  case gone
  /// Unknown, since such a calendar was never read, or another one is looked at first, or the rules cost too much.
  case unknown
}

extension ProgrammeWatch {
  /// Finds the events with these identifiers, also if they were moved. All share the budget of one answer.
  func find(_ ids: [String]) -> [String: FoundEvent] { find(ids, lastIn: [:]) }

  /// Finds the events with these identifiers, and those that have gone to another calendar.
  /// - Parameter calendars: the calendars that they were in, by their identifiers, as far as that is known.
  func follow(_ ids: [String], lastIn calendars: [String: String]) -> [String: FoundEvent] {
    var found = find(ids, lastIn: calendars)
    let gone = calendars.filter { if case .gone? = found[$0.key] { true } else { false } }
    let (moved, isDecided) = findElsewhere(gone)
    for (id, event) in moved { found[id] = .event(event) }
    // A calendar may have been read before an event came to it, so each is read once more before one counts as gone.
    // Not at every turn: of two calendars that name all their events anew each time, each look would lead to the next.
    let now = hub.time.uptime
    let maySeek = soughtAt.map { now - $0 >= ProgrammeLimits.seekingPause } ?? true
    var (waiting, urls): ([String: Int], Set<String>) = ([:], [])
    for (id, calendar) in gone where moved[id] == nil {
      let since = missed[id] ?? looks
      let others = sources.filter { $0.id != calendar && $0.kept.problem == nil && $0.lastLook <= since }
      let isSought = missed[id] != nil || maySeek
      if isDecided, others.isEmpty || !isSought { continue }
      found[id] = .unknown
      waiting[id] = since
      if missed[id] == nil, maySeek { urls.formUnion(others.map(\.kept.url)) }
    }
    missed = waiting
    if !urls.isEmpty {
      soughtAt = now
      look(at: Array(urls))
    }
    return found
  }

  /// Finds events whose calendars have left the owner's list, in those that are there: one that has another address now
  /// is another calendar to the hub, and its events have other identifiers.
  func returned(_ ids: Set<String>, from former: [String]) -> [String: Occurrence] {
    var found: [String: Occurrence] = [:]
    for calendar in former {
      let left = ids.filter { found[$0] == nil }
      found.merge(findElsewhere(Dictionary(uniqueKeysWithValues: left.map { ($0, calendar) })).events) { $1 }
    }
    return found
  }

  private func find(_ ids: [String], lastIn calendars: [String: String]) -> [String: FoundEvent] {
    let isComplete = sources.allSatisfy { $0.calendar != nil }
    let read = Set(sources.filter { $0.calendar != nil }.map(\.id))
    var budget = ExpansionBudget()
    var found: [String: FoundEvent] = [:]
    for id in ids {
      guard budget.steps > 0 else {
        found[id] = .unknown
        continue
      }
      if let event = find(id, &budget) {
        found[id] = .event(event)
      } else {
        // A calendar that was never read says nothing about an event of another one.
        let isDecided = calendars[id].map { read.contains($0) } ?? isComplete
        found[id] = isDecided && budget.steps > 0 ? .gone : .unknown
      }
    }
    return found
  }

  /// Finds events that have gone to another calendar.
  /// - Parameter gone: their identifiers, with the calendars that they were in.
  /// - Returns: those that were found, and true if there was room to look for all of them.
  private func findElsewhere(_ gone: [String: String]) -> (events: [String: Occurrence], isDecided: Bool) {
    var budget = ExpansionBudget()
    var found: [String: Occurrence] = [:]
    for (former, ids) in Dictionary(grouping: gone, by: \.value) {
      for source in sources where source.id != former {
        let left = ids.map(\.key).filter { found[$0] == nil }
        guard !left.isEmpty, let calendar = source.calendar else { continue }
        let here = occurrences(formerIDs: left, in: former, nowIn: calendar, calendarID: source.id, budget: &budget)
        found.merge(here) { first, _ in first }
      }
    }
    return (found, budget.steps > 0)
  }

  private func find(_ id: String, _ budget: inout ExpansionBudget) -> Occurrence? {
    for source in sources {
      guard let calendar = source.calendar else { continue }
      if let found = occurrence(id: id, in: calendar, calendarID: source.id, budget: &budget) { return found }
    }
    return nil
  }

  func event(id: String) -> Occurrence? {
    var budget = ExpansionBudget()
    return find(id, &budget)
  }
}
