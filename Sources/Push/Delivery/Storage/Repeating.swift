public import Store
import Wire

/// Notifications that ring again until somebody acts. Each ring is a new version of the same notification, so that the
/// first action ends it everywhere.
extension Database {
  /// Has a notification ring again, counted from now. Where it has rung before, at another device's local time, each
  /// device has its own count, which ends.
  func `repeat`(_ id: Int, _ repetition: Repetition, now: Double) throws(StoreError) {
    try run(
      """
      INSERT INTO push_repeats (notification, at, every, done, most, others) VALUES (?, ?, ?, 0, ?, ?)
      ON CONFLICT (notification) DO UPDATE SET at = excluded.at, done = 0
      """, .int(id), .double(now + repetition.every), .double(repetition.every), .int(repetition.limit),
      .text(JSON.array(repetition.then.map(\.json)).text))
  }

  /// How a notification rings until somebody acts; nil if it does not, or no more.
  public func repetition(of id: Int) throws(StoreError) -> Repetition? {
    try first(
      "SELECT notification, at, every, done, most, others FROM push_repeats WHERE notification = ?", .int(id),
      read: DueRing.init)?.repetition
  }

  /// The time of the soonest ring.
  func nextRing(now: Double) throws(StoreError) -> Double? {
    func time(_ order: String) throws(StoreError) -> Double? {
      try first("SELECT at FROM push_repeats ORDER BY at \(order) LIMIT 1", read: { $0.double(0) })
    }
    guard let soonest = try time("ASC"), let last = try time("DESC") else { return nil }
    return last > now + DeliveryLimits.longestWait ? min(soonest, now) : soonest
  }

  /// Rings what is due, at most `DeliveryLimits.duePerCommit`, and ends what is over.
  /// - Parameter members: the persons of a role.
  public func ringAgain(now: Double, members: RoleMembers = { _, _ in [] }) throws(StoreError) -> [Wake] {
    let due = try rows(
      """
      SELECT notification, at, every, done, most, others FROM push_repeats WHERE at <= ? OR at > ?
      ORDER BY at LIMIT ?
      """,
      .double(now), .double(now + DeliveryLimits.longestWait), .int(DeliveryLimits.duePerCommit), read: DueRing.init)
    var wakes: [Wake] = []
    for ring in due {
      guard let notification = try notification(ring.notification), notification.state == .active,
        notification.expiresAt.map({ $0 > now }) ?? true
      else {
        try end(ring)
        continue
      }
      switch ring.repetition.step(done: ring.done) {
      case .ring(let count):
        try run(
          "UPDATE push_repeats SET at = ?, done = ? WHERE notification = ?",
          .double(ring.repetition.next(after: ring.at, now: now)), .int(count), .int(ring.notification))
        wakes += try self.ring(notification, limit: ring.repetition.limit, now: now)
        if ring.repetition.step(done: count) == .end { try end(ring) }
      case .handOver:
        if try !isReplaced(notification) {
          wakes += try handOver(notification, to: try resolved(ring.repetition.then, members), now: now)
        }
        try end(ring)
      case .end: try end(ring)
      }
    }
    return wakes
  }

  private func end(_ ring: DueRing) throws(StoreError) {
    try run("DELETE FROM push_repeats WHERE notification = ?", .int(ring.notification))
  }

