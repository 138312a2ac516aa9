import EventLoop
import Hub
import Lifecycle
import Objects
import Observe
import Realtime
import Server
import Store
import Synchronization
import Wire

/// A webhook of an app that hears of changes.
struct HookTarget: Hashable, Sendable {
  var app: Int
  var name: Hook.Name
}

/// Tells the webhooks of classes what was saved and deleted: each what concerns it, one after the other, in the order
/// of the commits. What is to be told is written in the commit of the object, and removed when the server has taken it:
/// a restart in between tells it again, with the same number. A server that takes nothing is tried with growing pauses
/// for a day; the others do not wait for it.
final class AfterTriggers: Sendable {
  fileprivate struct Waiting {
    /// True if calls came since the last look into the store.
    var isNew = true
    var isBusy = false
    var failures = 0
    /// The uptime before which it is not tried again.
    var due = 0.0
  }
  fileprivate struct State {
    var targets: [HookTarget: Waiting] = [:]
    /// Each app's calls that wait, and their bytes.
    var counts: [Int: (calls: Int, bytes: Int)] = [:]
    /// True if another hub has written or told some: the targets are to be looked for, the calls to be counted anew.
    var (mustLook, mustCount) = (false, false)
  }
  private let state = Mutex(State())
  private let triggers: Triggers
  private let poller: Poller
  private let console: @Sendable (_ app: String, ConsoleEntry) -> Void
  private var hub: Hub { triggers.objects.hub }

  /// - Parameter console: is told of each attempt.
  init(_ objects: AppObjects, console: @escaping @Sendable (_ app: String, ConsoleEntry) -> Void) {
    triggers = objects.triggers
    poller = Poller(objects.hub.loop)
    self.console = console
  }

  // MARK: Within a commit

  /// Writes what a commit's changes are to be told. Too many for an app are dropped, the newest first.
  func write(_ written: WrittenObjects, in change: Change) throws(StoreError) {
    let app = written.app.id
    guard triggers.hooks.hasAny(app) else { return }
    if state.withLock({ $0.mustCount }) {
      let all = try change.database.waitingCalls()
      state.withLock { $0.count(all) }
    }
    var (count, bytes) = state.withLock { $0.counts[app] ?? (0, 0) }
    let before = (count, bytes)
    var targets: Set<HookTarget> = []
    var dropped = 0
    for one in written.changes {
      let trigger: Hook.Trigger = one.after == nil ? .afterDelete : .afterSave
      let target = HookTarget(app: app, name: .trigger(trigger, className: one.className))
      guard triggers.hooks.hook(target.name, of: app) != nil else { continue }
      let question = HookCalls.question(before: one.before, after: one.after, written.caller, nil)
      let text = JSON.object(question).text
      guard count < AppsLimits.hooksWaiting, bytes + text.utf8.count <= AppsLimits.hookBytesWaiting else {
        dropped += 1
        continue
      }
      try change.database.add(text, by: written.caller.user, for: target, now: change.now)
      change.database.touch(.calls)
      count += 1
      bytes += text.utf8.count
      targets.insert(target)
    }
    let (calls, size, lost, all) = (count - before.0, bytes - before.1, dropped, targets)
    if calls + lost > 0 { change.then { [self] in take(all, of: app, calls, size, dropped: lost) } }
  }

  private func take(_ targets: Set<HookTarget>, of app: Int, _ calls: Int, _ bytes: Int, dropped: Int) {
    state.withLock { state in
      let before = state.counts[app] ?? (0, 0)
      state.counts[app] = (before.calls + calls, before.bytes + bytes)
      for target in targets { state.targets[target, default: Waiting()].isNew = true }
    }
    if dropped > 0 { note(app, dropped, "too many wait") }
    poller.wake()
  }

  /// The number of calls that wait, by their apps; `failing` are those whose server did not take the last one.
  var waiting: [Int: (calls: Int, isFailing: Bool)] {
    state.withLock { state in
      let failing = Set(state.targets.filter { $0.value.failures > 0 }.keys.map(\.app))
      return state.counts.reduce(into: [:]) { $0[$1.key] = ($1.value.calls, failing.contains($1.key)) }
    }
  }

  /// The app is gone, with all that waited.
  func forget(_ app: Int) {
    state.withLock { state in
      state.counts[app] = nil
      for target in state.targets.keys where target.app == app { state.targets[target] = nil }
    }
  }

  // MARK: Telling

  /// Another hub has written some, which this one is to tell if it is its work, or has told some.
  func look() {
    state.withLock { ($0.mustLook, $0.mustCount) = (true, true) }
    poller.wake()
  }

