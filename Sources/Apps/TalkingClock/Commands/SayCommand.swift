import CivilTime
import EventLoop
import Hub
import Lifecycle
import Playback
import Settings
import Sound
import SpeakingClock
import Terminal

/// `eightbells clock say [TIME]`: one announcement, now.
enum SayCommand {
  static let command = RoomCommand(
    alone: Verb(
      "clock say", operands: ["[TIME]"],
      usage: "[--zone ZONE] [--voice PACK] [--out FILE] [--device NAME] [--volume N]",
      options: [ClockOptions.zone] + ClockVoice.options + ClockOptions.settings,
      summary: "Says a time of day, such as 15:30, or the time that it is.")
  ) { loop, arguments throws(CommandError) in
    var settings = try ClockOptions.settings(arguments)
    let zone = try ClockOptions.zone(arguments)
    let voice = try ClockVoice(arguments, &settings)
    let parts = settings.parts(at: try minute(arguments, zone, loop.time))
    try voice.check(parts)
    var joiner = voice.joiner
    let (clip, faults) = joiner.join(parts)
    for fault in faults { printError("eightbells: \(fault.message) The default is used.") }
    guard !clip.samples.isEmpty else { throw CommandError("There is nothing to say.") }
    if case .file(let path) = voice.output { return try OutputFile.write(clip.file(.wav), to: path) }
    try await play(clip, voice, loop)
  }

  /// The minute of the day.
  private static func minute(
    _ arguments: Arguments, _ zone: Zone, _ time: any TimeSource
  ) throws(CommandError) -> Int {
    guard let text = arguments.words.first else {
      return zone.wall(at: EpochSeconds(time.now.rounded(.down))).secondOfDay / 60
    }
    guard let second = parseTimeOfDay(text) else {
      throw CommandError(usage: "\(text.prefix(80)): a time of day is accepted, such as 15:30, of 0:00 to 23:59.")
    }
    return second / 60
  }

  private static func play(_ clip: Clip, _ voice: ClockVoice, _ loop: EventLoop) async throws(CommandError) {
    let player = Player(voice.output, loop: loop)
    let end = await withUnsafeContinuation { continuation in
      player.play(clip, at: nil, volume: voice.volume) { event in
        if case .ended(let end) = event { continuation.resume(returning: end) }
      }
    }
    if case .failed(let error) = end { throw CommandError(error.message) }
  }
}
