package import Calendar
package import Hub
package import Wire

extension CalendarSource {
  /// All settings, for the owner only.
  package var json: JSON {
    var members = [JSON.Member("kind", .string(kind)), place]
    switch origin {
    case .google(_, let key): members.append(.init("key", .string(key)))
    case .caldav(_, let user, let password):
      if let user { members.append(.init("user", .string(user))) }
      if let password { members.append(.init("password", .string(password))) }
    case .ics, .upload: break
    }
    if let name { members.append(.init("name", .string(name))) }
    if let color { members.append(.init("color", .string(color))) }
    return .object(members)
  }

  /// Its address, or what it is called where it is; nothing secret.
  var place: JSON.Member {
    switch origin {
    case .ics(let url), .caldav(let url, _, _): JSON.Member("url", .string(url))
    case .google(let id, _), .upload(let id): JSON.Member("id", .string(id))
    }
  }
}

extension FieldCheck {
  /// - Parameter isAllowed: returns true if a file at an address may be read.
  package mutating func calendars(_ field: String, isAllowed: (String) -> Bool) -> [CalendarSource] {
    guard let value = value(field, isNeeded: false, accepted: "a list") else { return [] }
    guard let list = value.array, list.count <= ProgrammeLimits.calendars else {
      if let count = value.array?.count {
        fail(field, .calendarsTooMany, ["count": .number(count), "limit": .number(ProgrammeLimits.calendars)])
      } else {
        fail(field, "\(value.kind); a list of at most \(ProgrammeLimits.calendars) calendars is accepted.")
      }
      return []
    }
    var calendars: [CalendarSource] = []
    for (index, entry) in list.enumerated() {
      let path = "\(field)[\(index)]"
      guard entry.members != nil else {
        fail(path, "\(entry.kind); an object such as {\"kind\": \"ics\", \"url\": \"…\"} is accepted.")
        continue
      }
      guard let origin = calendarOrigin(path, entry, isAllowed: isAllowed) else { continue }
      let name = shownName("\(path).name", entry["name"])
      let color = color("\(path).color", entry["color"])
      let calendar = CalendarSource(origin, name: name, color: color)
      if calendars.contains(where: { $0.address == calendar.address }) {
        let member = entry["url"] == nil ? "id" : "url"
        fail("\(path).\(member)", .calendarTwice, ["seen": .text(entry[member]?.text ?? "")])
      }
      calendars.append(calendar)
    }
    return calendars
  }

  private mutating func calendarOrigin(
    _ path: String, _ entry: JSON, isAllowed: (String) -> Bool
  ) -> CalendarSource.Origin? {
    switch entry["kind"]?.string {
    case "ics":
      refuseOthers(path, entry, ["kind", "url", "name", "color"])
      guard let url = address("\(path).url", entry["url"], ["http", "https", "file"]) else { return nil }
      if url.lowercased().hasPrefix("file:"), !isAllowed(url) {
        fail("\(path).url", .calendarFolder, ["seen": .text(url)])
      }
      return .ics(url: url)
    case "google":
      refuseOthers(path, entry, ["kind", "id", "key", "name", "color"])
      let id = secretWord("\(path).id", entry["id"], isShown: true, "such as ours@group.calendar.google.com")
      let key = secretWord("\(path).key", entry["key"], isShown: false, "an API key of the Google Cloud console")
      guard let id, let key else { return nil }
      return .google(id: id, key: key)
    case "caldav":
      refuseOthers(path, entry, ["kind", "url", "user", "password", "name", "color"])
      guard let url = address("\(path).url", entry["url"], ["http", "https"]) else { return nil }
      var isGood = true
      for member in ["user", "password"] {
        guard let value = entry[member], value != .null else { continue }
        let isLine = value.string.map { FieldCheck.fits($0, ProgrammeLimits.name) && !$0.utf8.contains { $0 < 32 } }
        if isLine != true || member == "user" && value.string?.contains(":") == true {
          fail(
            "\(path).\(member)",
            "\(value.kind); one line of at most \(ProgrammeLimits.name) characters is accepted.")
          isGood = false
        }
      }
      guard isGood else { return nil }
      return .caldav(url: url, user: entry["user"]?.string, password: entry["password"]?.string)
    case "upload":
      refuseOthers(path, entry, ["kind", "id", "name", "color"])
      guard let id = entry["id"]?.string, ProgrammeLimits.isUploadID(id) else {
        fail("\(path).id", "\(entry["id"]?.text ?? "missing"); \(ProgrammeLimits.uploadIDs) are accepted.")
        return nil
      }
      return .upload(id: id)
    default:
      fail(
        "\(path).kind",
        "\(entry["kind"]?.text ?? "missing"); \"ics\", \"google\", \"caldav\" or \"upload\" is accepted.")
      return nil
    }
  }

  private mutating func refuseOthers(_ path: String, _ entry: JSON, _ known: [String]) {
    for member in entry.members ?? [] where !known.contains(member.name) {
      fail("\(path).\(member.name)", "unknown; \(known.joined(separator: ", ")) are accepted.")
    }
  }

  private mutating func address(_ path: String, _ value: JSON?, _ schemes: [String]) -> String? {
    guard let url = value?.string, FieldCheck.fits(url, ProgrammeLimits.url), WebAddress.isValid(url, schemes: schemes)
    else {
      fail(path, .calendarAddress, ["seen": .text(value?.text ?? "missing")])
      return nil
    }
    return url
  }

  /// Printable ASCII without spaces. Errors about a key do not repeat it.
  private mutating func secretWord(_ path: String, _ value: JSON?, isShown: Bool, _ example: String) -> String? {
    if let word = value?.string, (1...ProgrammeLimits.googleWord).contains(word.utf8.count),
      word.utf8.allSatisfy({ $0 > 32 && $0 < 127 })
    {
      return word
    }
    let seen = value.map { isShown ? $0.text : $0.kind } ?? "missing"
    fail(
      path, .googleWord,
      ["seen": .text(seen), "example": .text(example), "limit": .number(ProgrammeLimits.googleWord)])
    return nil
  }

  private mutating func shownName(_ path: String, _ value: JSON?) -> String? {
    guard let value, value != .null else { return nil }
    guard let name = value.string, FieldCheck.fits(name, ProgrammeLimits.name),
      name.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 })
    else {
      fail(path, .fieldNoLine, ["kind": .text(value.kind), "limit": .number(ProgrammeLimits.name)])
      return nil
    }
    return name.isEmpty ? nil : name
  }

  private mutating func color(_ path: String, _ value: JSON?) -> String? {
    guard let value, value != .null else { return nil }
    guard let color = value.string, isColor(color) else {
      fail(path, .fieldNoColor, ["seen": .text(value.text)])
      return nil
    }
    return color.lowercased()
  }
}

/// Mistakes in the list of calendars.
extension Reason.Kind {
  static let calendarsTooMany = Self(
    "calendars-too-many", "{count} calendars; a list of at most {limit} calendars is accepted.")
  static let calendarTwice = Self("calendar-twice", "{seen} stands in the list twice.")
  static let calendarAddress = Self("calendar-address", "{seen}; an address of http:, https: or file: is accepted.")
  static let calendarFolder = Self(
    "calendar-folder",
    "\"{seen}\"; files in the data folder (file:NAME.ics) and in the folders of calendar_folders are accepted.")
  static let googleWord = Self(
    "google-word", "{seen}; {example}, of at most {limit} letters, digits and signs, is accepted.")
}
