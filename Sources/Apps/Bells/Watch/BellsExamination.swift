import APNs
import CivilTime
import Delivery
import Hub
import Lifecycle
import Store
import Webhooks

/// The room's part of `eightbells doctor`: the ways to devices that there are, the mail server, agents that have never
/// connected, and deliveries that are stuck.
struct BellsExamination {
  let hub: Hub
  let mailing: Mailing?

  func findings() async -> [Finding] {
    let mail = await mailing?.examine(hub)
    return await stored() + [mail].compactMap(\.self)
  }

  private func stored() async -> [Finding] {
    do throws(StoreError) {
      let now = hub.time.now
      return try await hub.store.read { [hub] database throws(StoreError) in
        let devices = try database.pushDevices()
        return [
          Self.channels(devices), Self.contact(devices, hub), Self.silent(devices, now: now),
          Self.failing(try database.webhooks()),
        ].compactMap { $0 }
          + [Self.queue(try BellsCounts(database, devices))] + Self.providers(try database.providers(), now: now)
          + (try AppleExamination(database, now: now)).findings
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
    let rung = devices.count == 1 ? "1 device is" : "\(devices.count) devices are"
    return .ok("bells", "\(rung) rung: \(ways.joined(separator: ", "))")
  }

  /// Browsers, whose push services want to know whose the hub is.
  private static func contact(_ devices: [PushDevice], _ hub: Hub) -> Finding? {
    guard devices.contains(where: { $0.channels.contains(.webPush) }), PushNetworks.contact(of: hub) == nil else {
      return nil
    }
    return .warning(
      "push services", "they are told no address of the hub: Apple's may refuse all for iPhones, iPads and Macs",
      remedy: "Set public_url = https://NAME, by which people reach the hub, or mail_from.")
  }

  /// Agents that were made long ago and have never connected.
  private static func silent(_ devices: [PushDevice], now: Double) -> Finding? {
    let silent = devices.filter {
      $0.channels.contains(.gateway) && $0.seenAt <= $0.createdAt && now - $0.createdAt > BellsLimits.silence
    }
    guard !silent.isEmpty else { return nil }
    let names = silent.prefix(3).map { "\"\($0.name)\"" }.joined(separator: ", ")
    let made = silent.count == 1 ? "1 device was made and has" : "\(silent.count) devices were made and have"
    return .warning(
      "devices never heard", "\(made) never connected: \(names)",
      remedy: "Start their agents (`eightbells agent --hub URL --token SECRET`), or remove them: "
        + "`eightbells device delete ID --data DIR`")
  }

  /// Certificates of providers that end soon. Keys have no end.
  private static func providers(_ providers: [Provider], now: Double) -> [Finding] {
    guard !providers.isEmpty else { return [] }
    let ending = providers.filter { ($0.end ?? .infinity) - now < APNsLimits.warningDays * 86_400 }
    guard !ending.isEmpty else {
      let programs = providers.count == 1 ? "1 program" : "\(providers.count) programs"
      return [.ok("providers", "\(programs) may send in the manner of APNs")]
    }
    return ending.map { provider -> Finding in
      let remedy =
        "Make another, give it to the sender, and remove this one: `eightbells provider certificate --data DIR --team "
        + "\(provider.team)\(provider.topics.map { " --topic \($0)" }.joined())`, "
        + "`eightbells provider delete \(provider.name) --data DIR`"
      return .ending("provider \(provider.name)", at: provider.end ?? now, now: now, remedy: remedy)
    }
  }

  /// Webhooks whose servers take nothing.
  private static func failing(_ webhooks: [Webhook]) -> Finding? {
    let failing = webhooks.filter { $0.state != .active }
    guard !failing.isEmpty else { return nil }
    let names = failing.prefix(3).map { "\"\($0.name)\" (\($0.failure ?? "ended"))" }.joined(separator: ", ")
    let take = failing.count == 1 ? "takes" : "take"
    return .warning(
      "webhooks", "\(failing.count) of \(webhooks.count) \(take) no notifications: \(names)",
      remedy: "Look after their servers, then `eightbells webhook test ID --data DIR`; or remove them: "
        + "`eightbells webhook delete ID --data DIR`")
  }

  private static func queue(_ counts: BellsCounts) -> Finding {
    guard counts.pending > BellsLimits.manyPending else {
      let waiting = counts.pending == 1 ? "1 delivery waits" : "\(counts.pending) deliveries wait"
      let planned = counts.scheduled == 1 ? "1 notification is" : "\(counts.scheduled) notifications are"
      return .ok("queue", "\(waiting), \(planned) scheduled")
    }
    return .warning(
      "queue", "\(counts.pending) deliveries wait for devices that are away, or that cannot be reached",
      remedy: "GET /api/v1/notifications/ID says why each waits; remove devices that do not come back.")
  }
}

extension Finding {
  /// A certificate that ends soon, or has ended.
  static func ending(_ name: String, at end: Double, now: Double, remedy: String) -> Finding {
    let day = timestamp(EpochSeconds(end), in: .utc).prefix(10)
    return end <= now
      ? .problem(name, "its certificate ended on \(day)", remedy: remedy)
      : .warning(name, "its certificate ends on \(day), in \(Int((end - now) / 86_400)) days", remedy: remedy)
  }
}