  /// Tells what waits, also from before a restart, until the task is cancelled.
  func run() async throws {
    // No call is under way yet.
    state.withLock { state in for target in state.targets.keys { state.targets[target]?.isBusy = false } }
    try await read()
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        if state.withLock({ $0.mustLook }) { try await read() }
        let (due, seconds) = next()
        for target in due {
          group.addTask(executorPreference: hub.loop) { [self] in
            await work(target)
            poller.wake()
          }
        }
        try await poller.wait(atMost: seconds)
      }
    }
  }

  /// Reads what waits, also what others have written since; calls of this hub's own that are under way stay so.
  private func read() async throws(StoreError) {
    state.withLock { $0.mustLook = false }
    let all = try await hub.store.read { database throws(StoreError) in try database.waitingCalls() }
    state.withLock { state in
      // What is written from now on is told by its commit; what both count is counted anew at the end of its target.
      state.count(all)
      for one in all { state.targets[one.target, default: Waiting()].isNew = true }
    }
  }

  /// The webhooks to be told something now, and the seconds until the next ones.
  private func next() -> ([HookTarget], Double?) {
    let now = hub.time.uptime
    return state.withLock { state in
      var busy = Dictionary(grouping: state.targets.filter(\.value.isBusy).keys, by: \.app).mapValues(\.count)
      var all = busy.values.reduce(0, +)
      var (found, soonest): ([HookTarget], Double) = ([], .infinity)
      for (target, waiting) in state.targets where !waiting.isBusy {
        guard waiting.due <= now else {
          soonest = min(soonest, waiting.due)
          continue
        }
        // The end of another wakes for those that have to wait for it.
        guard all < AppsLimits.afterCalls, busy[target.app] ?? 0 < AppsLimits.afterCallsOfApp else { continue }
        state.targets[target]?.isBusy = true
        busy[target.app, default: 0] += 1
        all += 1
        found.append(target)
      }
      return (found, soonest == .infinity ? nil : soonest - now)
    }
  }

  /// Tells a webhook what waits for it, until there is nothing more or it takes nothing.
  private func work(_ target: HookTarget) async {
    do {
      while try await tellNext(target) {}
    } catch {
      failed(target, nil)
    }
  }

  /// - Returns: false if nothing waits, or it was not taken.
  private func tellNext(_ target: HookTarget) async throws(StoreError) -> Bool {
    state.withLock { $0.targets[target]?.isNew = false }
    let found = try await hub.store.read { database throws(StoreError) in
      (try database.nextCall(for: target), try database.app(target.app, now: 0))
    }
    guard let app = found.1, let call = found.0 else { return ended(target) }
    guard let hook = triggers.hooks.hook(target.name, of: app.id) else {
      try await drop(target, before: .infinity, "the webhook is gone")
      return true
    }
    do {
      let user = try await triggers.user(call.user, app)
      var question = (try? JSON(parsing: call.question, values: .max))?.members ?? []
      if let user { question.append(.init("user", user)) }
      let told = try await triggers.calls.tell(hook, of: app, question, number: call.number)
      console("\(app.id)", ConsoleEntry("webhook", event: target.words, reason: told))
    } catch {
      return try await refused(target, call, "\((error as? ObjectError)?.message ?? "\(error)")")
    }
    try await hub.store.write { database throws(StoreError) in
      try database.remove(call)
      database.touch(.calls)
    }
    count(target.app, 1, call.bytes)
    state.withLock { $0.targets[target]?.failures = 0 }
    return true
  }

  /// - Returns: true if there is nothing more to tell it.
  private func ended(_ target: HookTarget) -> Bool {
    state.withLock { state in
      // A call came while the store was asked.
      if state.targets[target]?.isNew == true { return true }
      state.targets[target] = nil
      if !state.targets.keys.contains(where: { $0.app == target.app }) { state.counts[target.app] = nil }
      return false
    }
  }

  private func refused(_ target: HookTarget, _ call: WaitingCall, _ reason: String) async throws(StoreError) -> Bool {
    let now = hub.time.now
    if now - call.madeAt >= AppsLimits.hookGiveUpSeconds {
      try await drop(target, before: now - AppsLimits.hookGiveUpSeconds, reason)
    }
    failed(target, reason)
    return false
  }

  /// Lets the webhook rest, longer after each failure.
  private func failed(_ target: HookTarget, _ reason: String?) {
    let now = hub.time.uptime
    let pause = state.withLock { state in
      let failures = state.targets[target]?.failures ?? 0
      let pause = min(AppsLimits.firstPause * Double(1 << min(failures, 20)), AppsLimits.longestPause)
      if state.targets[target] != nil {
        state.targets[target]?.failures = failures + 1
        state.targets[target]?.due = now + pause
        state.targets[target]?.isBusy = false
      }
      return pause
    }
    guard let reason else { return }
    hub.log.warning("a webhook after a change failed", ["app": "\(target.app)", "what": target.words])
    let words = "\(reason) It is tried again in \(Int(pause)) s."
    console("\(target.app)", ConsoleEntry("webhook", event: target.words, reason: words))
  }

  /// Gives up what has waited too long, or for nobody.
  private func drop(_ target: HookTarget, before time: Double, _ reason: String) async throws(StoreError) {
    let end = min(time, Double.greatestFiniteMagnitude)
    let gone = try await hub.store.write { database throws(StoreError) in
      database.touch(.calls)
      return try database.removeCalls(for: target, before: end)
    }
    count(target.app, gone.count, gone.bytes)
    if gone.count > 0 { note(target.app, gone.count, reason) }
  }

  private func count(_ app: Int, _ calls: Int, _ bytes: Int) {
    state.withLock { state in
      guard let before = state.counts[app] else { return }
      state.counts[app] = (max(0, before.calls - calls), max(0, before.bytes - bytes))
    }
  }

  /// Says that some were not told.
  private func note(_ app: Int, _ count: Int, _ reason: String) {
    hub.log.warning("webhooks after changes were dropped", ["app": "\(app)", "count": "\(count)"])
    console("\(app)", ConsoleEntry("webhook", event: "\(count) dropped", reason: reason))
  }
}

extension AfterTriggers.State {
  /// Counts what waits anew.
  fileprivate mutating func count(_ all: [(target: HookTarget, count: Int, bytes: Int)]) {
    (counts, mustCount) = ([:], false)
    for (target, count, bytes) in all {
      let before = counts[target.app] ?? (0, 0)
      counts[target.app] = (before.calls + count, before.bytes + bytes)
    }
  }
}

extension HookTarget {
  /// Its trigger and class, for people.
  var words: String {
    switch name {
    case .function(let name): name
    case .trigger(let trigger, let className): "\(trigger.rawValue) \(className)"
    }
  }
}
