import Calendar

/// The result of looking up an event by its identifier.
enum FoundEvent: Sendable {
  case event(Occurrence)
  /// The calendar that it was in was read, or all of them where that is not known, and none contains it.
  case gone
  /// Unknown, since such a calendar was never read, or its rules cost too much.
  case unknown
}

extension ProgrammeWatch {
  /// Finds the events with these identifiers, also if they were moved. All share the budget of one answer.
  /// - Parameter calendars: the calendars that they were in, by their identifiers, as far as that is known.
  func find(_ ids: [String], lastIn calendars: [String: String] = [:]) -> [String: FoundEvent] {
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
