import EventLoop
import Synchronization

/// The channels of all apps but the hub's own, made when an app is first heard of.
final class Apps: Sendable {
  fileprivate struct State {
    var directory: AppDirectory?
    var apps: [String: AppChannels] = [:]
    /// The ids of deleted apps, which are not given to others: a connection that was under way finds none.
    var removed: Set<String> = []
    /// The other hubs; nil where there is no way to any.
    var peers: Peers?
    /// True if this hub sends the webhooks of what several hubs have to do with.
    var keepsWebhooks = false
  }
  private let state = Mutex(State())
  private let loops: [EventLoop]
  private let connections = Atomic(0)
  let budget = HistoryBudget()

  init(loops: [EventLoop]) { self.loops = loops }

  func open(_ directory: AppDirectory) { state.withLock { $0.directory = directory } }

  func join(_ link: PeerLink) {
    guard let loop = loops.first else { return }
    let peers = Peers(link, loop)
    let (all, keepsWebhooks) = state.withLock { state in
      state.peers = peers
      return (Array(state.apps.values), state.keepsWebhooks)
    }
    peers.keepWebhooks(keepsWebhooks) { _, _ in }
    for app in all { app.join(peers) }
  }

  func keepWebhooks(_ isKeeper: Bool) {
    let (peers, directory) = state.withLock { state in
      state.keepsWebhooks = isKeeper
      return (state.peers, state.directory)
    }
    peers?.keepWebhooks(isKeeper) { directory?.webhook($0, $1) }
  }

  var peers: Peers? { state.withLock { $0.peers } }
  var directory: AppDirectory? { state.withLock { $0.directory } }
  var all: [AppChannels] { state.withLock { Array($0.apps.values) } }

  subscript(_ id: String) -> AppChannels? { state.withLock { $0.apps[id] } }

  /// The channels of an app, by its present credentials and options; nil if it was deleted.
  func serve(_ app: RealtimeApp) -> AppChannels? {
    let channels = state.withLock { $0.channels(of: app, loops, budget) }
    channels?.update(app)
    return channels
  }

  /// The channels of an app of which nothing but the id may be known yet.
  func channels(of id: String) -> AppChannels? {
    state.withLock { $0.channels(of: RealtimeApp(id: id, key: "", secrets: []), loops, budget) }
  }

  func remove(_ id: String) {
    let channels = state.withLock { state in
      state.removed.insert(id)
      return state.apps.removeValue(forKey: id)
    }
    channels?.remove()
  }

  /// Counts a new connection.
  /// - Returns: the code and the reason for which it is not served; nil if it is.
  func enter(_ client: Client, _ app: AppChannels) -> (Int, String)? {
    if !app.isHubs, connections.add(1, ordering: .relaxed).newValue > RealtimeLimits.appConnections {
      connections.subtract(1, ordering: .relaxed)
      return (4100, "The hub has as many connections of apps as it accepts.")
    }
    let refusal = app.enter(client)
    if refusal != nil, !app.isHubs { connections.subtract(1, ordering: .relaxed) }
    return refusal
  }

  func left(_ client: Client, _ app: AppChannels) {
    app.left(client)
    if !app.isHubs { connections.subtract(1, ordering: .relaxed) }
  }
}

extension Apps.State {
  fileprivate mutating func channels(
    of app: RealtimeApp, _ loops: [EventLoop], _ budget: HistoryBudget
  ) -> AppChannels? {
    guard let directory, !removed.contains(app.id) else { return nil }
    if let channels = apps[app.id] { return channels }
    let channels = AppChannels(app, loops: loops, directory: directory, budget: budget)
    if let peers { channels.join(peers) }
    apps[app.id] = channels
    return channels
  }
}
