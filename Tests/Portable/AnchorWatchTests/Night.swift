import AnchorWatch
import Foundation
import World

/// Eight hours at anchor in virtual time: a boat that swings, a receiver that errs, an agent on board, a hub ashore and
/// a phone that hears from the hub; and what goes wrong. A seed makes the same night again.
struct Night {
  enum Fault: CaseIterable {
    case positionLost, glitches, agentKilled, agentDead, hubDown, networkCut, batteryEmpty, clockSet
  }

  static let seconds = 8 * 3_600
  /// Seconds in which something has to be said: a minute between reports, three until silence counts, two of patience.
  static let bound = 330
  /// Metres beyond the edge from which the boat is surely outside, whatever the receiver says.
  static let surely = 15.0

  let faults: [(fault: Fault, from: Int, to: Int)]
  private let drag: (from: Int, speed: Double, bearing: Double)?
  private let isCharging: Bool
  private let hdop: Double
  private var random: SeededGenerator

  // The result.
  private(set) var longestQuiet = 0
  private(set) var rings = 0
  private(set) var warnings = 0
  private(set) var fixes = 0

  init(seed: UInt64, isClean: Bool, drags: Bool) {
    random = SeededGenerator(state: seed &* 7_919)
    var faults: [(Fault, Int, Int)] = []
    for _ in 0..<(isClean ? 0 : Int.random(in: 1...4, using: &random)) {
      let fault = Fault.allCases.randomElement(using: &random)!
      let from = Int.random(in: 300..<Self.seconds - 900, using: &random)
      let length =
        switch fault {
        case .glitches: Int.random(in: 1...4, using: &random)
        case .agentKilled: Int.random(in: 1...20, using: &random)
        case .agentDead, .batteryEmpty: Self.seconds
        case .clockSet: 1
        default: Int.random(in: 1...4_000, using: &random)
        }
      faults.append((fault, from, from + length))
    }
    self.faults = faults
    let start = Int.random(in: 600..<Self.seconds - 3_600, using: &random)
    drag = drags ? (start, .random(in: 0.1...2, using: &random), .random(in: 0..<360, using: &random)) : nil
    isCharging = Bool.random(using: &random)
    hdop = .random(in: 0.7...2, using: &random)
  }

  private func has(_ fault: Fault, at second: Int) -> Bool {
    for one in faults where one.fault == fault && second >= one.from && second < one.to { return true }
    return false
  }

  private mutating func normal() -> Double {
    (-2 * log(.random(in: 1e-12..<1, using: &random))).squareRoot()
      * cos(2 * .pi * .random(in: 0..<1, using: &random))
  }

  mutating func play() {
    let swing = 28.0
    var settings = WatchSettings(
      anchor: Boat.anchor, alarm: .circle(radius: Rode.radius(swing: swing, bow: 4, hdop: hdop)))
    guard case .circle(let radius) = settings.alarm else { return }
    var agent: AnchorWatch? = AnchorWatch(settings, since: Boat.start)
    let agentSettings = settings
    (settings.gap, settings.lost) = (150, 180)
    var hub: AnchorWatch? = AnchorWatch(settings, since: Boat.start)
    var (wind, noise, clock) = (Double.random(in: 0..<360, using: &random), (0.0, 0.0), 0.0)
    var (nextLook, nextReport, battery) = (0, 0, 1.0)
    var (agentSaw, hubSaw, hubSilent, quiet, outsideFor) = (0, 0, 0, 0, 0)
    var (agentKept, hubKept) = (WatchState.waiting, (fix: Fix?.none, state: WatchState.waiting))
    for second in 1...Self.seconds {
      let now = Boat.start + Double(second)
      // The boat: it yaws with the gusts, and sometimes its anchor breaks out.
      wind += normal() * 0.15
      let yaw = 25 * sin(Double(second) / 40)
      let dragged = drag.map { second > $0.from ? Double(second - $0.from) * $0.speed : 0 } ?? 0
      noise = (noise.0 * 0.98 + normal() * 0.5 * hdop, noise.1 * 0.98 + normal() * 0.5 * hdop)
      var place: Position {
        let boat = Boat.anchor.moved(bearing: wind + yaw, distance: swing)
        return dragged > 0 ? boat.moved(bearing: drag!.bearing, distance: dragged) : boat
      }
      if has(.clockSet, at: second) { clock += .random(in: -7_200...7_200, using: &random) }
      let isDead = has(.agentKilled, at: second) || has(.agentDead, at: second) || has(.batteryEmpty, at: second)
      // A restart keeps the watches, which are stored with each change.
      if let agent { agentKept = agent.state }
      if let hub { hubKept = (hub.lastFix, hub.state) }
      if isDead {
        agent = nil
      } else if agent == nil {
        agent = AnchorWatch(agentSettings, since: now + clock, state: agentKept)
        (nextLook, nextReport) = (second, second)
      }
      // The agent looks as often as its rules say.
      battery -= isCharging ? 0 : 0.00003
      if second >= nextLook, var watch = agent {
        agent = nil
        if !has(.positionLost, at: second) {
          var seen = place.moved(bearing: 0, distance: noise.0).moved(bearing: 90, distance: noise.1)
          if has(.glitches, at: second) { seen = seen.moved(bearing: 77, distance: 30_000) }
          let refused = watch.refused
          tell(watch.take(Fix(time: now + clock, position: seen, hdop: hdop)))
          fixes += 1
          if watch.refused == refused { agentSaw = second }
        }
        tell(watch.pass(to: now + clock))
        nextLook = second + max(Int(watch.nextCheck(charging: isCharging, battery: battery)), 1)
        agent = watch
      }
      // It reports, and the hub judges again.
      let isConnected = !has(.networkCut, at: second) && !has(.hubDown, at: second)
      if has(.hubDown, at: second) {
        hub = nil
        hubSilent += 1
      } else if hub == nil {
        (hub, hubSilent) = (
          AnchorWatch(settings, since: Boat.start + Double(hubSaw), last: hubKept.fix, state: hubKept.state), 0
        )
      }
      if second >= nextReport, isConnected, let watch = agent {
        if let fix = watch.lastFix, second - agentSaw < 60 {
          tell(hub?.take(Fix(time: now, position: fix.position, hdop: fix.hdop)) ?? [])
          hubSaw = second
        }
        nextReport = second + (watch.share > 0.8 ? 5 : 60)
      }
      if second.isMultiple(of: 10) { tell(hub?.pass(to: now) ?? []) }
      if hubSilent == 181 { rings += 1 }
      // Whoever should be rung by now is rung.
      if dragged > 0 { outsideFor = place.distance(to: Boat.anchor) > radius + Self.surely ? outsideFor + 1 : 0 }
      let isBlind = (agent == nil || second - agentSaw > 120) && (hub == nil || second - hubSaw > 180)
      let rings = [agent?.state, hub?.state].contains { $0 == .alarm || $0 == .lost } || hubSilent > 180
      quiet = (isBlind || outsideFor > 0) && !rings ? quiet + 1 : 0
      longestQuiet = max(longestQuiet, quiet)
    }
  }

  private mutating func tell(_ events: [WatchEvent]) {
    for event in events {
      if event.kind == .alarm || event.kind == .positionLost { rings += 1 }
      if event.kind == .warning { warnings += 1 }
    }
  }
}
