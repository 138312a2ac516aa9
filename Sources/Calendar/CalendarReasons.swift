import Wire

// The reasons why calendars, or parts of them, cannot be used. Pages have words for each (Hub/Web/reasons.js).

/// Faults of a calendar as a whole.
extension Reason.Kind {
  private static let accepted = "accepted are iCalendar files (RFC 5545) in UTF-8, which begin with BEGIN:VCALENDAR."
  static let calendarEmpty = Self("calendar-empty", "Calendar not readable: it is empty; \(accepted)")
  static let calendarOther = Self("calendar-other", "Calendar not readable: it is {kind}; \(accepted)")
  static let calendarCutOff = Self(
    "calendar-cut-off",
    "Calendar cut off: it ends inside a {component} that begins on line {line}; accepted are complete files, which end "
      + "with END:VCALENDAR.")
  static let calendarTooLarge = Self(
    "calendar-too-large", "Calendar too large: {bytes} bytes; accepted are up to {limit}.")
  static let calendarTooManyEvents = Self(
    "calendar-too-many-events",
    "Calendar too large: more than {limit} events by line {line}; accepted are up to {limit}.")
  static let googleNoList = Self(
    "google-no-list",
    "Calendar not readable: the answer is no list of events; accepted is what events.list of the Google Calendar API "
      + "answers.")
  static let googleTooManyEvents = Self(
    "google-too-many-events", "Calendar too large: it has more than {limit} events; accepted are up to {limit}.")
}

/// Warnings: parts left out of an otherwise good calendar.
extension Reason.Kind {
  private static let event = "Event \"{title}\" (UID {uid}, line {line})"
  static let eventLeftOut = Self("event-left-out", "\(event) was left out: {reason}.")
  static let eventProblem = Self("event-problem", "\(event): {reason}.")
  static let fileLeftOut = Self("file-left-out", "File \"{file}\" was left out. {reason}")
  static let fileRefused = Self(
    "file-refused", "File \"{file}\" is refused by the server (403). What was last known of it stays.")
  static let lineLeftOut = Self("line-left-out", "Line {line} was left out: it is no property.")
  static let charsetGuessed = Self("charset-guessed", "The calendar is not in UTF-8; it is read as Windows-1252.")
  static let componentOpen = Self(
    "component-open", "Line {line} ends a {component} in which a {inner} is still open.")
  static let componentUnended = Self(
    "component-unended", "Line {line} begins an event within a {component}, which is taken as ended there.")
  static let onePrivate = Self("one-private", "1 event is marked as private and not shown.")
  static let somePrivate = Self("some-private", "{count} events are marked as private and not shown.")
  static let moreWarnings = Self("more-warnings", "Further warnings of this calendar that are not listed: {count}.")
  static let seriesCutShort = Self(
    "series-cut-short",
    "Event \"{title}\" (UID {uid}) repeats too often: not all of its occurrences are listed; accepted are up to "
      + "{limit} of one event, and as many as are worked out in about a second, in one answer.")
  static let answerFull = Self(
    "answer-full",
    "Calendar \"{calendar}\" was not read to its end: there are more occurrences than one answer may have.")
}

extension Reason {
  /// A warning that names an event.
  static func ofEvent(_ kind: Kind, title: String, uid: String, line: Int, _ reason: Reason) -> Reason {
    Reason(kind, ["title": named(title), "uid": named(uid), "line": .number(line), "reason": .reason(reason)])
  }

  /// A warning that names a file of a collection.
  static func ofFile(_ name: String, _ reason: Reason) -> Reason {
    Reason(.fileLeftOut, ["file": named(name), "reason": .reason(reason)])
  }

  /// A warning that names a file of a collection that its server does not give.
  static func ofRefused(_ name: String) -> Reason { Reason(.fileRefused, ["file": named(name)]) }

  /// - Parameter limit: the most occurrences of the series in this answer.
  static func cutShort(title: String, uid: String, limit: Int) -> Reason {
    Reason(.seriesCutShort, ["title": named(title), "uid": named(uid), "limit": .number(limit)])
  }

