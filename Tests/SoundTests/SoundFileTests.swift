import CSndfile
import Sound
import Testing
import World

/// Files as other programs write them, by libsndfile.
enum Recorded {
  /// Half a second of a tone, on each channel.
  static func file(_ format: Int, rate: Int = 44_100, channels: Int = 1, seconds: Double = 0.5) throws -> [UInt8] {
    let folder = TemporaryFolder()
    var info = SF_INFO()
    (info.samplerate, info.channels, info.format) = (Int32(rate), Int32(channels), Int32(format))
    let file = try #require(
      sf_open("\(folder.path)/sound", Int32(SFM_WRITE), &info), "\(String(cString: sf_strerror(nil)))")
    let frames = Int(seconds * Double(rate))
    let samples = (0..<frames * channels).map { Int16(($0 / channels) * 400 % 16_000 - 8_000) }
    #expect(sf_writef_short(file, samples, sf_count_t(frames)) == frames)
    sf_close(file)
    return try folder.read("sound")
  }

  static let opus = SF_FORMAT_OGG | SF_FORMAT_OPUS
  static let kinds: [(String, Int, Int, Int)] = [
    ("WAV", SF_FORMAT_WAV | SF_FORMAT_PCM_16, 44_100, 1), ("CAF", SF_FORMAT_CAF | SF_FORMAT_PCM_16, 44_100, 1),
    ("FLAC", SF_FORMAT_FLAC | SF_FORMAT_PCM_16, 22_050, 1), ("Ogg", SF_FORMAT_OGG | SF_FORMAT_VORBIS, 44_100, 1),
    ("Ogg", opus, 48_000, 1), ("MP3", SF_FORMAT_MPEG | SF_FORMAT_MPEG_LAYER_III, 44_100, 1),
    ("AIFF", SF_FORMAT_AIFF | SF_FORMAT_PCM_16, 44_100, 1), ("AU", SF_FORMAT_AU | SF_FORMAT_ULAW, 8_000, 1),
    ("WAV", SF_FORMAT_WAV | SF_FORMAT_PCM_24, 96_000, 2), ("WAV", SF_FORMAT_WAV | SF_FORMAT_FLOAT, 48_000, 1),
    ("CAF", SF_FORMAT_CAF | SF_FORMAT_ALAC_16, 44_100, 1), ("WAV", SF_FORMAT_WAV | SF_FORMAT_ULAW, 8_000, 1),
  ]
}

struct SoundFileTests {
  @Test(arguments: Recorded.kinds)
  func `Files of every kind are read, whatever their name`(kind: String, format: Int, rate: Int, channels: Int) throws {
    let bytes = try Recorded.file(format, rate: rate, channels: channels)
    let sound = try SoundFile(bytes, named: "12.txt")
    #expect(sound.container?.rawValue == kind && sound.clip.rate == rate && sound.channels == channels)
    // MP3 is padded to whole frames.
    #expect(sound.clip.seconds >= 0.5 && sound.clip.seconds < (kind == "MP3" ? 0.6 : 0.501), "\(sound.clip.seconds)")
    #expect(sound.clip.samples.contains { $0 > 0.15 })
  }

  @Test(arguments: Recorded.kinds)
  func `A file that was cut is named, or read as far as it goes`(
    kind: String, format: Int, rate: Int, channels: Int
  ) throws {
    let bytes = try Recorded.file(format, rate: rate, channels: channels)
    // A stream may end anywhere.
    let mayEndAnywhere = ["Ogg", "MP3"].contains(kind)
    // libmpg123 complains about each one on standard error.
    for part in stride(from: 0, to: 40, by: kind == "MP3" ? 13 : 1) {
      do throws(VoiceError) {
        _ = try SoundFile(Array(bytes.prefix(bytes.count * part / 40)), named: "12.wav")
        #expect(mayEndAnywhere, "\(kind), cut to \(part)/40")
      } catch {
        #expect(error.file == "12.wav" && error.code != .unreadable && !error.message.isEmpty)
        if part > 4, !mayEndAnywhere { #expect([.truncated, .damaged, .notSound].contains(error.code), "\(error)") }
      }
    }
  }

  @Test func `A WAV file that lost its end says how much is there`() throws {
    let bytes = try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
    let error = #expect(throws: VoiceError.self) { try SoundFile(Array(bytes.dropLast(20_000)), named: "12.wav") }
    #expect(
      error?.message == "12.wav: it ends too early: of 44100 bytes of sound, 24100 are there; the whole file is needed."
    )
  }

