public import Store
import Wire

/// Sending: one row for the notification, one for each device and channel, one for each person's list.
extension Database {
  /// Writes a notification, or keeps it until its time.
  /// - Returns: its id, and what is to be sent now. Devices that do not exist (any more) are left out.
  public func submit(_ submission: Submission, now: Double) throws(StoreError) -> Submitted {
    let id = try nextNotification(now)
    // The first day of a rule may be over everywhere already: a later one is then found at once.
    if let local = submission.local, let look = local.nextLook(after: now) ?? (local.rule == nil ? nil : now) {
      try schedule(submission, id: id, at: look)
    } else if submission.place != nil {
      try wait(submission, id: id, now: now)
    } else if let at = submission.at, at > now {
      try schedule(submission, id: id, at: at)
    } else {
      return try send(submission, id: id, now: now)
    }
    return Submitted(id: id, isScheduled: true, devices: 0, persons: [], wakes: [])
  }

  /// The id of the next notification: never one that was used before, whatever the clock does.
  func nextNotification(_ now: Double) throws(StoreError) -> Int {
    let newest = Remembered("push_newest")
    let last = try remember(newest) { () throws(StoreError) in
      try first(
        """
        SELECT max(id) FROM (
          SELECT max(id) AS id FROM push_notifications UNION ALL SELECT max(id) FROM push_scheduled
          UNION ALL SELECT max(sequence) FROM push_deliveries WHERE sequence IS NOT NULL) AS numbers
        """, read: { $0.int(0) }) ?? 0
    }
    let id = max(last + 1, Int(now * 1_000_000))
    remembered[newest] = id
    return id
  }

  /// The place of a notification that goes out now, among all with its collapse id.
  /// - Returns: nil if that is its id, as nothing was sent since that was given.
  func nextSequence(_ notification: Int, now: Double) throws(StoreError) -> Int? {
    remembered[Remembered("push_newest")] == notification ? nil : try nextNotification(now)
  }

  /// Writes a notification whose time has come.
  func send(_ submission: Submission, id: Int, now: Double) throws(StoreError) -> Submitted {
    let isOver = submission.expiresAt.map { $0 <= now } ?? false
    let content = try insert(submission, id: id, state: isOver ? .expired : .active, now: now)
    let message = Outgoing(
      id: id, version: 1, work: .show(content: content), collapseID: submission.collapseID,
      expiresAt: submission.expiresAt, stays: submission.stays, priority: submission.priority, sentAt: now,
      topic: submission.topic)
    let targets = try targets(of: submission.to)
    let obstacle = isOver ? TraceEvent(.expired, at: now, reason: .expired) : nil
    let wakes = try deliver(
      message, to: targets.devices, isCritical: submission.isCritical || submission.isWake,
      isWake: submission.isWake, obstacle: obstacle, now: now)
    // A silent one is for programs: nobody reads it.
    if !message.isSilent { try list(id, for: targets.persons, collapse: submission.collapseID, now: now) }
    if !isOver, let repetition = submission.repetition { try `repeat`(id, repetition, now: now) }
    return Submitted(
      id: id, isScheduled: false, devices: targets.devices.count, persons: targets.persons, wakes: wakes,
      news: isOver ? nil : submission.news(message))
  }

  /// Puts a notification into the lists of persons.
  /// - Parameter collapse: its collapse id; it takes the place of older ones in these lists.
  func list(_ id: Int, for persons: [Int], collapse: String?, now: Double) throws(StoreError) {
    for person in persons {
      let isNew = try first(
        """
        INSERT INTO push_inbox (notification, person, at, state) VALUES (?, ?, ?, 0)
        ON CONFLICT (notification, person) DO NOTHING RETURNING notification
        """, .int(id), .int(person), .double(now), read: { _ in true })
      // A scheduled notification is newer than one that was sent before its time, whatever their ids. What an older hub
      // has sent for a room does not name it in the collapse id.
      guard let collapse, isNew != nil else { continue }
      try run(
        """
        UPDATE push_inbox SET state = ? WHERE person = ? AND state < 2 AND notification <> ? AND notification IN (
            SELECT notification FROM push_inbox WHERE person = ? ORDER BY at DESC LIMIT ?)
          AND EXISTS (SELECT 1 FROM push_notifications n WHERE n.id = push_inbox.notification
            AND ? IN (n.collapse, n.sender || '/' || n.collapse))
        """, .int(InboxItem.State.collapsed.rawValue), .int(person), .int(id), .int(person),
        .int(DeliveryLimits.collapsing), .text(collapse))
    }
  }

