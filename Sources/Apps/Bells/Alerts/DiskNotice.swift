import Delivery
import Hub
import Store
import Synchronization
import Wire

/// Tells owners that the disk with this hub's data is nearly full, while it still takes the notification: once, and
/// once more when there was room in between. Each of several hubs looks at its own.
final class DiskNotice: Sendable {
  private let sender: BellSender
  private let isTold = Mutex(false)

  init(sender: BellSender) { self.sender = sender }

  /// - Parameter free: bytes.
  func tell(free: Int) async throws {
    if free >= 2 * CheckLimits.freeBytesWarning { isTold.withLock { $0 = false } }
    guard free < CheckLimits.freeBytesWarning, !isTold.withLock({ $0 }) else { return }
    let hub = sender.hub
    let told = try await hub.commit(as: .room(BellsRoom.id)) { [sender] change in
      // Whoever becomes the first owner is told then.
      let owners = try change.database.personIDs(with: .manage).map(Recipient.person)
      if owners.isEmpty { return false }
      try sender.ring(Self.bell(free: free, of: hub), to: owners, in: change)
      return true
    }
    isTold.withLock { $0 = told }
  }

  private static func bell(free: Int, of hub: Hub) -> Bell {
    let size = DiskCheck.size(free)
    return Bell(
      to: .null,
      title: Bell.Words("The hub's disk is nearly full", german: "Die Festplatte des Servers ist fast voll"),
      body: Bell.Words(
        "\(size) are free. A full disk refuses every change, and nothing rings any more.",
        german: "\(size) sind frei. Ist sie voll, nimmt der Server keine Änderung mehr an, und nichts läutet mehr."),
      thread: "disk", collapseID: "disk \(hub.nameAmongHubs ?? "")", lifetime: BellsLimits.lifetime)
  }
}
