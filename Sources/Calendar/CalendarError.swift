public import Wire

/// The reason why a calendar as a whole cannot be used. (A fault in one event is a warning, and the others are kept.)
public enum CalendarError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file is empty, or has white space only.
  case empty
  /// The file is something else; `kind` says what it looks like. Nothing of its contents is repeated, since everyone
  /// may read a calendar's problem.
  case notACalendar(kind: String)
  /// The file ends in the middle of a component.
  case cutOff(component: String, line: Int)
  case tooLarge(bytes: Int)
  case tooManyEvents(line: Int)
  /// A response of Google's API, or the copy kept of it, is not a list of events.
  case notAListOfEvents
  case tooManyItems

  public var description: String { reason.text }

  public var reason: Reason {
    switch self {
    case .empty: Reason(.calendarEmpty)
    case .notACalendar(let kind): Reason(.calendarOther, ["kind": .text(kind)])
    case .cutOff(let component, let line):
      Reason(.calendarCutOff, ["component": .text(component), "line": .number(line)])
    case .tooLarge(let bytes):
      Reason(.calendarTooLarge, ["bytes": .number(bytes), "limit": .number(CalendarLimits.bytes)])
    case .tooManyEvents(let line):
      Reason(.calendarTooManyEvents, ["line": .number(line), "limit": .number(CalendarLimits.events)])
    case .notAListOfEvents: Reason(.googleNoList)
    case .tooManyItems: Reason(.googleTooManyEvents, ["limit": .number(CalendarLimits.events)])
    }
  }
}

/// The fault of one event or of one of its properties, as the second half of a warning.
struct EventProblem: Error {
  let reason: Reason

  init(_ kind: Reason.Kind, _ values: KeyValuePairs<String, Reason.Value> = [:]) { reason = Reason(kind, values) }
}

/// Collects warnings up to a limit, and counts the rest.
struct CalendarWarnings {
  private var reasons: [Reason] = []
  private var more = 0

  mutating func add(_ reason: @autoclosure () -> Reason) {
    if reasons.count < CalendarLimits.warnings { reasons.append(reason()) } else { more += 1 }
  }

  /// The warnings; past the limit, the last one states how many more there were.
  var all: [Reason] { more == 0 ? reasons : reasons + [Reason(.moreWarnings, ["count": .number(more)])] }
  var texts: [String] { all.map(\.text) }
}
