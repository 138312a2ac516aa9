import Delivery
import Hub
import Lifecycle
import Store

/// The room's part of `eightbells doctor`: which ways to devices there are, who was never heard, and what is stuck.
struct BellsExamination {
  let hub: Hub

  func findings() async -> [Finding] {
    do throws(StoreError) {
      let now = hub.time.now
      return try await hub.store.read { database throws(StoreError) in
        let devices = try database.pushDevices()
        return [Self.channels(devices), Self.silent(devices, now: now)].compactMap { $0 }
          + [Self.queue(try BellsCounts(database, devices))]
      }
    } catch {
      return [.problem("bells", error.message, remedy: "The hub's log says more; start it with --log-level debug.")]
    }
  }

  private static func channels(_ devices: [PushDevice]) -> Finding {
    guard !devices.isEmpty else {
      return .ok("bells", "no device is rung yet; eightbells device create, or the page, adds one")
    }
    let ways = ChannelKind.allCases.map { kind in
      "\(devices.count { $0.channels.contains(kind) }) by \(kind.name)"
    }
    return .ok("bells", "\(devices.count) devices are rung: \(ways.joined(separator: ", "))")
  }

  /// Agents that were made and never came.
  private static func silent(_ devices: [PushDevice], now: Double) -> Finding? {
    let silent = devices.filter {
      $0.kind == .agent && $0.seenAt <= $0.createdAt && now - $0.createdAt > BellsLimits.silence
    }
    guard !silent.isEmpty else { return nil }
    let names = silent.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ")
    return .warning(
      "devices never heard", "\(silent.count) devices were made and have never connected: \(names)",
      remedy: "Start their agents (`eightbells agent --hub URL --token SECRET`), or remove them: "
        + "`eightbells device delete ID --data DIR`")
  }

  private static func queue(_ counts: BellsCounts) -> Finding {
    guard counts.pending > BellsLimits.manyPending else {
      return .ok("queue", "\(counts.pending) deliveries wait, \(counts.scheduled) notifications are scheduled")
    }
    return .warning(
      "queue", "\(counts.pending) deliveries wait for devices that are away, or that cannot be reached",
      remedy: "GET /api/v1/notifications/ID says why each waits; remove devices that do not come back.")
  }
}
