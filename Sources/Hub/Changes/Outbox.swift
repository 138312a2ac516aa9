import EventLoop
import Lifecycle
import Observe
import Server
import Store
import Synchronization
public import Wire

/// A notable event in the outbox, kept until all receivers have it.
public struct Ring: Equatable, Sendable {
  /// Grows from ring to ring.
  public let id: Int
  /// Seconds since 1970.
  public let at: Double
  public let topic: String
  public let content: JSON
}

/// A receiver of rings, such as the delivery of notifications.
public protocol OutboxReceiver: Sendable {
  /// The name under which its progress is stored. It never changes.
  var name: String { get }

  /// Takes a ring, in the transaction that acknowledges it: this method's writes and the acknowledgement are durable
  /// together or not at all. So nothing is lost or delivered twice.
  /// - Throws: to get it again later; the following rings wait.
  func receive(_ ring: Ring, in change: Change) throws
}

/// Delivers rings to the receivers, to each in order, and each ring until it is acknowledged.
///
/// A ring is a row written by its change, so a crash after the commit loses nothing. Commands beside the hub write rows
/// too, and cannot wake it, so it checks every minute.
public final class Outbox: Sendable {
  /// Seconds between two checks for rings of commands beside the hub, and for rings that were not taken.
  static let lookSeconds = 60.0
  /// Seconds after which a hub checks for rings of another one, which has delivered them by then if it still runs.
  package static let otherHubSeconds = 2.0
  /// The most rings of one transaction.
  static let batch = 100
  /// The most rings kept for receivers that do not take them. Past it the oldest are removed at the next check, and the
  /// log says so.
  static let limit = 100_000

  private struct State {
    /// The uptime of the next check, and of the last removal of rings past the limit.
    var due = 0.0
    var droppedAt = 0.0
  }
  private let state = Mutex(State())
  private let time: any TimeSource
  private let poller: Poller

  init(loop: EventLoop) { (time, poller) = (loop.time, Poller(loop)) }

  /// Delivers now, since there may be new rings.
  func wake() { wake(in: 0) }

  /// Another hub has new rings.
  package func wakeForOthers() { wake(in: Self.otherHubSeconds) }

  private func wake(in seconds: Double) {
    let due = time.uptime + seconds
    state.withLock { $0.due = min($0.due, due) }
    poller.wake()
  }

  /// Delivers until the task is cancelled.
  public func run(_ hub: Hub, _ receivers: [any OutboxReceiver]) async throws {
    let names = receivers.map(\.name)
    try await hub.store.change { database in try database.keepReceivers(names) }
    state.withLock { $0 = State(due: 0, droppedAt: time.uptime) }
    try await poller.run { [self] in
      let now = time.uptime
      let isDue = state.withLock { state in
        guard state.due <= now else { return false }
        state.due = now + Self.lookSeconds
        return true
      }
      if isDue {
        for receiver in receivers {
          // A slow receiver does not delay the others: each has its own progress.
          while await Self.tell(receiver, hub), !Task.isCancelled {}
        }
        try await dropOld(hub)
      }
      return max(state.withLock { $0.due } - time.uptime, 0)
    }
  }

  private func dropOld(_ hub: Hub) async throws {
    let now = time.uptime
    let isTime = state.withLock { state in
      guard now - state.droppedAt >= Self.lookSeconds else { return false }
      state.droppedAt = now
      return true
    }
    guard isTime else { return }
    let dropped = try await hub.store.change { database in try database.dropRings(past: Self.limit) }
    if dropped > 0 { hub.log.error("rings that nobody has taken were dropped", ["count": "\(dropped)"]) }
  }

  /// - Returns: true if there may be more rings for this receiver.
  private static func tell(_ receiver: any OutboxReceiver, _ hub: Hub) async -> Bool {
    do throws(HTTPError) {
      return try await hub.commit(as: .room(Hub.roomID)) { change in
        let rings = try change.database.rings(for: receiver.name, limit: batch)
        guard let last = rings.last else { return false }
        for ring in rings { try receiver.receive(ring, in: change) }
        try change.database.acknowledge(upTo: last.id, by: receiver.name)
        return rings.count == batch
      }
    } catch {
      hub.log.warning("rings were not taken", ["receiver": receiver.name, "error": error.error])
      return false
    }
  }
}
