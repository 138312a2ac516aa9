import Device
import EventLoop
import Lifecycle
import Notifications
import Wire

/// How the agent shows a notification: by its output, its command, and its voice.
extension Agent {
  func present(_ one: Showing) throws(DeviceError) {
    lookAtRules()
    var presentation: Presentation?
    // A content that breaks a rule of this version is shown all the same: a later version may accept it.
    if case .withdraw = one.kind {
      beforeDisplay.forget(one.id)
      clock?.alarmIsOver(one.id)
    }
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
    let unread = try writeLine(event)
    guard let runner else {
      guard let unread, one.kind == .show else { return presented(one) }
      perform(session.notShown(unread, moment))
      return finish(one)
    }
    flight.note("command begins")
    ring(one, event.bytes + [10], runner, work, attempts: AgentLimits.attempts)
  }

  /// A message to the clock or the anchor watch, which is no work for the command.
  func take(_ one: Showing) throws(DeviceError) {
    guard let message = HubMessage(one.content) else { return }
    flight.note("\(message.name) message id=\(one.id)")
    try writeLine(Output.event(one, presentation: nil, at: loop.time.now))
    let age = session.age(of: one, moment)
    let isFresh = !one.isRepeat && age < ClockLimits.freshSeconds
    if let told = message.clock { clock?.take(told, isFresh: isFresh) }
    if let told = message.anchor { anchor?.take(told, sentAt: loop.time.now - age, isFresh: isFresh) }
    let note = SilentWork(seconds: one.seconds, now: loop.time.now).note(.newData, took: 0)
    perform(session.taken(one, note: note, moment))
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

  func finish(_ one: Showing) {
    perform(session.finished(moment))
    // Also one that found no place among those that wait.
    if one.isLocal || requests.hasFired { loop.atNextTurn { [unowned self] in fireRequests() } }
  }
}
