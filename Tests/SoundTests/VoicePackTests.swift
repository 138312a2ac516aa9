import CSndfile
import Sound
import SpeakingClock
import Testing
import World

struct VoicePackTests {
  private static func manifest(_ parts: String, name: String = "Anna", more: String = "") -> [UInt8] {
    Array("{\"name\": \"\(name)\", \"language\": \"en\"\(more), \"parts\": {\(parts)}}".utf8)
  }
  private static func tone(_ seconds: Double = 0.4) -> [UInt8] {
    let samples = (0..<Int(seconds * 44_100)).map { Float($0 % 100) / 200 - 0.25 }
    return Clip(samples: samples, rate: 44_100).file(.wav)
  }

  @Test(arguments: [
    ("[]", "it holds a list; an object is needed"), ("{", "it is no JSON"),
    ("{\"name\":\"A\",\"language\":\"fr\",\"parts\":{\"1\":\"1.wav\"}}", "\"language\" is \"fr\"; \"en\" and \"de\""),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{}}", "\"parts\" is missing or empty"),
    ("{\"name\":\"\",\"language\":\"en\",\"parts\":{\"1\":\"1.wav\"}}", "\"name\" is missing"),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{\"60\":\"60.wav\"}}", "there is no part \"60\""),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{\"1\":\"../1.wav\"}}", "\"../1.wav\" leads out of the pack"),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{\"1\":\"/etc/passwd\"}}", "leads out of the pack"),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{\"1\":[]}}", "Part 1, voice.json: it has no file"),
    ("{\"name\":\"A\",\"language\":\"en\",\"parts\":{\"1\":[\"1.wav\",2]}}", "it has no file"),
    ("{\"name\":\"A\",\"language\":\"en\",\"gap\":\"x\",\"parts\":{\"1\":\"1.wav\"}}", "\"gap\" is \"x\"; 0 to 5"),
    ("{\"name\":\"A\",\"language\":\"en\",\"gap\":60,\"parts\":{\"1\":\"1.wav\"}}", "0 to 5 seconds are accepted"),
    ("{\"name\":\"A\",\"language\":\"en\",\"voice\":1,\"parts\":{\"1\":\"1.wav\"}}", "\"voice\" is unknown"),
  ])
  func `A wrong manifest says what is accepted`(text: String, said: String) {
    let error = #expect(throws: VoiceError.self) { try VoicePack(files: ["voice.json": Array(text.utf8)]) }
    #expect(error?.code == .manifest && error?.message.contains(said) == true, "\(error?.message ?? "")")
  }

  @Test func `What a manifest writes it reads again`() throws {
    let parts: [Part: [String]] = [.number(45): ["40.wav", "5.wav"], .oh(5): ["05.wav"], .word(.am): ["AM.wav"]]
    let manifest = Manifest(name: "Anna \"A\"", language: .german, gap: 0.05, parts: parts)
    #expect(try Manifest(Array(manifest.text.utf8)) == manifest)
  }

  @Test func `A part of several files is these one after the other`() throws {
    let files = [
      "voice.json": Self.manifest("\"45\": [\"40.wav\", \"5.wav\"]"), "40.wav": Self.tone(0.4), "5.wav": Self.tone(0.3),
    ]
    #expect(try VoicePack(files: files).clip(.number(45)).frames == 17_640 + 13_230)
  }

  @Test func `A part is joined of files of the lowest and of the highest rate`() throws {
    func file(_ rate: Int) throws -> [UInt8] { try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_PCM_16, rate: rate) }
    let rates = SoundLimits.rates
    var files = [
      "voice.json": Self.manifest("\"45\": [\"40.wav\", \"5.wav\"]"), "40.wav": try file(rates.lowerBound),
      "5.wav": try file(rates.upperBound),
    ]
    let clip = try VoicePack(files: files).clip(.number(45))
    #expect(clip.rate == rates.upperBound && abs(clip.seconds - 1) < 0.05, "\(clip.seconds)")
    files["40.wav"] = try file(rates.lowerBound - 1)
    let error = #expect(throws: VoiceError.self) { try VoicePack(files: files).clip(.number(45)) }
    #expect(error?.code == .tooLarge && error?.file == "40.wav")
  }

  @Test func `A part of several files lasts up to a minute, too`() throws {
    let sound = Clip(samples: (0..<160_000).map { Float($0 % 100) / 200 - 0.25 }, rate: 8_000).file(.wav)
    func pack(_ names: [String]) throws -> VoicePack {
      let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
      let manifest = Self.manifest("\"45\": [\(list)]")
      return try VoicePack(files: ["voice.json": manifest, "a.wav": sound, "b.wav": sound])
    }
    #expect(try pack(["a.wav", "b.wav", "a.wav"]).clip(.number(45)).seconds == 60)
    let error = #expect(throws: VoiceError.self) { try pack(["a.wav", "a.wav", "a.wav", "b.wav"]).clip(.number(45)) }
    #expect(error?.code == .tooLarge && error?.file == "b.wav" && error?.part == .number(45))
  }

  @Test func `There is no silence within a part of several files, and a silent one is named`() throws {
    func padded(_ loudness: Float) -> [UInt8] {
      let silence = [Float](repeating: 0, count: 22_050)
      let tone = (0..<17_640).map { (Float($0 % 100) / 50 - 1) * loudness }
      return Clip(samples: silence + tone + silence, rate: 44_100).file(.wav)
    }
    var files = [
      "voice.json": Self.manifest("\"45\": [\"40.wav\", \"5.wav\"]"), "40.wav": padded(0.2), "5.wav": padded(0.4),
    ]
    #expect(abs(try VoicePack(files: files).clip(.number(45)).seconds - 0.89) < 0.03)
    files["5.wav"] = padded(0)
    let error = #expect(throws: VoiceError.self) { try VoicePack(files: files).clip(.number(45)) }
    #expect(error?.code == .silent && error?.file == "5.wav" && error?.part == .number(45))
  }

  @Test func `A folder without a manifest, and a part whose file is missing, are named`() throws {
    let folder = TemporaryFolder()
    var error = #expect(throws: VoiceError.self) { try VoicePack(folder: folder.path) }
    #expect(error?.code == .manifest && error?.message.hasPrefix("voice.json: there is no such file") == true)
    try folder.write(Self.manifest("\"12\": \"12.wav\""), to: "voice.json")
    let pack = try VoicePack(folder: folder.path)
    error = #expect(throws: VoiceError.self) { try pack.clip(.number(12)) }
    #expect(error?.message == "Part 12, 12.wav: there is no such file.")
  }

  @Test func `A clock goes on with its own voice for a part that is broken`() throws {
    let files = [
      "voice.json": Self.manifest("\"12\": \"12.wav\", \"30\": \"30.wav\", \"PM\": \"PM.wav\"", more: ", \"gap\": 0.2"),
      "12.wav": Self.tone(), "30.wav": Array(Self.tone().dropLast(9_000)), "PM.wav": Self.tone(),
    ]
    let pack = try VoicePack(files: files)
    var joiner = Joiner(voice: pack, fallback: BuiltInVoice.english.voice)
    let (clip, faults) = joiner.join([.number(12), .number(30), .word(.pm)])
    #expect(faults.map(\.part) == [.number(30)] && faults.first?.code == .truncated)
    let own = try BuiltInVoice.english.voice.clip(.number(30)).seconds
    #expect(abs(clip.seconds - (0.4 + 0.2 + own + 0.2 + 0.4)) < 0.1, "\(clip.seconds)")
  }

  @Test func `Missing parts limit how often a voice can speak`() {
    let hours = Set((1...12).map { Part.number($0) }).union([.word(.am), .word(.pm)])
    #expect(ClockSettings().intervals(saidWith: hours) == [60])
    #expect(ClockSettings().intervals(saidWith: hours.union([.number(30)])) == [30, 60])
    let recorded = hours.union([.number(15), .number(30), .number(45)])
    #expect(ClockSettings().intervals(saidWith: recorded) == [15, 30, 60])
    var settings = ClockSettings()
    settings.every = 10
    #expect(settings.missingParts(in: recorded) == [.number(20), .number(40), .number(50)])
    settings.isTwentyFourHours = true
    #expect(settings.intervals(saidWith: recorded) == [])
  }

  @Test func `The report of a voice says what to record again`() throws {
    let quiet = Clip(samples: (0..<17_640).map { Float($0 % 100) / 40_000 - 0.00125 }, rate: 44_100)
    let clipped = Clip(samples: (0..<17_640).map { $0 % 100 < 50 ? 1 : -1 }, rate: 44_100)
    let silent = Clip(samples: [Float](repeating: 0, count: 17_640), rate: 44_100)
    let files = [
      "voice.json": Self.manifest("\"1\":\"1.wav\",\"2\":\"2.wav\",\"3\":\"3.wav\",\"4\":\"4.wav\",\"5\":\"5.wav\""),
      "1.wav": Self.tone(), "2.wav": quiet.file(.wav), "3.wav": clipped.file(.wav), "4.wav": silent.file(.wav),
    ]
    let report = VoiceReport(try VoicePack(files: files))
    #expect(report.rows.map(\.remarks) == [[], [.tooQuiet], [.clipped], [], []])
    #expect(report.rows.map { $0.error?.code } == [nil, nil, nil, .silent, .unreadable])
    #expect(report.rows[3].error?.message.hasPrefix("Part 4, 4.wav: nothing is heard in it") == true)
    #expect(!report.isGood && report.ways.allSatisfy { $0.intervals.isEmpty })
  }
}
