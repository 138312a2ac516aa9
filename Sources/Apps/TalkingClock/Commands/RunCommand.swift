import CivilTime
import EventLoop
import Glibc
import Hub
import Lifecycle
import Playback
import Settings
import Sound
import SpeakingClock
import Terminal

/// `eightbells clock run`: a clock that speaks by itself, without a hub or an account.
enum RunCommand {
  static let command = RoomCommand(
    alone: Verb(
      "clock run", usage: "[--zone ZONE] [--voice PACK] [--out FILE] [--device NAME] [--volume N]",
      options: [ClockOptions.zone] + ClockVoice.options + ClockOptions.settings,
      summary: "Says the time by itself, without a hub, until it is ended. It writes a line for each announcement.")
  ) { loop, arguments throws(CommandError) in
    var settings = try ClockOptions.settings(arguments)
    let zone = arguments["zone"] == nil ? nil : try ClockOptions.zone(arguments)
    let voice = try ClockVoice(arguments, &settings)
    try voice.check(settings)
    let clock = RunningClock(settings, zone, voice, loop)
    clock.start()
    await clock.untilEnded()
  }
}

/// The clock of `clock run`. Confined to its loop.
private final class RunningClock: @unchecked Sendable {
  private let loop: EventLoop
  private let player: Player
  private let settings: ClockSettings
  private let voice: ClockVoice
  /// Nil: the machine's, which is looked up before each announcement.
  private let named: Zone?
  private var zone: Zone
  private let ended: Poller
  private var announcer: Announcer?
  private var timer: WallTimer?
  private var signals: SignalWatcher?

  private static let signals = [SIGINT, SIGTERM]

  init(_ settings: ClockSettings, _ zone: Zone?, _ voice: ClockVoice, _ loop: EventLoop) {
    (self.settings, self.voice, self.loop, named) = (settings, voice, loop, zone)
    self.zone = zone ?? MachineZone().zone
    player = Player(voice.output, loop: loop)
    ended = Poller(loop)
  }

  func start() {
    SignalWatcher.block(Self.signals)
    signals = SignalWatcher(Self.signals, on: loop) { [unowned self] _ in ended.wake() }
    timer = WallTimer(loop) { [unowned self] _ in
      if named == nil { zone = MachineZone().zone }
      announcer?.look()
    }
    var orders = ClockOrders(settings: settings)
    orders.volume = voice.volume
    announcer = Announcer(
      orders, last: nil,
      Announcer.Surroundings(
        time: loop.time, loudspeaker: player, offset: { [unowned self] in zone.offset(at: $0) },
        joiner: { [voice] in voice.joiner }, wake: { [unowned self] in timer?.set(at: $0) }, begun: { _ in },
        report: { [unowned self] in tell($0) },
        fault: { printError("eightbells: \($0.message) The default is used.") }))
    let next = settings.next(after: EpochSeconds(loop.time.now.rounded(.down)), offset: zone.offset(at:))
    print(next.map { "The next announcement is at \(timestamp($0.at, in: zone))." } ?? "These hours are all quiet.")
    fflush(nil)
    announcer?.look()
    guard case .device = voice.output else { return }
    // A moment of silence finds out now what nobody would notice before the first announcement.
    _ = announcer?.say(Clip(samples: [0], rate: 44_100)) { end in
      guard case .failed(let error) = end else { return }
      printError("eightbells: \(error.message) The clock tries again at each announcement.")
    }
  }

  /// Waits until somebody ends the program.
  func untilEnded() async {
    try? await ended.wait(atMost: nil)
    announcer?.end()
    player.close()
    timer?.close()
  }

  private func tell(_ report: AnnouncementReport) {
    let one = report.announcement
    let words = one.parts.map(\.name).joined(separator: " ")
    let outcome =
      switch report.what {
      case .spoke: "\(report.lateMilliseconds ?? 0) ms late"
      case .missed: "missed"
      case .noAudio: "not heard: \(report.reason ?? "")"
      case .muted, .alarm: "kept still"
      }
    print("\(timestamp(one.at, in: zone))  \(words)  \(outcome)")
    fflush(nil)
  }
}
