/// Why a calendar as a whole cannot be used. (What is wrong with one event is a warning, and the others are kept.)
package enum CalendarError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file has no bytes, or nothing but white space.
  case empty
  /// The file is something else; `kind` says what it looks like. What it holds is nobody's business: everyone may read
  /// what is wrong with a calendar.
  case notACalendar(kind: String)
  /// The file ends in the middle of a component.
  case cutOff(component: String, line: Int)
  case tooLarge(bytes: Int)
  case tooManyEvents(line: Int)
  /// What Google's API answered, or a kept copy of it, is something else.
  case notAListOfEvents
  case tooManyItems

  package var description: String {
    let accepted = "accepted are iCalendar files (RFC 5545) in UTF-8, which begin with BEGIN:VCALENDAR."
    return switch self {
    case .empty:
      "Calendar not readable: it is empty; \(accepted)"
    case .notACalendar(let kind):
      "Calendar not readable: it is \(kind); \(accepted)"
    case .cutOff(let component, let line):
      "Calendar cut off: it ends inside a \(component) that begins on line \(line); accepted are complete files, "
        + "which end with END:VCALENDAR."
    case .tooLarge(let bytes):
      "Calendar too large: \(bytes) bytes; accepted are up to \(CalendarLimits.bytes)."
    case .tooManyEvents(let line):
      "Calendar too large: more than \(CalendarLimits.events) events by line \(line); accepted are up to "
        + "\(CalendarLimits.events)."
    case .notAListOfEvents:
      "Calendar not readable: the answer is no list of events; accepted is what events.list of the Google Calendar API "
        + "answers."
    case .tooManyItems:
      "Calendar too large: it has more than \(CalendarLimits.events) events; accepted are up to "
        + "\(CalendarLimits.events)."
    }
  }
}

/// What is wrong with one event or one of its properties, as the second half of a warning.
struct EventProblem: Error {
  let reason: String

  init(_ reason: String) {
    self.reason = reason
  }
}

/// Collects warnings, and counts those past the limit.
struct CalendarWarnings {
  private var texts: [String] = []
  private var more = 0

  mutating func add(_ text: @autoclosure () -> String) {
    if texts.count < CalendarLimits.warnings { texts.append(text()) } else { more += 1 }
  }

  /// The warnings, the last of which says how many more there were.
  var all: [String] { more == 0 ? texts : texts + ["\(more) more warnings of this calendar are not listed."] }
}
