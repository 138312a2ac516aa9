import Device
import EventLoop
import Lifecycle
import Wire

/// What the battery allows: how often the watch looks, and what it warns of.
extension AgentAnchor {
  func lookAtPower() {
    let reading = power.read()
    guard reading != supply else { return }
    let before = supply
    supply = reading
    if before.isPlugged != reading.isPlugged {
      note("charger=\(reading.isPlugged ? "plugged_in" : "pulled")")
      around.tell([
        "what": "anchor", "kind": .string(reading.isPlugged ? "charger" : "no charger"),
        "at": .string(instant(loop.time.now)),
      ])
      adapt()
      report()
    }
    warnOfBattery()
  }

  /// Warns once at each level on the way down.
  private func warnOfBattery() {
    guard let level = supply.level, !supply.isPlugged else { return toldLevel = 1 }
    guard let crossed = AgentWatchLimits.batteryLevels.last(where: { level <= $0 }), crossed < toldLevel else { return }
    toldLevel = crossed
    note("battery=\(level)")
    around.show("anchor-battery", words.battery(level), "", false)
    around.clock()?.say(words.battery(level))
    guard state.isArmed, state.ringing?.isDrill ?? true else { return }
    state.ringing = AnchorState.Ringing(kind: "battery", at: loop.time.now, isAlarm: false)
    keep()
    ring(state.ringing)
  }

  /// The interval between looks, by the charger, the battery and the edge.
  func adapt() {
    // One fix now and then does not show that a source is torn between two places.
    let isTorn = choice.isTorn(uptime: loop.time.uptime)
    let wanted = WatchPace(watch, supply, isRinging: state.ringing != nil, isTorn: isTorn)
    if wanted != pace { pace = wanted }
    switch pace {
    case .continuous: openSources()
    case .seldom(let seconds, _):
      // They are closed soon after the next fix.
      guard !areOpen else { break }
      guard let heard else { return openSources() }
      let due = heard + seconds - AgentWatchLimits.earlySeconds
      if loop.time.uptime >= due { openSources() } else { open(after: due - loop.time.uptime) }
    }
    writeFlight()
  }

  private func open(after seconds: Double) {
    timers["open"]?.cancel()
    timers["open"] = loop.schedule(after: seconds) { [weak self] in self?.openSources() }
  }

  private func openSources() {
    guard !areOpen else { return }
    areOpen = true
    for (index, source) in sources.enumerated() {
      source.open { [weak self] reading in self?.heard(index, reading) }
    }
  }

  /// The sources may sleep until the next look, once the witnesses had a moment to say where they see her.
  func closeSoon() {
    guard timers["close"] == nil else { return }
    timers["close"] = loop.schedule(after: AgentWatchLimits.witnessSeconds) { [weak self] in
      guard let self else { return }
      timers["close"] = nil
      guard case .seldom = pace else { return }
      closeSources()
      adapt()
    }
  }

  func closeSources() {
    guard areOpen else { return }
    areOpen = false
    for source in sources { source.close() }
  }
}
