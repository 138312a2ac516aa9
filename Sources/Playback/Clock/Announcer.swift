public import CivilTime
public import Lifecycle
public import Sound
public import SpeakingClock

/// A clock that speaks by itself: it wakes up a few seconds before an announcement, has its first sample heard at the
/// exact second, and sleeps again. It knows no timers: it says when `look` is to be called. Confined to its loop.
public final class Announcer {
  /// The announcer's needs from outside.
  public struct Surroundings {
    public var time: any TimeSource
    public var loudspeaker: any Loudspeaker
    /// Seconds by which the zone is ahead of UTC, asked anew each time: a device travels.
    public var offset: ZoneOffset
    /// The voice, made anew for each announcement, so that it takes no memory in between.
    public var joiner: () -> Joiner
    /// Asks for a call of `look` at this time of the wall clock; nil: not before something else happens.
    public var wake: (Double?) -> Void
    /// An announcement is begun: it must not come again, also after a kill.
    public var begun: (EpochSeconds) -> Void
    public var report: (AnnouncementReport) -> Void
    /// A part of the voice could not be used, and the default was.
    public var fault: (VoiceError) -> Void

    public init(
      time: any TimeSource, loudspeaker: any Loudspeaker, offset: @escaping ZoneOffset,
      joiner: @escaping () -> Joiner, wake: @escaping (Double?) -> Void, begun: @escaping (EpochSeconds) -> Void,
      report: @escaping (AnnouncementReport) -> Void, fault: @escaping (VoiceError) -> Void
    ) {
      (self.time, self.loudspeaker, self.offset, self.joiner) = (time, loudspeaker, offset, joiner)
      (self.wake, self.begun, self.report, self.fault) = (wake, begun, report, fault)
    }
  }

  private struct Armed {
    var announcement: Announcement
    var source: AnnouncementReport.Source
    var hasBegun = false
    /// The reason why it is stopped.
    var end: AnnouncementReport.What?
  }

  public private(set) var orders: ClockOrders
  private let around: Surroundings
  private var due: DueAnnouncements
  private var armed: Armed?
  /// The instants that the hub has told, until they are over.
  private var told: [EpochSeconds] = []
  private var rings = false
  private var hasEnded = false
  /// Texts and times that somebody asked for, which wait for silence.
  private var waiting: [Waiting] = []
  private var isSpeaking = false

  private struct Waiting {
    var clip: Clip
    var done: (PlaybackEnd) -> Void
  }

  /// - Parameter last: the instant of the last announcement before the program's start, as `begun` told it.
  public init(_ orders: ClockOrders, last: EpochSeconds?, _ around: Surroundings) {
    (self.orders, self.around, due) = (orders, around, DueAnnouncements(last: last))
  }

  // MARK: What it is told

  public func change(_ orders: ClockOrders) {
    self.orders = orders
    if let armed, !armed.hasBegun, !orders.isOn || isMuted(armed.announcement) { silence(as: .muted) }
    look()
  }

  /// The hub says that an announcement is due. An instant is spoken once, whoever names it.
  public func told(at instant: EpochSeconds, parts: [Part]) {
    let now = EpochSeconds(around.time.now.rounded(.down))
    let minute = WallTime(seconds: instant + EpochSeconds(around.offset(instant))).secondOfDay / 60
    told.removeAll { $0 < now - DueAnnouncements.grace || $0 == instant }
    // A hub far ahead of its time would fill it.
    if told.count == PlaybackLimits.waitingSounds { told.removeFirst() }
    told.append(instant)
    if armed?.announcement.at == instant { armed?.source = .push }
    due.told(Announcement(at: instant, minute: minute, parts: parts), now: now)
    look()
  }

  /// An alarm rings, or is over. As long as it does, the clock keeps still.
  public func alarm(rings: Bool) {
    self.rings = rings
    if rings { silence(as: .alarm) }
  }

  /// Plays a sound as soon as no announcement is near.
  /// - Parameter done: called once; not for one that finds no place.
  /// - Returns: false if too many wait.
  public func say(_ clip: Clip, _ done: @escaping (PlaybackEnd) -> Void) -> Bool {
    guard waiting.count < PlaybackLimits.waitingSounds else { return false }
    waiting.append(Waiting(clip: clip, done: done))
    look()
    return true
  }

  /// Joins parts in the clock's voice.
  public func joined(_ parts: [Part]) -> Clip {
    var joiner = around.joiner()
    let (clip, faults) = joiner.join(parts)
    for fault in faults { around.fault(fault) }
    return clip
  }

  /// The parts for the time that the clock shows now.
  public var partsOfNow: [Part] {
    let now = EpochSeconds(around.time.now.rounded(.down))
    let second = WallTime(seconds: now + EpochSeconds(around.offset(now))).secondOfDay
    return orders.settings.parts(at: second / 60)
  }

  public func end() {
    hasEnded = true
    around.wake(nil)
    around.loudspeaker.stop()
  }

  // MARK: Its turn

