import CivilTime
import Hub
import Lifecycle
import Playback
import Server
import Sound
import SpeakingClock
import Wire

extension PersonClock {
  static let fields = [
    "every", "hours", "language", "quarters", "strokes", "oclock", "style", "quiet", "voice", "zone",
  ]

  /// Its settings, as the API, agents and pages have them.
  var json: JSON { ClockSettingsForm(settings: settings, voice: voice, zone: zone).json }

  /// Takes over the settings that an object has; the others stay.
  /// - Throws: all that is wrong with them.
  mutating func apply(_ json: JSON) throws(FieldErrors) {
    var check = FieldCheck(json, known: Self.fields)
    let before = settings.language
    if check.has("every"), let minutes = check.int("every", in: 1...60, isNeeded: true) {
      if ClockSettings.intervals.contains(minutes) { settings.every = minutes } else { check.refuseInterval(minutes) }
    }
    if check.has("hours"), let hours = check.int("hours", in: 12...24, isNeeded: true) {
      if hours != 12, hours != 24 { check.fail("hours", "\(hours); 12 and 24 are accepted.") }
      settings.isTwentyFourHours = hours == 24
    }
    if check.has("oclock") { settings.saysOClock = check.flag("oclock") ?? false }
    check.word("language", &settings.language)
    check.word("quarters", &settings.quarters)
    check.word("strokes", &settings.strokes)
    check.word("style", &settings.style)
    if check.has("quiet") { settings.quiet = check.quiet("quiet") }
    if check.has("zone"), let name = check.text("zone", longest: ClockLimits.zone, isNeeded: true) {
      if name != ClockSettingsForm.ofDevice, (try? systemZone(name)) == nil {
        check.fail("zone", .fieldNoZone, ["seen": .text(name)])
      }
      zone = name
    }
    if check.has("voice") {
      voice = check.text("voice", longest: ClockLimits.zone, isNeeded: true) ?? voice
    } else if before != settings.language, let built = BuiltInVoice(rawValue: voice), built != .bells {
      // A voice of the other language would have to spell the words.
      voice = BuiltInVoice(settings.language).rawValue
    }
    if !check.errors.isEmpty {
      throw FieldErrors(check.errors.map { FieldError("settings.\($0.field)", $0.reason) })
    }
  }
}

extension FieldCheck {
  fileprivate mutating func refuseInterval(_ minutes: Int) {
    let numbers = ClockSettings.intervals.map(String.init).joined(separator: ", ")
    fail("every", "\(minutes) minutes; those that divide an hour are accepted: \(numbers).")
  }

  fileprivate mutating func word<Word: RawRepresentable<String> & CaseIterable>(_ field: String, _ word: inout Word) {
    guard has(field) else { return }
    if let chosen = choice(field, among: Array(Word.allCases), isNeeded: true) { word = chosen }
  }

  fileprivate mutating func quiet(_ field: String) -> QuietHours? {
    guard let json = self[field], json != .null else { return nil }
    let accepted = "null or two times of day are accepted: {\"from\": \"22:00\", \"to\": \"07:00\"}."
    guard let members = json.members, members.allSatisfy({ ["from", "to"].contains($0.name) }),
      let from = json["from"]?.string.flatMap(parseTimeOfDay), let to = json["to"]?.string.flatMap(parseTimeOfDay)
    else {
      fail(field, "\(json.members == nil ? json.kind : String(json.text.prefix(80))); \(accepted)")
      return nil
    }
    return QuietHours(from: from / 60, to: to / 60)
  }
}
