package import Wire

/// What is wrong with one field of what was sent: the value seen and what is accepted.
package struct FieldError: Error, Equatable, Sendable {
  package var field: String
  /// Without the field's name.
  package var reason: Reason

  /// A whole sentence, which begins with the field.
  package var message: String { "\(field): \(reason.text)" }

  package init(_ field: String, _ reason: Reason) {
    self.field = field
    self.reason = reason
  }

  /// What no page of ours sends.
  package init(_ field: String, _ words: String) {
    self.init(field, Reason(.notAccepted, ["words": .text(words)]))
  }
}

/// What people can get wrong in a form.
extension Reason.Kind {
  static let notAccepted = Self("not-accepted", "{words}")
  static let fieldMissing = Self("field-missing", "{seen}; {accepted} is needed.")
  static let fieldEmpty = Self("field-empty", "empty; a text is needed.")
  static let fieldTooLong = Self("field-too-long", "{count} characters; at most {limit} are accepted.")
  static let fieldLength = Self("field-length", "{count} characters; 1 to {limit} are accepted.")
  static let fieldNoLine = Self(
    "field-no-line", "{kind}; a text of one line, of at most {limit} characters, is accepted.")
  static let fieldNoNumber = Self("field-no-number", "{seen}; a number from {first} to {last} is accepted.")
  static let fieldNoPair = Self("field-no-pair", "missing; {one} and {other} are given together or not at all.")
  static let fieldNoAddress = Self(
    "field-no-address", "\"{seen}\"; an address that begins with http:// or https:// is accepted.")
  static let fieldNoColor = Self("field-no-color", "\"{seen}\"; a colour such as #0b5585 is accepted.")
  static let fieldNoZone = Self("field-no-zone", "\"{seen}\"; an IANA name such as Europe/Berlin is accepted.")
  static let fieldNoTime = Self(
    "field-no-time", "{seen}; a time from 1970 to 9998 such as 2026-11-20T23:00:00+01:00, or 23:00, is accepted.")
  static let fieldUnreachable = Self(
    "field-unreachable", "no way to reach them; one of irc_nick, phone, email, twitter is needed.")
  static let fieldNoPeople = Self("field-no-people", "{kind}; a list of 1 to {limit} people is accepted.")
  static let calendarsTooMany = Self(
    "calendars-too-many", "{count} calendars; a list of at most {limit} calendars is accepted.")
  static let calendarTwice = Self("calendar-twice", "{seen} stands in the list twice.")
  static let calendarAddress = Self("calendar-address", "{seen}; an address of http:, https: or file: is accepted.")
  static let calendarFolder = Self(
    "calendar-folder",
    "\"{seen}\"; files in the data folder (file:NAME.ics) and in the folders of calendar_folders are accepted.")
  static let googleWord = Self(
    "google-word", "{seen}; {example}, of at most {limit} letters, digits and signs, is accepted.")
  static let followedAddress = Self(
    "followed-address",
    "{seen}; the address of a spaceapi.json that begins with http:// or https:// is accepted.")
}
