import AnchorWatch
import Device
import EventLoop
import Glibc
import Lifecycle
import Playback
import Positions
import Wire

/// The watch on the boat: it judges the positions of its sources by its own record of the anchor, rings on its own
/// loudspeaker, writes all of it down, and tells the hub if there is one. It needs neither hub nor network. Confined to
/// its loop.
final class AgentAnchor {
  private let folder: StateFolder
  let loop: EventLoop
  let around: Surroundings
  private let files: Files
  let power: PowerSupply
  let sources: [any FixSource]
  private let isMute: Bool
  private let hub: String?
  var track: TrackLog { files.track }
  var reports: AnchorReports?
  var alarm: AnchorAlarm?
  private var socket: OrderSocket?
  var state = AnchorState()
  private(set) var watch: AnchorWatch?
  private(set) var choice: SourceChoice
  var supply = PowerSupply.Reading()
  var pace = WatchPace.continuous(.noWatch)
  /// The last fix of the best source, by the times of the records.
  private(set) var last: TrackRecord?
  /// Where the boat was when the hub was told that it moves, and the uptime then.
  private var told: (position: Position, at: Double)?
  var areOpen = false
  private var isFull = false
  /// False while the disk cannot be written: what it knows is lost when the machine is switched off.
  var keepsState: Bool { !isFull && !folder.isInMemory }
  /// Uptime until which an alarm keeps still that somebody is on; a start does not know of it.
  var stillUntil = 0.0
  /// Uptime of the best source's last fix.
  var heard: Double?
  /// Time of the watch when uptime was 0: it goes on when somebody sets the clock.
  private let epoch: Double
  /// Seconds by which the machine's clock was ahead of uptime at the last look.
  private var clock: Double
  /// Seconds by which the times of the records were ahead of it at the last fix.
  private var ahead: Double?
  var timers: [String: LoopTimer] = [:]
  var toldLevel = 1.0
  private var flightLine = ""
  /// The drill that rings, until it has sounded here, and then until the hub is told.
  private var drilling, answeredDrill: JSON?
  /// True once a report has told it, which the hub may not have taken.
  private var isDrillTold = false
  /// Uptime at which the best source has told depth and wind last.
  private var toldAt: [String: Double] = [:]
  /// Members of a report that the hub takes: an older one refuses the whole report for one that it does not know.
  private(set) var takenByHub: [String] = []

  var steady: Double { epoch + loop.time.uptime }

  /// A time of the watch by the clock of the records, which a receiver sets right. The hub knows the error of that one
  /// alone, so what is told to it must not be by the machine's.
  func recorded(_ time: Double) -> Double { time + (ahead ?? loop.time.now - steady) }

  /// The files that it has open all the time.
  struct Files {
    let flight: FlightRecorder
    let track: TrackLog

    init(_ folder: StateFolder, time: any TimeSource) throws(DeviceError) {
      flight = try FlightRecorder(folder, name: FlightRecorder.anchorName, time: time)
      track = try TrackLog(folder, most: AgentWatchLimits.trackBytes)
    }
  }

  init(
    _ options: AgentOptions, _ anchor: AnchorOptions, _ folder: StateFolder, _ files: Files, _ requests: HubRequests,
    sources: [any FixSource], loop: EventLoop, _ around: Surroundings
  ) {
    (self.folder, self.files, self.loop, self.around, self.sources) = (folder, files, loop, around, sources)
    (isMute, hub) = (options.audio == .off, options.home?.hub)
    power = PowerSupply(anchor.power)
    choice = SourceChoice(sources.map(\.name))
    let (flight, track) = (files.flight, files.track)
    let before = track.last(bytes: AgentWatchLimits.restoredBytes)
    let newest = before.last?.time ?? 0
    // A receiver's clock may differ from the machine's, by which the watch measures silence.
    let ahead = abs(newest - track.written) <= AgentWatchLimits.apartSeconds ? newest - track.written : 0
    epoch = max(loop.time.now, newest - ahead + 0.001) - loop.time.uptime
    clock = loop.time.now - loop.time.uptime
    restore(before, ahead: ahead)
    alarm = AnchorAlarm(
      options.audio, loop: loop, rings: { around.clock()?.alarmRings(Self.alarmName) },
      sounded: { [unowned self] in answerDrill() },
      fault: { [unowned self] reason in
        note("sound: \(reason)")
        if !isMute { around.warn(reason) }
      })
    if options.home != nil {
      reports = AnchorReports(
        folder, requests, track: before, note: { flight.note("anchor \($0)") },
        compose: { [unowned self] in message() }, answered: { [unowned self] in answered($0, to: $1) })
    }
    do throws(DeviceError) {
      socket = try OrderSocket(folder, loop: loop) { [unowned self] in AnchorOrders.answer($0, self) }
    } catch {
      // Without orders of this machine it watches all the same.
      around.warn(error.message)
    }
  }

