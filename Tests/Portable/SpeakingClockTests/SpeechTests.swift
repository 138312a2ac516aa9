import SpeakingClock
import Testing

struct SpeechTests {
  private func said(_ time: String, _ change: (inout ClockSettings) -> Void = { _ in }) -> String {
    var settings = ClockSettings()
    change(&settings)
    let parts = time.split(separator: ":").map { Int($0)! }
    return settings.parts(at: parts[0] * 60 + parts[1]).map(\.name).joined(separator: " ")
  }

  @Test(arguments: [
    ("00:00", "bigben 12 AM"), ("00:15", "12 15 AM"), ("01:00", "bigben 1 AM"), ("11:45", "11 45 AM"),
    ("12:00", "bigben 12 PM"), ("12:30", "12 30 PM"), ("13:00", "bigben 1 PM"), ("23:45", "11 45 PM"),
    ("07:05", "7 05 AM"), ("07:59", "7 59 AM"),
  ])
  func `Twelve hours in English`(time: String, words: String) { #expect(said(time) == words) }

  @Test(arguments: [
    ("00:00", "bigben 0 hundred"), ("00:05", "0 05"), ("07:15", "7 15"), ("15:00", "bigben 15 hundred"),
    ("23:45", "23 45"),
  ])
  func `Twenty-four hours in English`(time: String, words: String) {
    #expect(said(time) { $0.isTwentyFourHours = true } == words)
  }

  @Test(arguments: [
    ("00:00", "bigben 12 uhr", ""), ("01:00", "bigben ein uhr", ""), ("13:00", "bigben ein uhr", ""),
    ("03:15", "viertel nach 3", "viertel 4"), ("03:30", "halb 4", ""), ("03:45", "viertel vor 4", "dreiviertel 4"),
    ("12:45", "viertel vor 1", "dreiviertel 1"), ("23:45", "viertel vor 12", "dreiviertel 12"),
    ("12:30", "halb 1", ""), ("03:05", "5 nach 3", ""), ("03:20", "20 nach 3", ""), ("03:25", "5 vor halb 4", ""),
    ("03:35", "5 nach halb 4", ""), ("03:40", "20 vor 4", ""), ("03:50", "10 vor 4", ""), ("03:55", "5 vor 4", ""),
    ("03:17", "3 uhr 17", ""), ("13:01", "ein uhr 1", ""),
  ])
  func `German, in both ways of naming quarters`(time: String, past: String, to: String) {
    #expect(said(time) { $0.language = .german } == past)
    let other = said(time) { settings in
      settings.language = .german
      settings.quarters = .to
    }
    #expect(other == (to.isEmpty ? past : to))
  }

  @Test(arguments: [
    ("15:15", "15 uhr 15"), ("00:00", "bigben 0 uhr"), ("01:30", "ein uhr 30"), ("21:45", "21 uhr 45"),
  ])
  func `Twenty-four hours in German`(time: String, words: String) {
    let said = said(time) { settings in
      settings.language = .german
      settings.isTwentyFourHours = true
    }
    #expect(said == words)
  }

  @Test func `As many strokes as the hour, none, and o'clock`() {
    #expect(said("15:00") { $0.strokes = .hours } == "bigben bigben bigben 3 PM")
    #expect(said("00:00") { $0.strokes = .hours }.split(separator: " ").count == 14)
    #expect(said("15:00") { $0.strokes = .none } == "3 PM")
    #expect(said("15:00") { $0.saysOClock = true } == "bigben 3 oclock PM")
    #expect(said("15:15") { $0.saysOClock = true } == "3 15 PM")
  }

  @Test func `Quarters in English need the seventeen recorded parts and the stroke`() {
    let recorded = (1...12).map(String.init) + ["15", "30", "45", "AM", "PM", "bigben"]
    #expect(Set(ClockSettings().neededParts.map(\.name)) == Set(recorded))
  }

  @Test func `Names and parts are the same in both directions, and nothing else is a part`() {
    var settings = ClockSettings()
    settings.every = 1
    var all: Set<Part> = []
    for language in ClockSettings.Language.allCases {
      for isTwentyFourHours in [false, true] {
        (settings.language, settings.isTwentyFourHours) = (language, isTwentyFourHours)
        all.formUnion(settings.neededParts)
      }
    }
    for part in all { #expect(Part(name: part.name) == part) }
    #expect(Set(all.map(\.code)).count == all.count)
    for name in ["", "60", "-1", "00", "010", "+5", "am", "1 ", "١"] { #expect(Part(name: name) == nil) }
  }
}

struct ShipsBellsTests {
  @Test func `One to eight bells by half-hours, and the dog watches in the traditional way`() {
    let table = """
      8 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8 1 2 3 4 5 6 7 8 1 2 3 4 1 2 3 8 1 2 3 4 5 6 7
      """
    let expected = table.split(separator: " ").map { Int($0)! }
    #expect((0..<48).map { shipsBellCount(at: $0 * 30) } == expected)
    #expect(shipsBellCount(at: 29) == 8, "between half-hours the last ones count")
  }

  @Test func `Strokes come in pairs, then the odd one`() {
    var settings = ClockSettings()
    settings.style = .bells
    #expect(settings.parts(at: 90).map(\.name) == ["bells", "bell"])
    #expect(settings.parts(at: 0).map(\.name) == ["bells", "bells", "bells", "bells"])
  }

  @Test func `Each watch begins at its hour`() {
    #expect(Watch(at: 0) == .middle && Watch(at: 239) == .middle && Watch(at: 240) == .morning)
    #expect(Watch(at: 959) == .afternoon && Watch(at: 960) == .firstDog && Watch(at: 1080) == .lastDog)
    #expect(Watch(at: 1439) == .first)
  }
}