  /// Rings where the notification is open, or was held back by quiet hours, and it is not quiet now.
  private func ring(_ notification: SentNotification, limit: Int, now: Double) throws(StoreError) -> [Wake] {
    let version = notification.version + 1
    try run("UPDATE push_notifications SET version = ? WHERE id = ?", .int(version), .int(notification.id))
    var woken: [ChannelKind: [Int]] = [:]
    for var delivery in try openDeliveries(notification.id, among: [.show, .quiet]) where delivery.rings < limit {
      let target = try target(delivery.device)
      if delivery.state == .quiet, let person = target?.person,
        try inboxState(ofPerson: person, notification: notification.id) == .collapsed
      {
        // A newer one came while it was held back, which says what is so now.
        delivery.events.append(TraceEvent(.suppressed, at: now, version: version, reason: .collapsed))
        try close(&delivery)
        continue
      }
      delivery.rings += 1
      if let quiet = target?.quietNow(version, isCritical: notification.isCritical, now: now) {
        delivery.events.append(quiet)
        try save(delivery)
        continue
      }
      if delivery.state == .quiet {
        // It was never sent, and rings as for the first time.
        (delivery.state, delivery.acknowledged) = (.show, 0)
        if let collapse = notification.collapseID {
          delivery.replaces = try supersede(collapse, delivery.device, delivery.channel, now: now)
          delivery.collapse = collapse
          delivery.sequence = try nextSequence(notification.id, now: now)
        }
      } else {
        delivery.rung = version
      }
      delivery.wanted = version
      delivery.attempts = 0
      delivery.nextAt = delivery.channel.isAttempted ? now : nil
      delivery.events.append(
        TraceEvent(
          .queued, at: now, version: version, reason: .ringsAgain, detail: "\(delivery.rings)/\(limit)", isRepeat: true)
      )
      try save(delivery)
      woken[delivery.channel, default: []].append(delivery.device)
    }
    let message = notification.message(version: version, ringsAgain: true)
    return woken.map { Wake(channel: $0.key, devices: $0.value, message: message) }
  }

  /// True if a newer one with its collapse id has its place wherever it was, and does not ring until somebody acts
  /// itself: what it says is not so any more.
  private func isReplaced(_ notification: SentNotification) throws(StoreError) -> Bool {
    guard let collapse = notification.collapseID, try openDeliveries(notification.id).isEmpty else { return false }
    let ringsOn = try first(
      """
      SELECT 1 FROM push_notifications
        WHERE id IN (SELECT notification FROM push_repeats) AND collapse = ? AND state = 0 AND id <> ?
      """, .text(collapse), .int(notification.id), read: { _ in true })
    if ringsOn != nil { return false }
    let states = try rows(
      "SELECT state FROM push_inbox WHERE notification = ?", .int(notification.id),
      read: { InboxItem.State(rawValue: $0.int(0)) })
    if !states.isEmpty { return states.allSatisfy { $0 == .collapsed } }
    let traces = try rows(
      "SELECT events FROM push_deliveries WHERE notification = ?", .int(notification.id),
      read: { EventLines($0.text(0)) })
    return traces.contains { trace in trace.events.contains { $0.reason == .collapsed } }
  }

  /// Rings the next recipients, as nobody has acted.
  private func handOver(
    _ notification: SentNotification, to others: [Recipient], now: Double
  ) throws(StoreError) -> [Wake] {
    let targets = try targets(of: others)
    let has = Set(
      try rows(
        "SELECT device FROM push_deliveries WHERE notification = ?", .int(notification.id), read: { $0.int(0) }))
    let wakes = try deliver(
      notification.message(version: notification.version), to: targets.devices.filter { !has.contains($0.id) },
      because: .nobodyActed, isCritical: notification.isCritical, now: now)
    try list(notification.id, for: targets.persons, collapse: notification.collapseID, now: now)
    return wakes
  }
}

/// A row of `push_repeats`.
private struct DueRing {
  let notification: Int
  let at: Double
  let done: Int
  let repetition: Repetition

  init(_ row: Row) {
    notification = row.int(0)
    at = row.double(1)
    done = row.int(3)
    let others = (try? JSON(parsing: row.text(5)))?.array ?? []
    repetition = Repetition(every: row.double(2), limit: row.int(4), then: others.compactMap { Recipient($0) })
  }
}

extension SentNotification {
  var isCritical: Bool {
    (try? JSON(parsing: content))?["interruption_level"]?.string == "critical"
  }
}
