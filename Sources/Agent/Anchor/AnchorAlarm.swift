import EventLoop
import Lifecycle
import Playback
import Sound

/// The watch's voice on the loudspeaker: it rings until somebody acts, whatever else fails. Confined to its loop.
final class AnchorAlarm {
  enum Level: Int, Comparable {
    case silent, reminder, warning, alarm
    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  private let loop: EventLoop
  /// The named device, and for when that fails the usual one and the card itself.
  private let players: [Player]
  /// Called before each alarm sound, so that nothing else sounds meanwhile.
  private let rings: () -> Void
  /// Called after each sound that the named device has played to its end: another one's proves nothing of that.
  private let sounded: () -> Void
  private let fault: (String) -> Void
  private(set) var level = Level.silent
  /// Sounds that were played since the level was set.
  private(set) var played = 0
  /// Said between the alarms.
  var sentence: Clip?
  private var isPlaying = false
  /// The player that plays, or has its turn.
  private var turn = 0
  /// Failures since the named device was heard, or the level was set.
  private var failed = 0
  private var timer: LoopTimer?
  private var hasEnded = false

  init(
    _ output: AudioOutput, loop: EventLoop, rings: @escaping () -> Void, sounded: @escaping () -> Void,
    fault: @escaping (String) -> Void
  ) {
    (self.loop, self.rings, self.sounded, self.fault) = (loop, rings, sounded, fault)
    var outputs = [output]
    if case .device = output { outputs += [AudioOutput.usual, .card].filter { $0 != output } }
    players = outputs.map { Player($0, loop: loop) }
  }

  /// Rings at a level from now on; the same level goes on as it does.
  func set(_ level: Level) {
    guard level != self.level, !hasEnded else { return }
    (self.level, played, failed) = (level, 0, 0)
    timer?.cancel()
    if level == .silent { sentence = nil }
    if isPlaying { players[turn].stop() } else if level != .silent { play() }
  }

  private func play() {
    guard level != .silent, !isPlaying, !hasEnded else { return }
    let speaks = played % AgentWatchLimits.alarmsPerSentence == AgentWatchLimits.alarmsPerSentence - 1
    let sound = level == .alarm ? AnchorSounds.alarm : AnchorSounds.warning
    let clip = speaks ? sentence ?? sound : sound
    let (begun, playing, place) = (loop.time.uptime, level, turn)
    if level == .alarm { rings() }
    isPlaying = true
    players[turn].play(clip, at: nil, volume: 100) { [weak self] event in
      guard case .ended(let end) = event, let self else { return }
      (isPlaying, turn) = (false, 0)
      if case .played = end, place == 0 {
        failed = 0
        sounded()
      }
      guard level == playing else { return play() }
      if case .failed(let error) = end {
        if failed == 0 { fault(error.message) }
        (played, failed) = (played + 1, failed + 1)
        // Another program has it to itself, perhaps for hours: the next one may be heard meanwhile.
        turn = (place + 1) % players.count
        return wait(
          failed <= AgentWatchLimits.soonTries
            ? AgentWatchLimits.soundSoonSeconds : AgentWatchLimits.soundRetrySeconds)
      }
      played += 1
      // A sound that goes to a file is over at once.
      wait(max(0, clip.seconds - (loop.time.uptime - begun)) + pause)
    }
  }

  private var pause: Double {
    switch level {
    case .alarm: AgentWatchLimits.alarmPause
    case .warning: AgentWatchLimits.warningPause
    case .reminder, .silent: AgentWatchLimits.reminderPause
    }
  }

  private func wait(_ seconds: Double) {
    timer?.cancel()
    timer = loop.schedule(after: seconds) { [weak self] in self?.play() }
  }

  func end() {
    hasEnded = true
    timer?.cancel()
    for player in players { player.close() }
  }
}
