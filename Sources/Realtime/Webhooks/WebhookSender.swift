public import Client
public import EventLoop
import Lifecycle
public import Observe
import Synchronization
import Wire

/// Posts to the apps' own servers what happens on their channels, signed with their secrets.
///
/// Nothing of it is on the disk: what waits when the hub stops is lost, as are events whose receiver takes none for
/// five minutes, and the oldest of those that are too many. A program that must know asks the HTTP API who is there.
public final class WebhookSender: Sendable {
  fileprivate struct Target: Hashable {
    var app: String
    var url: String
  }
  fileprivate struct Settings {
    var key: String
    var secret: String
    var hooks: [RealtimeWebhook]
  }
  fileprivate struct State {
    var settings: [String: Settings] = [:]
    var queues: [Target: WebhookQueue] = [:]
    var bytes = 0
    var posts = 0
    var counts = Counts()
  }
  /// The outcomes of all posts since the start.
  public struct Counts: Equatable, Sendable {
    public var taken = 0
    /// Attempts that failed.
    public var failed = 0
    /// Events that nobody was told.
    public var dropped = 0
  }

  private let client: HTTPClient
  private let loop: EventLoop
  private let log: Log
  private let console: @Sendable (_ app: String, ConsoleEntry) -> Void
  private let poller: Poller
  private let state = Mutex(State())

  /// - Parameters:
  ///   - client: its `AddressPolicy` decides what may be connected to, at each connection.
  ///   - console: is told of each attempt.
  public init(
    client: HTTPClient, loop: EventLoop, log: Log,
    console: @escaping @Sendable (_ app: String, ConsoleEntry) -> Void = { _, _ in }
  ) {
    self.client = client
    self.loop = loop
    self.log = log
    self.console = console
    poller = Poller(loop)
  }

  public var counts: Counts { state.withLock { $0.counts } }

  /// The number of posts that wait for their answer.
  package var underWay: Int { state.withLock { $0.posts } }

  /// Sets an app's webhooks, and the secret that signs from now on; none for an app that was removed.
  public func set(_ hooks: [RealtimeWebhook], of app: RealtimeApp) {
    state.withLock { state in
      state.settings[app.id] =
        hooks.isEmpty ? nil : Settings(key: app.key, secret: app.secrets.first ?? "", hooks: hooks)
      for target in state.queues.keys where target.app == app.id && !hooks.contains(where: { $0.url == target.url }) {
        state.remove(target)
      }
    }
  }

  /// Takes an event of an app; from any thread.
  public func take(_ event: WebhookEvent, of app: String) {
    let now = loop.time.uptime
    let isTaken = state.withLock { state in
      // Whoever is told only of a coming, or a going, is not told of one that the other undoes.
      let kinds = Set([event.kind, event.kind.opposite].compactMap { $0 })
      guard let hooks = state.settings[app]?.hooks.filter({ !$0.kinds.isDisjoint(with: kinds) }), !hooks.isEmpty else {
        return false
      }
      let targets = Set(hooks.map { Target(app: app, url: $0.url) })
      for target in targets {
        let isWanted = hooks.contains { $0.url == target.url && $0.kinds.contains(event.kind) }
        state.change(target) { $0.take(event, isWanted: isWanted, now: now) }
      }
      // An app that brings too much loses the oldest of its own.
      while state.bytes > RealtimeLimits.allWaitingBytes,
        let target = targets.first(where: { state.queues[$0]?.hasWaiting ?? false })
      {
        state.change(target) { $0.dropOldest() }
      }
      return true
    }
    if isTaken { poller.wake() }
  }

  /// Posts what is due until the task is cancelled.
  public func run() async throws {
    state.withLock { state in
      state.posts = 0
      for target in state.queues.keys { state.queues[target]?.interrupted() }
    }
    try await withThrowingDiscardingTaskGroup { group in
      while true {
        let (due, seconds) = next()
        for one in due {
          group.addTask(executorPreference: loop) { [self] in
            await send(one)
            poller.wake()
          }
        }
        try await poller.wait(atMost: seconds)
      }
    }
  }

