/// The limits of this room. Those of calendars are `CalendarLimits`.
package enum SpaceLimits {
  /// Seconds after which it is tried again to keep what could not be kept.
  static let retrySeconds = 10.0
  /// Characters of a sign's message, and of any name.
  package static let message = 500
  package static let name = 100
  /// Seconds since 1970 that an `until` may be: up to the end of 9998, so that it has a year of four digits in any
  /// zone. What is past is shown as past.
  static let until = 0..<253_370_764_800
  /// Characters of an address, of opening hours and of a URL.
  package static let text = 500
  package static let url = 2_000
  /// Bytes of a picture: what a good camera makes, untouched.
  package static let pictureBytes = 64 << 20
  /// Pixels of an icon's side that systems ask for at least, to install a page.
  static let iconPixels = 192
  package static let keymasters = 50
  /// Days of events told to someone who does not say until when.
  package static let usualDays = 92
  /// Seconds between two reports of a door contact: as often as a network bears, at least once a day.
  package static let heartbeat = 1.0...86_400
  /// Days for which the turns of the sign are kept: ten years, of which a club makes about a megabyte.
  package static let signDays = 10 * 366
  /// Changes of the sign that are kept of one day (UTC): one in three minutes. A contact that flutters, or a program
  /// that turns the sign in a loop, makes some 60 KB a day of them.
  package static let turnsOfDay = 500
  /// After so many turns room is made again: by so many there may be more than the above.
  package static let turnsRoom = 100
  /// Seconds after which a turn cannot be taken back any more. The page offers it for ten; a slow network needs some.
  package static let undoSeconds = 60
  /// Days of the picture of when the space is usually open: twelve weeks, so that a habit shows and an old one fades.
  package static let pictureDays = 84
  /// Sensors of one space.
  package static let sensors = 100
  /// Seconds between two reports of a sensor that does not say how often it reports.
  package static let sensorHeartbeat = 900.0
  /// People who may be named as present.
  static let namesPresent = 200
  /// Spaces that the hub follows for everybody, and that one person follows.
  package static let followed = 50
  package static let followedByPerson = 10
  /// Bytes of another space's document, and seconds until it is there.
  package static let followedBytes = 1 << 20
  static let followedSeconds = 20.0
  /// Looks at other spaces at the same time: each is a socket, and one that never answers holds it for the above.
  package static let followedLooks = 8
  /// Seconds between two looks at another space, and the longest pause after failures.
  package static let followedRefresh = 300.0
  package static let followedPause = 6 * 3600.0
  /// Changes of the sign in SpaceAPI's list of past events.
  static let pastEvents = 10
  /// Changes of the sign told in one answer.
  static let historyEntries = 10_000
}
