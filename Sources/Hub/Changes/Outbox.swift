import EventLoop
import Observe
import Server
import Store
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
  /// The most rings of one transaction.
  static let batch = 100
  /// The most rings kept for receivers that do not take them. Past it the oldest are removed, and the log says so.
  static let limit = 100_000

  private let poller: Poller

  init(loop: EventLoop) { poller = Poller(loop) }

  /// Wakes the outbox, since there may be new rings.
  func wake() { poller.wake() }

  /// Delivers until the task is cancelled.
  public func run(_ hub: Hub, _ receivers: [any OutboxReceiver]) async throws {
    let names = receivers.map(\.name)
    try await hub.store.change { database in try database.keepReceivers(names) }
    try await poller.run {
      for receiver in receivers {
        // A slow receiver does not delay the others: each has its own progress.
        while await Self.tell(receiver, hub), !Task.isCancelled {}
      }
      return Self.lookSeconds
    }
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
