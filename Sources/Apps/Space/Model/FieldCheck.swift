import Wire

/// Takes an object apart field by field and remembers everything that is wrong with it, so that whoever sent it can
/// mend it in one go.
struct FieldCheck {
  private(set) var errors: [FieldError] = []
  private let json: JSON

  init(_ json: JSON, known: [String]) {
    self.json = json
    guard let members = json.members else {
      fail("body", "\(json.kind); an object is accepted.")
      return
    }
    for member in members where !known.contains(member.name) {
      fail(member.name, "unknown; \(known.joined(separator: ", ")) are accepted.")
    }
  }

  /// The field as it was sent.
  subscript(_ field: String) -> JSON? { json[field] }

  mutating func fail(_ field: String, _ message: String) { errors.append(FieldError(field, message)) }

  mutating func fail(_ field: String, _ kind: Reason.Kind, _ values: KeyValuePairs<String, Reason.Value> = [:]) {
    errors.append(FieldError(field, Reason(kind, values)))
  }

  /// A value that is there and not null.
  mutating func value(_ field: String, isNeeded: Bool, accepted: String) -> JSON? {
    guard json.members != nil else { return nil }
    if let value = json[field], value != .null { return value }
    if isNeeded {
      fail(
        field, .fieldMissing, ["seen": .text(json[field] == nil ? "missing" : "null"), "accepted": .text(accepted)])
    }
    return nil
  }

  mutating func text(_ field: String, longest: Int, isNeeded: Bool = false) -> String? {
    guard let value = value(field, isNeeded: isNeeded, accepted: "a text") else { return nil }
    guard let text = value.string else {
      fail(field, "\(value.kind); a text is accepted.")
      return nil
    }
    guard SpaceLimits.fits(text, longest) else {
      fail(field, .fieldTooLong, ["count": .number(text.count), "limit": .number(longest)])
      return nil
    }
    if text.isEmpty, isNeeded { fail(field, .fieldEmpty) }
    return text.isEmpty ? nil : text
  }

  mutating func number(_ field: String, in range: ClosedRange<Double>, isNeeded: Bool = true) -> Double? {
    let accepted = "a number from \(Int(range.lowerBound)) to \(Int(range.upperBound))"
    guard let value = value(field, isNeeded: isNeeded, accepted: accepted) else { return nil }
    guard let number = value.number, range.contains(number) else {
      fail(
        field, .fieldNoNumber,
        [
          "seen": .text(value.number == nil ? value.kind : value.text), "first": .number(Int(range.lowerBound)),
          "last": .number(Int(range.upperBound)),
        ])
      return nil
    }
    return number
  }

  mutating func flag(_ field: String) -> Bool? {
    guard let value = value(field, isNeeded: true, accepted: "true or false") else { return nil }
    if let flag = value.bool { return flag }
    fail(field, "\(value.kind); true or false is accepted.")
    return nil
  }

  mutating func webAddress(_ field: String, isNeeded: Bool) -> String? {
    guard let text = text(field, longest: SpaceLimits.url, isNeeded: isNeeded) else { return nil }
    guard WebAddress.isValid(text, schemes: ["http", "https"]) else {
      fail(field, .fieldNoAddress, ["seen": .text(text)])
      return nil
    }
    return text
  }

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
    if text.isEmpty || !SpaceLimits.fits(text, SpaceLimits.text) {
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

/// The shape of an address; whether something answers there is seen when it is asked.
package enum WebAddress {
  package static func isValid(_ text: String, schemes: [String]) -> Bool {
    guard let colon = text.firstIndex(of: ":"), schemes.contains(text[..<colon].lowercased()),
      text.utf8.allSatisfy({ $0 > 32 && $0 != 127 && $0 != 34 && $0 != 60 && $0 != 62 && $0 != 92 })
    else { return false }
    let rest = text[text.index(after: colon)...]
    if text[..<colon].lowercased() == "file" { return rest.count > 0 && rest != "//" && rest != "///" }
    guard rest.hasPrefix("//") else { return false }
    let host = rest.dropFirst(2).prefix { !"/?#".contains($0) }
    return !host.isEmpty && !host.hasPrefix(":")
  }
}
