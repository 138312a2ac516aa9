/// The limits of this room. Those of calendars are `CalendarLimits`.
package enum SpaceLimits {
  /// Seconds before a failed write is repeated.
  static let retrySeconds = 10.0
  /// Metres from the space within which somebody is near: a few minutes' walk.
  static let nearMetres = 500
  /// Characters of a sign's message, and of any name.
  package static let message = 500
  package static let name = 100
  /// The range of `until` in seconds since 1970: up to the end of 9998, so that the year has four digits in any zone. A
  /// past time is shown as past.
  static let until = 0..<253_370_764_800
  /// Characters of an address, of opening hours and of a URL.
  package static let text = 500
  package static let url = 2_000
  /// Bytes of a picture: as large as a good camera makes them.
  package static let pictureBytes = 64 << 20
  /// Bytes of a stored picture that are filtered at a time.
  static let pictureSlice = 64 << 10
  /// Pixels of each side that systems require for an installed page's icon.
  static let iconPixels = 192
  package static let keymasters = 50
  /// Days of events in an answer without an end date.
  package static let usualDays = 92
  /// Seconds between two reports of a door contact: as often as a network permits, at least once a day.
  package static let heartbeat = 1.0...86_400
  /// Seconds after a start within which a contact that counts as silent may speak again before that rings, at most.
  static let startSeconds = 600.0
  /// Days for which turns of the sign are kept: ten years, about a megabyte of a club's.
  package static let signDays = 10 * 366
  /// Changes of the sign kept per day (UTC): one in three minutes. A flickering contact, or a program that turns the
  /// sign in a loop, takes some 60 KB a day at most.
  package static let turnsOfDay = 500
  /// Turns after which old ones are removed; so many more may be kept.
  package static let turnsRoom = 100
  /// Seconds in which a turn can be undone, and for which the page offers it.
  package static let undoSeconds = 60
  /// Days of the statistics of usual opening hours: twelve weeks, so that habits show and old ones fade.
  package static let pictureDays = 84
  /// Sensors of one space.
  package static let sensors = 100
  /// The default seconds between two reports of a sensor.
  package static let sensorHeartbeat = 900.0
  /// People who may be listed as present.
  static let namesPresent = 200
  /// Spaces followed by the hub for everybody, and by one person.
  package static let followed = 50
  package static let followedByPerson = 10
  /// Bytes of another space's document, and seconds for fetching it.
  package static let followedBytes = 1 << 20
  static let followedSeconds = 20.0
  /// Concurrent looks at other spaces: each is a socket, which a silent server keeps for that time.
  package static let followedLooks = 8
  /// Seconds between two looks at another space, and the longest pause after failures.
  package static let followedRefresh = 300.0
  package static let followedPause = 6 * 3600.0
  /// Seconds after which the directory of spaces is asked again: after an answer, and after none; and for the answer,
  /// for which a person waits.
  static let directoryRefresh = 86_400.0
  static let directoryRetry = 300.0
  static let directorySeconds = 8.0
  /// Spaces of the directory; there are some 250.
  static let directoryEntries = 2_000
  /// Seconds by which another space's clock may be ahead.
  static let clockAhead = 300
  /// Seconds after which what should have rung, or been asked, is dropped, since the hub was off.
  package static let lateBell = 30 * 60
  /// Days for which it is remembered who was asked to open, so that it is the others' turn.
  static let questionDays = 92
  /// Changes of the sign in SpaceAPI's list of past events.
  static let pastEvents = 10
  /// Changes of the sign in one answer.
  static let historyEntries = 10_000
}