  /// Writes the deliveries to devices that have none yet, and holds back those of people who have their quiet hours.
  /// - Parameters:
  ///     - reason: the reason why they get it, if they are not its recipients.
  ///     - obstacle: the reason why it is not to be sent; nil if it is.
  func deliver(
    _ message: Outgoing, to devices: [Target], because reason: DeliveryReason? = nil, isCritical: Bool,
    isWake: Bool = false, obstacle: TraceEvent? = nil, now: Double
  ) throws(StoreError) -> [Wake] {
    var woken: [ChannelKind: [Int]] = [:]
    var wakes: [Wake] = []
    let queued = TraceEvent(.queued, at: now, version: message.version, reason: reason)
    let sequence = message.collapseID == nil ? nil : try nextSequence(message.id, now: now)
    let former = RoomCollapse.read(message.collapseID)
    let silence: Silence = !message.isSilent ? .none : isWake ? .wake : .ordinary
    for target in devices {
      let obstacle = obstacle ?? target.quietNow(message.version, isCritical: isCritical, now: now)
      for channel in ChannelKind.allCases where target.channels & 1 << channel.rawValue != 0 {
        // One that an older hub has sent for the room: on the device, the newer one does not take its place.
        if let former { wakes += try takeAway(former.own, of: former.sender, target.id, channel, now: now) }
        if try queue(message, for: target.id, channel, sequence, queued, obstacle, silence, now: now) {
          woken[channel, default: []].append(target.id)
        } else if obstacle?.reason == .quietHours, let collapse = message.collapseID {
          wakes += try takeAway(collapse, target.id, channel, now: now)
        }
      }
    }
    return wakes + woken.map { Wake(channel: $0.key, devices: $0.value, message: message) }
  }

  /// Writes the notification's own row.
  /// - Returns: the text of its content.
  @discardableResult
  func insert(
    _ submission: Submission, id: Int, state: SentNotification.State, now: Double
  ) throws(StoreError) -> String {
    let content = submission.content.text
    try run(
      """
      INSERT INTO push_notifications (id, at, content, collapse, expires_at, priority, version, state, sender, room,
        topic, stays) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?, ?)
      """, .int(id), .double(now), .text(content), Value(submission.collapseID), Value(submission.expiresAt),
      .int(submission.priority.rawValue), .int(state.rawValue), .text(submission.sender), Value(submission.room),
      Value(submission.topic), .int(submission.stays ? 1 : 0))
    for topic in submission.topics where topic != submission.topic && state != .withdrawn {
      try run(
        """
        INSERT INTO push_sends (notification, topic, at) VALUES (?, ?, ?) ON CONFLICT (notification, topic) DO NOTHING
        """, .int(id), .text(topic), .double(now))
    }
    return content
  }

