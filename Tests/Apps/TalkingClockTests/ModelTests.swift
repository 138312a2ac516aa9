import Hub
import SpeakingClock
import Store
import Testing
import Wire

@testable import TalkingClock

struct ModelTests {
  // MARK: Settings

  @Test func `settings come back as they were sent, and what is not sent stays`() throws {
    var clock = PersonClock()
    let sent: JSON = [
      "every": 30, "hours": 24, "language": "de", "quarters": "to", "strokes": "hours", "oclock": true,
      "style": "bells", "quiet": ["from": "22:00", "to": "07:00"], "voice": "bells", "zone": "Europe/Berlin",
    ]
    try clock.apply(sent)
    #expect(clock.json == sent)
    try clock.apply(["every": 60])
    #expect(clock.json["every"] == 60 && clock.json["quarters"] == "to")
    try clock.apply(["quiet": nil])
    #expect(clock.json["quiet"] == .null)
  }

  @Test func `a built-in voice follows the language, unless another was chosen with it`() throws {
    var clock = PersonClock()
    try clock.apply(["language": "de"])
    #expect(clock.voice == "german")
    try clock.apply(["language": "en", "voice": "voice-1"])
    #expect(clock.voice == "voice-1")
    try clock.apply(["language": "de"])
    #expect(clock.voice == "voice-1")
  }

  static let wrong: [(field: String, value: JSON, words: String)] = [
    ("every", 7, "settings.every: 7 minutes"), ("every", 0, "settings.every: 0"), ("hours", 13, "settings.hours: 13"),
    ("language", "fr", "settings.language: \"fr\""), ("zone", "Mars/Olympus", "settings.zone: \"Mars/Olympus\""),
    ("quiet", "22-7", "settings.quiet: a string"),
    ("quiet", ["from": "22:00"], "settings.quiet: {\"from\":\"22:00\"}"),
    ("volume", 3, "settings.volume: unknown"), ("oclock", "yes", "settings.oclock: a string"),
  ]

  @Test(arguments: wrong)
  func `what is wrong is told by its field`(field: String, value: JSON, words: String) {
    var clock = PersonClock()
    let error = #expect(throws: FieldErrors.self) { try clock.apply(.object([.init(field, value)])) }
    #expect(error?.message.hasPrefix(words) == true, "\(error?.message ?? "")")
  }

  // MARK: Recordings

  /// A WAV file with so many samples.
  static func wave(
    _ samples: Int, kind: Int = 1, channels: Int = 1, rate: Int = 44_100, bits: Int = 16, before: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    let format =
      number(kind, 2) + number(channels, 2) + number(rate, 4) + number(rate * channels * bits / 8, 4)
      + number(channels * bits / 8, 2) + number(bits, 2)
    let chunks =
      before + Array("fmt ".utf8) + number(16, 4) + format + Array("data".utf8) + number(samples * 2, 4)
      + [UInt8](repeating: 1, count: samples * 2)
    return Array("RIFF".utf8) + number(chunks.count + 4, 4) + Array("WAVE".utf8) + chunks
  }

  @Test func `a recording is 16 bits, mono, 44100 Hz, and may have other chunks`() throws {
    #expect(try WaveHeader(Self.wave(1000)).frames == 1000)
    #expect(try WaveHeader(Self.wave(441_000)).rate == 44_100)
    // Chunks of an odd size are padded.
    #expect(try WaveHeader(Self.wave(7, before: Array("LIST".utf8) + [3, 0, 0, 0, 1, 2, 3, 0])).frames == 7)
  }

  static let refused: [(words: String, bytes: [UInt8])] = [
    ("no WAV", Array("fLaC0000000000000000".utf8)), ("no WAV", []), ("24 bits", wave(10, bits: 24)),
    ("format 3", wave(10, kind: 3)), ("2 channels", wave(10, channels: 2)), ("96000 Hz", wave(10, rate: 96_000)),
    ("0 bytes", wave(0)), ("10 seconds", wave(441_001)), ("20 of 40 bytes", Array(wave(20).dropLast(20))),
    ("without sound", Array(wave(0).dropLast(8))), ("cut off", Array(wave(20).prefix(30))),
    ("sound before", Array(wave(0).prefix(12)) + Array("data".utf8) + [2, 0, 0, 0, 1, 1]),
  ]

  @Test(arguments: refused)
  func `any other is refused with what was seen`(words: String, bytes: [UInt8]) {
    let fault = #expect(throws: WaveHeader.Fault.self) { try WaveHeader(bytes) }
    #expect(fault?.words.contains(words) == true, "\(fault?.words ?? "")")
  }

  @Test func `a voice has room for as much as agents take`() throws {
    let digest = try #require(BlobDigest([UInt8](repeating: 0, count: 32)))
    let longest = ClockLimits.rate * ClockLimits.partSeconds
    var voice = RecordedVoice(id: "voice-1", person: 1, name: "Ada", language: .english, createdAt: 0)
    voice.parts = (0..<37).map { RecordedPart(part: .number($0), frames: longest, digest: digest) }
    #expect(!voice.hasRoom(for: .number(37), frames: longest))
    #expect(voice.hasRoom(for: .number(37), frames: ClockLimits.rate))
    #expect(voice.hasRoom(for: .number(36), frames: longest))
    // One of before may have more, and gets shorter part by part.
    voice.parts += (37..<60).map { RecordedPart(part: .number($0), frames: longest, digest: digest) }
    #expect(!voice.hasRoom(for: .word(.am), frames: 1) && voice.hasRoom(for: .number(36), frames: longest - 1))
  }

  @Test func `a header of any numbers is read within the file`() {
    let whole = Self.wave(30)
    for place in whole.indices.prefix(50) {
      for byte: UInt8 in [0, 1, 127, 128, 255] {
        var broken = whole
        broken[place] = byte
        if let header = try? WaveHeader(broken) { #expect(header.frames * 2 <= broken.count) }
        _ = try? WaveHeader(Array(broken.prefix(place)))
      }
    }
  }
}
