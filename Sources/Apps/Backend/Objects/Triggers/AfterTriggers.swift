import EventLoop
import Hub
import Objects
import Observe
import Server
import Synchronization

/// Tells the webhooks of classes what was saved and deleted: each app's one after the other, in the order of the
/// commits. Nothing of it is on the disk: what waits when the hub stops is lost, and so is what a server does not take.
final class AfterTriggers: Sendable {
  private struct Call: Sendable {
    let hook: Hook
    let app: App
    let caller: Objects.Caller
    let change: ObjectChange
    let bytes: Int
  }
  private struct State {
    var queues: [Int: [Call]] = [:]
    /// The memory of each app's calls that wait.
    var bytes: [Int: Int] = [:]
    /// The apps whose calls are being worked through.
    var busy: Set<Int> = []
  }
  private let state = Mutex(State())
  private let triggers: Triggers
  private let poller: Poller
  private var hub: Hub { triggers.objects.hub }

  init(_ objects: AppObjects) {
    triggers = objects.triggers
    poller = Poller(objects.hub.loop)
  }

  /// Takes what a commit has changed. Called on the writer's thread.
  func take(_ written: WrittenObjects) {
    guard triggers.hooks.hasAny(written.app.id) else { return }
    let calls = written.changes.compactMap { change -> Call? in
      let trigger: Hook.Trigger = change.after == nil ? .afterDelete : .afterSave
      let hook = triggers.hooks.hook(.trigger(trigger, className: change.className), of: written.app.id)
      return hook.map {
        let bytes = LiveQueries.bytes(of: change)
        return Call(hook: $0, app: written.app, caller: written.caller, change: change, bytes: bytes)
      }
    }
    if calls.isEmpty { return }
    let dropped = state.withLock { state in
      let app = written.app.id
      var dropped = 0
      for call in calls {
        let bytes = state.bytes[app, default: 0] + call.bytes
        if state.queues[app]?.count ?? 0 < AppsLimits.hooksWaiting, bytes <= AppsLimits.hookBytesWaiting {
          state.queues[app, default: []].append(call)
          state.bytes[app] = bytes
        } else {
          dropped += 1
        }
      }
      return dropped
    }
    if dropped > 0 {
      hub.log.warning("webhooks after changes were dropped", ["app": "\(written.app.id)", "count": "\(dropped)"])
    }
    poller.wake()
  }

  /// Calls until the task is cancelled.
  func run() async throws {
    state.withLock { $0.busy = [] }
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let waiting = state.withLock { state in
          let found = Set(state.queues.keys).subtracting(state.busy)
          state.busy.formUnion(found)
          return found
        }
        for app in waiting { group.addTask(executorPreference: hub.loop) { [self] in await work(app) } }
        try await poller.wait(atMost: nil)
      }
    }
  }

  private func work(_ app: Int) async {
    while let call = next(app) {
      do {
        let user = try await triggers.user(of: call.caller, call.app)
        _ = try await triggers.calls.call(
          call.hook, of: call.app,
          HookCalls.question(before: call.change.before, after: call.change.after, call.caller, user))
      } catch {
        hub.log.warning("a webhook after a change failed", ["app": "\(app)", "class": call.change.className])
      }
    }
  }

  private func next(_ app: Int) -> Call? {
    state.withLock { state in
      guard var queue = state.queues.removeValue(forKey: app), !queue.isEmpty else {
        state.busy.remove(app)
        return nil
      }
      let call = queue.removeFirst()
      state.queues[app] = queue.isEmpty ? nil : queue
      state.bytes[app] = queue.isEmpty ? nil : (state.bytes[app] ?? 0) - call.bytes
      return call
    }
  }
}
