import CivilTime
import Crypto
import Device
import EventLoop
import Glibc
import Lifecycle
import Notifications
import Observe
import Settings
import Terminal
import WebSocketClient
import Wire

/// A device without a screen: composes the session with its connection, its record on the disk, its command and its
/// output. Confined to its loop.
final class Agent: @unchecked Sendable {
  static let signals = [SIGTERM, SIGINT, SIGCHLD]

  let options: AgentOptions
  let loop: EventLoop
  let log: Log
  let folder: StateFolder
  private let journal: DeviceJournal
  let flight: FlightRecorder
  let requests: PendingRequests
  private let position: DevicePosition
  private let rules: DeviceRulesFile
  let output: Output
  private let notice: ServiceNotice
  let connector: WebSocketConnector
  private let runner: CommandRunner?
  private let beforeDisplay: BeforeDisplay
  private let alarm: Alarm
  var clock: AgentClock?
  var anchor: AgentAnchor?
  private var requestFolder: RequestFolder?
  private var watcher: SignalWatcher?
  private var session: DeviceSession
  private var connection: WebSocketConnection?
  private var deadline: LoopTimer?
  private var retry: LoopTimer?
  /// The notification for which the command could not be started, and the timer of the next attempt.
  private var ringing: (timer: LoopTimer, one: Showing)?
  private var work: [DeviceSession.Effect] = []
  private var isWorking = false
  private var hasEnded = false

  /// The reason why it ended; nil after a signal.
  private(set) var failure: CommandError?

  init(_ options: AgentOptions, loop: EventLoop) throws(DeviceError) {
    self.options = options
    self.loop = loop
    log = Log(time: loop.time)
    folder = try StateFolder(options.state)
    guard try folder.take() else {
      throw DeviceError("\(options.state) is in use by another agent; each needs a folder of its own (--state DIR).")
    }
    flight = try FlightRecorder(folder, time: loop.time)
    flight.note("start version=\(productVersion) process=\(getpid()) hub=\(options.home?.hub ?? "none")")
    journal = try DeviceJournal(folder)
    rules = DeviceRulesFile(folder)
    position = DevicePosition(folder)
    let zone = DeviceZone()
    requests = try PendingRequests(
      folder, at: DeviceSession.Moment(now: loop.time.now, uptime: loop.time.uptime), zones: zone.zone)
    output = Output(isJSON: options.isJSON)
    let variables = environment()
    notice = ServiceNotice(variables, loop: loop)
    connector = WebSocketConnector(loop: loop, userAgent: "eightbells-agent/\(productVersion)")
    runner = options.command.map { CommandRunner($0, variables, loop: loop) }
    let (files, flight) = (AttachmentFiles(folder), flight)
    files.prune()
    beforeDisplay = BeforeDisplay(
      AgentKeys(folder),
      ServiceExtension(
        options.extensions, variables, seconds: options.extensionSeconds, files, loop: loop
      ) { flight.note($0) },
      options.extensions)
    alarm = Alarm(loop)
    session = DeviceSession(
      secret: options.home?.secret ?? "", zone: zone.name, instance: Digest.hex(Digest.random(8)),
      record: journal.record,
      prepares: beforeDisplay.isNeeded, chance: { Double.random(in: 0...1) })
  }

  private var moment: DeviceSession.Moment {
    DeviceSession.Moment(now: loop.time.now, uptime: loop.time.uptime)
  }

  func start() {
    // All that follows happens on the loop's thread.
    loop.execute { [self] in
      watcher = SignalWatcher(Self.signals, on: loop) { [unowned self] signal in
        guard signal == SIGCHLD else { return end(bySignal: signal) }
        runner?.childEnded()
        beforeDisplay.childEnded()
        clock?.childEnded()
      }
      requestFolder = RequestFolder(folder, loop: loop) { [unowned self] in takeRequests() }
      takeRequests()
      startClock()
      startAnchor()
      notice.ready()
      if options.home != nil { perform(session.start()) } else { setDeadline() }
      releaseFreeMemory()
      loop.schedule(after: AgentLimits.startSeconds) { releaseCode() }
    }
  }