  /// A text that others have written, as a reason repeats it.
  static func named(_ text: String) -> Reason.Value { .text(shortened(text, bytes: CalendarLimits.namedBytes)) }
}

/// Faults of one event, as the second half of a warning.
extension Reason.Kind {
  static let unreadableProperty = Self("unreadable-property", "its {name} is \"{value}\", which cannot be read")
  static let leftOutFromThere = Self("left-out-from-there", "{reason}; it is left out from there on")
  static let tooManyProperties = Self(
    "too-many-properties", "it has too many properties, and the rest of them are left out")
  static let noStart = Self("no-start", "it has no DTSTART")
  static let noValue = Self("no-value", "its {name} has no value")
  static let noTime = Self(
    "no-time", "its {name} is \"{value}\", which is no date and no time of the years {first} to {last}")
  static let tooManyDates = Self("too-many-dates", "it has more than {limit} values of RDATE and EXDATE")
  static let ruleLeftOut = Self("rule-left-out", "{reason}; the rule is left out")
  static let datesLeftOut = Self("dates-left-out", "{reason}; dates are left out")
  static let exceptionsLeftOut = Self("exceptions-left-out", "{reason}; exceptions are left out")
  static let lengthLeftOut = Self("length-left-out", "{reason}; its length is left out")
  static let tooLong = Self("duration-too-long", "its DURATION is longer than {days} days")
}

/// Faults of a recurrence rule.
extension Reason.Kind {
  private static let rule = "its RRULE is \"{rule}\""
  static let ruleTooLong = Self(
    "rule-too-long", "\(rule), which is too long; accepted are up to {limit} bytes")
  static let ruleUnreadable = Self("rule-unreadable", "\(rule), which cannot be read")
  static let ruleTooOften = Self(
    "rule-too-often",
    "\(rule), which repeats too often; accepted are all-day events that repeat daily or less often")
  static let ruleNotYearly = Self(
    "rule-not-yearly",
    "\(rule); accepted are BYWEEKNO and BYYEARDAY in rules that repeat yearly, or by the hour and less")
  static let ruleWeekly = Self("rule-weekly", "\(rule); accepted are weekly rules without BYMONTHDAY")
  static let ruleScale = Self(
    "rule-scale", "\(rule); accepted are rules with RSCALE=GREGORIAN and SKIP=OMIT, or without both")
  static let ruleNumber = Self("rule-number", "\(rule), in which a number is too large")
  static let ruleNumberLimit = Self(
    "rule-number-limit", "\(rule), whose {name} is too large; accepted are up to {limit}")
  static let ruleWeekdays = Self(
    "rule-weekdays", "\(rule); accepted are weekdays without numbers where there is BYYEARDAY")
  static let ruleTimes = Self(
    "rule-times",
    "\(rule), which lists {count} times; accepted are up to {limit} of a day")
  static let ruleNever = Self("rule-never", "\(rule), of which no day exists")
}

/// Faults of a zone.
extension Reason.Kind {
  private static let zone = "its VTIMEZONE \"{zone}\""
  static let zoneUnknown = Self(
    "zone-unknown",
    "its time zone \"{zone}\" is unknown; accepted are IANA names such as Europe/Berlin, offsets such as UTC+02:00, "
      + "and names that the calendar describes in a VTIMEZONE")
  static let zoneReplaced = Self("zone-replaced", "{reason}; it is read as a time of {zone}")
  static let zoneEmpty = Self("zone-empty", "\(zone) has no STANDARD and no DAYLIGHT")
  static let zoneProblem = Self("zone-problem", "\(zone) {reason}")
  static let zoneIncomplete = Self("zone-incomplete", "\(zone) lacks DTSTART, TZOFFSETFROM or TZOFFSETTO")
  static let zoneRestless = Self("zone-restless", "\(zone) changes too often")
  static let zonePartUnreadable = Self("zone-part-unreadable", "has {name} \"{value}\", which cannot be read")
  static let zonePartDate = Self("zone-part-date", "has an unreadable RDATE")
  static let zonePartRule = Self("zone-part-rule", "has a bad rule: {reason}")
}
