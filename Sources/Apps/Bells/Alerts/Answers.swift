import Delivery
import Hub
import Server
import Wire

/// Tells the answers that people give: to the room that rang, and to pages.
struct Answers: Sendable {
  let hub: Hub

  /// To be called within the change that takes the answer.
  func tell(_ answer: Answer, in change: Change) throws {
    change.publish(BellChannel.answered, on: BellChannel.owners, answer.event)
    if let room = answer.room { try tell(answer, to: room, in: change) }
  }

  private func tell(_ answer: Answer, to id: String, in change: Change) throws {
    let bell = BellAnswer(
      notification: answer.notification, action: answer.action, text: answer.text, person: answer.person,
      topic: answer.topic, collapseID: answer.collapseID)
    for room in hub.rooms where type(of: room).plan.id == id { try room.answered(bell, in: change) }
  }
}

/// Takes what devices say, in one transaction with all that follows from it: the other devices, the room that rang, and
/// the pages.
struct AnswerTaking: Sendable {
  let hub: Hub
  let sender: BellSender
  let answers: Answers

  func take(_ receipt: Receipt, of device: Int, by channel: ChannelKind) async throws(HTTPError) -> Recorded {
    try await hub.commit(as: .room(BellsRoom.id)) { change in
      let recorded = try change.database.record(receipt, device: device, channel: channel, now: change.now)
      try change.database.notePushDevice(device, seenAt: change.now)
      let state = recorded.answer == nil ? "seen" : "acted"
      sender.follow(recorded.changed, receipt.notification, state, in: change)
      if let answer = recorded.answer { try answers.tell(answer, in: change) }
      return recorded
    }
  }
}

extension Answer {
  /// The data of the live event.
  fileprivate var event: JSON { .object([.init("id", JSON(id: notification))] + (json.members ?? [])) }
}
