import AnchorWatch
import Device
import EventLoop
import Lifecycle
import Positions
import SpeakingClock
import Wire

/// What the watch has found, made known: rung, shown, said, written down and told to the hub.
extension AgentAnchor {
  /// The event of receivers that do not agree, as the hub has it.
  private static let objection = "witness objects"

  func happened(_ event: WatchEvent) {
    let kind = "\(event.kind.name)"
    // The watch's time differs from the machine's if somebody has set the clock since the start.
    let at = event.at - steady + loop.time.now
    note("event=\(kind.split(separator: " ").joined(separator: "_")) distance=\(Int(event.distance.rounded()))")
    let metres = JSON.double((event.distance * 10).rounded() / 10)
    reports?.add(event: ["at": .double(recorded(event.at)), "kind": .string(kind), "distance_m": metres])
    let (known, before) = (state, state.ringing)
    if watch?.state != .alarm { state.outside = nil }
    state.ringing = AnchorState.Ringing.after(event.kind, at: at, before, isOutside: watch?.state == .alarm)
    if state != known {
      keep()
      ring(state.ringing)
    }
    // Beside an alarm that rings, a warning is no news.
    let isWarning = [.warning, .creep, .windShift].contains(event.kind)
    if !isWarning || before?.isAlarm != true || before?.isOver == true || before?.isDrill == true { show(event) }
    track.sync()
    report()
    writeFlight()
    // Last, since the line may wait for somebody who reads it.
    around.tell(["what": "anchor", "kind": .string(kind), "distance_m": metres, "at": .string(instant(at))])
  }

  private func begin(_ ringing: AnchorState.Ringing, _ event: WatchEvent) {
    state.ringing = ringing
    keep()
    ring(ringing)
    show(event)
  }

  private func show(_ event: WatchEvent) {
    guard let title = words.title(event.kind) else { return }
    let isAlarm = [.alarm, .positionLost, .depth].contains(event.kind)
    around.show("anchor", title, words.body(event.distance), isAlarm)
    sentence("\(title). \(words.body(event.distance)).")
  }

  /// Rings, or stops.
  func ring(_ ringing: AnchorState.Ringing?) {
    let level: AnchorAlarm.Level =
      switch ringing {
      case nil: .silent
      case let one? where one.isOver: .reminder
      case let one?: one.isAlarm ? .alarm : .warning
      }
    if level != alarm?.level { note("rings=\(level)") }
    alarm?.set(level)
    if level == .silent { around.clock()?.alarmIsOver(Self.alarmName) }
  }

  private func sentence(_ text: String) {
    around.clock()?.make(text) { [weak self] clip in
      guard let self, let clip, state.ringing != nil else { return }
      alarm?.sentence = clip
    }
  }

  func object(_ source: String, _ metres: Double) {
    note("objection metres=\(Int(metres))")
    around.warn(words.objection(source, metres))
    around.show("anchor-witness", words.objection(source, metres), "", false)
    reports?.add(event: [
      "at": .double(recorded(steady)), "kind": .string(Self.objection), "distance_m": .double(metres.rounded()),
    ])
    report()
    if state.isArmed, state.ringing?.isDrill ?? true {
      state.ringing = AnchorState.Ringing(kind: "objection", at: loop.time.now, isAlarm: false)
      keep()
      ring(state.ringing)
    }
  }

  /// Somebody has acted.
  func acknowledge() {
    guard state.ringing != nil else { return }
    (state.ringing, state.acknowledged, state.outside) = (nil, loop.time.now, AnchorState.Outside(watch))
    stillUntil = loop.time.uptime + AgentWatchLimits.againSeconds
    note("acknowledged")
    keep()
    ring(nil)
    report()
  }

  /// Somebody is on it, and she drags on: after a while it rings again.
  func ringAgain() {
    guard state.ringing == nil, loop.time.uptime >= stillUntil, let watch, watch.state == .alarm,
      state.outside?.isLeft(by: watch) == true
    else { return }
    note("rings again distance=\(Int(watch.distance.rounded()))")
    begin(
      AnchorState.Ringing(kind: "\(WatchKind.alarm.name)", at: loop.time.now, isAlarm: true),
      WatchEvent(at: steady, kind: .alarm, distance: watch.distance))
  }

  var words: AnchorWords { AnchorWords(around.clock()?.language ?? .english) }

  func scheduleStillWatching() {
    timers["still"]?.cancel()
    guard state.isArmed, let seconds = state.form?.stillWatching.every, seconds > 0 else { return }
    timers["still"] = loop.schedule(after: seconds) { [weak self] in
      self?.sayStillWatching()
      self?.scheduleStillWatching()
    }
  }

  /// Says that all is well, and only then: a watch that has lost its position is not heard as one that holds.
  private func sayStillWatching() {
    guard let watch, let clock = around.clock(), state.ringing == nil, [.holding, .warning].contains(watch.state)
    else { return }
    clock.play(AnchorSounds.stillWatching, "anchor still watching")
    guard state.form?.stillWatching.isSpoken == true else { return }
    clock.say(words.report(watch.state, distance: watch.distance, battery: supply.level))
  }
}
