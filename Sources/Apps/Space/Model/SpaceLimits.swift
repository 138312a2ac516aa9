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
  package static let calendars = 20
  /// Bytes of the identifier of a Google calendar, and of a key: they have about 60 and 39.
  static let googleWord = 300
  /// Files of calendars that an owner may leave here, used or not.
  package static let uploads = 20
  static func isUploadID(_ id: String) -> Bool {
    (1...40).contains(id.utf8.count)
      && id.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
  }
  /// Bytes of a picture: what a good camera makes, untouched.
  package static let pictureBytes = 64 << 20
  /// Pixels of an icon's side that systems ask for at least, to install a page.
  static let iconPixels = 192
  package static let keymasters = 50
  /// Favourites of one person, the removed ones that others have to hear of among them.
  package static let favourites = 2_000
  /// Bytes of favourites that a device sends at once.
  static let favouriteBytes = 8 << 20
  /// Seconds after an event for which it is known that somebody did not want it any more, or who opened for it.
  package static let tombstoneSeconds = 366 * 86_400
  /// Events with somebody who opens, or is wanted.
  package static let openings = 2_000
  /// Of these, that one person has asked for or opens, and that are not over: twice a week for a year.
  package static let openingsOfOne = 100
  /// Calendars to subscribe to that are kept ready.
  static let keptFeeds = 32
  /// Days one question for events or history may span: five years and their leap days.
  package static let days = 5 * 366
  /// Days of events told to someone who does not say until when.
  package static let usualDays = 92
  /// Events of one answer, and bytes of their texts.
  static let events = 20_000
  static let answerBytes = 8 << 20
  /// Bytes of an event's other fields and of all names of fields in an answer, about.
  static let eventBytes = 350
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
  /// Bytes of an answer about events after which memory is given back.
  static let largeAnswerBytes = 256 << 10
  /// Different questions about the programme that wait for its thread, and that one asker has there at once. A page
  /// asks three; what many ask is one question.
  package static let questions = 128
  package static let questionsOfOne = 8
  /// Bytes of compressed answers about events kept ready.
  static let keptBytes = 8 << 20
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
