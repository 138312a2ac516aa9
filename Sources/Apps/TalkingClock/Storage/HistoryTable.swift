import Store

/// The announcements of devices.
extension Database {
  /// Records that a device was woken for an announcement.
  func noteWake(ofDevice device: Int, at: Int, lead: Int) throws(StoreError) {
    try run(
      """
      INSERT INTO clock_history (device, at, lead) VALUES (?, ?, ?)
      ON CONFLICT (device, at) DO UPDATE SET lead = excluded.lead
      """, .int(device), .int(at), .int(lead))
    try run("UPDATE clock_devices SET woken_at = ? WHERE device = ?", .int(at), .int(device))
  }

  /// Records a report.
  /// - Returns: false if this announcement was reported before.
  func note(_ announced: Announced, ofDevice device: Int) throws(StoreError) -> Bool {
    try first(
      """
      INSERT INTO clock_history (device, at, what, late, cause) VALUES (?, ?, ?, ?, ?)
      ON CONFLICT (device, at) DO UPDATE SET what = excluded.what, late = excluded.late, cause = excluded.cause
        WHERE clock_history.what IS NULL
      RETURNING device
      """, .int(device), .int(announced.at), .text(announced.what.rawValue), Value(announced.lateness),
      .text(announced.cause.rawValue), read: { _ in true }) ?? false
  }

  /// The reported announcements of some devices from an instant to before another, the oldest first; of more than the
  /// limit, the newest.
  func announced(
    byDevices devices: [Int], from: Int, before: Int, limit: Int
  ) throws(StoreError) -> [(device: Int, announced: Announced)] {
    let marks = devices.map(String.init).joined(separator: ", ")
    guard !devices.isEmpty else { return [] }
    return try rows(
      """
      SELECT device, at, what, late, cause, lead FROM clock_history
      WHERE device IN (\(marks)) AND at >= ? AND at < ? AND what IS NOT NULL ORDER BY at DESC, device DESC LIMIT ?
      """, .int(from), .int(before), .int(limit)
    ) { row -> (device: Int, announced: Announced)? in
      guard let what = Announced.What(rawValue: row.text(2)) else { return nil }
      let announced = Announced(
        at: row.int(1), what: what, lateness: row.optionalInt(3),
        cause: Announced.Cause(rawValue: row.text(4)) ?? .own, lead: row.optionalInt(5))
      return (row.int(0), announced)
    }.compactMap { $0 }.reversed()
  }

  /// Seconds by which the last push went ahead; nil if there was none.
  func lastLead(ofDevice device: Int) throws(StoreError) -> Int? {
    try first(
      "SELECT lead FROM clock_history WHERE device = ? AND lead IS NOT NULL ORDER BY at DESC LIMIT 1", .int(device),
      read: { $0.int(0) })
  }

  /// Removes what is too old, and the oldest beyond the limit, at most `ClockLimits.removedPerCommit` rows.
  /// - Returns: true if there may be more.
  func tidyHistory(now: Double) throws(StoreError) -> Bool {
    var old = Int(now - ClockLimits.keptDays * 86_400)
    let surplus = try first(
      "SELECT at FROM clock_history ORDER BY at DESC LIMIT 1 OFFSET ?", .int(ClockLimits.kept), read: { $0.int(0) })
    if let surplus { old = max(old, surplus + 1) }
    let gone = try rows(
      """
      DELETE FROM clock_history WHERE (device, at) IN (
        SELECT device, at FROM clock_history WHERE at < ? ORDER BY at LIMIT ?)
      RETURNING device
      """, .int(old), .int(ClockLimits.removedPerCommit), read: { $0.int(0) })
    return gone.count == ClockLimits.removedPerCommit
  }
}
