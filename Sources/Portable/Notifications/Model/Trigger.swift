public import CivilTime

/// The condition on which a notification appears (UNNotificationTrigger).
public indirect enum Trigger: Equatable, Sendable {
  /// It came from the hub.
  case push
  /// So many seconds after the request was added.
  case interval(seconds: Int, repeats: Bool)
  /// When the clock shows these components, in the named zone, or else in the device's.
  case calendar(DateComponents, zone: ZoneName?, repeats: Bool)
  /// When the device crosses the edge of a circle.
  case location(Circle, on: Crossing, repeats: Bool)

  public enum Crossing: Sendable, Named {
    case enter, leave, both

    static var names: [(StaticString, Self)] { [("enter", .enter), ("leave", .leave), ("both", .both)] }
    static var accepted: StaticString { "enter, leave or both is accepted" }
  }

  private enum Kind: Named {
    case push, interval, calendar, location

    static var names: [(StaticString, Self)] {
      [("push", .push), ("interval", .interval), ("calendar", .calendar), ("location", .location)]
    }
    static var accepted: StaticString { "push, interval, calendar or location is accepted" }
  }

  public var repeats: Bool {
    switch self {
    case .push: false
    case .interval(_, let repeats), .calendar(_, _, let repeats), .location(_, _, let repeats): repeats
    }
  }

  init?(_ json: JSONValue, at path: [UInt8], _ faults: inout Faults) {
    let before = faults.all.count
    if json["type"] == nil { faults.refuse(Field(path, "type"), nil, .words(Kind.accepted)) }
    guard let kind = faults.word(json, Field(path, "type"), Kind.self) else { return nil }
    let repeats = faults.bool(json, Field(path, "repeats")) ?? false
    switch kind {
    case .push:
      if repeats { faults.refuse(Field(path, "repeats"), json["repeats"], .words("false is accepted for push")) }
      self = .push
    case .interval:
      let least = repeats ? NotificationLimits.repeatingSeconds : 1
      let range = least...NotificationLimits.intervalSeconds
      if json["seconds"] == nil { faults.refuse(Field(path, "seconds"), nil, .integer(range)) }
      self = .interval(seconds: faults.integer(json, Field(path, "seconds"), range) ?? least, repeats: repeats)
    case .calendar:
      let components = DateComponents(json, at: path, &faults)
      let zone = faults.text(json, Field(path, "zone"), 1...NotificationLimits.identifierBytes)
      if let zone, !zone.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) {
        faults.refuse(Field(path, "zone"), json["zone"], .words("a name such as Europe/Berlin is accepted"))
      }
      self = .calendar(components, zone: zone.map { ZoneName(utf8: $0) }, repeats: repeats)
    case .location:
      let circle = Circle(json, at: path, &faults)
      if json["on"] == nil { faults.refuse(Field(path, "on"), nil, .words(Crossing.accepted)) }
      self = .location(circle, on: faults.word(json, Field(path, "on"), Crossing.self) ?? .enter, repeats: repeats)
    }
    if faults.all.count > before { return nil }
  }

  /// The first time after `moment` at which this trigger fires, if it was added at `added` (both seconds since 1970);
  /// nil if there is none, as for a push and a place.
  /// - Parameter zone: the device's, or the one that the trigger names.
  public func next(after moment: EpochSeconds, added: EpochSeconds, in zone: Zone) -> EpochSeconds? {
    switch self {
    case .push, .location: return nil
    case .interval(let seconds, let repeats):
      let first = added + EpochSeconds(seconds)
      if first > moment { return first }
      guard repeats else { return nil }
      return first + ((moment - first) / EpochSeconds(seconds) + 1) * EpochSeconds(seconds)
    case .calendar(let components, _, let repeats):
      if repeats { return components.next(after: max(moment, added), in: zone) }
      guard let first = components.next(after: added, in: zone), first > moment else { return nil }
      return first
    }
  }
}

/// The name of a time zone, compared byte by byte.
public struct ZoneName: Equatable, Sendable {
  let utf8: [UInt8]

  /// Such as "Europe/Berlin".
  public var text: String { String(decoding: utf8, as: UTF8.self) }
}
