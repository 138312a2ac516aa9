import SpeakingClock

extension BuiltIn {
  /// The parts that this voice can say, in the order of their codes.
  var parts: [Part] {
    var settings = ClockSettings()
    settings.language = language
    var all: Set<Part> = [.word(.bigben), .word(.bell), .word(.bells)]
    guard self != .bells else { return all.sorted { $0.code < $1.code } }
    settings.every = 1
    settings.saysOClock = true
    for is24 in [false, true] {
      for quarters in ClockSettings.Quarters.allCases {
        (settings.isTwentyFourHours, settings.quarters) = (is24, quarters)
        all.formUnion(settings.neededParts)
      }
    }
    return all.sorted { $0.code < $1.code }
  }

  var partNames: [String] { parts.map(\.name) }

  /// A part as a WAV file; nil for one that the voice cannot say.
  func wave(_ part: Part) -> [UInt8]? { nil }
}
