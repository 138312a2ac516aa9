import CivilTime
import Playback
import Sound
import SpeakingClock
import World

/// A voice whose parts are all a tenth of a second long.
struct Beeps: Voice {
  let name = "Beeps"
  var parts: Set<Part> { Set((0...59).map { .number($0) }).union(Part.Word.allCases.map { .word($0) }) }

  func clip(_ part: Part) throws(VoiceError) -> Clip {
    Clip(samples: (0..<800).map { $0 % 20 < 10 ? 0.3 : -0.3 }, rate: 8_000)
  }
}

/// The same with strokes that last long.
struct LongStrokes: Voice {
  let name = "Long strokes"
  var seconds: Int
  var parts: Set<Part> { Beeps().parts }

  func clip(_ part: Part) throws(VoiceError) -> Clip {
    guard part.isStroke else { return try Beeps().clip(part) }
    return Clip(samples: (0..<8_000 * seconds).map { $0 % 20 < 10 ? 0.3 : -0.3 }, rate: 8_000)
  }
}

/// A loudspeaker that plays in virtual time, and an announcer that is woken in it. Nothing happens between the times
/// that somebody asked for.
final class VirtualRoom: Loudspeaker {
  let time: VirtualTime
  var offset: ZoneOffset = { _ in 0 }
  /// The sounds that were heard, by the second at which they began.
  private(set) var heard: [(at: Double, seconds: Double)] = []
  private(set) var reports: [AnnouncementReport] = []
  /// As it would stand on the disk.
  private(set) var last: EpochSeconds?
  /// Seconds since 1970 at which something woke up.
  private(set) var wakings: [Double] = []
  /// The reason why the device fails.
  var fault: String?
  var keepsAll = true
  /// Nil: beeps.
  var voice: LongStrokes?
  private(set) var faults: [VoiceError] = []
  private(set) var count = 0
  private var wakeAt: Double?
  private var playing: (clip: Clip, at: Double, hasBegun: Bool, tell: (PlaybackEvent) -> Void)?
  /// Uptime at which the sound ends, whatever the clock shows then.
  private var end = 0.0
  private(set) var announcer: Announcer?

  /// With all parts prepared, which takes longer than a day of announcements.
  private static let joiner = {
    var joiner = Joiner(voice: Beeps(), fallback: Beeps(), rate: 8_000)
    _ = joiner.join(Array(Beeps().parts))
    return joiner
  }()

  init(_ start: Double) { time = VirtualTime(start) }

  /// Starts the program, anew if it runs.
  func start(_ orders: ClockOrders = ClockOrders()) {
    kill()
    announcer = Announcer(
      orders, last: last,
      Announcer.Surroundings(
        time: time, loudspeaker: self, offset: { [unowned self] in offset($0) },
        joiner: { [unowned self] in voice.map { Joiner(voice: $0, fallback: Beeps(), rate: 8_000) } ?? Self.joiner },
        wake: { [unowned self] in wakeAt = $0 },
        begun: { [unowned self] in last = $0 },
        report: { [unowned self] report in
          count += report.what == .spoke ? 1 : 0
          if keepsAll { reports.append(report) }
        }, fault: { [unowned self] in faults.append($0) }))
    announcer?.look()
  }

  /// Ends the program without a word.
  func kill() { (announcer, playing, wakeAt) = (nil, nil, nil) }

  // MARK: Loudspeaker

  func play(_ clip: Clip, at instant: Double?, volume: Int, _ tell: @escaping (PlaybackEvent) -> Void) {
    precondition(playing == nil, "one sound at a time")
    playing = (clip, max(instant ?? 0, time.now), false, tell)
    if fault != nil { playing?.at = time.now }
  }

  func stop() {
    guard let one = playing else { return }
    playing = nil
    one.tell(.ended(.stopped(from: one.hasBegun ? one.at : nil)))
  }

  // MARK: Time

  /// Lets time pass until a second, with all that happens meanwhile.
  func run(until end: Double) {
    while let next = [wakeAt, step].compactMap({ $0 }).min(), next <= end {
      if next > time.now { time.advance(by: next - time.now) }
      if keepsAll { wakings.append(time.now) }
      if let step, step <= time.now { advance() } else { wake() }
    }
    if end > time.now { time.advance(by: end - time.now) }
  }

  /// The machine sleeps; nothing runs meanwhile.
  func suspend(for seconds: Double) {
    time.advance(by: seconds)
    clockWasSet()
  }

  func setClock(by seconds: Double) {
    time.setClock(by: seconds)
    clockWasSet()
  }

  private func clockWasSet() { announcer?.look() }

  private func wake() {
    wakeAt = nil
    announcer?.look()
  }

  /// When the sound begins or ends.
  private var step: Double? { playing.map { $0.hasBegun ? time.now + end - time.uptime : $0.at } }

  private func advance() {
    guard let one = playing else { return }
    if let fault {
      playing = nil
      one.tell(.ended(.failed(PlaybackError(fault))))
    } else if one.hasBegun {
      playing = nil
      one.tell(.ended(.played(from: one.at)))
    } else {
      playing?.hasBegun = true
      end = time.uptime + one.clip.seconds
      if keepsAll { heard.append((one.at, one.clip.seconds)) }
      one.tell(.begins)
    }
  }
}
