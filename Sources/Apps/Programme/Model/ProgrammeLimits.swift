/// The limits of this room. Those of calendars are `CalendarLimits`.
package enum ProgrammeLimits {
  /// Characters of a calendar's name, and of a URL.
  static let name = 100
  package static let url = 2_000
  package static let calendars = 20
  /// Bytes of a Google calendar's identifier, and of a key: usually about 60 and 39.
  static let googleWord = 300
  /// Calendar files that an owner may upload, used or not.
  package static let uploads = 20
  static let uploadIDBytes = 1...40
  static let uploadIDs = "\(uploadIDBytes.lowerBound) to \(uploadIDBytes.upperBound) of a-z, 0-9 and -"
  static func isUploadID(_ id: String) -> Bool {
    uploadIDBytes.contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
  /// Favourites of one person, remembered removals included.
  package static let favourites = 2_000
  /// Bytes of favourites in one request.
  static let favouriteBytes = 8 << 20
  /// Seconds after an event for which removed favourites, and its openers, are remembered.
  package static let tombstoneSeconds = 366 * 86_400
  /// Events with an opener, or a request for one.
  package static let openings = 2_000
  /// The part of these that one person has requested or opens and that are not over: twice a week for a year.
  package static let openingsOfOne = 100
  /// Minutes before a favourite at which people are reminded who have not chosen otherwise, and the most: a week.
  static let usualReminder = 60
  static let reminderMinutes = 0...7 * 24 * 60
  /// The second of the day at which people are reminded of what takes whole days.
  static let morning = 9 * 3600
  /// Seconds ahead for which events are watched, as many as an answer without an end date has; and seconds for which
  /// those that are over are remembered.
  static let alertsAhead = usualDays * 86_400
  static let alertsKept = 86_400
  /// Events that are watched, and those of them that are looked up one by one in a pass since they seem to be gone.
  static let alertEvents = 5_000
  static let alertsMissing = 500
  /// The fewest events at which websites cut their calendars off: a Drupal shows ten, WordPress's calendars 30 or 50.
  static let fewestOfFeed = 10
  /// Seconds until other calendars are looked at again for events that are missing: see `ProgrammeWatch.follow`.
  static let seekingPause = 600.0
  /// Changes of one look that ring one by one; more of them become one list.
  static let changesOneByOne = 3
  /// The second of the day at which "tonight" ends.
  static let nightEnds = 4 * 3600
  /// Calendar feeds kept ready.
  static let keptFeeds = 32
  /// Events of one answer, and bytes of their texts.
  static let events = 20_000
  static let answerBytes = 8 << 20
  /// Bytes of an event's other fields and of field names in an answer, approximately.
  static let eventBytes = 350
  /// The size of an answer in bytes from which on free memory is returned afterwards.
  static let largeAnswerBytes = 256 << 10
  /// Different questions waiting for the programme's thread, and those of one asker. A page asks three; the same
  /// question of many askers counts once.
  package static let questions = 128
  package static let questionsOfOne = 8
  /// Bytes of compressed answers about events kept ready.
  static let keptBytes = 8 << 20
  /// Days of events in an answer without an end date.
  static let usualDays = 92
}
