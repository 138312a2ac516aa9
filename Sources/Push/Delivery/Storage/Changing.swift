public import Store
public import Wire

/// Updates, withdrawals and answers: every device follows.
extension Database {
  /// Replaces the content of a notification on every device that has it or is to get it. Where it was suppressed, it
  /// stays so.
  /// - Returns: nil if there is no such notification, or it is over: taken back, answered or expired.
  public func update(notification id: Int, content: JSON, now: Double) throws(StoreError) -> Changed? {
    if try changeScheduled(id, content: content) { return Changed() }
    let text = content.text
    let version = try first(
      """
      UPDATE push_notifications SET content = ?, version = version + 1 WHERE id = ? AND state = 0 RETURNING version
      """, .text(text), .int(id), read: { $0.int(0) })
    guard let version, let notification = try notification(id) else { return nil }
    var woken: [ChannelKind: [Int]] = [:]
    for var delivery in try openDeliveries(id) {
      delivery.wanted = version
      delivery.attempts = 0
      delivery.nextAt = delivery.channel.isAttempted ? now : nil
      try save(delivery)
      woken[delivery.channel, default: []].append(delivery.device)
    }
    let message = notification.message(version: version)
    return Changed(
      wakes: woken.map { Wake(channel: $0.key, devices: $0.value, message: message) },
      persons: try inboxPersons(of: id))
  }

  /// Takes a notification back, from every device and from the lists; a scheduled one is cancelled.
  /// - Returns: nil if there is no such notification, or it is over.
  public func withdraw(
    notification id: Int, reason: DeliveryReason = .takenBack, now: Double
  ) throws(StoreError) -> Changed? {
    if try cancelScheduled(id, now: now) { return Changed() }
    let found = try first(
      "UPDATE push_notifications SET state = 1, version = version + 1 WHERE id = ? AND state = 0 RETURNING version",
      .int(id), read: { $0.int(0) })
    guard let version = found, let notification = try notification(id) else { return nil }
    let persons = try inboxPersons(of: id)
    try run("UPDATE push_inbox SET state = 3 WHERE notification = ? AND state < 2", .int(id))
    let wakes = try remove(
      notification, version: version, from: try openDeliveries(id), reason: reason, now: now)
    return Changed(wakes: wakes, persons: persons)
  }

  /// Has a notification removed from devices: those that may have it are told, and for the others nothing is sent.
  private func remove(
    _ notification: SentNotification, version: Int, from deliveries: [Delivered], reason: DeliveryReason, now: Double
  ) throws(StoreError) -> [Wake] {
    var woken: [ChannelKind: [Int]] = [:]
    for var delivery in deliveries {
      delivery.wanted = version
      delivery.reason = reason
      guard delivery.acknowledged > 0 || delivery.channel.mayBeSentUnrecorded else {
        delivery.events.append(TraceEvent(.withdrawn, at: now, version: version, reason: reason))
        try close(&delivery)
        continue
      }
      delivery.state = .withdraw
      delivery.collapse = nil
      delivery.attempts = 0
      delivery.nextAt = delivery.channel.isAttempted ? now : nil
      try save(delivery)
      woken[delivery.channel, default: []].append(delivery.device)
    }
    let message = Outgoing(
      id: notification.id, version: version, work: .withdraw(reason), collapseID: notification.collapseID,
      expiresAt: notification.expiresAt, priority: notification.priority, sentAt: notification.at,
      topic: notification.topic)
    return woken.map { Wake(channel: $0.key, devices: $0.value, message: message) }
  }

