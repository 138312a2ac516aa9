import Delivery
import Hub
import Wire

/// Tells the answers that people give: to the room that rang, and to pages.
struct Answers: Sendable {
  let hub: Hub

  /// Within the change that takes the answer.
  func tell(_ answer: Answer, in change: Change) throws {
    change.publish(BellChannel.answered, on: BellChannel.owners, answer.event)
    guard let id = answer.room else { return }
    let bell = BellAnswer(
      notification: answer.notification, action: answer.action, text: answer.text, person: answer.person,
      topic: answer.topic, collapseID: answer.collapseID)
    for room in hub.rooms where type(of: room).plan.id == id { try room.answered(bell, in: change) }
  }
}

extension Answer {
  /// The data of the live event.
  fileprivate var event: JSON { .object([.init("id", JSON(id: notification))] + (json.members ?? [])) }
}