  // MARK: Effects

  /// Carries out the effects of the session in order, with those that are added meanwhile.
  private func perform(_ effects: [DeviceSession.Effect]) {
    work += effects
    guard !isWorking else { return }
    isWorking = true
    while !work.isEmpty, !hasEnded {
      let effect = work.removeFirst()
      do throws(DeviceError) {
        try perform(effect)
      } catch {
        fail(error.message)
      }
    }
    isWorking = false
    work = []
    setDeadline()
  }

  private func perform(_ effect: DeviceSession.Effect) throws(DeviceError) {
    switch effect {
    case .connect: connect()
    case .send(let message):
      note(sent: message)
      connection?.send(message.text)
    case .disconnect(let code):
      let old = connection
      connection = nil
      old?.close(code)
    case .record(let entries, let sync): try journal.write(entries, sync: sync)
    case .prepare(let one):
      beforeDisplay.begin(one) { [unowned self] outcome in
        perform(session.prepared(outcome.content, note: outcome.note, moment))
      }
    case .present(let one): try present(one)
    case .stop(let id):
      flight.note("stop id=\(id)")
      beforeDisplay.stop()
      if let (timer, one) = ringing {
        timer.cancel()
        ringing = nil
        finish(one)
      } else {
        runner?.stop()
      }
    case .tell(let news): try tell(news)
    case .end(let reason): end(reason)
    }
  }

  private func setDeadline() {
    deadline?.cancel()
    guard !hasEnded, let at = session.deadline(moment) else { return }
    deadline = loop.schedule(after: at - loop.time.uptime) { [unowned self] in perform(session.tick(moment)) }
  }

  private func connect() {
    guard let address = options.home?.address else { return }
    flight.note("connect")
    connection?.abandon()
    var opened: WebSocketConnection?
    opened = connector.open(address) { [unowned self] event in
      // Events of a connection that was given up are ignored.
      guard connection === opened || opened == nil else { return }
      heard(event)
    }
    connection = opened
  }

  private func heard(_ event: WebSocketConnection.Event) {
    switch event {
    case .opened: perform(session.opened(moment))
    case .message(let text): perform(session.received(text, moment))
    case .closed(let code, let reason):
      connection = nil
      let words = reason.isEmpty ? "the hub closed it (\(code.rawValue))" : "the hub closed it: \(reason)"
      perform(session.lost(words, code: code, at: moment))
    case .failed(let reason, let status):
      connection = nil
      let hint = status == 404 ? " Is there a hub at \(options.home?.hub ?? "")?" : ""
      perform(session.lost(reason + hint, at: moment))
    }
  }

  private func note(sent message: JSON) {
    let parts = ["id", "version", "what", "action", "reason"].compactMap { name -> String? in
      guard let value = message[name] else { return nil }
      return "\(name)=\(value.string ?? value.text)"
    }
    flight.note((["sent \(message["do"]?.string ?? "")"] + parts).joined(separator: " "))
  }

  private func tell(_ news: DeviceSession.News) throws(DeviceError) {
    switch news {
    case .connected(let device, let name):
      clock?.connected()
      anchor?.connected()
      log.info("connected", ["device": device, "name": name])
      notice.status("connected as \(Layout.plain(name))")
      if options.namesState, UInt64(device) != nil { folder.rename(to: "agent-\(device)") }
    case .disconnected(let reason, let retryIn):
      clock?.disconnected()
      log.warning("not connected", ["reason": reason, "retry": "\(Int(retryIn.rounded(.up))) s"])
      notice.status("not connected: \(Layout.plain(reason))")
    case .failed(let id, let reason): log.error("not shown", ["id": id, "reason": reason])
    case .dropped(let response): log.error("too many answers wait for the hub", ["dropped": response.id])
    case .ignored(let what, let id): log.warning("ignored", ["what": what, "id": id ?? ""])
    case .taken(let id, _): clock?.alarmIsOver(id)
    case .responded(let response): clock?.alarmIsOver(response.id)
    case .heartbeat: break
    }
    let event = Output.event(news, at: loop.time.now)
    // An answer's text may be a message to somebody.
    let kept = event.members?.filter { !["text", "at", "name"].contains($0.name) } ?? []
    flight.note(kept.map { "\($0.name)=\($0.value.string ?? $0.value.text)" }.joined(separator: " "))
    try output.write(event)
  }

