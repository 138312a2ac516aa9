import Hub
import Lifecycle
import Store

/// What the doctor says of apps: those that can keep no more, those over their messages of the day, and webhooks whose
/// server takes nothing.
struct AppsExamination {
  let hub: Hub
  let register: AppRegister

  func findings() async -> [Finding] {
    let now = hub.time.now
    do throws(StoreError) {
      let (apps, holdings, late) = try await hub.store.read { database throws(StoreError) in
        (
          try database.apps(now: now), try database.holdings(),
          try database.lateCalls(before: now - AppsLimits.hookLateSeconds)
        )
      }
      var found: [Finding] = []
      let full = apps.filter { holdings[$0.id]?.isFull($0.options) ?? false }
      found += Self.warning(
        full, "can keep no more: its objects or files are as many as they may be.",
        remedy: "Delete some of it, or raise the limits in the app's options.")
      found += Self.warning(
        apps.filter { register.meter.isOver($0.id) }, "has sent its messages of today.",
        remedy: "It goes on tomorrow (in UTC), or when its option \"messages a day\" is raised.")
      found += Self.warning(
        apps.filter { late[$0.id] != nil }, "has webhooks that were not taken for some time.",
        remedy: "Look at the app's server; the app's page shows what it answers.")
      return found.isEmpty ? [.ok("apps", apps.count == 1 ? "1 app" : "\(apps.count) apps")] : found
    } catch {
      return [.problem("apps", "the apps could not be read: \(error.message)", remedy: "The hub's log says more.")]
    }
  }

  private static func warning(_ apps: [App], _ words: String, remedy: String) -> [Finding] {
    guard let first = apps.first else { return [] }
    let more = apps.count > 1 ? " Others too: \(apps.count - 1)." : ""
    return [.warning("apps", "\(first.name) (\(first.id)) \(words)\(more)", remedy: remedy)]
  }
}
