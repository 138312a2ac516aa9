import AnchorWatch
import Device
import EventLoop
import Lifecycle
import Positions
import Wire

/// The watch as `anchor status` shows it.
enum AnchorStatus {
  static func members(of anchor: AgentAnchor) -> [JSON.Member] {
    let (state, watch, last) = (anchor.state, anchor.watch, anchor.last)
    let (interval, why) = anchor.pace.words
    func rounded(_ value: Double?, _ step: Double) -> JSON { JSON(value.map { ($0 / step).rounded() * step }) }
    func time(_ value: Double?) -> JSON { JSON(value.map { instant($0) }) }
    let fix: JSON? = last.map {
      [
        "at": .string(instant($0.time)), "lat": .double($0.latitude), "lon": .double($0.longitude),
        "accuracy_m": JSON($0.accuracy), "hdop": JSON($0.hdop), "source": .string($0.source),
      ]
    }
    let isKnown = watch != nil && watch?.state != .waiting
    return [
      .init("state", .string(anchor.stateName)), .init("armed", .bool(state.isArmed)),
      .init("since", time(state.since)), .init("settings", state.form?.json ?? .null),
      .init("distance_m", rounded(isKnown ? watch?.distance : nil, 0.1)),
      .init("bearing_deg", rounded(isKnown ? watch?.bearing : nil, 1)),
      .init("share", rounded(isKnown ? watch?.share : nil, 0.01)),
      .init("fix", fix ?? .null), .init("ringing", JSON(state.ringing?.kind)),
      .init("refused", .int(watch?.refused ?? 0)), .init("gaps", .int(watch?.gaps ?? 0)),
      .init("battery", JSON(anchor.supply.level)), .init("charging", JSON(anchor.supply.isCharging)),
      .init("volts", JSON(anchor.supply.volts)),
      .init("interval", .string(interval)), .init("why", .string(why)),
      .init("sources", .array(sources(anchor))), .init("warnings", .array(warnings(anchor))),
      .init("hub", anchor.waitingReports.map { ["waiting": .int($0)] } ?? .null),
    ]
  }

  /// The members of a report to the hub, which names it as the device is named there.
  static func report(of anchor: AgentAnchor) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("kind", "agent"), .init("interval_s", .double(anchor.promised)),
      .init("battery", JSON(anchor.supply.level)), .init("charging", JSON(anchor.supply.isCharging)),
      .init("state", .string(anchor.stateName)),
      .init("agrees", JSON(anchor.choice.agrees(uptime: anchor.loop.time.uptime))),
    ]
    if anchor.takenByHub.contains("tells") {
      members.append(.init("tells", .array(anchor.instruments.map { .string($0) })))
    }
    if anchor.takenByHub.contains("keeps") { members.append(.init("keeps", .bool(anchor.keepsState))) }
    return members
  }

  /// An alarm that is asked for, and that cannot ring since nothing tells what it needs; a disk that keeps nothing.
  private static func warnings(_ anchor: AgentAnchor) -> [JSON] {
    let told = anchor.instruments
    let needed = anchor.state.form?.settings.instruments ?? []
    let silent = needed.filter { !told.contains($0) }.map { "no \($0)" }
    return (silent + (anchor.keepsState ? [] : ["not kept"])).map { ["kind": .string($0)] }
  }

  private static func sources(_ anchor: AgentAnchor) -> [JSON] {
    anchor.choice.sources.enumerated().compactMap { index, source -> JSON? in
      let age = source.heard.map { anchor.loop.time.uptime - $0 }
      let isFresh = age ?? .infinity <= AgentWatchLimits.dropSeconds
      // A witness is told of while it is heard: one that is silent may only have taken the place of the chosen one.
      guard isFresh || index < anchor.sources.count else { return nil }
      let problem = index < anchor.sources.count ? anchor.problem(of: index) : nil
      return [
        "name": .string(source.name), "kind": "receiver", "state": isFresh ? "ok" : "lost",
        "best": .bool(anchor.choice.best == index), "agrees": JSON(source.agrees),
        "age_s": JSON(age.map { ($0 * 10).rounded() / 10 }),
        "problem": JSON(problem),
      ]
    }
  }
}
