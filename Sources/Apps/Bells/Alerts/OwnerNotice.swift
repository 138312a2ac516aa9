import Delivery
import Hub
import Store
import Synchronization

/// Rings the owners about one trouble of the hub, once for each time that it begins.
final class OwnerNotice: Sendable {
  private let sender: BellSender
  private let isTold = Mutex(false)

  init(sender: BellSender) { self.sender = sender }

  /// The trouble is over: the next one is told again.
  func end() { isTold.withLock { $0 = false } }

  func tell(_ bell: Bell) async throws {
    guard !isTold.withLock({ $0 }) else { return }
    let told = try await sender.hub.commit(as: .room(BellsRoom.id)) { [sender] change in
      // Whoever becomes the first owner is told then.
      let owners = try change.database.personIDs(with: .manage).map(Recipient.person)
      if owners.isEmpty { return false }
      try sender.ring(bell, to: owners, in: change)
      return true
    }
    isTold.withLock { $0 = told }
  }
}
