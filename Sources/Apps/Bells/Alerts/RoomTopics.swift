import Delivery
import Hub
import Store

/// Knows all topics, and keeps those that rooms make while the hub runs.
struct RoomTopics: BellTopics {
  let hub: Hub

  func missing(among ids: [String], in database: Database) throws(StoreError) -> String? {
    for id in ids where try database.topic(id) == nil { return id }
    return nil
  }

  func people(of topic: String, in database: Database) throws(StoreError) -> [Int] {
    try database.subscribers(of: topic).compactMap { subscriber -> Int? in
      guard case .person(let id) = subscriber else { return nil }
      return id
    }
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
