import CivilTime
import Hub
import Lifecycle
import Store

/// The doctor's look at the watch.
struct AnchorExamination {
  let hub: Hub

  func findings() async -> [Finding] {
    let now = hub.time.now
    let found = try? await hub.store.read { database throws(StoreError) in
      (try database.anchorage(), try database.anchorSources(), try database.openAlarms())
    }
    guard let (anchorage, sources, alarms) = found, let anchorage, anchorage.isArmed else { return [] }
    let zone = hub.place.zone
    var findings = alarms.filter { $0.acknowledgedBy == nil }.map { alarm in
      Finding.problem(
        "anchor watch", "\(alarm.kind.rawValue) since \(timestamp(Int(alarm.since), in: zone))",
        remedy: "Look at the boat, and answer the alarm on the anchor watch's page")
    }
    let heard = sources.filter { $0.health(now: now) == .ok }
    if heard.isEmpty {
      findings.append(
        .warning(
          "anchor watch", "is armed, and no device tells a position",
          remedy: "Look if the boat's agent runs (`eightbells agent --gpsd HOST`), or open the page on board"))
    }
    findings += heard.filter { $0.clockError != nil }.map { source in
      .warning(
        "anchor watch", "the clock of \"\(source.name)\" is \(Int(abs(source.clockError ?? 0))) s off",
        remedy: "Set it; until then its positions are taken with the hub's time")
    }
    findings += heard.filter { $0.told.contains(.forgets) }.map { source in
      .warning(
        "anchor watch", "\"\(source.name)\" cannot write to its disk: switched off, it forgets the watch",
        remedy: "Make room on its memory card, or replace it")
    }
    if findings.isEmpty {
      let count = heard.count == 1 ? "1 device reports" : "\(heard.count) devices report"
      findings.append(.ok("anchor watch", "armed since \(timestamp(Int(anchorage.armedAt ?? 0), in: zone)), \(count)"))
    }
    return findings
  }
}
