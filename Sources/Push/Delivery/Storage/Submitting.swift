import CivilTime
public import Store
import Wire

/// Sending: one row for the notification, one for each device and channel, one for each person's list.
extension Database {
  /// Writes a notification, or keeps it until its time.
  /// - Returns: its id, and what is to be sent now. Devices that do not exist (any more) are left out.
  public func submit(_ submission: Submission, now: Double) throws(StoreError) -> Submitted {
    let id = try nextNotification(now)
    if let at = submission.at, at > now {
      try schedule(submission, id: id, at: at)
      return Submitted(id: id, isScheduled: true, devices: 0, persons: [], wakes: [])
    }
    return try send(submission, id: id, now: now)
  }

  /// The id of the next notification: never one that was used before, whatever the clock does.
  private func nextNotification(_ now: Double) throws(StoreError) -> Int {
    let last = try first(
      """
      SELECT max(id) FROM (
        SELECT max(id) AS id FROM push_notifications UNION ALL SELECT max(id) FROM push_scheduled) AS both
      """, read: { $0.int(0) })
    return max((last ?? 0) + 1, Int(now * 1_000_000))
  }

  /// Writes a notification whose time has come.
  func send(_ submission: Submission, id: Int, now: Double) throws(StoreError) -> Submitted {
    let isOver = submission.expiresAt.map { $0 <= now } ?? false
    let content = try insert(submission, id: id, state: isOver ? .expired : .active, now: now)
    let message = Outgoing(
      id: id, version: 1, work: .show(content: content), collapseID: submission.collapseID,
      expiresAt: submission.expiresAt, priority: submission.priority, sentAt: now, topic: submission.topic)
    let isCritical = submission.content["interruption_level"]?.string == "critical"
    let targets = try targets(of: submission.to)
    var woken: [ChannelKind: [Int]] = [:]
    for target in targets.devices {
      let quietEnd = isCritical ? nil : target.quiet?.end(at: now, deviceZone: target.zone)
      let obstacle: TraceEvent? =
        if isOver {
          TraceEvent(.expired, at: now, reason: .expired)
        } else if let quietEnd {
          TraceEvent(.suppressed, at: now, reason: .quietHours, detail: quietEnd)
        } else {
          nil
        }
      for channel in ChannelKind.allCases where target.channels & 1 << channel.rawValue != 0 {
        if try queue(message, for: target.id, channel, obstacle, now: now) {
          woken[channel, default: []].append(target.id)
        }
      }
    }
    for person in targets.persons {
      try run(
        "INSERT INTO push_inbox (notification, person, at, state) VALUES (?, ?, ?, 0)", .int(id), .int(person),
        .double(now))
    }
    return Submitted(
      id: id, isScheduled: false, devices: targets.devices.count, persons: targets.persons,
      wakes: woken.map { Wake(channel: $0.key, devices: $0.value, message: message) })
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
        topic) VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?, ?)
      """, .int(id), .double(now), .text(content), Value(submission.collapseID), Value(submission.expiresAt),
      .int(submission.priority.rawValue), .int(state.rawValue), .text(submission.sender), Value(submission.room),
      Value(submission.topic))
    return content
  }

  /// Writes the delivery to a device.
  /// - Parameter obstacle: why it is not to be sent.
  /// - Returns: false if it is not to be sent.
  private func queue(
    _ message: Outgoing, for device: Int, _ channel: ChannelKind, _ obstacle: TraceEvent?, now: Double
  ) throws(StoreError) -> Bool {
    var events = EventLines(TraceEvent(.queued, at: now))
    if let obstacle {
      events.append(obstacle)
      try insertDelivery(message, device, channel, isOpen: false, now, events)
      return false
    }
    if let collapse = message.collapseID { try supersede(collapse, device, channel, now: now) }
    if try !makeRoom(for: message.priority, device, channel, now: now) {
      events.append(TraceEvent(.suppressed, at: now, reason: .queueFull))
      try insertDelivery(message, device, channel, isOpen: false, now, events)
      return false
    }
    try insertDelivery(message, device, channel, isOpen: true, now, events)
    return true
  }

  private func insertDelivery(
    _ message: Outgoing, _ device: Int, _ channel: ChannelKind, isOpen: Bool, _ now: Double, _ events: EventLines
  ) throws(StoreError) {
    try run(
      """
      INSERT INTO push_deliveries (notification, device, channel, priority, wanted, acknowledged, state, collapse,
        attempts, next_at, events) VALUES (?, ?, ?, ?, 1, ?, ?, ?, 0, ?, ?)
      """, .int(message.id), .int(device), .int(channel.rawValue), .int(message.priority.rawValue),
      .int(isOpen ? 0 : 1), .int((isOpen ? DeliveryState.show : .closed).rawValue),
      Value(isOpen ? message.collapseID : nil), isOpen && channel.isAttempted ? .double(now) : .null,
      .text(events.text))
  }

  /// Ends an older delivery with the same collapse id: what the device has, the newer one replaces there.
  private func supersede(
    _ collapse: String, _ device: Int, _ channel: ChannelKind, now: Double
  ) throws(StoreError) {
    let older = try first(
      "\(Delivered.select) WHERE device = ? AND channel = ? AND collapse = ?", .int(device), .int(channel.rawValue),
      .text(collapse), read: Delivered.init)
    guard var older else { return }
    older.events.append(TraceEvent(.suppressed, at: now, version: older.wanted, reason: .collapsed))
    try close(&older)
  }

  /// Makes room in a full queue.
  /// - Returns: false if everything that waits is more important than this one.
  private func makeRoom(
    for priority: Priority, _ device: Int, _ channel: ChannelKind, now: Double
  ) throws(StoreError) -> Bool {
    let isFull = try first(
      """
      SELECT 1 FROM push_deliveries WHERE device = ? AND channel = ? AND acknowledged < wanted
      ORDER BY priority, notification LIMIT 1 OFFSET ?
      """, .int(device), .int(channel.rawValue), .int(DeliveryLimits.pending - 1), read: { _ in true })
    guard isFull != nil else { return true }
    // A withdrawal or an update is not dropped: the device would go on showing what is not true.
    let victim = try first(
      """
      \(Delivered.select) WHERE device = ? AND channel = ? AND acknowledged < wanted AND state = 0
        AND acknowledged = 0 AND priority <= ? ORDER BY priority, notification LIMIT 1
      """, .int(device), .int(channel.rawValue), .int(priority.rawValue), read: Delivered.init)
    guard var victim else { return false }
    victim.events.append(TraceEvent(.suppressed, at: now, version: victim.wanted, reason: .queueFull))
    try close(&victim)
    return true
  }

  // MARK: Recipients

  private struct Target {
    var id: Int
    var channels: Int
    var zone: String?
    var person: Int?
    var quiet: QuietHours?

    init(_ row: Row) {
      id = row.int(0)
      channels = row.int(1)
      zone = row.optionalText(2)
      person = row.optionalInt(3)
      if !row.isNull(4) { quiet = QuietHours(from: row.int(4), to: row.int(5), zone: row.text(6)) }
    }

    static let select = """
      SELECT d.id, d.channels, d.zone, d.person, p.quiet_from, p.quiet_to, p.zone FROM push_devices d
      LEFT JOIN push_people p ON p.person = d.person
      """
  }

  /// The devices of the recipients, each once, and the persons in whose lists the notification stands.
  private func targets(of recipients: [Recipient]) throws(StoreError) -> (devices: [Target], persons: [Int]) {
    var devices: [Target] = []
    var persons: [Int] = []
    for recipient in recipients {
      switch recipient {
      case .device(let id):
        devices += try rows("\(Target.select) WHERE d.id = ? AND d.removed_at IS NULL", .int(id), read: Target.init)
      case .person(let id):
        persons.append(id)
        devices += try rows(
          "\(Target.select) WHERE d.person = ? AND d.removed_at IS NULL", .int(id), read: Target.init)
      case .topic(let topic):
        persons += try rows(
          "SELECT person FROM push_subscriptions WHERE topic = ? AND person > 0", .text(topic), read: { $0.int(0) })
        devices += try rows(
          """
          \(Target.select) JOIN push_subscriptions s ON s.person = d.person
            WHERE s.topic = ? AND s.person > 0 AND d.removed_at IS NULL
          """, .text(topic), read: Target.init)
        devices += try rows(
          """
          \(Target.select) JOIN push_subscriptions s ON s.device = d.id
            WHERE s.topic = ? AND s.device > 0 AND d.removed_at IS NULL
          """, .text(topic), read: Target.init)
      }
    }
    persons += devices.compactMap(\.person)
    if devices.count < 2 && persons.count < 2 { return (devices, persons) }
    var known: Set<Int> = []
    devices = devices.filter { known.insert($0.id).inserted }
    known = []
    return (devices, persons.filter { known.insert($0).inserted })
  }
}
