import Delivery
import Hub
import Observe
import Realtime
import Server
import Wire

/// Tells the answers that people give: to the room that rang, and to pages.
struct Answers: Sendable {
  let hub: Hub

  /// Within the change that takes the answer.
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

extension Answers {
  /// After the commit of what a device has said, on the store's thread.
  func tell(_ recorded: Recorded) {
    let state = recorded.answer == nil ? "seen" : "acted"
    let id = recorded.answer.map { JSON(id: $0.notification) } ?? .null
    for person in recorded.changed.persons.prefix(BellsLimits.told) {
      hub.channels.publish(
        BellChannel.changed, on: PrivateChannel.person(person), ["id": id, "state": .string(state)])
    }
    guard let answer = recorded.answer else { return }
    hub.channels.publish(BellChannel.answered, on: BellChannel.owners, answer.event)
    guard let room = answer.room else { return }
    hub.supervisor.once("bells.answer") { [self] in
      do throws(HTTPError) {
        try await hub.commit(as: .room(BellsRoom.id)) { change in try tell(answer, to: room, in: change) }
      } catch {
        hub.log.error("a room was not told an answer", ["room": room, "error": error.error])
      }
    }
  }
}

extension Answer {
  /// The data of the live event.
  fileprivate var event: JSON { .object([.init("id", JSON(id: notification))] + (json.members ?? [])) }
}
