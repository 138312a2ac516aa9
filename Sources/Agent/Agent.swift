import Crypto
import Device
import EventLoop
import Glibc
import Lifecycle
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
  let position: DevicePosition
  let rules: DeviceRulesFile
  var output: Output
  private let notice: ServiceNotice
  let connector: WebSocketConnector
  let runner: CommandRunner?
  let beforeDisplay: BeforeDisplay
  let alarm: Alarm
  var clock: AgentClock?
  /// Nil without an anchor to watch.
  let anchorFiles: AgentAnchor.Files?
  var anchor: AgentAnchor?
  private var requestFolder: RequestFolder?
  private var watcher: SignalWatcher?
  var session: DeviceSession
  private var connection: WebSocketConnection?
  private var deadline: LoopTimer?
  var retry: LoopTimer?
  /// The notification for which the command could not be started, and the timer of the next attempt.
  var ringing: (timer: LoopTimer, one: Showing)?
  private var work: [DeviceSession.Effect] = []
  private var isWorking = false
  var hasEnded = false

  /// The reason why it ended; nil after a signal.
  private(set) var failure: CommandError?

  /// - Throws: also if the folder cannot be written.
  init(_ options: AgentOptions, _ folder: StateFolder, loop: EventLoop) throws(DeviceError) {
    (self.options, self.folder, self.loop) = (options, folder, loop)
    log = Log(time: loop.time)
    guard try folder.take() else { throw .inUse(options.state) }
    try folder.takeBack()
    flight = try FlightRecorder(folder, time: loop.time)
    flight.note("start version=\(productVersion) process=\(getpid()) hub=\(options.home?.hub ?? "none")")
    journal = try DeviceJournal(folder)
    anchorFiles = try options.anchor.map { _ throws(DeviceError) in try AgentAnchor.Files(folder, time: loop.time) }
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
      secret: options.home?.secret ?? "", zone: { zone.name }, record: journal.record,
      prepares: beforeDisplay.isNeeded, isMessage: { !$0.isLocal && HubMessage($0.content) != nil },
      chance: { Double.random(in: 0...1) })
  }

  var moment: DeviceSession.Moment {
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
  func perform(_ effects: [DeviceSession.Effect]) {
    work += effects
    guard !isWorking else { return }
    isWorking = true
    while !work.isEmpty, !hasEnded {
      let effect = work.removeFirst()
      do throws(DeviceError) {
        try perform(effect)
      } catch {
        // A card that has failed ends no watch: what comes rings without a record rather than nothing at all.
        guard anchor?.isWatching == true else {
          fail(error.message)
          continue
        }
        flight.note("not recorded: \(error.message)")
        log.error("not recorded", ["reason": error.message])
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
    case .take(let one): try take(one)
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
      let hint =
        switch status {
        case 404: " Is there a hub at \(options.home?.hub ?? "")?"
        case 426: " A web server in between may pass no WebSocket on: Docs/https.md."
        default: ""
        }
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
      noteKnown()
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
    try writeLine(event)
  }

  private func startClock() {
    let (flight, log) = (flight, log)
    clock = AgentClock(
      options, environment(), folder, connector, loop: loop, note: { flight.note($0) },
      warn: { log.warning("no sound", ["reason": $0]) }, clockWasSet: { [unowned self] in clockWasSet() })
    clock?.start()
  }

  // MARK: Ending

  private func end(_ reason: DeviceSession.EndReason) {
    let (name, message, code) = reason.words
    // A watch never ends because of its hub. One that knew the secret may have been restored from a backup, or have
    // found an empty folder for a minute, and knows it again later.
    guard anchor != nil || reason == .unknownSecret && isKnown else { return stop(name, message, code) }
    clock?.disconnected()
    flight.note("without the hub from now on: \(name)")
    log.error("the agent goes on without the hub", ["reason": message])
    notice.status("without the hub: \(message)")
    guard reason != .replaced else { return }
    loop.schedule(after: AgentLimits.unknownSeconds) { [weak self] in
      guard let self, !hasEnded else { return }
      perform(session.start())
    }
  }

  /// The digest of the secret that the hub has known.
  private static let known = "known"
  private var digest: [UInt8] { Array(Digest.hex(Digest.sha256((options.home?.secret ?? "").utf8)).utf8) }
  private var isKnown: Bool { folder.read(Self.known, atMost: 64) == digest }

  private func noteKnown() {
    guard !isKnown else { return }
    do throws(DeviceError) { try folder.write(Self.known, digest) } catch { flight.note(error.message) }
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
