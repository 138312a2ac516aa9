public import Store
public import Wire

/// Updates, withdrawals and answers: every device follows.
extension Database {
  /// Replaces the content of a notification on every device that has it or is to get it. Where it was suppressed, it
  /// stays so.
  /// - Returns: nil if there is no such notification, or it is over: taken back, answered or expired.
  public func update(notification id: Int, content: JSON, now: Double) throws(StoreError) -> Changed? {
    var changed = Changed()
    let waits = try changeScheduled(id, content: content)
    for day in try days(ofSeries: id) { changed.add(try update(notification: day, content: content, now: now)) }
    // A notification at local times may wait in some zones and have rung in others.
    changed.add(try updateSent(id, content: content, now: now))
    return waits || changed.hasChanged ? changed : nil
  }

  private func updateSent(_ id: Int, content: JSON, now: Double) throws(StoreError) -> Changed? {
    let text = content.text
    let version = try first(
      """
      UPDATE push_notifications SET content = ?, version = version + 1 WHERE id = ? AND state = 0 RETURNING version
      """, .text(text), .int(id), read: { $0.int(0) })
    guard let version, let notification = try notification(id) else { return nil }
    var woken: [ChannelKind: [Int]] = [:]
    for var delivery in try openDeliveries(id) {
      delivery.wanted = version
      // What waits for the end of quiet hours goes on waiting.
      if delivery.willRing, let target = try target(delivery.device),
        target.quietNow(version, isCritical: notification.isCritical, now: now) != nil
      {
        try save(delivery)
        continue
      }
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
    var changed = Changed()
    for day in try days(ofSeries: id) { changed.add(try withdraw(notification: day, reason: reason, now: now)) }
    let waited = try cancelScheduled(id, now: now)
    changed.add(try withdrawSent(id, reason: reason, now: now))
    return waited || changed.hasChanged ? changed : nil
  }

  /// The notifications of a room, as a sender, with a collapse id of its own that are not over.
  public func notifications(by room: String, collapseID: String) throws(StoreError) -> [Int] {
    try rows(
      "SELECT id FROM push_notifications WHERE sender = ? AND collapse = ? AND state = 0", .text(room),
      .text("\(room)/\(collapseID)"), read: { $0.int(0) })
  }

  private func withdrawSent(
    _ id: Int, reason: DeliveryReason, now: Double
  ) throws(StoreError) -> Changed? {
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
  func remove(
    _ notification: SentNotification, version: Int, from deliveries: [Delivered], reason: DeliveryReason, now: Double
  ) throws(StoreError) -> [Wake] {
    var woken: [ChannelKind: [Int]] = [:]
    for var delivery in deliveries {
      delivery.wanted = version
      delivery.reason = reason
      // What quiet hours have held back was sent nowhere.
      let isHeld = delivery.state == .quiet
      let isUnseen = isHeld || delivery.isUnseen
      // As far as we know it is over with that; a device that may have it all the same is told when it is there.
      if isUnseen { delivery.events.append(TraceEvent(.withdrawn, at: now, version: version, reason: reason)) }
      if isHeld || isUnseen && !delivery.channel.mayBeSentUnrecorded {
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
      sequence: deliveries.compactMap(\.sequence).max(), expiresAt: notification.expiresAt,
      priority: notification.priority, sentAt: notification.at, topic: notification.topic)
    return woken.map { Wake(channel: $0.key, devices: $0.value, message: message) }
  }

  /// Writes an answer. The first action wins, and the notification disappears from all other devices; a tap or a
  /// dismissal counts for the person's own devices only.
  /// - Parameter action: one that the notification offers; any other is a tap, and so is every action of somebody who
  ///   has not signed in, since they must not take it from others.
  public func answer(
    _ id: Int, by responder: Responder, action: String, text: String? = nil, at: Double? = nil, now: Double
  ) throws(StoreError) -> Recorded {
    guard let notification = try notification(id) else { return Recorded(action, refusal: .takenBack) }
    let answering = try answering(responder, action, to: notification, channel: nil)
    return try answer(notification, answering, text: text, at: at, now: now)
  }

  /// An answer as it is understood.
  struct Answering {
    var action: String
    var device: Int?
    var person: Int?
    var isStranger: Bool
  }

  /// - Parameter channel: the device's; nil for the page.
  func answering(
    _ responder: Responder, _ action: String, to notification: SentNotification, channel: ChannelKind?
  ) throws(StoreError) -> Answering {
    var answering = Answering(action: action, isStranger: false)
    switch responder {
    case .person(let id): answering.person = id
    case .device(let id):
      let device = try pushDevice(id)
      (answering.device, answering.person) = (id, device?.person)
      // One that was removed meanwhile is nobody's any more.
      answering.isStranger = device.map { $0.kind == .stranger } ?? true
    }
    if !Answer.isPersonal(action), answering.isStranger || !notification.offers(action, by: channel) {
      answering.action = Answer.tap
    }
    return answering
  }

  func answer(
    _ notification: SentNotification, _ answering: Answering, text: String?, at: Double?, now: Double
  ) throws(StoreError) -> Recorded {
    let (id, action, device, person) = (notification.id, answering.action, answering.device, answering.person)
    if Answer.isPersonal(action) { return try answerPersonally(notification, answering, now) }
    if let answer = notification.answer {
      // A device repeats its answer until it knows that it was taken; that is no second answer.
      let isRepeated = answer.action == action && answer.device == device && (device != nil || answer.person == person)
      return Recorded(answer.action, refusal: isRepeated ? nil : .answeredElsewhere)
    }
    if let reason = try whyOver(notification, answering, now) { return Recorded(action, refusal: reason) }
    // The device's clock may be wrong: nobody answers what was not sent yet, or after now.
    let answer = Answer(
      notification: id, action: action, text: text, at: min(max(at ?? now, notification.at), now), device: device,
      person: person, room: notification.room, topic: notification.topic, collapseID: notification.collapseID)
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

  /// Why nobody, or this one, can answer it any more.
  private func whyOver(
    _ notification: SentNotification, _ answering: Answering, _ now: Double
  ) throws(StoreError) -> DeliveryReason? {
    if notification.state == .withdrawn { return .takenBack }
    if notification.state != .active || notification.expiresAt ?? .infinity <= now { return .expired }
    guard notification.collapseID != nil else { return nil }
    guard let device = answering.device else {
      let state = try answering.person.flatMap { person throws(StoreError) in
        try inboxState(ofPerson: person, notification: notification.id)
      }
      return state == .collapsed ? .collapsed : nil
    }
    // On this device it counts as long as it stands there, though the person has a newer one on another device.
    let isReplaced = try rows(
      "\(Delivered.select) WHERE notification = ? AND device = ?", .int(notification.id), .int(device),
      read: Delivered.init
    ).contains { $0.events.events.contains { $0.reason == .collapsed } }
    return isReplaced ? .collapsed : nil
  }

  private func answerPersonally(
    _ notification: SentNotification, _ answering: Answering, _ now: Double
  ) throws(StoreError) -> Recorded {
    let (id, action, device) = (notification.id, answering.action, answering.device)
    // What quiet hours hold back rings after them only if it rings again. Otherwise they are why it did not ring.
    let states: [DeliveryState] = try repetition(of: id) == nil ? [.show] : [.show, .quiet]
    try closeOwn(id, device)
    // Without actions a tap is the only way to act, so it ends the ringing; but a stranger's does not, for those whom
    // it is to wake.
    if action == Answer.tap, !answering.isStranger, !notification.hasActions {
      try run("DELETE FROM push_repeats WHERE notification = ?", .int(id))
    }
    guard let person = answering.person else { return Recorded(action) }
    try run(
      "UPDATE push_inbox SET state = 1 WHERE person = ? AND notification = ? AND state = 0", .int(person), .int(id))
    let own = Set(try pushDevices(ofPerson: person).map(\.id))
    let others = try openDeliveries(id, except: device, among: states).filter { own.contains($0.device) }
    guard !others.isEmpty else { return Recorded(action, Changed(persons: [person])) }
    try run("UPDATE push_notifications SET version = version + 1 WHERE id = ?", .int(id))
    let wakes = try remove(
      notification, version: notification.version + 1, from: others, reason: .answeredElsewhere, now: now)
    return Recorded(action, Changed(wakes: wakes, persons: [person]))
  }

  /// Closes the delivery to the device that answered, which has removed the notification by itself.
  private func closeOwn(_ id: Int, _ device: Int?) throws(StoreError) {
    guard let device else { return }
    for var delivery in try openDeliveries(id) where delivery.device == device { try close(&delivery) }
  }

  /// The deliveries that show a notification, or are to show it. Removed devices have none, whatever they show.
  func openDeliveries(
    _ id: Int, except device: Int? = nil, among states: [DeliveryState] = [.show]
  ) throws(StoreError) -> [Delivered] {
    try rows(
      """
      \(Delivered.select) WHERE notification = ? AND state IN (0, 3) AND device <> ?
        AND EXISTS (SELECT 1 FROM push_devices d WHERE d.id = device AND d.removed_at IS NULL)
      """, .int(id), .int(device ?? 0), read: Delivered.init
    ).filter { states.contains($0.state) }
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
  func message(version: Int, ringsAgain: Bool = false) -> Outgoing {
    Outgoing(
      id: id, version: version, work: .show(content: content), collapseID: collapseID, expiresAt: expiresAt,
      stays: stays, priority: priority, sentAt: at, topic: topic, ringsAgain: ringsAgain)
  }

  /// True if there are actions to choose from, in the content or by its category, whose actions only devices know;
  /// false if a tap is all that a person can do.
  var hasActions: Bool {
    guard let content = try? JSON(parsing: content) else { return false }
    return content["actions"]?.array?.isEmpty == false || content["category"]?.string != nil
  }

  /// True if an action is among those of the content. Those of a category are known to agents alone, which come by the
  /// gateway.
  func offers(_ action: String, by channel: ChannelKind?) -> Bool {
    guard let content = try? JSON(parsing: content) else { return false }
    if let actions = content["actions"]?.array { return actions.contains { $0["id"]?.string == action } }
    return channel == .gateway && content["category"]?.string != nil
  }
}
