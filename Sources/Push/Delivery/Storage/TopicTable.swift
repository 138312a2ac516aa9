public import Store

/// Topics, and who has subscribed to them.
extension Database {
  /// Adds a topic, or changes the one with its id.
  public func saveTopic(_ topic: Topic) throws(StoreError) {
    try run(
      """
      INSERT INTO push_topics (id, name, room, subscribers, senders) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (id) DO UPDATE SET name = excluded.name, room = excluded.room, subscribers = excluded.subscribers,
        senders = excluded.senders
      """, .text(topic.id), .text(topic.name), Value(topic.room), .text(topic.subscribers.text),
      .text(topic.senders.text))
  }

  public func topics() throws(StoreError) -> [Topic] {
    try rows("SELECT id, name, room, subscribers, senders FROM push_topics ORDER BY id", read: Self.topic)
  }

  public func topic(_ id: String) throws(StoreError) -> Topic? {
    try first("SELECT id, name, room, subscribers, senders FROM push_topics WHERE id = ?", .text(id), read: Self.topic)
  }

  /// Removes a topic with its subscriptions; what was sent to it stays.
  public func removeTopic(_ id: String) throws(StoreError) {
    try run("DELETE FROM push_topics WHERE id = ?", .text(id))
  }

  /// - Returns: false if there is no such topic.
  @discardableResult
  public func subscribe(_ subscriber: Subscriber, to topic: String) throws(StoreError) -> Bool {
    guard try self.topic(topic) != nil else { return false }
    let (person, device) = subscriber.columns
    try run(
      """
      INSERT INTO push_subscriptions (topic, person, device) VALUES (?, ?, ?) ON CONFLICT (topic, person, device)
        DO NOTHING
      """, .text(topic), .int(person), .int(device))
    return true
  }

  public func unsubscribe(_ subscriber: Subscriber, from topic: String) throws(StoreError) {
    let (person, device) = subscriber.columns
    try run(
      "DELETE FROM push_subscriptions WHERE topic = ? AND person = ? AND device = ?", .text(topic), .int(person),
      .int(device))
  }

  /// The ids of all topics of a subscriber.
  public func subscriptions(of subscriber: Subscriber) throws(StoreError) -> Set<String> {
    let (person, device) = subscriber.columns
    return Set(
      try rows(
        // The condition with the constant is that of a partial index, without which it is not used.
        person > 0
          ? "SELECT topic FROM push_subscriptions WHERE person = ? AND person > 0"
          : "SELECT topic FROM push_subscriptions WHERE device = ? AND device > 0", .int(person > 0 ? person : device),
        read: { $0.text(0) }))
  }

  /// The subscribers of a topic.
  public func subscribers(of topic: String) throws(StoreError) -> [Subscriber] {
    try rows(
      "SELECT person, device FROM push_subscriptions WHERE topic = ? ORDER BY person, device", .text(topic)
    ) { $0.int(0) > 0 ? .person($0.int(0)) : .device($0.int(1)) }
  }

  /// The devices of people that have subscribed to a topic by themselves, and agents that are nobody's. No strangers.
  public func devices(subscribedTo topic: String) throws(StoreError) -> [(device: Int, person: Int?)] {
    try rows(
      """
      SELECT d.id, d.person FROM push_subscriptions s JOIN push_devices d ON d.id = s.device
      WHERE s.topic = ? AND s.device > 0 AND (d.person IS NOT NULL OR d.kind = ?) AND d.removed_at IS NULL ORDER BY d.id
      """, .text(topic), .text(PushDevice.Kind.agent.rawValue)
    ) { (device: $0.int(0), person: $0.optionalInt(1)) }
  }

  /// The number of notifications that were sent to a topic since then, at most `DeliveryLimits.counted`.
  public func sentCount(toTopic topic: String, since: Double) throws(StoreError) -> Int {
    let most = DeliveryLimits.counted
    var count = 0
    for table in ["push_notifications", "push_sends"] {
      count +=
        try first(
          "SELECT count(*) FROM (SELECT 1 FROM \(table) WHERE topic = ? AND at >= ? LIMIT ?) AS found", .text(topic),
          .double(since), .int(most), read: { $0.int(0) }) ?? 0
    }
    return min(count, most)
  }

  private static func topic(_ row: Row) -> Topic {
    Topic(
      id: row.text(0), name: row.text(1), room: row.optionalText(2), subscribers: Audience(row.text(3)) ?? .members,
      senders: Audience(row.text(4)) ?? .right("none"))
  }
}

extension Subscriber {
  /// The columns of a row; 0 stands for none.
  var columns: (person: Int, device: Int) {
    switch self {
    case .person(let id): (id, 0)
    case .device(let id): (0, id)
    }
  }
}
