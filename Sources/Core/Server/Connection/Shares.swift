import EventLoop
import Observe
import Synchronization
import Wire

/// What each subscriber's address, and all of them together, have of the server: connections, and memory for what they
/// asked for and do not take. From any thread.
///
/// The rule: a connection that holds `ServerLimits.unreadBytes` gets no further request of its own begun until it has
/// taken some of what waits (`HTTP1Handler.mayRead`, `HTTP2Handler.isFull`); a listener for whom so much waits is
/// dropped. Where an address holds more than `addressUnreadBytes`, its fullest connection is closed; where all together
/// hold more than `allUnreadBytes`, the fullest connection of the address that holds most.
final class Shares: Sendable {
  /// What one address has.
  final class Share: @unchecked Sendable {
    let address: IPAddress
    let bytes = Atomic(0)
    /// Under the lock of `Shares`: its connections, and those among them that count.
    fileprivate var members = 0
    fileprivate var connections = 0

    fileprivate init(_ address: IPAddress) { self.address = address }
  }

  private struct State {
    var shares: [IPAddress: Share] = [:]
    /// The connections that hold something, and in whose share.
    var holders: [ObjectIdentifier: (connection: Connection, share: Share?)] = [:]
  }
  private let state = Mutex(State())
  /// Bytes that all hold.
  let bytes = Atomic(0)
  /// How many connections an address may have; 0 for any number.
  private let most: Int
  private let shedTotal: Counter

  init(connectionsPerAddress: Int, _ metrics: ServerMetrics) {
    most = connectionsPerAddress
    shedTotal = metrics.shedTotal
  }

  // MARK: Connections

  /// The share of an address that has one connection more now; nil if it has as many as it may.
  func join(_ address: IPAddress) -> Share? {
    let address = address.subscriber
    return state.withLock { state in
      let share = state.shares[address] ?? Share(address)
      if most > 0, share.connections >= most { return nil }
      share.members += 1
      share.connections += 1
      state.shares[address] = share
      return share
    }
  }

  func leave(_ share: Share, counts: Bool) {
    state.withLock { state in
      share.members -= 1
      if counts { share.connections -= 1 }
      if share.members == 0 { state.shares[share.address] = nil }
    }
  }

  /// A connection of it does not count any more.
  func release(_ share: Share) { state.withLock { _ in share.connections -= 1 } }

  // MARK: Memory

  /// A connection holds so many bytes now.
  func hold(_ connection: Connection, _ count: Int) {
    // One that is about to be closed counts no more.
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

  /// Closes the fullest until it fits.
  private func shed(_ share: Share?) {
    while isOver(share), let victim = state.withLock({ fullest(in: &$0, of: share) }) {
      shedTotal.add()
      victim.loop.execute { victim.abort() }
    }
  }

  /// Takes the one out that has to go, so that it is not found twice.
  private func fullest(in state: inout State, of share: Share?) -> Connection? {
    var guilty = share
    if bytes.load(ordering: .relaxed) > ServerLimits.allUnreadBytes {
      // One without a share is of a proxy whose client is not known; it stands for itself.
      let most = state.holders.values.max { Self.weight($0) < Self.weight($1) }
      guilty = most?.share
    }
    let found = state.holders.values
      .filter { $0.share === guilty }
      .max { $0.connection.held.load(ordering: .relaxed) < $1.connection.held.load(ordering: .relaxed) }
    guard let victim = found?.connection else { return nil }
    state.holders[ObjectIdentifier(victim)] = nil
    victim.isShed.store(true, ordering: .relaxed)
    add(-victim.held.exchange(0, ordering: .relaxed), to: found?.share)
    return victim
  }

  private static func weight(_ holder: (connection: Connection, share: Share?)) -> Int {
    holder.share.map { $0.bytes.load(ordering: .relaxed) } ?? holder.connection.held.load(ordering: .relaxed)
  }
}

/// A connection's part in them.
extension Connection {
  /// Counts for this address from now on: the one that a proxy says it asks for.
  /// - Returns: false if that has as many connections as it may.
  func belongs(to address: IPAddress) -> Bool {
    if share?.address == address.subscriber { return true }
    listener.shared.shares.hold(self, 0)
    leavesShares()
    share = listener.shared.shares.join(address)
    countsInShare = share != nil
    settle()
    return share != nil
  }

  /// Is none of those any more that its address may have.
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

  /// Says how much memory it holds, where that may have changed.
  func settle() {
    let count = output.held + unreadCount + (handler?.held ?? 0)
    if count != held.load(ordering: .relaxed) { listener.shared.shares.hold(self, count) }
  }

  /// The same, for what is done with every answer: nearly always nothing waits, and nothing did.
  func settleQueue() {
    if !output.isEmpty || held.load(ordering: .relaxed) != 0 { settle() }
  }
}
