import Hub
import Wire

/// The checks of a space's settings.
extension FieldCheck {
  /// A colour as "#rrggbb".
  mutating func color(_ field: String) -> String? {
    guard let text = text(field, longest: SpaceLimits.name) else { return nil }
    guard isColor(text) else {
      fail(field, .fieldNoColor, ["seen": .text(text)])
      return nil
    }
    return text.lowercased()
  }

  /// Degrees north and east, both or neither.
  mutating func coordinates(_ north: String, _ east: String) -> SpaceSettings.Coordinates? {
    let before = errors.count
    let latitude = number(north, in: -90...90, isNeeded: false)
    let longitude = number(east, in: -180...180, isNeeded: false)
    if let latitude, let longitude { return .init(latitude: latitude, longitude: longitude) }
    guard errors.count == before else { return nil }
    if latitude != nil { fail(east, .fieldNoPair, ["one": .text(north), "other": .text(east)]) }
    if longitude != nil { fail(north, .fieldNoPair, ["one": .text(north), "other": .text(east)]) }
    return nil
  }

  /// SpaceAPI's contact object (schema 15): texts, and a list of keymasters.
  mutating func contact(_ field: String) -> JSON {
    guard let value = value(field, isNeeded: false, accepted: "an object such as {\"email\": \"…\"}") else {
      return [:]
    }
    guard let members = value.members else {
      fail(field, "\(value.kind); an object such as {\"email\": \"…\"} is accepted.")
      return [:]
    }
    for member in members {
      let path = "\(field).\(member.name)"
      if member.name == "keymasters" {
        keymasters(path, member.value)
      } else if !Self.contactKeys.contains(member.name) {
        fail(path, "unknown; \(Self.contactKeys.joined(separator: ", ")) and keymasters are accepted.")
      } else {
        shortText(path, member.value)
      }
    }
    return value
  }

  private mutating func keymasters(_ path: String, _ value: JSON) {
    guard let people = value.array, (1...SpaceLimits.keymasters).contains(people.count) else {
      return fail(
        path, .fieldNoPeople, ["kind": .text(value.kind), "limit": .number(SpaceLimits.keymasters)])
    }
    for (index, person) in people.enumerated() {
      guard let members = person.members else {
        fail("\(path)[\(index)]", "\(person.kind); an object is accepted.")
        continue
      }
      for member in members {
        if Self.keymasterKeys.contains(member.name) {
          shortText("\(path)[\(index)].\(member.name)", member.value)
        } else {
          fail(
            "\(path)[\(index)].\(member.name)",
            "unknown; \(Self.keymasterKeys.joined(separator: ", ")) are accepted.")
        }
      }
      if !members.contains(where: { ["irc_nick", "phone", "email", "twitter"].contains($0.name) }) {
        fail("\(path)[\(index)]", .fieldUnreachable)
      }
    }
  }

  private mutating func shortText(_ path: String, _ value: JSON) {
    guard let text = value.string else { return fail(path, "\(value.kind); a text is accepted.") }
    if text.isEmpty || !FieldCheck.fits(text, SpaceLimits.text) {
      fail(path, .fieldLength, ["count": .number(text.count), "limit": .number(SpaceLimits.text)])
    }
  }

  private static let contactKeys = [
    "phone", "sip", "irc", "twitter", "mastodon", "facebook", "identica", "foursquare", "email", "ml", "xmpp",
    "issue_mail", "gopher", "matrix", "mumble",
  ]
  private static let keymasterKeys = ["name", "irc_nick", "phone", "email", "twitter", "xmpp", "mastodon", "matrix"]
}

/// Whether a text is a colour as "#rrggbb".
func isColor(_ text: String) -> Bool {
  let digits = text.utf8.dropFirst()
  return text.utf8.first == UInt8(ascii: "#") && digits.count == 6
    && digits.allSatisfy { Character(UnicodeScalar($0)).isHexDigit }
}

/// What people can get wrong in the forms of a space.
extension Reason.Kind {
  static let fieldNoPair = Self("field-no-pair", "missing; {one} and {other} are given together or not at all.")
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
