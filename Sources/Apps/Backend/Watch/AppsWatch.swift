import EventLoop
import Hub
import Lifecycle
import Realtime
import Store

/// The room's work in the background: what apps use is written, quotas begin anew each day, old secrets end.
final class AppsWatch: Sendable {
  private let hub: Hub
  private let register: AppRegister
  private let console: Console
  private let poller: Poller

  init(_ hub: Hub, _ register: AppRegister, _ console: Console) {
    (self.hub, self.register, self.console) = (hub, register, console)
    poller = Poller(hub.loop)
  }

  /// To be called when an app came over its quota, or a command has changed something.
  func wake() { poller.wake() }

  func run() async throws {
    do {
      try await follow()
    } catch let end as CancellationError {
      try await write()
      throw end
    }
  }

  private func follow() async throws {
    try await poller.run { [self] in
      let ends = try await register.read()
      register.applyQuotas()
      console.sweep()
      for app in register.all {
        register.meter.note(connections: hub.channels.connections(of: "\(app.id)"), of: app.id)
      }
      try await write()
      let now = hub.time.now
      let day = Double(register.meter.dayBegan + 24) * 3600
      return max(0.1, min(AppsLimits.writeSeconds, day - now, (ends ?? .infinity) - now))
    }
  }

  /// Writes what was counted; what cannot be written is kept for the next time.
  func write() async throws(StoreError) {
    let hours = register.meter.drain()
    let old = Int(hub.time.now / 3600) - AppsLimits.usageDays * 24
    guard !hours.isEmpty else { return }
    let (began, isOneOfSeveral) = (register.meter.dayBegan, hub.nameAmongHubs != nil)
    do throws(StoreError) {
      let all = try await hub.store.write { database throws(StoreError) in
        try database.add(hours)
        try database.removeUsage(before: old)
        return isOneOfSeveral ? try database.messages(from: began) : [:]
      }
      // What apps have sent by other hubs counts too.
      for (app, count) in all { register.meter.begin(app, messages: count) }
    } catch {
      register.meter.putBack(hours)
      throw error
    }
  }
}
