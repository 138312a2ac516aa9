import CivilTime
import Device
import EventLoop
import Lifecycle
import Notifications
import Playback
import Sound
import SpeakingClock
import WebSocketClient
import Wire

/// The agent's clock and voice: it is told by silent notifications when to speak, goes on by its own schedule without a
/// network, and speaks notifications that have a text for it. Confined to its loop.
final class AgentClock {
  private let folder: StateFolder
  private let loop: EventLoop
  private let note: (String) -> Void
  private let warn: (String) -> Void
  private let player: Player
  private let isMute: Bool
  private let timer: WallTimer
  private let requests: HubRequests
  private let reports: ClockReports
  private let fetched: FetchedVoice
  private let texts: SpokenText
  private var announcer: Announcer?
  private var state = ClockState()
  private var zone: Zone
  private var isConnected = false
  private var voiceTimer: LoopTimer?
  /// The notifications that ring as alarms, and the timers after which they count no more.
  private var alarms: [String: LoopTimer] = [:]

  /// - Parameters:
  ///   - note: writes a line of the flight recorder.
  ///   - warn: tells the person something that is wrong.
  ///   - clockWasSet: called when somebody has set the machine's clock.
  init(
    _ options: AgentOptions, _ variables: [String: String], _ folder: StateFolder, _ connector: WebSocketConnector,
    loop: EventLoop, note: @escaping (String) -> Void, warn: @escaping (String) -> Void,
    clockWasSet: @escaping () -> Void
  ) {
    (self.folder, self.loop, self.note, self.warn) = (folder, loop, note, warn)
    (player, isMute) = (Player(options.audio, loop: loop), options.audio == .off)
    requests = HubRequests(connector, options.home, loop: loop)
    reports = ClockReports(folder, requests, note: note)
    fetched = FetchedVoice(folder, requests, note: note)
    texts = SpokenText(folder, variables, loop: loop)
    zone = MachineZone().zone
    var look: () -> Void = {}
    timer = WallTimer(loop) { event in
      if event == .clockWasSet { clockWasSet() }
      look()
    }
    look = { [unowned self] in self.look() }
    if let json = folder.json(ClockState.file, atMost: ClockLimits.stateBytes) { state = ClockState(json) }
    // No page can switch it on or off then.
    if options.home == nil { state.isOn = options.speaksTime }
    announcer = Announcer(
      state.orders, last: state.last,
      Announcer.Surroundings(
        time: loop.time, loudspeaker: player, offset: { [unowned self] in zone.offset(at: $0) },
        joiner: { [unowned self] in Joiner(voice: voice, fallback: BuiltInVoice(state.form.settings.language).voice) },
        wake: { [unowned self] in timer.set(at: $0) }, begun: { [unowned self] in begun($0) },
        report: { [unowned self] in told($0) }, fault: { note("voice: \($0.message)") }))
  }

  func start() { look() }

  /// The zone may have changed since the last time: a device travels.
  private func look() {
    let named = state.form.zone == ClockSettingsForm.ofDevice ? nil : try? systemZone(state.form.zone)
    zone = named ?? MachineZone().zone
    announcer?.look()
  }

  private var voice: any Voice {
    if let voice = BuiltInVoice(rawValue: state.form.voice) { return voice.voice }
    return fetched.voice(state.form.voice) ?? BuiltInVoice(state.form.settings.language).voice
  }

  // MARK: The hub

  /// - Parameter isFresh: false for a message that may have been heard before, or is old: what it asked for at once is
  ///   over.
  func take(_ message: JSON, isFresh: Bool) {
    let before = state
    let (order, faults) = state.take(message)
    for fault in faults { note("clock message: \(fault)") }
    if state != before { write() }
    fetchVoice()
    // The zone first, since the schedule goes by it.
    look()
    announcer?.change(state.orders)
    guard let order else { return }
    if let at = order.at {
      guard state.isOn else { return }
      note("clock told at=\(at) lead=\(Int((Double(at) - loop.time.now).rounded()))")
      announcer?.told(at: at, parts: order.parts)
    } else if isFresh {
      say(order.parts)
    }
  }

  /// The hub can be reached.
  func connected() {
    isConnected = true
    reports.send()
    fetchVoice()
  }

  func disconnected() { isConnected = false }

  private func fetchVoice() {
    voiceTimer?.cancel()
    guard isConnected, let wanted = state.voice else { return }
    // Whoever recorded it may have deleted it, or have left.
    guard BuiltInVoice(rawValue: wanted.id) == nil else { return fetched.forget() }
    fetched.fetch(wanted) { [weak self] isThere in
      guard let self, !isThere else { return }
      voiceTimer?.cancel()
      voiceTimer = loop.schedule(after: ClockLimits.voiceRetrySeconds) { [weak self] in self?.fetchVoice() }
    }
  }

