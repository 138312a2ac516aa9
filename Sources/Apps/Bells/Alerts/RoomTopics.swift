import Delivery
import Hub
import Store
import Wire

/// Knows all topics, and keeps those that rooms make while the hub runs.
struct RoomTopics: BellTopics {
  let hub: Hub

  func missing(among ids: [String], in database: Database) throws(StoreError) -> String? {
    for id in ids where try database.topic(id) == nil { return id }
    return nil
  }

  func subscribers(of topic: String, in database: Database) throws(StoreError) -> [(to: JSON, person: Int?)] {
    var found: [(to: JSON, person: Int?)] = []
    for case .person(let id) in try database.subscribers(of: topic) {
      found.append((to: ["person": JSON(id: id)], person: id))
    }
    for (device, person) in try database.devices(subscribedTo: topic) {
      found.append((to: ["device": JSON(id: device)], person: person))
    }
    return found
  }

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
