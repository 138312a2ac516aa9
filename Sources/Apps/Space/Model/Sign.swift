package import CivilTime
package import Hub
package import Wire

/// The state of the sign at the door.
package struct Sign: Equatable, Sendable {
  /// The origin of the sign's state.
  package enum Source: String, Sendable {
    case person
    /// The contact on the door.
    case contact
  }

  /// Nil if unknown: nobody has turned it yet, or the contact has fallen silent.
  package var open: Bool?
  /// The time of the last change between open, closed and unknown, in seconds since 1970; nil before the first turn.
  package var lastChange: Int?
  package var message: String?
  /// The intended end of this state, in seconds since 1970. It never turns the sign by itself.
  package var until: Int?
  /// The name of the person who turned it, as they want to be named.
  package var by: String?
  /// Nil before the first turn.
  package var source: Source?

  package static let unknown = Sign()

  package init(
    open: Bool? = nil, lastChange: Int? = nil, message: String? = nil, until: Int? = nil, by: String? = nil,
    source: Source? = nil
  ) {
    self.open = open
    self.lastChange = lastChange
    self.message = message
    self.until = until
    self.by = by
    self.source = source
  }

  /// The sign after a turn. The same `open` again keeps `lastChange`; fields that the turn does not set are removed.
  package func turned(_ turn: SignTurn, now: Int) -> Sign {
    Sign(
      open: turn.open, lastChange: turn.open == open ? lastChange ?? now : now, message: turn.message,
      until: turn.until, by: turn.by, source: .person)
  }

  /// The time since when a formerly known state is unknown.
  package var unknownSince: Int? { open == nil ? lastChange : nil }

  /// The state as the API's word.
  package var state: String { open.map { $0 ? "open" : "closed" } ?? "unknown" }

  /// The form for the API and the live channel.
  /// - Parameters:
  ///   - turn: the number of the turn that set this state; 0 before the first.
  ///   - opens: when a closed space opens next, in seconds since 1970.
  package func json(turn: Int, zone: Zone, asOf now: Int, opens: Int? = nil) -> JSON {
    func told(_ instant: Int?) -> JSON { JSON(instant: instant, in: zone) }
    return [
      "state": .string(state), "open": JSON(open), "lastchange": JSON(lastChange), "since": told(lastChange),
      "unknown_since": told(unknownSince), "source": JSON(source?.rawValue), "message": JSON(message),
      "until": told(until), "until_passed": .bool(until.map { $0 <= now } ?? false), "by": JSON(by),
      "opens": told(opens), "turn": .int(turn), "as_of": told(now),
    ]
  }
}

/// A person's turn of the sign.
package struct SignTurn: Equatable, Sendable {
  package var open: Bool
  package var message: String?
  package var until: Int?
  package var by: String?

  package init(open: Bool, message: String? = nil, until: Int? = nil, by: String? = nil) {
    self.open = open
    self.message = message
    self.until = until
    self.by = by
  }

  /// Parses `{"open": true, "message": …, "until": …, "by": …}`.
  package init(_ json: JSON, now: Int, zone: Zone) throws(FieldError) {
    guard let members = json.members else { throw FieldError("body", "\(json.kind); an object is accepted.") }
    let known = ["open", "message", "until", "by"]
    if let unknown = members.first(where: { !known.contains($0.name) }) {
      throw FieldError(unknown.name, "unknown; \(known.joined(separator: ", ")) are accepted.")
    }
    guard let open = json["open"]?.bool else {
      throw FieldError("open", "\(json["open"]?.kind ?? "missing"); true or false is accepted.")
    }
    self.open = open
    message = try Self.text(json, "message", longest: SpaceLimits.message)
    by = try Self.text(json, "by", longest: SpaceLimits.name)
    if let until = json["until"], until != .null { self.until = try Self.until(until, now: now, zone: zone) }
  }

  private static func text(_ json: JSON, _ field: String, longest: Int) throws(FieldError) -> String? {
    guard let value = json[field], value != .null else { return nil }
    guard let text = value.string else { throw FieldError(field, "\(value.kind); a text is accepted.") }
    guard FieldCheck.fits(text, longest) else {
      throw FieldError(
        field, Reason(.fieldTooLong, ["count": .number(text.count), "limit": .number(longest)]))
    }
    return text.isEmpty ? nil : text
  }

  /// Parses an RFC 3339 time, or HH:MM for the next time that the space's clock shows it.
  private static func until(_ json: JSON, now: Int, zone: Zone) throws(FieldError) -> Int {
    guard let text = json.string else { throw untilError(json.kind) }
    if let instant = parseTimestamp(text) {
      guard SpaceLimits.until.contains(instant) else { throw untilError("\"\(text)\"") }
      return instant
    }
    guard let secondOfDay = parseTimeOfDay(text) else { throw untilError("\"\(text)\"") }
    let today = zone.wall(at: now).date
    for day in [today, today.adding(1)] {
      let wall = WallTime(date: day, secondOfDay: secondOfDay)
      let first = zone.instant(of: wall)
      // When the clocks go back, by half an hour to two hours, the same time comes twice.
      for instant in [0, 1800, 3600, 7200].map({ first + $0 })
      where instant > now && (instant == first || zone.wall(at: instant) == wall) {
        return instant
      }
    }
    throw untilError("\"\(text)\"")
  }

  private static func untilError(_ seen: String) -> FieldError {
    FieldError("until", Reason(.fieldNoTime, ["seen": .text(seen)]))
  }
}
