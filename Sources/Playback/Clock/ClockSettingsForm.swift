import CivilTime
public import SpeakingClock
public import Wire

/// A clock's settings as the API, a device's state and the page have them:
/// `{"every":15,"hours":12,"language":"en","quarters":"past","strokes":"one","oclock":false,"style":"speech",
/// "quiet":{"from":"22:00","to":"07:00"},"voice":"english","zone":"device"}`.
public struct ClockSettingsForm: Equatable, Sendable {
  public var settings: ClockSettings
  /// A built-in voice, or the id of a recorded one.
  public var voice: String
  /// "device" for the zone of where the device is, or an IANA name.
  public var zone: String

  public static let ofDevice = "device"
  /// Bytes of a voice's or a zone's name.
  static let nameBytes = 64

  public struct Fault: Error, Equatable, Sendable {
    /// A sentence with what was seen and what is accepted.
    public var message: String
  }

  public init(settings: ClockSettings = ClockSettings(), voice: String = "english", zone: String = ofDevice) {
    (self.settings, self.voice, self.zone) = (settings, voice, zone)
  }

  /// These settings with the members that an object has instead. Members of a later version are passed over.
  public func changed(by json: JSON) throws(Fault) -> ClockSettingsForm {
    guard let members = json.members else { throw Fault(message: "\(seen(json)); an object is accepted.") }
    var form = self
    for member in members { try form.set(member.name, member.value) }
    return form
  }

  private func seen(_ value: JSON) -> String { String(value.text.prefix(60)) }

  private mutating func set(_ name: String, _ value: JSON) throws(Fault) {
    func wrong(_ accepted: String) -> Fault { Fault(message: "\(name): \(seen(value)); \(accepted) is accepted.") }
    func choice<Choice: RawRepresentable & CaseIterable>(_: Choice.Type) throws(Fault) -> Choice
    where Choice.RawValue == String {
      if let choice = value.string.flatMap(Choice.init(rawValue:)) { return choice }
      throw wrong(Choice.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: " or "))
    }
    func text() throws(Fault) -> String {
      guard let text = value.string, (1...Self.nameBytes).contains(text.utf8.count) else {
        throw wrong("a name of 1 to \(Self.nameBytes) bytes")
      }
      return text
    }
    switch name {
    case "every":
      guard let minutes = value.int, ClockSettings.intervals.contains(minutes) else {
        throw wrong("one of \(ClockSettings.intervals.map(String.init).joined(separator: ", "))")
      }
      settings.every = minutes
    case "hours":
      guard let hours = value.int, hours == 12 || hours == 24 else { throw wrong("12 or 24") }
      settings.isTwentyFourHours = hours == 24
    case "oclock":
      guard let says = value.bool else { throw wrong("true or false") }
      settings.saysOClock = says
    case "language": settings.language = try choice(ClockSettings.Language.self)
    case "quarters": settings.quarters = try choice(ClockSettings.Quarters.self)
    case "strokes": settings.strokes = try choice(ClockSettings.Strokes.self)
    case "style": settings.style = try choice(ClockSettings.Style.self)
    case "quiet":
      guard value != .null else { return settings.quiet = nil }
      guard let from = value["from"]?.string.flatMap(parseTimeOfDay),
        let to = value["to"]?.string.flatMap(parseTimeOfDay)
      else { throw wrong("null, or {\"from\": \"22:00\", \"to\": \"07:00\"}") }
      settings.quiet = QuietHours(from: from / 60, to: to / 60)
    case "voice": voice = try text()
    case "zone": zone = try text()
    default: break
    }
  }

  /// All members, as every reader of them expects.
  public var json: JSON {
    let quiet = settings.quiet.map { quiet -> JSON in
      ["from": .string(timeOfDay(quiet.from * 60)), "to": .string(timeOfDay(quiet.to * 60))]
    }
    return [
      "every": .int(settings.every), "hours": .int(settings.isTwentyFourHours ? 24 : 12),
      "language": .string(settings.language.rawValue), "quarters": .string(settings.quarters.rawValue),
      "strokes": .string(settings.strokes.rawValue), "oclock": .bool(settings.saysOClock),
      "style": .string(settings.style.rawValue), "quiet": quiet ?? .null, "voice": .string(voice),
      "zone": .string(zone),
    ]
  }
}
