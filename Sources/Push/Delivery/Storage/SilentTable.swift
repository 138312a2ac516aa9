import Glibc
public import Store
import Wire

/// The budget that a notification is counted in.
enum Silence {
  /// It is shown, and counted in none.
  case none
  case ordinary
  /// One of `Submission.isWake`.
  case wake
}

/// Silent notifications, and when each device was given the last ones. `waits` of their rows is 0 for one that was let
/// through, 1 for the one that waits, and 2 for a wake.
extension Database {
  // MARK: Wakes

  /// Decides whether a wake goes to a device. It never waits, since it is about one instant.
  /// - Returns: false if the device has had as many in an hour as it may.
  func admitWake(_ notification: Int, _ device: Int, now: Double) throws(StoreError) -> Bool {
    let recent = try first(
      "SELECT count(*) FROM push_silent WHERE device = ? AND waits = 2 AND at > ? AND at <= ?", .int(device),
      .double(now - DeliveryLimits.silentWindow), .double(now), read: { $0.int(0) })
    guard recent ?? 0 < DeliveryLimits.wakes else { return false }
    try run(
      "INSERT INTO push_silent (notification, device, at, waits) VALUES (?, ?, ?, 2)", .int(notification),
      .int(device), .double(now))
    // Thousands in a month would take the room of what people have read. What still waits for a device stays.
    try run(
      """
      DELETE FROM push_notifications WHERE id IN (
        SELECT notification FROM push_silent WHERE device = ? AND waits = 2 ORDER BY notification DESC
        LIMIT ? OFFSET ?)
      AND NOT EXISTS (
        SELECT 1 FROM push_deliveries l WHERE l.notification = push_notifications.id AND l.acknowledged < l.wanted)
      """, .int(device), .int(DeliveryLimits.wakesRemovedAtOnce), .int(DeliveryLimits.wakesRemembered))
    return true
  }

  /// Seconds that the newest wakes of a device took from the hub to the device, by its own receipts; the newest first.
  /// Those that never arrived are not among them.
  public func wakeTimes(ofDevice device: Int) throws(StoreError) -> [Double] {
    try rows(
      """
      SELECT l.events FROM push_silent s
      JOIN push_deliveries l ON l.notification = s.notification AND l.device = s.device AND l.channel = ?
      WHERE s.device = ? AND s.waits = 2 ORDER BY s.notification DESC LIMIT ?
      """, .int(ChannelKind.gateway.rawValue), .int(device), .int(DeliveryLimits.wakesRemembered)
    ) { row -> Double? in
      let events = EventLines(row.text(0)).events
      guard let queued = events.first(where: { $0.what == .queued }),
        let arrived = events.first(where: { [.delivered, .shown, .failed].contains($0.what) })
      else { return nil }
      return max(0, arrived.at - queued.at)
    }.compactMap { $0 }
  }

  // MARK: Others

  /// Decides whether a silent one goes to a device at once.
  /// - Returns: nil if it does; else the time until which it waits, in the place of the one that waited before.
  func admitSilent(_ notification: Int, _ device: Int, now: Double) throws(StoreError) -> Double? {
    let next = try silentBudget(device).next(now: now)
    if next > now { try endWaitingSilent(device, now: now) }
    try run(
      "INSERT INTO push_silent (notification, device, at, waits) VALUES (?, ?, ?, ?)", .int(notification),
      .int(device), .double(now), .int(next > now ? 1 : 0))
    // Those that do not count any more.
    try run(
      """
      DELETE FROM push_silent WHERE device = ? AND waits = 0 AND notification NOT IN (
        SELECT notification FROM push_silent WHERE device = ? AND waits = 0 ORDER BY notification DESC LIMIT ?)
      """, .int(device), .int(device), .int(DeliveryLimits.silentRemembered))
    return next > now ? next : nil
  }

  /// To be called when a delivery's wait is over.
  /// - Returns: the time until which it goes on waiting; nil if it is to be sent now.
  func releaseSilent(_ notification: Int, _ device: Int, now: Double) throws(StoreError) -> Double? {
    let waits = try first(
      "SELECT 1 FROM push_silent WHERE device = ? AND notification = ? AND waits = 1", .int(device),
      .int(notification), read: { _ in true })
    guard waits != nil else { return nil }
    let next = try silentBudget(device).next(now: now)
    if next > now { return next }
    try run(
      "UPDATE push_silent SET waits = 0, at = ? WHERE device = ? AND notification = ?", .double(now), .int(device),
      .int(notification))
    return nil
  }

  /// The outcomes stand in the deliveries' own events.
  private func silentBudget(_ device: Int) throws(StoreError) -> SilentBudget {
    let pushes = try rows(
      """
      SELECT s.at, l.acknowledged < l.wanted, l.events FROM push_silent s
      JOIN push_deliveries l ON l.notification = s.notification AND l.device = s.device AND l.channel = ?
      WHERE s.device = ? AND s.waits = 0 ORDER BY s.notification DESC LIMIT ?
      """, .int(ChannelKind.gateway.rawValue), .int(device), .int(DeliveryLimits.silentRemembered)
    ) { row -> SilentBudget.Push? in
      let ends = EventLines(row.text(2)).events.filter { $0.what == .shown || $0.what == .failed }
      // One that has expired before it came is not the device's fault.
      if ends.isEmpty { return row.bool(1) ? .init(at: row.double(0), .open) : nil }
      let isAnswered = ends.contains { $0.reason.map(DeliveryReason.silentAnswers.contains) ?? false }
      return .init(at: row.double(0), isAnswered ? .answered : .unanswered)
    }
    return SilentBudget(pushes.compactMap { $0 }.reversed())
  }

  /// Ends the one that waits: a newer one takes its place, as waking the device twice would bring nothing.
  private func endWaitingSilent(_ device: Int, now: Double) throws(StoreError) {
    let older = try first(
      "SELECT notification FROM push_silent WHERE device = ? AND waits = 1", .int(device), read: { $0.int(0) })
    guard let older else { return }
    try run("DELETE FROM push_silent WHERE device = ? AND notification = ?", .int(device), .int(older))
    guard var delivery = try delivery(older, device, .gateway), delivery.isPending else { return }
    delivery.events.append(TraceEvent(.suppressed, at: now, version: delivery.wanted, reason: .silentBudget))
    try close(&delivery)
  }
}

extension DeliveryReason {
  fileprivate static let silentAnswers: Set = [newData, noData, workFailed]

  /// The detail of one that waits.
  static func silentWait(until next: Double, now: Double) -> String {
    "\(max(1, Int(((next - now) / 60).rounded(.up)))) min"
  }
}

extension Outgoing {
  /// True if it shows nothing, and only wakes a program.
  var isSilent: Bool {
    // Nearly all are not, and need not be read. `contains` of strings took a third of the writer's time when 100,000
    // were due at once (measured); JSON has no NUL.
    guard case .show(let content) = work, content.withCString({ strstr($0, "\"silent\":true") }) != nil else {
      return false
    }
    return (try? JSON(parsing: content))?["silent"]?.bool == true
  }
}
