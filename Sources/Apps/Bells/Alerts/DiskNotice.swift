import Hub
import Wire

/// Tells owners that the disk with this hub's data is nearly full, while it still takes the notification: once, and
/// once more when there was room in between. Each of several hubs looks at its own.
final class DiskNotice: Sendable {
  private let hub: Hub
  private let notice: OwnerNotice

  init(sender: BellSender) { (hub, notice) = (sender.hub, OwnerNotice(sender: sender)) }

  /// - Parameter free: bytes.
  func tell(free: Int) async throws {
    if free >= 2 * CheckLimits.freeBytesWarning { notice.end() }
    if free < CheckLimits.freeBytesWarning { try await notice.tell(Self.bell(free: free, of: hub)) }
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
