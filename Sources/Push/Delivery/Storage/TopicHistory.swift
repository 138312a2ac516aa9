public import Store

/// Earlier notifications of topics, for listeners who were away.
extension Database {
  /// The notifications of some topics since a time that were not taken back, the oldest first. One that was sent to
  /// several of them comes once.
  /// - Parameters:
  ///   - since: seconds since 1970.
  ///   - last: the last one of the page before; nil for the first page.
  public func sent(
    toTopics topics: [String], since: Double, after last: Outgoing? = nil, limit: Int
  ) throws(StoreError) -> [TopicNews] {
    let (at, id) = last.map { (max($0.sentAt, since), $0.sentAt < since ? 0 : $0.id) } ?? (since, 0)
    var found: [TopicNews] = []
    for topic in topics {
      found += try page(ofTopic: topic, from: at, behind: id, order: "ORDER BY at, id", limit: limit)
    }
    return Array(found.oldestFirst.prefix(limit))
  }

  /// The newest of each topic that was sent since a time, the oldest of these first.
  public func latest(ofTopics topics: [String], since: Double) throws(StoreError) -> [TopicNews] {
    var found: [TopicNews] = []
    for topic in topics {
      let both = try page(ofTopic: topic, from: since, behind: 0, order: "ORDER BY at DESC, id DESC", limit: 1)
      if let newest = both.oldestFirst.last { found.append(newest) }
    }
    return found.oldestFirst
  }

  /// One notification as its listeners got it; nil if it is not kept.
  public func sentMessage(_ id: Int) throws(StoreError) -> Outgoing? {
    guard let notification = try notification(id) else { return nil }
    return notification.message(version: notification.version)
  }

  /// One notification with all topics to which it was sent; nil if it was taken back, or is not kept.
  func topicNews(_ id: Int) throws(StoreError) -> TopicNews? {
    guard let sent = try notification(id), sent.state != .withdrawn else { return nil }
    let own = sent.topic.map { [$0] } ?? []
    let others = try rows("SELECT topic FROM push_sends WHERE notification = ?", .int(id)) { $0.text(0) }
    return TopicNews(sent.message(version: sent.version), topics: own + others.filter { $0 != sent.topic })
  }

  /// Those whose own topic it is, and those that were sent to it beside their own.
  private func page(
    ofTopic topic: String, from at: Double, behind id: Int, order: String, limit: Int
  ) throws(StoreError) -> [TopicNews] {
    let ofTopic = "topic = ? AND at >= ?"
    var found: [SentNotification] = []
    for condition in [ofTopic, "id IN (SELECT notification FROM push_sends WHERE \(ofTopic))"] {
      found += try rows(
        "\(SentNotification.select) WHERE \(condition) AND state <> 1 AND (at > ? OR id > ?) \(order) LIMIT ?",
        .text(topic), .double(at), .double(at), .int(id), .int(limit), read: SentNotification.init)
    }
    return found.map { TopicNews($0.message(version: $0.version), topics: [topic]) }
  }
}

extension [TopicNews] {
  /// By the time at which each was sent, without repetitions.
  var oldestFirst: [TopicNews] {
    var known: Set<Int> = []
    let sorted = sorted { ($0.message.sentAt, $0.message.id) < ($1.message.sentAt, $1.message.id) }
    return sorted.filter { known.insert($0.message.id).inserted }
  }
}