  @Test func `A length that was not known when the file was begun is no mistake`() throws {
    var bytes = try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_PCM_16)
    for place in [4, 40] { bytes.replaceSubrange(place..<place + 4, with: [0x24, 0xF0, 0xFF, 0x7F]) }
    #expect(try SoundFile(bytes, named: "12.wav").clip.seconds == 0.5)
  }

  @Test func `A file without a header that is named au is read as the telephone's`() throws {
    let bytes = Array(try Recorded.file(SF_FORMAT_AU | SF_FORMAT_ULAW, rate: 8_000).dropFirst(24))
    let sound = try SoundFile(bytes, named: "12.au")
    #expect(sound.container == nil && sound.clip.rate == 8_000 && sound.clip.frames >= 4_000)
    #expect(throws: VoiceError.self) { try SoundFile(bytes, named: "12.wav") }
  }

  @Test(arguments: [
    ([], "It is empty"), (Array("<!DOCTYPE html><html>".utf8), "it begins with \"<!DOCTYPE html><\""),
    ([UInt8](repeating: 0, count: 4_000), "it is no sound file"),
  ])
  func `What is no sound is refused with what is accepted`(bytes: [UInt8], said: String) {
    let error = #expect(throws: VoiceError.self) { try SoundFile(bytes, named: "3.wav") }
    #expect(error?.message.lowercased().contains(said.lowercased()) == true, "\(error?.message ?? "")")
    #expect(error?.accepted != nil)
  }

  @Test func `A header without a sound behind it, and an hour of sound, are refused`() throws {
    let format = SF_FORMAT_WAV | SF_FORMAT_PCM_16
    let none = try Recorded.file(format, seconds: 0)
    #expect(throws: VoiceError.self) { try SoundFile(none, named: "1.wav") }
    let long = try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_PCM_U8, rate: 8_000, seconds: 61)
    let error = #expect(throws: VoiceError.self) { try SoundFile(long, named: "1.wav") }
    #expect(error?.code == .tooLarge)
  }

  @Test func `Numbers that are none are refused`() throws {
    var bytes = try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
    bytes.replaceSubrange(bytes.count - 400..<bytes.count - 396, with: [0, 0, 0xC0, 0x7F])
    let error = #expect(throws: VoiceError.self) { try SoundFile(bytes, named: "1.wav") }
    #expect(error?.code == .damaged)
  }

  @Test func `Samples whose squares are no numbers are refused, and those of another scale are not`() throws {
    let bytes = try Recorded.file(SF_FORMAT_WAV | SF_FORMAT_FLOAT)
    func ending(in sample: Float) -> [UInt8] {
      let four = withUnsafeBytes(of: sample.bitPattern.littleEndian) { Array($0) }
      return Array(bytes.dropLast(400)) + (0..<100).flatMap { _ in four }
    }
    #expect(try SoundFile(ending(in: 32_768), named: "1.wav").clip.samples.last == 32_768)
    for sample: Float in [1e30, -1e30, .infinity] {
      let error = #expect(throws: VoiceError.self) { try SoundFile(ending(in: sample), named: "1.wav") }
      #expect(error?.code == .damaged)
    }
  }

  @Test(arguments: Clip.FileKind.allCases)
  func `What is written is read again, bit by bit`(kind: Clip.FileKind) throws {
    let samples = (0..<10_000).map { Float(Int16(truncatingIfNeeded: $0 * 7_919)) / 32_768 }
    let sound = try SoundFile(Clip(samples: samples, rate: 44_100).file(kind), named: "x")
    #expect(sound.clip == Clip(samples: samples, rate: 44_100))
    #expect(sound.container == (kind == .wav ? .wav : .caf))
  }

  @Test func `Samples beyond the greatest are cut, and not turned over`() {
    #expect(Clip(samples: [2, -2, 1, 0.5], rate: 8_000).integers == [32_767, -32_768, 32_767, 16_384])
  }
}
