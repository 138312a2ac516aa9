import Sound
import SpeakingClock
import Testing

struct BuiltInVoiceTests {
  private static let ways: [ClockSettings] = ClockSettings.Language.allCases.flatMap { language in
    [false, true].flatMap { isTwentyFourHours in
      ClockSettings.Quarters.allCases.map { quarters in
        var settings = ClockSettings()
        (settings.language, settings.isTwentyFourHours, settings.quarters) = (language, isTwentyFourHours, quarters)
        settings.saysOClock = true
        return settings
      }
    }
  }

  @Test(arguments: ways)
  func `They say every minute, in every way`(settings: ClockSettings) {
    let voice = BuiltInVoice(settings.language).voice
    #expect(settings.intervals(saidWith: voice.parts) == ClockSettings.intervals)
  }

  @Test(arguments: BuiltInVoice.allCases)
  func `Every part is short, and loud enough`(own: BuiltInVoice) throws {
    let voice = own.voice
    for part in voice.parts {
      let clip = try voice.clip(part)
      let most = part.isStroke || part.isNews ? 3.3 : 1.4
      #expect(clip.seconds > 0.1 && clip.seconds < most, "\(part.name): \(clip.seconds) s")
      let peak = clip.samples.reduce(0) { max($0, abs($1)) }
      #expect(peak > 0.1 && peak < 0.99, "\(part.name): \(peak)")
    }
  }

  @Test func `A part is the same range each time, and no other one`() throws {
    let voice = BuiltInVoice.german.voice
    let numbers: [Part] = [.number(3), .number(4), .word(.ein), .number(3)]
    let clips = try numbers.map { try voice.clip($0) }
    #expect(clips[0] == clips[3] && Set(clips.map(\.samples)).count == 3)
  }

  @Test(arguments: [Part.word(.bigben), .word(.bell), .word(.bells)])
  func `A stroke begins and ends without a click, and fades`(part: Part) throws {
    let clip = try BuiltInVoice.bells.voice.clip(part)
    let again = try BuiltInVoice.bells.voice.clip(part)
    #expect(clip == again)
    #expect(abs(clip.samples.first ?? 1) < 0.001 && abs(clip.samples.last ?? 1) < 0.001)
    func loudness(_ range: Range<Int>) -> Float {
      (clip.samples[range].reduce(0) { $0 + $1 * $1 } / Float(range.count)).squareRoot()
    }
    let quarter = clip.frames / 4
    #expect(loudness(0..<quarter) > 4 * loudness(3 * quarter..<clip.frames))
  }

  @Test func `A full day is as long as its parts, to the frame`() {
    var joiner = Joiner(voice: BuiltInVoice.english.voice, fallback: BuiltInVoice.english.voice)
    var settings = ClockSettings()
    settings.strokes = .hours
    let gap = 2_646
    var count = 0
    for minute in stride(from: 0, to: 1_440, by: 15) {
      let parts = settings.parts(at: minute)
      let (clip, faults) = joiner.join(parts)
      let sum = parts.reduce(0) { $0 + joiner.prepared($1).frames }
      #expect(clip.frames == sum + (parts.count - 1) * gap && faults == [], "minute \(minute)")
      count += 1
    }
    #expect(count == 96)
  }
}