  /// Writes the delivery to a device.
  /// - Parameter obstacle: the reason why it is not to be sent; nil if it is.
  /// - Returns: false if it is not to be sent, or not now.
  private func queue(
    _ message: Outgoing, for device: Int, _ channel: ChannelKind, _ sequence: Int?, _ queued: TraceEvent,
    _ obstacle: TraceEvent?, _ silence: Silence, now: Double
  ) throws(StoreError) -> Bool {
    var events = EventLines(queued)
    if let obstacle {
      events.append(obstacle)
      try insertDelivery(
        message, device, channel, obstacle.reason == .quietHours ? .quiet : .closed, now, events)
      return false
    }
    let replaces = try message.collapseID.map { collapse throws(StoreError) in
      try supersede(collapse, device, channel, now: now)
    }
    var refusal: DeliveryReason?
    if try !makeRoom(for: message.priority, device, channel, now: now) {
      refusal = .queueFull
    } else if silence == .wake, channel == .gateway, try !admitWake(message.id, device, now: now) {
      // Other channels do not send silent ones, and say so.
      refusal = .silentBudget
    }
    if let refusal {
      events.append(TraceEvent(.suppressed, at: now, version: message.version, reason: refusal))
      try insertDelivery(message, device, channel, .closed, now, events)
      return false
    }
    let wait = silence == .ordinary && channel == .gateway ? try admitSilent(message.id, device, now: now) : nil
    if let wait {
      let detail = DeliveryReason.silentWait(until: wait, now: now)
      events.append(
        TraceEvent(.suppressed, at: now, version: message.version, reason: .silentBudget, detail: detail))
    }
    try insertDelivery(
      message, device, channel, .show, sequence: sequence, replaces: replaces ?? false, until: wait, now, events)
    return wait == nil
  }

  private func insertDelivery(
    _ message: Outgoing, _ device: Int, _ channel: ChannelKind, _ state: DeliveryState, sequence: Int? = nil,
    replaces: Bool = false, until wait: Double? = nil, _ now: Double, _ events: EventLines
  ) throws(StoreError) {
    let isOpen = state == .show
    try run(
      """
      INSERT INTO push_deliveries (notification, device, channel, priority, wanted, acknowledged, state, collapse,
        attempts, next_at, events, rung, replaces, sequence) VALUES (?, ?, ?, ?, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?)
      """, .int(message.id), .int(device), .int(channel.rawValue), .int(message.priority.rawValue),
      .int(message.version), .int(isOpen ? 0 : message.version), .int(state.rawValue),
      Value(isOpen ? message.collapseID : nil),
      wait.map { .double($0) } ?? (isOpen && channel.isAttempted ? .double(now) : .null),
      .text(events.text), .int(message.version), .int(replaces ? 1 : 0), Value(sequence))
    if isOpen { takeRoom(device, channel) }
  }

  /// Ends an older delivery with the same collapse id: what the device has, the newer one replaces there.
  /// - Returns: true if the device may show an older one.
  func supersede(
    _ collapse: String, _ device: Int, _ channel: ChannelKind, now: Double
  ) throws(StoreError) -> Bool {
    guard var older = try collapsing(collapse, device, channel) else { return false }
    let mayShow = !older.isUnseen
    older.events.append(TraceEvent(.suppressed, at: now, version: older.wanted, reason: .collapsed))
    try close(&older)
    return mayShow
  }

  /// Takes an older one with a collapse id away that the newer one does not replace on the device, as it is not sent in
  /// quiet hours: the older one is not true any more.
  /// - Parameter sender: takes it away only if this one has sent it.
  private func takeAway(
    _ collapse: String, of sender: String? = nil, _ device: Int, _ channel: ChannelKind, now: Double
  ) throws(StoreError) -> [Wake] {
    guard let older = try collapsing(collapse, device, channel),
      let notification = try notification(older.notification), sender == nil || notification.sender == sender
    else { return [] }
    let version = notification.version + 1
    try run("UPDATE push_notifications SET version = ? WHERE id = ?", .int(version), .int(notification.id))
    return try remove(notification, version: version, from: [older], reason: .collapsed, now: now)
  }

  private func collapsing(
    _ collapse: String, _ device: Int, _ channel: ChannelKind
  ) throws(StoreError) -> Delivered? {
    try first(
      "\(Delivered.select) WHERE device = ? AND channel = ? AND collapse = ?", .int(device), .int(channel.rawValue),
      .text(collapse), read: Delivered.init)
  }
}