  /// Writes an answer. The first action wins, and the notification disappears from all other devices; a tap or a
  /// dismissal counts for the person's own devices only.
  public func answer(
    _ id: Int, by responder: Responder, action: String, text: String? = nil, at: Double? = nil, now: Double
  ) throws(StoreError) -> Recorded {
    guard let notification = try notification(id) else { return Recorded(action, refusal: .takenBack) }
    let (device, person) = try self.device(and: responder)
    if Answer.isPersonal(action) {
      return try answerPersonally(notification, device: device, person: person, action, now)
    }
    if let answer = notification.answer {
      // It repeats its answer until it knows that it was taken.
      let isRepeated = answer.action == action && answer.device == device && (device != nil || answer.person == person)
      return Recorded(answer.action, refusal: isRepeated ? nil : .answeredElsewhere)
    }
    if notification.state != .active {
      return Recorded(action, refusal: notification.state == .expired ? .expired : .takenBack)
    }
    let answer = Answer(
      notification: id, action: action, text: text, at: min(at ?? now, now), device: device, person: person,
      room: notification.room, topic: notification.topic, collapseID: notification.collapseID)
    try run(
      """
      UPDATE push_notifications SET state = 2, version = version + 1, acted_at = ?, acted_action = ?, acted_text = ?,
        acted_device = ?, acted_person = ? WHERE id = ?
      """, .double(answer.at), .text(action), Value(text), Value(device), Value(person), .int(id))
    try run("UPDATE push_inbox SET state = 2 WHERE notification = ?", .int(id))
    let wakes = try remove(
      notification, version: notification.version + 1, from: try openDeliveries(id, except: device),
      reason: .answeredElsewhere, now: now)
    try closeOwn(id, device)
    let changed = Changed(wakes: wakes, persons: try inboxPersons(of: id))
    return Recorded(
      changed: changed, answer: answer, taken: Recorded.Taken(action: action, counts: true), refusal: nil)
  }

  private func answerPersonally(
    _ notification: SentNotification, device: Int?, person: Int?, _ action: String, _ now: Double
  ) throws(StoreError) -> Recorded {
    let id = notification.id
    try closeOwn(id, device)
    guard let person else { return Recorded(action) }
    try run(
      "UPDATE push_inbox SET state = 1 WHERE person = ? AND notification = ? AND state = 0", .int(person), .int(id))
    let own = Set(try pushDevices(ofPerson: person).map(\.id))
    let others = try openDeliveries(id, except: device).filter { own.contains($0.device) }
    guard !others.isEmpty else { return Recorded(action, Changed(persons: [person])) }
    try run("UPDATE push_notifications SET version = version + 1 WHERE id = ?", .int(id))
    let wakes = try remove(
      notification, version: notification.version + 1, from: others, reason: .answeredElsewhere, now: now)
    return Recorded(action, Changed(wakes: wakes, persons: [person]))
  }

  /// The device that answered has removed the notification by itself.
  private func closeOwn(_ id: Int, _ device: Int?) throws(StoreError) {
    guard let device else { return }
    for var delivery in try openDeliveries(id) where delivery.device == device { try close(&delivery) }
  }

  private func device(and responder: Responder) throws(StoreError) -> (device: Int?, person: Int?) {
    switch responder {
    case .person(let id): return (nil, id)
    case .device(let id): return (id, try pushDevice(id)?.person)
    }
  }

  /// The deliveries that show a notification, or are to show it.
  private func openDeliveries(_ id: Int, except device: Int? = nil) throws(StoreError) -> [Delivered] {
    try rows(
      "\(Delivered.select) WHERE notification = ? AND state = 0 AND device <> ?", .int(id), .int(device ?? 0),
      read: Delivered.init)
  }

  func inboxPersons(of id: Int) throws(StoreError) -> [Int] {
    try rows("SELECT person FROM push_inbox WHERE notification = ?", .int(id), read: { $0.int(0) })
  }
}

extension Recorded {
  fileprivate init(_ action: String, _ changed: Changed = Changed(), refusal: DeliveryReason? = nil) {
    self.init(
      changed: changed, answer: nil, taken: Taken(action: action, counts: refusal == nil), refusal: refusal)
  }
}

extension SentNotification {
  func message(version: Int) -> Outgoing {
    Outgoing(
      id: id, version: version, work: .show(content: content), collapseID: collapseID, expiresAt: expiresAt,
      priority: priority, sentAt: at, topic: topic)
  }
}