  // MARK: Showing

  private func present(_ one: Showing) throws(DeviceError) {
    lookAtRules()
    var presentation: Presentation?
    // A content that breaks a rule of this version is shown all the same: a later version may accept it.
    if case .withdraw = one.kind {
      beforeDisplay.forget(one.id)
      clock?.alarmIsOver(one.id)
    }
    if one.kind == .show, !one.isLocal, let message = HubMessage(one.content) { return try take(message, one) }
    if one.kind == .show, case .success(let content) = Content.check(one.content.bytes) {
      presentation = rules.rules.presentation(of: content, isKnown: one.isRepeat || one.isUpdate)
      if presentation?.reason == .denied || presentation?.reason == .notDetermined {
        perform(session.notShown("notifications are switched off on the device", moment))
        return finish(one)
      }
      sound(content, one)
    }
    // A silent one wakes the command for so much work only.
    let work = presentation?.wakesApp == true ? SilentWork(seconds: one.seconds, now: loop.time.now) : nil
    var event = Output.event(
      one, presentation: presentation.flatMap { try? JSON(parsing: $0.text) }, at: loop.time.now)
    if let work { event = .object((event.members ?? []) + work.members) }
    let kind = if case .withdraw(let reason) = one.kind { "withdraw reason=\(reason)" } else { "show" }
    flight.note("\(kind) id=\(one.recordID) version=\(one.version)" + (one.isRepeat ? " repeat" : ""))
    try output.write(event)
    guard let runner else { return presented(one) }
    flight.note("command begins")
    ring(one, event.bytes + [10], runner, work, attempts: AgentLimits.attempts)
  }

  /// A message to the clock or the anchor watch, which is no work for the command.
  private func take(_ message: HubMessage, _ one: Showing) throws(DeviceError) {
    flight.note("\(message.name) message id=\(one.id)")
    try output.write(Output.event(one, presentation: nil, at: loop.time.now))
    let age = one.sentAt.flatMap { parseTimestamp($0) }.map { loop.time.now - Double($0) } ?? 0
    let isFresh = !one.isRepeat && age < ClockLimits.freshSeconds
    if let told = message.clock { clock?.take(told, isFresh: isFresh) }
    if let told = message.anchor { anchor?.take(told, sentAt: loop.time.now - age, isFresh: isFresh) }
    perform(session.shown(note: SilentWork(seconds: one.seconds, now: loop.time.now).note(.newData, took: 0), moment))
    finish(one)
  }