  /// The id of the alarm for the clock, which keeps still meanwhile.
  static let alarmName = "anchor"

  func note(_ text: String) { files.flight.note("anchor \(text)") }

  // MARK: The beginning

  /// The watch as it was before the end of the process: by its record, and by the track's last hour.
  /// - Parameter ahead: seconds by which the track's times are ahead of the machine's clock.
  private func restore(_ before: [TrackRecord], ahead: Double) {
    guard let bytes = folder.read(AnchorState.file, atMost: AgentWatchLimits.stateBytes) else { return }
    var fault: String?
    state = AnchorState(bytes, fault: &fault)
    if let fault {
      note("\(AnchorState.file): \(fault)")
      around.warn("\(AnchorState.file): \(fault)")
    }
    if state.ringing?.isDrill == true { state.ringing = nil }
    guard state.isArmed, let settings = state.form?.settings else { return }
    let since = min(state.since ?? 0, steady)
    var watch = AnchorWatch(settings, since: since)
    var alarmed = 0.0
    for record in before where record.time - ahead >= since {
      guard var fix = record.fix else { continue }
      fix.time -= ahead
      for event in watch.take(fix) where event.kind == .alarm { alarmed = event.at }
    }
    last = before.last
    self.watch = watch
    // It was killed between the alarm and the record of it. The track may begin after one that somebody is on.
    if watch.state == .alarm, state.ringing == nil, state.outside == nil, alarmed > state.acknowledged ?? 0 {
      state.ringing = AnchorState.Ringing(kind: "alarm", at: alarmed, isAlarm: true)
    }
    note("restored records=\(before.count) state=\(watch.state.name)")
  }

  func start() {
    if state.isArmed { outliveTerminal() }
    supply = power.read()
    adapt()
    every("look", AgentWatchLimits.lookSeconds) { [unowned self] in
      lookAtPower()
      look()
    }
    every("sync", AgentWatchLimits.syncSeconds) { [unowned self] in track.sync() }
    every("flight", AgentWatchLimits.flightSeconds) { [unowned self] in
      writeFlight(isDue: true)
      for (index, source) in sources.enumerated() {
        if let problem = problem(of: index) { note("\(source.name): \(problem)") }
      }
    }
    beat()
    scheduleStillWatching()
    look()
    if let ringing = state.ringing { ring(ringing) }
  }

  /// A terminal that goes, as with a connection over wifi that breaks, takes no watch along.
  private func outliveTerminal() { signal(SIGHUP, SIG_IGN) }

  private func every(_ name: String, _ seconds: Double, _ work: @escaping () -> Void) {
    timers[name] = loop.schedule(after: seconds) { [weak self] in
      work()
      self?.every(name, seconds, work)
    }
  }

  // MARK: Fixes

  func heard(_ index: Int, _ reading: Positions.Reading) {
    switch reading {
    case .fix(let fix): heard(index, fix)
    case .witness(let fix, let receiver):
      let objection = choice.heard(receiver, beside: index, fix, uptime: loop.time.uptime)
      if let objection { object(objection.name, objection.metres) }
    case .refused(let refusal): choice.refused(index, refusal)
    }
  }

  /// The instruments that are told beside the positions: "depth", "wind".
  var instruments: [String] {
    toldAt.filter { loop.time.uptime - $0.value <= AgentWatchLimits.instrumentSeconds }.keys.sorted()
  }

  /// The reason why one of its sources tells no positions, as far as it is known.
  func problem(of index: Int) -> String? {
    let (source, connection) = (choice.sources[index], sources[index].connection)
    let refused = source.refused.map { "\($0.count) refused: \($0.last.rawValue)" }
    if let fault = connection.fault ?? refused { return fault }
    let age = source.heard.map { loop.time.uptime - $0 } ?? .infinity
    return connection.speaks && age > AgentWatchLimits.dropSeconds ? "what it tells has no position" : nil
  }