  /// To be called at the time that it asked for, and whenever the clock was set or the machine slept.
  public func look() {
    guard !hasEnded else { return }
    let now = around.time.now
    if let armed {
      // Somebody may have set the clock since.
      let left = Double(armed.announcement.at) - now
      let isNear = left <= PlaybackLimits.leadSeconds + 1 && left >= -PlaybackLimits.lateSeconds
      if !armed.hasBegun, !isNear { silence(as: .missed) }
      return
    }
    guard !isSpeaking else { return }
    guard orders.isOn else {
      around.wake(nil)
      return speak(before: nil)
    }
    let second = EpochSeconds(now.rounded(.down))
    while let next = due.next(orders.settings, now: second, offset: around.offset) {
      let left = Double(next.at) - now
      guard left <= PlaybackLimits.leadSeconds else {
        around.wake(Double(next.at) - PlaybackLimits.leadSeconds)
        return speak(before: left)
      }
      let source: AnnouncementReport.Source = told.contains(next.at) ? .push : .own
      guard rings || isMuted(next) else { return begin(next, source) }
      settle(next)
      tell(Armed(announcement: next, source: source), rings ? .alarm : .muted, from: nil)
    }
    around.wake(now + PlaybackLimits.dayOfQuietSeconds)
    speak(before: nil)
  }

  /// The hub may believe that the device is in another zone, and tell it what is in its quiet hours.
  private func isMuted(_ announcement: Announcement) -> Bool {
    announcement.at < orders.mutedUntil || orders.settings.quiet?.contains(announcement.minute) == true
  }

  private func begin(_ next: Announcement, _ source: AnnouncementReport.Source) {
    armed = Armed(announcement: next, source: source)
    around.wake(nil)
    let clip = sound(of: next)
    around.loudspeaker.play(clip, at: Double(next.at), volume: orders.volume) { [weak self] event in
      self?.heard(event)
    }
  }

  /// The sound of an announcement. Strokes that last until the next one, or for longer than is played, are struck once,
  /// since the words count; if that is still too long, not at all.
  private func sound(of one: Announcement) -> Clip {
    var joiner = around.joiner()
    let (clip, faults) = joiner.join(one.parts)
    for fault in faults { around.fault(fault) }
    guard let stroke = one.parts.first(where: { $0.isStroke }) else { return clip }
    let next = orders.settings.next(after: one.at, offset: around.offset)
    let left = next.map { Double($0.at - one.at) - PlaybackLimits.leadSeconds } ?? .infinity
    let most = min(max(0, left), PlaybackLimits.soundSeconds)
    guard clip.seconds > most else { return clip }
    around.fault(
      VoiceError(
        .tooLarge, part: stroke, seen: "its strokes and the time last \(Int(clip.seconds.rounded(.up))) seconds",
        accepted: "it is struck once, or not at all, where more than \(Int(most)) are not played"))
    var single: [Part] = []
    for part in one.parts where !(part.isStroke && single.last == part) { single.append(part) }
    let words = one.parts.filter { !$0.isStroke }
    let shorter = joiner.join(single).clip
    return shorter.seconds > most && !words.isEmpty ? joiner.join(words).clip : shorter
  }

  private func heard(_ event: PlaybackEvent) {
    guard let one = armed else { return }
    switch event {
    case .begins:
      armed?.hasBegun = true
      settle(one.announcement)
    case .ended(let end):
      armed = nil
      // One whose time has moved away, since the clock was set back, comes again.
      let isOver = Double(one.announcement.at) <= around.time.now
      switch end {
      case .played(let from): tell(one, one.end ?? .spoke, from: from)
      case .stopped(let from): if isOver || one.end != .missed { tell(one, one.end ?? .missed, from: from) }
      case .missed:
        guard isOver else { break }
        settle(one.announcement)
        tell(one, .missed, from: nil)
      case .failed(let error):
        settle(one.announcement)
        tell(one, .noAudio, from: nil, error.message)
      }
      look()
    }
  }

  /// Ends the announcement that is armed or heard, if there is one.
  private func silence(as what: AnnouncementReport.What) {
    guard armed != nil else { return }
    armed?.end = what
    // One whose time moved away is not over.
    if what != .missed, let announcement = armed?.announcement { settle(announcement) }
    around.loudspeaker.stop()
  }

  private func settle(_ announcement: Announcement) {
    guard due.last != announcement.at else { return }
    due.begun(announcement)
    around.begun(announcement.at)
  }

  private func tell(_ one: Armed, _ what: AnnouncementReport.What, from: Double?, _ reason: String? = nil) {
    let late = from.map { Int((($0 - Double(one.announcement.at)) * 1000).rounded()) }
    around.report(
      AnnouncementReport(
        announcement: one.announcement, what: what, lateMilliseconds: late, source: one.source, reason: reason))
  }

  // MARK: Other sounds

  /// Plays what waits, if it ends before the next announcement is armed.
  /// - Parameter left: seconds until that announcement.
  private func speak(before left: Double?) {
    guard let next = waiting.first else { return }
    guard next.clip.seconds + 1 + PlaybackLimits.leadSeconds < left ?? .infinity else { return }
    waiting.removeFirst()
    isSpeaking = true
    around.loudspeaker.play(next.clip, at: nil, volume: orders.volume) { [weak self] event in
      guard case .ended(let end) = event, let self else { return }
      isSpeaking = false
      next.done(end)
      look()
    }
  }
}
