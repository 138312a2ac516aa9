import Delivery
import Hub
import Store
import Wire

/// Tells somebody whose last device does not ring any more, since its push service has ended the subscription: in their
/// list, and by mail where they have set that.
struct SilenceNotice: Sendable {
  let sender: BellSender

  func tell(of device: Int) async throws {
    try await sender.hub.commit(as: .room(BellsRoom.id)) { change in
      // The browser may have subscribed anew meanwhile.
      guard let gone = try change.database.pushDevice(device), let person = gone.person,
        try change.database.pushDevices(ofPerson: person).allSatisfy({ $0.kind == .mailbox || $0.channels.isEmpty })
      else { return }
      try sender.ring(Self.bell(gone.name), to: [.person(person)], in: change)
    }
  }

  private static func bell(_ device: String) -> Bell {
    Bell(
      to: .null,
      title: Bell.Words("None of your devices rings any more", german: "Keines deiner Geräte läutet mehr"),
      body: Bell.Words(
        "The push service of “\(device)” has ended its subscription. Open Bells there: under “This device” it says "
          + "when it rings again.",
        german: "Der Push-Dienst von „\(device)“ hat das Abo beendet. Öffne dort die Glocken: Unter „Dieses Gerät“ "
          + "steht, wann es wieder läutet."),
      thread: "devices", collapseID: "silence", lifetime: BellsLimits.lifetime)
  }
}