  private func heard(_ index: Int, _ fix: Fix) {
    if let metres = choice.tears(index, fix, uptime: loop.time.uptime) { object(sources[index].name, metres) }
    switch choice.heard(index, fix, uptime: loop.time.uptime) {
    case .stale: break
    case .witness(let metres):
      if let metres { object(sources[index].name, metres) }
    case .best: use(fix, sources[index].name)
    }
  }

  private func use(_ fix: Fix, _ source: String) {
    var fix = fix
    let now = loop.time.now
    // A receiver knows the time, but a recorded or a wrong one does not become the time of the records.
    let isRight = abs(fix.time - now) <= AgentWatchLimits.apartSeconds
    let record = TrackRecord(
      time: isRight ? fix.time : now, latitude: fix.position.latitude, longitude: fix.position.longitude,
      accuracy: fix.accuracy, hdop: fix.hdop, source: source, heading: fix.heading)
    fix.time = steady
    let ahead = record.time - fix.time
    if let before = self.ahead, abs(ahead - before) > AgentWatchLimits.clockSetSeconds {
      reports?.clockWasSet(by: ahead - before)
    }
    self.ahead = ahead
    heard = loop.time.uptime
    last = record
    if fix.depth != nil { toldAt["depth"] = loop.time.uptime }
    if fix.windDirection != nil { toldAt["wind"] = loop.time.uptime }
    write(record)
    if var watch {
      // In place, without a copy.
      self.watch = nil
      let events = watch.take(fix)
      self.watch = watch
      for event in events { happened(event) }
    }
    around.moved(fix.position.latitude, fix.position.longitude, fix.accuracy ?? 0)
    if state.form == nil { tellIfMoved(to: fix.position) }
    if case .seldom = pace, areOpen { closeSoon() }
    adapt()
  }

  /// Under way the promised reports would be far behind the boat.
  private func tellIfMoved(to position: Position) {
    let now = loop.time.uptime
    if let told,
      now - told.at < AgentWatchLimits.movedSeconds
        || position.distance(to: told.position) < AgentWatchLimits.movedMetres
    {
      return
    }
    told = (position, now)
    report()
  }

  private func write(_ record: TrackRecord) {
    do throws(DeviceError) {
      try track.add(record)
      isFull = false
    } catch {
      // The watch goes on without its log.
      if !isFull { around.warn(error.message) }
      if !isFull { note("track: \(error.message)") }
      isFull = true
    }
    reports?.add(record)
  }

  /// The times of the record go with the machine's clock when somebody sets it.
  func lookAtClock() {
    let step = loop.time.now - loop.time.uptime - clock
    guard abs(step) > AgentWatchLimits.clockSetSeconds else { return }
    clock += step
    note("clock set by=\(Int(step.rounded()))")
    state.clockWasSet(by: step)
    keep()
  }

  /// Time has passed.
  private func look() {
    lookAtClock()
    if var watch {
      self.watch = nil
      let events = watch.pass(to: steady)
      self.watch = watch
      for event in events { happened(event) }
    }
    ringAgain()
    adapt()
  }

  // MARK: Orders

  /// A message of the hub.
  /// - Parameters:
  ///   - sentAt: seconds since 1970; somebody who acted before an alarm has not acted upon it.
  ///   - isFresh: false for a message that may have been heard before, or is old.
  ///   - isAnswer: true for the answer to a report.
  ///   - told: the state that was told with that report.
  func take(
    _ json: JSON, sentAt: Double = 0, isFresh: Bool = false, isAnswer: Bool = false, told: AnchorState? = nil
  ) {
    lookAtClock()
    if isAnswer { takenByHub = json["takes"]?.array?.compactMap(\.string) ?? [] }
    let news = state.take(json, now: loop.time.now, isAnswer: isAnswer, told: told, hub: hub)
    if let fault = news.fault {
      note("message of the hub refused: \(fault)")
      around.warn("The hub's settings of the anchor watch: \(fault)")
    }
    if news.isKept {
      note("kept version=\(state.version)")
      around.warn("The hub does not know of this watch: it goes on, and the hub is told.")
    }
    if news.hasChanged { settled() }
    if news.acknowledges, !isAnswer, state.ringing?.at ?? 0 <= sentAt + AgentWatchLimits.acknowledgedSeconds {
      acknowledge()
    }
    if let drill = json["drill"], drill != .null, isFresh { self.drill(drill) }
  }

