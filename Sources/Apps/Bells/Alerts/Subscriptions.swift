import Delivery
import Hub
import Store

/// Subscriptions last as long as the right to them: they end in the change that takes it.
extension Database {
  /// Ends the subscriptions to a topic of those who may not have it any more; to be called after each change of its
  /// audience.
  func pruneSubscriptions(of topic: Topic, _ hub: Hub) throws(StoreError) {
    for subscriber in try subscribers(of: topic.id) where try !mayTake(topic, subscriber, hub) {
      try unsubscribe(subscriber, from: topic.id)
    }
  }

  /// Ends those of a person who has lost rights, and of their devices.
  func pruneSubscriptions(ofPerson person: Int, _ hub: Hub) throws(StoreError) {
    let subscribers = try [.person(person)] + pushDevices(ofPerson: person).map { Subscriber.device($0.id) }
    for subscriber in subscribers {
      for id in try subscriptions(of: subscriber) {
        guard let topic = try topic(id), try !mayTake(topic, subscriber, hub) else { continue }
        try unsubscribe(subscriber, from: id)
      }
    }
  }

  /// True if a subscriber may have a topic: the person's role counts, also for their devices.
  func mayTake(_ topic: Topic, _ subscriber: Subscriber, _ hub: Hub) throws(StoreError) -> Bool {
    if topic.subscribers == .everybody { return true }
    var person: Int
    switch subscriber {
    case .person(let id): person = id
    case .device(let id):
      guard let device = try pushDevice(id), device.kind != .stranger else { return false }
      // An agent that is nobody's was subscribed by an owner's command.
      guard let owner = device.person else { return true }
      person = owner
    }
    guard let role = try personRole(person) else { return false }
    return topic.subscribers.includes(of: hub) { $0.roles.contains(role) }
  }

  /// A room's topic as it is to be kept. Who may send to it is the owner's to say.
  func wanted(_ topic: BellTopic, of room: String) throws(StoreError) -> (topic: Topic, isLacking: Bool) {
    let kept = try self.topic(topic.id)
    let wanted = Topic(
      id: topic.id, name: topic.name.english, room: room, subscribers: topic.isForAll ? .everybody : .members,
      senders: kept?.senders ?? .right(Right.send.id))
    return (wanted, wanted != kept)
  }

  /// Adds a topic or changes it, and ends the subscriptions of those who may not have it any more.
  func keep(_ topic: Topic, _ hub: Hub) throws(StoreError) {
    let isNarrower = try self.topic(topic.id).map { $0.subscribers != topic.subscribers } ?? false
    try saveTopic(topic)
    if isNarrower { try pruneSubscriptions(of: topic, hub) }
  }
}

extension Audience {
  /// True if somebody belongs to it.
  /// - Parameter may: true for the rights that they have.
  func includes(of hub: Hub, _ may: (Right) -> Bool) -> Bool {
    switch self {
    case .everybody: true
    case .members: may(.listen)
    case .right(let name): hub.roomList.rights.contains { $0.id == name && may($0) }
    }
  }
}
