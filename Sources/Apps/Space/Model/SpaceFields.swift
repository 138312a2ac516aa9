import Hub
import Wire

/// The checks of a space's settings.
extension FieldCheck {
  /// Checks SpaceAPI's contact object (schema 15): texts, and a list of keymasters.
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
        if ["email", "issue_mail"].contains(member.name) { mailAddress(path, member.value) }
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
          if member.name == "email" { mailAddress("\(path)[\(index)].email", member.value) }
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

  /// Checks what people mistype: a mail server's name has a dot. Only a mail would tell if somebody reads it.
  private mutating func mailAddress(_ path: String, _ value: JSON) {
    guard let text = value.string, !text.isEmpty else { return }
    let parts = text.split(separator: "@", omittingEmptySubsequences: false)
    let labels = parts.count == 2 ? parts[1].split(separator: ".", omittingEmptySubsequences: false) : []
    let isAddress =
      labels.count > 1 && labels.allSatisfy { !$0.isEmpty } && !parts[0].isEmpty
      && !text.contains { $0.isWhitespace || ",;:<>()[]\"\\/".contains($0) }
    if !isAddress { fail(path, .fieldNoMail, ["seen": .text(text)]) }
  }

  private static let contactKeys = [
    "phone", "sip", "irc", "twitter", "mastodon", "facebook", "identica", "foursquare", "email", "ml", "xmpp",
    "issue_mail", "gopher", "matrix", "mumble",
  ]
  private static let keymasterKeys = ["name", "irc_nick", "phone", "email", "twitter", "xmpp", "mastodon", "matrix"]
}

/// Mistakes in the forms of a space.
extension Reason.Kind {
  static let fieldUnreachable = Self(
    "field-unreachable", "no way to reach them; one of irc_nick, phone, email, twitter is needed.")
  static let fieldNoPeople = Self("field-no-people", "{kind}; a list of 1 to {limit} people is accepted.")
  static let fieldNoMail = Self(
    "field-no-mail", "\"{seen}\" is not an e-mail address; one such as hello@space.example is accepted.")
  static let followedAddress = Self(
    "followed-address",
    "{seen}; the address of a spaceapi.json that begins with http:// or https:// is accepted.")
}