  private func answered(_ json: JSON?, to told: AnchorState) {
    guard let json else {
      if state.order == told.order { state.order?.isRefused = true }
      around.warn("The hub refuses what was ordered on board; the watch goes on here.")
      return keep()
    }
    take(json, isAnswer: true, told: told)
  }

  /// Takes up what the state says now, after a change of it.
  func settled() {
    if state.isArmed, let settings = state.form?.settings {
      outliveTerminal()
      if watch == nil {
        watch = AnchorWatch(settings, since: steady)
        choice.begin()
      } else if watch?.settings != settings {
        watch?.change(settings)
        if state.outside != nil { state.outside = AnchorState.Outside(watch) }
      }
    } else {
      watch = nil
    }
    keep()
    ring(state.ringing)
    note("armed=\(state.isArmed) version=\(state.version)")
    adapt()
    scheduleStillWatching()
    beat()
  }

  private func drill(_ id: JSON) {
    note("drill")
    drilling = id
    if state.ringing == nil {
      state.ringing = AnchorState.Ringing(kind: AnchorState.Ringing.drill, at: loop.time.now, isAlarm: true)
      ring(state.ringing)
    }
    timers["drill"]?.cancel()
    timers["drill"] = loop.schedule(after: AgentWatchLimits.drillSeconds) { [weak self] in
      guard let self else { return }
      drilling = nil
      guard state.ringing?.isDrill == true else { return }
      state.ringing = nil
      ring(nil)
    }
  }

  /// A drill is there to find out that the loudspeaker is dead, or that sound is switched off: only one that was heard
  /// has answered. What else rings meanwhile is as good.
  private func answerDrill() {
    guard let id = drilling else { return }
    (drilling, answeredDrill, isDrillTold) = (nil, id, false)
    note("drill answered")
    report()
  }

  func keep() {
    do throws(DeviceError) {
      try folder.write(AnchorState.file, state.json.bytes)
    } catch {
      note("not kept: \(error.message)")
      around.warn(error.message)
    }
  }

  // MARK: Signs of life

  /// Tells the hub that the watch goes on, as often as promised.
  private func beat() {
    report()
    timers["beat"]?.cancel()
    guard reports != nil else { return }
    let seconds = reports?.isLate == true ? AgentWatchLimits.retrySeconds : promised
    timers["beat"] = loop.schedule(after: seconds) { [weak self] in self?.beat() }
  }

  var promised: Double { state.form?.settings.beat ?? AgentWatchLimits.flightSeconds }

  func report() { reports?.send() }

  private func message() -> AnchorReports.Message {
    if isDrillTold, reports?.isLate == false { answeredDrill = nil }
    isDrillTold = answeredDrill != nil
    let drilled = answeredDrill.map { [JSON.Member("drill", $0)] } ?? []
    lookAtClock()
    let members = AnchorStatus.report(of: self) + state.orderMember(now: loop.time.now) + drilled
    // Before the first fix the receiver's clock is not known, by which what was kept is.
    return (members, state, ahead.map { steady + $0 })
  }

  /// The hub can be reached again; it may be an older one.
  func connected() {
    takenByHub = []
    beat()
  }

  var stateName: String { watch.map { "\($0.state.name)" } ?? (state.form == nil ? "idle" : "dropped") }
  var waitingReports: Int? { reports?.waiting }

  /// A line of the flight recorder: when something changed, and now and then.
  func writeFlight(isDue: Bool = false) {
    let (interval, why) = pace.words
    let battery = supply.level.map { "\(Int(($0 * 100).rounded()))%" } ?? "none"
    let line = """
      watch=\(state.isArmed ? "on" : "off") state=\(stateName) interval=\(interval) why=\(why) \
      charger=\(supply.isCharging.map { $0 ? "in" : "out" } ?? "unknown") sources=\(areOpen ? "open" : "closed")
      """
    guard isDue || line != flightLine else { return }
    flightLine = line
    let share = watch.map { TrackRecord.fixed($0.share, 2) } ?? "none"
    let best = choice.best.map { "\($0 + 1)/\(sources.count)" } ?? "none"
    let age = heard.map { TrackRecord.fixed(loop.time.uptime - $0, 1) } ?? "none"
    note("\(line) share=\(share) best=\(best) age=\(age) battery=\(battery) lease=none process=running")
  }

  func end() {
    note("end")
    for timer in timers.values { timer.cancel() }
    closeSources()
    track.sync()
    alarm?.end()
    socket?.close()
  }
}
