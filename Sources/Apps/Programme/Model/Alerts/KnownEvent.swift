import Calendar
package import CivilTime
import Hub

/// A coming event as it was when the programme last looked. A later look is compared with it.
package struct KnownEvent: Equatable, Sendable {
  /// See `Occurrence.id`.
  package var id: String
  /// The identifier of its calendar.
  package var calendar: String
  package var title: String
  /// Seconds since 1970.
  package var start: Int
  package var end: Int
  package var isAllDay: Bool
  package var isCancelled: Bool
  package var location: String?

  package init(
    id: String, calendar: String, title: String, start: Int, end: Int, isAllDay: Bool = false,
    isCancelled: Bool = false, location: String? = nil
  ) {
    self.id = id
    self.calendar = calendar
    self.title = title
    self.start = start
    self.end = end
    self.isAllDay = isAllDay
    self.isCancelled = isCancelled
    self.location = location
  }

  init(_ occurrence: Occurrence) {
    self.init(
      id: occurrence.id, calendar: occurrence.calendar, title: occurrence.title, start: occurrence.start,
      end: occurrence.end, isAllDay: occurrence.allDay, isCancelled: occurrence.status == .cancelled,
      location: occurrence.location)
  }

  /// True if it ends at another time than before. What ends when it begins has no end that anybody knows of.
  func hasOtherEnd(than former: KnownEvent) -> Bool {
    end != former.end && end > start && former.end > former.start
  }

  /// When somebody is reminded of it, in seconds since 1970.
  ///
  /// What takes whole days begins at midnight, when nobody wants to be rung: it reminds in the morning, and of the
  /// minutes only the whole days count.
  /// - Parameters:
  ///   - minutes: how long before it begins.
  ///   - zone: that of the place, in which its days are.
  package func reminder(minutesBefore minutes: Int, zone: Zone) -> Int {
    guard isAllDay else { return start - 60 * minutes }
    let day = zone.wall(at: start).dayNumber - 60 * minutes / secondsPerDay
    return zone.instant(of: WallTime(date: CivilDate(dayNumber: day), secondOfDay: ProgrammeLimits.morning))
  }

  /// Until when people may be about to come, and news or a reminder is of use: until it begins, or, without a time of
  /// day, until its first day is over. In seconds since 1970.
  package var awaitedUntil: Int { isAllDay ? start + secondsPerDay : start }

  /// The first part of the identifier, which all occurrences of a recurring event share.
  var series: Substring { id.prefix(12) }

  /// As it is told to other rooms.
  var planned: PlannedEvent {
    PlannedEvent(
      id: id, title: title, start: start, end: end, series: series.count < id.count ? String(series) : nil)
  }
}

/// A calendar as it was looked at.
package struct KnownCalendar: Equatable, Sendable {
  package var id: String
  /// The moment up to which its events are known, in seconds since 1970.
  package var until: Int
  /// The zone of the place at that look. In another one, events without a zone of their own are at another time,
  /// although nobody has moved them. Empty once the calendar is not in the owner's list any more.
  package var zone: String

  package init(id: String, until: Int, zone: String) {
    self.id = id
    self.until = until
    self.zone = zone
  }
}
