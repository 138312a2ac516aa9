import Calendar
import CivilTime
package import Hub
package import Wire

extension Favourite {
  /// Parses `{"favourites": […]}` as devices send it.
  /// - Parameter now: in milliseconds since 1970; later times are replaced by it.
  /// - Throws: the first fault. A list with a fault is refused as a whole.
  package static func list(_ json: JSON, now: Int) throws(FieldError) -> [Favourite] {
    guard let list = json["favourites"]?.array else {
      throw FieldError("favourites", "\(json["favourites"]?.kind ?? "missing"); a list is needed.")
    }
    guard list.count <= ProgrammeLimits.favourites else {
      throw FieldError("favourites", "\(list.count) entries; at most \(ProgrammeLimits.favourites) are accepted.")
    }
    var favourites: [Favourite] = []
    favourites.reserveCapacity(list.count)
    for (index, entry) in list.enumerated() {
      favourites.append(try Favourite(entry, path: "favourites[\(index)]", now: now))
    }
    return favourites
  }

  private init(_ json: JSON, path: String, now: Int) throws(FieldError) {
    guard let event = json["event"]?.string, isOccurrenceID(event) else {
      throw FieldError("\(path).event", "\(json["event"]?.text ?? "missing"); an event's identifier is accepted.")
    }
    guard let kept = json["kept"]?.bool else {
      throw FieldError("\(path).kept", "\(json["kept"]?.kind ?? "missing"); true or false is accepted.")
    }
    guard let at = json["at"]?.string.flatMap(parseMilliseconds) else {
      throw FieldError(
        "\(path).at", "\(json["at"]?.text ?? "missing"); a time such as 2026-11-20T18:40:00.123Z is accepted.")
    }
    var seen: EventGlance?
    if let value = json["seen"], value != .null { seen = try EventGlance(value, path: "\(path).seen") }
    self.init(event: event, kept: kept, at: min(at, now), seen: seen)
  }
}

extension EventGlance {
  init(_ json: JSON, path: String) throws(FieldError) {
    guard json.members != nil else { throw FieldError(path, "\(json.kind); an object is accepted.") }
    func text(_ name: String) throws(FieldError) -> String {
      guard let text = json[name]?.string, text.utf8.count <= CalendarLimits.lineBytes else {
        let seen = json[name].map { $0.string.map { "\($0.utf8.count) bytes" } ?? $0.kind } ?? "missing"
        throw FieldError("\(path).\(name)", "\(seen); a text of at most \(CalendarLimits.lineBytes) bytes is accepted.")
      }
      return text
    }
    func time(_ name: String) throws(FieldError) -> String {
      let text = try text(name)
      guard parseTimestamp(text) != nil else {
        throw FieldError("\(path).\(name)", "\"\(shortened(text, bytes: 80))\"; a time as events have it is accepted.")
      }
      return text
    }
    let status = try text("status")
    guard EventStatus(rawValue: status) != nil else {
      throw FieldError("\(path).status", "confirmed, tentative or cancelled is accepted.")
    }
    let allDay = json["all_day"] ?? .null
    guard allDay == .null || allDay.bool != nil else {
      throw FieldError("\(path).all_day", "\(allDay.kind); true or false is accepted.")
    }
    let hasPlace = json["location"].map { $0 != .null } ?? false
    self.init(
      title: try text("title"), start: try time("start"), end: try time("end"),
      location: hasPlace ? try text("location") : nil, status: status, isAllDay: allDay.bool)
  }
}

/// Parses an RFC 3339 time to milliseconds since 1970, rounded down.
package func parseMilliseconds(_ text: String) -> Int? {
  guard let seconds = parseTimestamp(text) else { return nil }
  var thousandths = 0
  if let point = text.utf8.firstIndex(of: UInt8(ascii: ".")) {
    var digits = text.utf8[text.utf8.index(after: point)...].prefix { (0x30...0x39).contains($0) }.prefix(3).map { $0 }
    while digits.count < 3 { digits.append(0x30) }
    for digit in digits { thousandths = thousandths * 10 + Int(digit - 0x30) }
  }
  return seconds * 1000 + thousandths
}

/// "2026-11-20T18:40:00.123Z"
package func timestamp(milliseconds: Int) -> String {
  let (seconds, rest) = (milliseconds / 1000, milliseconds % 1000)
  // Before 1970, the remainder is negative.
  let (whole, thousandths) = rest < 0 ? (seconds - 1, rest + 1000) : (seconds, rest)
  let digits = String(thousandths)
  return timestamp(whole, in: .utc).dropLast() + "." + String(repeating: "0", count: 3 - digits.count) + digits + "Z"
}
