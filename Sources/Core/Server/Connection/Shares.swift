import EventLoop
import Observe
import Synchronization
import Wire

/// The server's resources in use by each client address, and by all: connections, and memory for answers that clients
/// do not take. May be called from any thread.
///
/// The rule: while a connection holds `ServerLimits.unreadBytes`, no further request of it is begun
/// (`HTTP1Handler.mayRead`, `HTTP2Handler.isFull`), and a listener with so much waiting is dropped. Where an address
/// holds more than `addressUnreadBytes`, its connection that holds most is closed; where all together hold more than
/// `allUnreadBytes`, the connection that holds most, of the address that holds most. One on the loop that noticed it is
/// preferred if it holds half as much: it is closed before that loop handles anything else. Another loop comes to it at
/// the end of its turn only, and meanwhile answers to hundreds of requests could be made.
final class Shares: Sendable {
  /// One address' share.
  final class Share: @unchecked Sendable {
    let address: IPAddress
    let bytes = Atomic(0)
    /// Its connections, and those among them that count; under the lock of `Shares`.
    fileprivate var members = 0
    fileprivate var connections = 0

    fileprivate init(_ address: IPAddress) { self.address = address }
  }

  private struct State {
    var shares: [IPAddress: Share] = [:]
    /// The connections of each network that count.
    var networks: [IPAddress: Int] = [:]
    /// The connections that hold memory, each with its share.
    var holders: [ObjectIdentifier: (connection: Connection, share: Share?)] = [:]

    mutating func count(_ change: Int, of share: Share) {
      share.connections += change
      let network = share.address.network
      let count = networks[network, default: 0] + change
      networks[network] = count > 0 ? count : nil
    }
  }
  private let state = Mutex(State())
  /// Bytes held by all together.
  let bytes = Atomic(0)
  /// The most connections of an address; 0 for no limit.
  private let most: Int
  private let shedTotal: Counter

  init(connectionsPerAddress: Int, _ metrics: ServerMetrics) {
    most = connectionsPerAddress
    shedTotal = metrics.shedTotal
  }

  // MARK: Connections

  /// Counts one more connection of an address; nil if it has as many as allowed.
  /// - Parameter isScarce: true while few connections are free: they are for networks that have few.
  func join(_ address: IPAddress, isScarce: Bool = false) -> Share? {
    let address = address.subscriber
    return state.withLock { state in
      let share = state.shares[address] ?? Share(address)
      if most > 0, share.connections >= most { return nil }
      if most > 0, isScarce, state.networks[address.network, default: 0] >= ServerLimits.crowd { return nil }
      share.members += 1
      state.count(1, of: share)
      state.shares[address] = share
      return share
    }
  }

  func leave(_ share: Share, counts: Bool) {
    state.withLock { state in
      share.members -= 1
      if counts { state.count(-1, of: share) }
      if share.members == 0 { state.shares[share.address] = nil }
    }
  }

  /// Ends the counting of one of its connections.
  func release(_ share: Share) { state.withLock { $0.count(-1, of: share) } }

  /// The connections of each network that count; none where an address may have any number.
  var networks: [IPAddress: Int] { most > 0 ? state.withLock { $0.networks } : [:] }

  // MARK: Memory

  /// Records that a connection holds so many bytes now.
  func hold(_ connection: Connection, _ count: Int) {
    // A connection that is about to be closed counts no more.
    if count > 0, connection.isShed.load(ordering: .relaxed) { return }
    let before = connection.held.exchange(count, ordering: .relaxed)
    if before == count { return }
    let share = connection.share
    add(count - before, to: share)
    if before == 0 || count == 0 {
      state.withLock { $0.holders[ObjectIdentifier(connection)] = count > 0 ? (connection, share) : nil }
    }
    if count > before, isOver(share) { shed(share) }
  }

  private func add(_ count: Int, to share: Share?) {
    share?.bytes.add(count, ordering: .relaxed)
    bytes.add(count, ordering: .relaxed)
  }

  private func isOver(_ share: Share?) -> Bool {
    share.map { $0.bytes.load(ordering: .relaxed) > ServerLimits.addressUnreadBytes } ?? false
      || bytes.load(ordering: .relaxed) > ServerLimits.allUnreadBytes
  }

  /// Closes connections, the one that holds most first, until the limit is kept.
  private func shed(_ share: Share?) {
    while isOver(share), let victim = state.withLock({ fullest(in: &$0, of: share) }) {
      shedTotal.add()
      if victim.loop.isCurrent {
        // Not at once: the caller may be in the middle of the victim's own work, or of a broadcast.
        victim.loop.runNext { victim.abort() }
      } else {
        victim.loop.execute { victim.abort() }
      }
    }
  }

  /// Removes and returns the connection to be closed next.
  private func fullest(in state: inout State, of share: Share?) -> Connection? {
    var guilty = share
    if bytes.load(ordering: .relaxed) > ServerLimits.allUnreadBytes {
      // A connection without a share is a proxy's whose client is not known; it stands for itself.
      let most = state.holders.values.max { Self.weight($0) < Self.weight($1) }
      guilty = most?.share
    }
    let held = state.holders.values.filter { $0.share === guilty }.map { ($0, Self.held($0)) }
    let fullest = held.max { $0.1 < $1.1 }
    let here = held.filter { $0.0.connection.loop.isCurrent }.max { $0.1 < $1.1 }
    let found = if let here, let fullest, 2 * here.1 >= fullest.1 { here.0 } else { fullest?.0 }
    guard let victim = found?.connection else { return nil }
    state.holders[ObjectIdentifier(victim)] = nil
    victim.isShed.store(true, ordering: .relaxed)
    add(-victim.held.exchange(0, ordering: .relaxed), to: found?.share)
    return victim
  }

  private static func held(_ holder: (connection: Connection, share: Share?)) -> Int {
    holder.connection.held.load(ordering: .relaxed)
  }

  private static func weight(_ holder: (connection: Connection, share: Share?)) -> Int {
    holder.share.map { $0.bytes.load(ordering: .relaxed) } ?? held(holder)
  }
}

/// A connection's calls to its share.
extension Connection {
  /// Counts the connection for this address from now on: the client's, as a proxy names it.
  /// - Returns: false if that address has as many connections as allowed.
  func belongs(to address: IPAddress) -> Bool {
    if share?.address == address.subscriber { return true }
    listener.shared.shares.hold(self, 0)
    leavesShares()
    share = listener.shared.shares.join(address, isScarce: listener.shared.isScarce)
    countsInShare = share != nil
    settle()
    return share != nil
  }

  /// Stops counting against the address' limit of connections.
  func leavesShare() {
    guard countsInShare, let share else { return }
    countsInShare = false
    listener.shared.shares.release(share)
  }

  func leavesShares() {
    guard let share else { return }
    listener.shared.shares.leave(share, counts: countsInShare)
    self.share = nil
  }

  /// Reports how much memory the connection holds, where that may have changed.
  func settle() {
    let count = output.held + unreadCount + (handler?.held ?? 0)
    if count != held.load(ordering: .relaxed) { listener.shared.shares.hold(self, count) }
  }

  /// The same for the hot path, after every answer: nearly always nothing waits, and nothing did before.
  func settleQueue() {
    if !output.isEmpty || held.load(ordering: .relaxed) != 0 { settle() }
  }
}
