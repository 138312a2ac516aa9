/// The limits of this room. Those of calendars are `CalendarLimits`.
package enum ProgrammeLimits {
  /// Characters of a calendar's name, and of a URL.
  static let name = 100
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
  /// Events of one answer, and bytes of their texts.
  static let events = 20_000
  static let answerBytes = 8 << 20
  /// Bytes of an event's other fields and of all names of fields in an answer, about.
  static let eventBytes = 350
  /// Bytes of an answer about events after which memory is given back.
  static let largeAnswerBytes = 256 << 10
  /// Different questions about the programme that wait for its thread, and that one asker has there at once. A page
  /// asks three; what many ask is one question.
  package static let questions = 128
  package static let questionsOfOne = 8
  /// Bytes of compressed answers about events kept ready.
  static let keptBytes = 8 << 20
  /// Days of events told to someone who does not say until when.
  static let usualDays = 92
}
