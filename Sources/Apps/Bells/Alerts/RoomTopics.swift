import Delivery
import Hub

/// Keeps the topics that rooms make while the hub runs.
struct RoomTopics: BellTopics {
  let hub: Hub

  func keep(_ topics: [BellTopic], of room: String, beginning prefix: String, in change: Change) throws {
    let database = change.database
    for topic in try database.topics() where topic.room == room && topic.id.hasPrefix(prefix) {
      if !topics.contains(where: { $0.id == topic.id }) { try database.removeTopic(topic.id) }
    }
    for topic in topics {
      let (wanted, isLacking) = try database.wanted(topic, of: room)
      if isLacking { try database.keep(wanted, hub) }
    }
  }
}
