import Delivery
import Hub
import Server
import Wire

/// Takes what devices and people say, in one transaction with all that follows from it: the other devices, the room
/// that rang, and the pages.
struct AnswerTaking: Sendable {
  let sender: BellSender
  private var hub: Hub { sender.hub }

  func take(_ receipt: Receipt, of device: Int, by channel: ChannelKind) async throws(HTTPError) -> Recorded {
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      let recorded = try change.database.record(receipt, device: device, channel: channel, now: change.now)
      try change.database.notePushDevice(device, seenAt: change.now)
      try follow(recorded, receipt.notification, in: change)
      return recorded
    }
  }

  /// To be called within the change that recorded it.
  func follow(_ recorded: Recorded, _ notification: Int, in change: Change) throws {
    try sender.follow(recorded.changed, notification, recorded.answer == nil ? "seen" : "acted", in: change)
    guard let answer = recorded.answer else { return }
    change.publish(BellChannel.answered, on: BellChannel.owners, answer.event)
    guard let id = answer.room else { return }
    let bell = BellAnswer(
      notification: answer.notification, action: answer.action, text: answer.text, person: answer.person,
      topic: answer.topic, collapseID: RoomCollapse.read(answer.collapseID)?.own ?? answer.collapseID)
    for room in hub.rooms where type(of: room).plan.id == id { try room.answered(bell, in: change) }
  }
}

extension Answer {
  /// The data of the live event.
  fileprivate var event: JSON { .object([.init("id", JSON(id: notification))] + (json.members ?? [])) }
}
