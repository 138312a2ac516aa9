import EventLoop
import Observe
import Server
import Store
public import Wire

/// Something that rang, as the outbox keeps it until all receivers have it.
public struct Ring: Equatable, Sendable {
  /// Grows from ring to ring.
  public let id: Int
  /// Seconds since 1970.
  public let at: Double
  public let topic: String
  public let content: JSON
}

/// Somebody who takes rings over, such as what delivers notifications.
public protocol OutboxReceiver: Sendable {
  /// Under this name it is kept what it has. It never changes.
  var name: String { get }

  /// Takes one over, in the transaction that acknowledges it: what this writes, and that it has the ring, is on the
  /// disk together or not at all. So nothing is lost, and nothing comes twice.
  /// - Throws: to be told again later; then the rings behind it wait.
  func receive(_ ring: Ring, in change: Change) throws
}

/// Tells receivers what rang, each in the order of the rings, and each ring until it is acknowledged.
///
/// A ring is a row that its change has written, so a crash between commit and telling loses nothing. Commands beside
/// the hub write rows too, and cannot wake it: it looks again each minute.
public final class Outbox: Sendable {
  /// Seconds after which it looks for rings of commands beside the hub, and tells again what was not taken.
  static let lookSeconds = 60.0
  /// Rings of one transaction.
  static let batch = 100
  /// Rings that are kept for receivers that do not take them. Past it the oldest go: it is written to the log.
  static let limit = 100_000

  private let poller: Poller

  init(loop: EventLoop) { poller = Poller(loop) }

  /// There may be something new.
  func wake() { poller.wake() }

  /// Tells until the task is cancelled.
  public func run(_ hub: Hub, _ receivers: [any OutboxReceiver]) async throws {
    let names = receivers.map(\.name)
    try await hub.store.change { database in try database.keepReceivers(names) }
    try await poller.run {
      for receiver in receivers {
        // Whoever is behind does not hold up the others: each has its own place in the row.
        while await Self.tell(receiver, hub), !Task.isCancelled {}
      }
      return Self.lookSeconds
    }
  }

  /// - Returns: whether there may be more for it.
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