  private func begun(_ instant: EpochSeconds) {
    state.last = instant
    write()
  }

  private func write() { folder.keep("clock", state.json, in: ClockState.file, note) }

  private func told(_ report: AnnouncementReport) {
    let late = report.lateMilliseconds.map { " late_ms=\($0)" } ?? ""
    note("clock at=\(report.announcement.at) \(report.what.rawValue)\(late) by=\(report.source.rawValue)")
    if let reason = report.reason { fault(reason) }
    reports.add(report)
    if isConnected { reports.send() }
    releaseFreeMemory()
  }

  private func fault(_ reason: String) {
    note("sound: \(reason)")
    if !isMute { warn(reason) }
  }

  // MARK: Speech

  /// Says parts, or the time that it is, as soon as no announcement is near.
  private func say(_ parts: [Part]) {
    guard let announcer else { return }
    play(announcer.joined(parts.isEmpty ? announcer.partsOfNow : parts), "now")
  }

  /// True for a notification that is to be spoken. News that nobody needs at once is said by clocks that are on alone:
  /// a device that was made for alarms does not begin to talk.
  /// - Parameter ringsItself: true while this agent keeps the watch whose alarms are told.
  func speaks(_ content: JSON, isAlarm: Bool, ringsItself: Bool) -> Bool {
    guard content["parts"]?.array != nil else { return content["speech"]?.string != nil }
    guard ClockState.parts(content).contains(where: \.isNews) else { return true }
    return isAlarm ? !ringsItself : state.isOn
  }

  /// Speaks a notification: by its parts if the person's voice has all of them, else by its text.
  func speak(_ content: JSON, id: String) {
    let parts = ClockState.parts(content)
    let isWhole = !parts.isEmpty && parts.count == content["parts"]?.array?.count
    let text = content["speech"]?.string ?? ""
    if isWhole, text.isEmpty || Set(parts.filter { !$0.isStroke }).isSubset(of: voice.parts), let announcer {
      return play(announcer.joined(parts), "speech id=\(id) parts=\(parts.count)")
    }
    guard (1...NotificationLimits.speechBytes).contains(text.utf8.count) else {
      let accepted = "1 to \(NotificationLimits.speechBytes) are accepted"
      return note("speech id=\(id) refused: \(text.utf8.count) bytes; \(accepted)")
    }
    texts.make(text, state.form.settings.language) { [weak self] result in
      switch result {
      case .success(let clip): self?.play(clip, "speech id=\(id) text")
      case .failure(let fault): self?.note("speech id=\(id) not spoken: \(fault.words)")
      }
    }
  }

  var language: ClockSettings.Language { state.form.settings.language }

  /// Makes a text into a sound; nil if nothing here can.
  func make(_ text: String, _ done: @escaping (Clip?) -> Void) {
    texts.make(text, language) { [weak self] result in
      switch result {
      case .success(let clip): done(clip)
      case .failure(let fault):
        self?.note("not spoken: \(fault.words)")
        done(nil)
      }
    }
  }

  /// Says a text as soon as no announcement is near.
  func say(_ text: String) {
    make(text) { [weak self] clip in
      if let clip { self?.play(clip, "sentence") }
    }
  }

  func play(_ clip: Clip, _ what: String) {
    guard !clip.samples.isEmpty, clip.seconds <= PlaybackLimits.speechSeconds else {
      return note("\(what) not spoken: \(clip.seconds) s; up to \(PlaybackLimits.speechSeconds) s are accepted")
    }
    let waits = announcer?.say(clip) { [weak self] end in
      switch end {
      case .played: self?.note("\(what) spoken")
      case .failed(let error): self?.fault("\(what): \(error.message)")
      case .stopped, .missed: self?.note("\(what) stopped")
      }
      releaseFreeMemory()
    }
    if waits != true { note("\(what) not spoken: too much waits") }
  }

  // MARK: Alarms

  /// A notification that presses rings now: the clock keeps still until somebody acts.
  func alarmRings(_ id: String) {
    guard alarms[id] != nil || alarms.count < ClockLimits.alarms else { return }
    alarms[id]?.cancel()
    alarms[id] = loop.schedule(after: ClockLimits.alarmSeconds) { [weak self] in self?.alarmIsOver(id) }
    announcer?.alarm(rings: true)
  }

  func alarmIsOver(_ id: String) {
    guard let timer = alarms.removeValue(forKey: id) else { return }
    timer.cancel()
    if alarms.isEmpty { announcer?.alarm(rings: false) }
  }

  // MARK: The end

  /// To be called when a child has ended (SIGCHLD).
  func childEnded() { texts.childEnded() }

  func end() {
    announcer?.end()
    texts.stop()
    requests.close()
    player.close()
    timer.close()
  }
}
