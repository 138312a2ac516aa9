import Playback
import Settings
import Sound
import SpeakingClock
import Terminal

/// The voice, the place and the loudness with which a command speaks.
struct ClockVoice {
  static let options = [
    Option("voice", "PACK", help: "english, german, bells, or a voice pack: a folder or a zip (that of --language)"),
    Option("out", "FILE", help: "writes a WAV file and plays nothing"),
    Option("device", "NAME", help: "ALSA's name of the device, such as plughw:1 (default)"),
    Option("volume", "N", help: "0 to 100 (80)"),
  ]

  let voice: any Voice
  let fallback: any Voice
  let output: AudioOutput
  let volume: Int

  /// - Parameter settings: they follow the voice's language, and a voice without words strikes the bells of a ship,
  ///   unless the command line says otherwise.
  init(_ arguments: Arguments, _ settings: inout ClockSettings) throws(CommandError) {
    if let name = arguments["voice"] {
      let (voice, language) = try VoiceSource.voice(name)
      self.voice = voice
      if arguments["language"] == nil, let language { settings.language = language }
      if arguments["style"] == nil, language == nil { settings.style = .bells }
    } else {
      voice = BuiltInVoice(settings.language).voice
    }
    fallback = BuiltInVoice(settings.language).voice
    if let path = arguments["out"] {
      guard !path.isEmpty else { throw ClockOptions.wrong("out", path, "the path of a WAV file is accepted.") }
      output = .file(path)
    } else if let name = arguments["device"] {
      guard case .device? = AudioOutput(name) else {
        throw ClockOptions.wrong("device", name, "a name that `aplay -L` lists is accepted.")
      }
      output = .device(name)
    } else {
      output = .usual
    }
    guard let volume = arguments["volume"].map({ Int($0) }) ?? 80, (0...100).contains(volume) else {
      throw ClockOptions.wrong("volume", arguments["volume"] ?? "", "0 to 100 is accepted.")
    }
    self.volume = volume
  }

  var joiner: Joiner { Joiner(voice: voice, fallback: fallback) }

  /// Refuses an interval of which the voice cannot say every minute.
  func check(_ settings: ClockSettings) throws(CommandError) {
    let missing = settings.missingParts(in: voice.parts)
    guard !missing.isEmpty else { return }
    let can = settings.intervals(saidWith: voice.parts).map(String.init)
    throw CommandError(
      usage: "The voice \"\(voice.name)\" cannot say \(Self.names(missing)), which --every \(settings.every) needs; "
        + (can.isEmpty
          ? "it has no interval of which it can say everything."
          : "with --every it can say \(can.joined(separator: ", "))."))
  }

  /// Refuses a time that the voice cannot say.
  func check(_ parts: [Part]) throws(CommandError) {
    let missing = Set(parts.filter { !$0.isStroke }).subtracting(voice.parts)
    guard !missing.isEmpty else { return }
    throw CommandError("The voice \"\(voice.name)\" cannot say \(Self.names(missing)).")
  }

  private static func names(_ parts: Set<Part>) -> String {
    let names = parts.sorted { $0.code < $1.code }.map(\.name)
    return names.prefix(8).joined(separator: ", ") + (names.count > 8 ? " and \(names.count - 8) more" : "")
  }
}
