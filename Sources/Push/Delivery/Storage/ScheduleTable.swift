public import Store
import Wire

/// Notifications that wait for their time.
extension Database {
  func schedule(_ submission: Submission, id: Int, at: Double) throws(StoreError) {
    try run(
      "INSERT INTO push_scheduled (id, at, submission, sender) VALUES (?, ?, ?, ?)", .int(id), .double(at),
      .text(submission.json.text), .text(submission.sender))
  }

  /// The scheduled notifications, the soonest first.
  public func scheduled(limit: Int) throws(StoreError) -> [(id: Int, submission: Submission)] {
    try rows(
      "SELECT id, submission FROM push_scheduled ORDER BY at, id LIMIT ?", .int(limit),
      read: { (id: $0.int(0), submission: Submission(stored: $0.text(1))) }
    ).compactMap { row in row.submission.map { (row.id, $0) } }
  }

  public func scheduled(_ id: Int) throws(StoreError) -> Submission? {
    try first("SELECT submission FROM push_scheduled WHERE id = ?", .int(id), read: { Submission(stored: $0.text(0)) })
      ?? nil
  }

  public func scheduledCount() throws(StoreError) -> Int {
    try first("SELECT count(*) FROM push_scheduled", read: { $0.int(0) }) ?? 0
  }

  /// The time of the soonest one.
  func nextScheduled() throws(StoreError) -> Double? {
    try first("SELECT at FROM push_scheduled ORDER BY at LIMIT 1", read: { $0.double(0) })
  }

  /// Sends those whose time has come, at most `DeliveryLimits.duePerCommit`.
  /// - Returns: what was sent, and true if more are due.
  public func sendDue(now: Double) throws(StoreError) -> (sent: [Submitted], hasMore: Bool) {
    let due = try rows(
      "SELECT id, submission FROM push_scheduled WHERE at <= ? ORDER BY at, id LIMIT ?", .double(now),
      .int(DeliveryLimits.duePerCommit), read: { (id: $0.int(0), submission: Submission(stored: $0.text(1))) })
    var sent: [Submitted] = []
    for (id, submission) in due {
      try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
      if let submission { sent.append(try send(submission, id: id, now: now)) }
    }
    return (sent, due.count == DeliveryLimits.duePerCommit)
  }

  /// - Returns: false if there is none with that id.
  func changeScheduled(_ id: Int, content: JSON) throws(StoreError) -> Bool {
    guard var submission = try scheduled(id) else { return false }
    submission.content = content
    try run("UPDATE push_scheduled SET submission = ? WHERE id = ?", .text(submission.json.text), .int(id))
    return true
  }

  /// Cancels a scheduled notification. It is kept as taken back, so that its trace says so, and its id is not used
  /// again.
  /// - Returns: false if there is none with that id.
  func cancelScheduled(_ id: Int, now: Double) throws(StoreError) -> Bool {
    guard let submission = try scheduled(id) else { return false }
    try run("DELETE FROM push_scheduled WHERE id = ?", .int(id))
    try insert(submission, id: id, state: .withdrawn, now: now)
    return true
  }
}

extension Submission {
  /// As it is kept until its time.
  var json: JSON {
    [
      "to": .array(to.map(\.json)), "content": content, "collapse": JSON(collapseID), "expires": JSON(expiresAt),
      "priority": .int(priority.rawValue), "at": JSON(at), "sender": .string(sender), "room": JSON(room),
      "topic": JSON(topic),
    ]
  }

  init?(stored text: String) {
    guard let json = try? JSON(parsing: text), let to = json["to"]?.array, let content = json["content"],
      let sender = json["sender"]?.string
    else { return nil }
    self.init(
      to: to.compactMap(Recipient.init), content: content, collapseID: json["collapse"]?.string,
      expiresAt: json["expires"]?.number, priority: Priority(rawValue: json["priority"]?.int ?? 0) ?? .normal,
      at: json["at"]?.number, sender: sender, room: json["room"]?.string, topic: json["topic"]?.string)
  }
}

extension Recipient {
  fileprivate var json: JSON {
    switch self {
    case .device(let id): ["device": .int(id)]
    case .person(let id): ["person": .int(id)]
    case .topic(let id): ["topic": .string(id)]
    }
  }

  fileprivate init?(_ json: JSON) {
    if let id = json["device"]?.int {
      self = .device(id)
    } else if let id = json["person"]?.int {
      self = .person(id)
    } else if let id = json["topic"]?.string {
      self = .topic(id)
    } else {
      return nil
    }
  }
}