  /// Speaks a notification that has a text for it, if it may sound; and has the clock keep still for one that presses.
  private func sound(_ content: Content, _ one: Showing) {
    if content.interruptionLevel >= .timeSensitive, !content.isSilent { clock?.alarmRings(one.id) }
    let isAlarm = content.interruptionLevel == .critical
    guard let clock, clock.speaks(one.content, isAlarm: isAlarm, ringsItself: anchor?.isWatching == true),
      case .success(let sounding) = content.patched(with: Array(#"{"sound": "default"}"#.utf8)),
      rules.rules.presentation(of: sounding, isKnown: one.isRepeat || one.isUpdate).sound
    else { return }
    clock.speak(one.content, id: one.id)
  }

  private func lookAtRules() {
    guard let fault = rules.look() else { return }
    perform([.tell(.ignored("\(DeviceRules.file): \(fault)"))])
  }

  /// Starts the command; tries again after a moment if the machine has no room for it now.
  private func ring(_ one: Showing, _ line: [UInt8], _ runner: CommandRunner, _ work: SilentWork?, attempts: Int) {
    ringing = nil
    guard !hasEnded else { return }
    let start = loop.time.uptime
    let refused = runner.run(
      line, work?.bounds ?? CommandRunner.Bounds(), variables: work?.variables ?? []
    ) { [unowned self] outcome in
      if let work { ended(outcome, one, work, since: start) } else { ended(outcome, one) }
    }
    // The outcome of a silent one is told at its end.
    guard let refused else { return work == nil ? wasShown() : () }
    guard attempts > 1 else {
      perform(session.notShown(refused, moment))
      return finish(one)
    }
    flight.note("command waits: \(refused)")
    let timer = loop.schedule(after: AgentLimits.attemptSeconds) { [weak self] in
      self?.ring(one, line, runner, work, attempts: attempts - 1)
    }
    ringing = (timer, one)
  }

  private func presented(_ one: Showing) {
    wasShown()
    finish(one)
  }

  private func wasShown() { perform(session.shown(moment)) }

  /// The command has ended.
  private func ended(_ outcome: CommandRunner.Outcome, _ one: Showing) {
    switch outcome {
    case .answered(let bytes):
      flight.note("command ends bytes=\(bytes.count)")
      if one.kind == .show { answer(Answer.read(bytes, of: one.content, rules.rules), one) }
    case .stopped: flight.note("command stopped")
    case .failed(let failure):
      flight.note("command failed: \(failure.words)")
      perform(session.notShown(failure.words, moment))
    }
    finish(one)
  }

  /// The command's work for a silent one has ended.
  private func ended(_ outcome: CommandRunner.Outcome, _ one: Showing, _ work: SilentWork, since start: Double) {
    let took = loop.time.uptime - start
    switch outcome {
    case .answered(let bytes):
      let result = SilentWork.result(bytes)
      flight.note("silent work result=\(result.rawValue)")
      let note = work.note(result, took: took)
      perform(
        result == .failed
          ? session.notShown("the command said that it failed", note: note, moment)
          : session.shown(note: note, moment))
    case .stopped: flight.note("command stopped")
    case .failed(let failure):
      flight.note("silent work failed: \(failure.words)")
      let note = work.note(work.result(failure), took: took)
      perform(session.notShown(failure.words, note: note, moment))
    }
    finish(one)
  }

  private func answer(_ reading: Answer.Reading, _ one: Showing) {
    switch reading {
    case .none: break
    case .ignored(let reason): perform([.tell(.ignored("the command: \(reason)", id: one.id))])
    case .answer(let answer):
      guard one.isLocal else {
        return perform(session.respond(id: one.id, action: answer.action, text: answer.text, moment))
      }
      // The request is the device's own, so no hub takes the answer; a program that reads the output may.
      let response = DeviceResponse(id: one.id, action: answer.action, text: answer.text, at: loop.time.now)
      perform([.tell(.responded(response))])
    }
  }

  private func finish(_ one: Showing) {
    perform(session.finished(moment))
    // Also one that found no place among those that wait.
    if one.isLocal || requests.hasFired { loop.atNextTurn { [unowned self] in fireRequests() } }
  }

  // MARK: Requests of the device's own

  private func takeRequests() {
    guard !hasEnded else { return }
    switch position.look() {
    case .unchanged: break
    case .at(let fix): requests.moved(to: fix, now: loop.time.now)
    case .refused(let fault): perform([.tell(.ignored("\(DevicePosition.file): \(fault)"))])
    }
    let taking = requests.takeNew(moment)
    do throws(DeviceError) {
      for one in taking.taken { try tell(one) }
    } catch {
      return fail(error.message)
    }
    if let failure = taking.failure { postponeRequests(failure) }
    // A new request has to know first on which side of its circle the device is.
    let fix = taking.taken.contains(where: \.waitsForPlace) ? position.last : nil
    if let fix { requests.moved(to: fix, now: loop.time.now) }
    if taking.hasMore || fix != nil { loop.atNextTurn { [unowned self] in takeRequests() } }
    fireRequests()
  }

  /// To be called when something cannot be written, as on a full disk: it is tried again. All that is known rings
  /// meanwhile, since the space of the record of what was shown is taken already.
  private func postponeRequests(_ error: DeviceError) {
    flight.note("requests wait: \(error.message)")
    guard retry == nil else { return }
    log.error("requests wait", ["reason": error.message])
    retry = loop.schedule(after: AgentLimits.retrySeconds) { [weak self] in
      self?.retry = nil
      self?.takeRequests()
    }
  }

  private func startClock() {
    let (flight, log) = (flight, log)
    clock = AgentClock(
      options, environment(), folder, connector, loop: loop, note: { flight.note($0) },
      warn: { log.warning("no sound", ["reason": $0]) }, clockWasSet: { [unowned self] in clockWasSet() })
    clock?.start()
  }

  /// Somebody has set the machine's clock, such as a network that tells a small computer the time.
  private func clockWasSet() {
    guard !hasEnded else { return }
    flight.note("clock set")
    requests.clockWasSet(moment)
    perform(session.tick(moment))
    takeRequests()
  }

  private func tell(_ taken: PendingRequests.Taken) throws(DeviceError) {
    let members = Output.members(of: taken)
    if case .refused(let name, let reason) = taken {
      log.error("a request cannot be used", ["name": name, "reason": reason])
    }
    flight.note(members.map { "\($0.name)=\($0.value.string ?? "")" }.joined(separator: " "))
    try output.write(.object(members + [.init("at", .string(instant(loop.time.now)))]))
  }

  /// Shows what is due, and waits for the next.
  func fireRequests() {
    while !hasEnded, let next = requests.next(now: loop.time.now) {
      if let content = requests.content(of: next) {
        let fired = session.fire(id: next.id, content: content, due: Double(next.due), moment)
        if !fired.isDone {
          perform(fired.effects)
          // Ask again: only a request that was shown just now is done. One that waits for the command stays.
          guard session.fire(id: next.id, content: content, due: Double(next.due), moment).isDone else { return }
        }
      }
      do throws(DeviceError) {
        try requests.settle(next)
      } catch {
        postponeRequests(error)
      }
    }
    guard !hasEnded else { return }
    alarm.set(at: requests.due) { [weak self] in self?.fireRequests() }
  }

  // MARK: Ending

  private func end(_ reason: DeviceSession.EndReason) {
    let (name, message, code) = reason.words
    guard anchor != nil else { return stop(name, message, code) }
    // A watch never ends because of its hub.
    flight.note("without the hub from now on: \(name)")
    log.error("the anchor watch goes on without the hub", ["reason": message])
  }

  func fail(_ message: String) { stop("failed: \(message)", message, 1) }

  private func end(bySignal signal: Int32) {
    // A second signal ends the process at once.
    if hasEnded { exit(128 + signal) }
    notice.stopping()
    log.info("the agent is stopping", ["signal": "\(signal)"])
    stop("signal \(signal)", nil, 0)
  }

  private func stop(_ reason: String, _ message: String?, _ code: Int32) {
    guard !hasEnded else { return }
    hasEnded = true
    flight.note("end \(reason)")
    if let message {
      failure = CommandError(message)
      failure?.exitCode = code
    }
    deadline?.cancel()
    runner?.stop()
    beforeDisplay.stop()
    clock?.end()
    anchor?.end()
    let old = connection
    connection = nil
    old?.close(.goingAway)
    loop.stop()
  }
}