  private struct Due: Sendable {
    var target: Target
    var settings: Settings
    var post: WebhookPost
  }

  /// The posts to be sent now, and the seconds until the next ones.
  private func next() -> ([Due], Double?) {
    let (now, time) = (loop.time.uptime, loop.time.now)
    return state.withLock { state in
      var due: [Due] = []
      var next = Double.infinity
      for (target, moment) in state.queues.compactMap({ target, queue in queue.due.map { (target, $0) } }) {
        guard let settings = state.settings[target.app],
          let hook = settings.hooks.first(where: { $0.url == target.url })
        else { continue }
        // The end of a post wakes for those that have to wait for it.
        guard moment > now || state.posts < RealtimeLimits.posts else { continue }
        var post: WebhookPost?
        state.change(target) { post = $0.next(now: now, time: time, isBatched: hook.isBatched) }
        if let post {
          state.posts += 1
          due.append(Due(target: target, settings: settings, post: post))
        } else if let later = state.queues[target]?.due {
          next = min(next, later)
        }
      }
      return (due, next == .infinity ? nil : next - now)
    }
  }

  private func send(_ due: Due) async {
    let body = due.post.body
    let began = loop.time.uptime
    var (isTaken, mayHeal) = (false, true)
    var outcome = ""
    var request = FetchRequest(
      due.target.url, method: "POST",
      fields: [
        ("Content-Type", "application/json"), ("X-Pusher-Key", due.settings.key),
        ("X-Pusher-Signature", WebhookPost.signature(of: body, secret: due.settings.secret)),
      ],
      body: body, timeout: RealtimeLimits.postSeconds, bodyLimit: RealtimeLimits.answerBytes,
      // The events are for this server alone.
      redirects: 0)
    request.countsStatusAlone = true
    do throws(FetchError) {
      let response = try await client.fetch(request)
      isTaken = (200..<300).contains(response.status)
      outcome = "\(response.status)"
    } catch {
      // A name may lead elsewhere later: a router without a line to the Internet may answer with an address of its own.
      if case .refusedAddress = error { mayHeal = !TargetAddress.hasNumericHost(due.target.url) }
      outcome = error.publicExplanation.text
    }
    let now = loop.time.uptime
    state.withLock { state in
      state.posts -= 1
      if isTaken { state.counts.taken += 1 } else { state.counts.failed += 1 }
      state.change(due.target) { $0.finished(isTaken: isTaken, mayHeal: mayHeal, now: now) }
    }
    if !isTaken {
      // An app may have several. Behind the server, an address may have a secret.
      let server = due.target.url.split(separator: "/").dropFirst().first ?? ""
      log.warning("a webhook was not taken", ["app": due.target.app, "server": String(server), "answer": outcome])
    }
    let events = due.post.events
    let what = events.count == 1 ? events[0].kind.rawValue : "\(events.count) events"
    console(
      due.target.app,
      ConsoleEntry(
        "webhook", channel: events.first?.channel, event: what, reason: "\(outcome), \(Int((now - began) * 1_000)) ms"))
  }
}

extension WebhookSender.State {
  /// Changes a queue, and counts what that means for all together.
  fileprivate mutating func change(_ target: WebhookSender.Target, _ change: (inout WebhookQueue) -> Void) {
    let before = counted(target)
    change(&queues[target, default: WebhookQueue()])
    let after = counted(target)
    bytes += after.bytes - before.bytes
    counts.dropped += after.dropped - before.dropped
    if queues[target]?.isEmpty ?? true { queues[target] = nil }
  }

  fileprivate mutating func remove(_ target: WebhookSender.Target) {
    bytes -= counted(target).bytes
    queues[target] = nil
  }

  private func counted(_ target: WebhookSender.Target) -> (bytes: Int, dropped: Int) {
    (queues[target]?.bytes ?? 0, queues[target]?.dropped ?? 0)
  }
}
