import Store

/// Alarms that are open.
extension Database {
  func openAlarms() throws(StoreError) -> [OpenAlarm] {
    try rows(
      """
      SELECT kind, since, distance, rings, next_at, acknowledged_by, acknowledged_m, acknowledged_beyond_m
      FROM anchor_alarms ORDER BY since
      """
    ) { row -> OpenAlarm? in
      guard let kind = OpenAlarm.Kind(rawValue: row.text(0)) else { return nil }
      return OpenAlarm(
        kind: kind, since: row.double(1), distance: row.double(2), rings: row.int(3),
        nextAt: row.optionalDouble(4), acknowledgedBy: row.optionalText(5),
        acknowledgedDistance: row.optionalDouble(6), acknowledgedBeyond: row.optionalDouble(7))
    }.compactMap { $0 }
  }

  func save(_ alarm: OpenAlarm) throws(StoreError) {
    try run(
      """
      INSERT INTO anchor_alarms (kind, since, distance, rings, next_at, acknowledged_by, acknowledged_m,
        acknowledged_beyond_m) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT (kind) DO UPDATE SET since = excluded.since, distance = excluded.distance, rings = excluded.rings,
        next_at = excluded.next_at, acknowledged_by = excluded.acknowledged_by,
        acknowledged_m = excluded.acknowledged_m, acknowledged_beyond_m = excluded.acknowledged_beyond_m
      """, .text(alarm.kind.rawValue), .double(alarm.since), .double(alarm.distance), .int(alarm.rings),
      Value(alarm.nextAt), Value(alarm.acknowledgedBy), Value(alarm.acknowledgedDistance),
      Value(alarm.acknowledgedBeyond))
  }

  func close(_ kind: OpenAlarm.Kind) throws(StoreError) {
    try run("DELETE FROM anchor_alarms WHERE kind = ?", .text(kind.rawValue))
  }

  func closeAlarms() throws(StoreError) { try run("DELETE FROM anchor_alarms") }

  // MARK: Looks

  /// When a person looked at the watch last.
  func lastLook() throws(StoreError) -> Double? {
    try first("SELECT at FROM anchor_looked", read: { $0.double(0) })
  }

  func saveLastLook(_ time: Double) throws(StoreError) {
    try run(
      "INSERT INTO anchor_looked (id, at) VALUES (1, ?) ON CONFLICT (id) DO UPDATE SET at = excluded.at", .double(time))
  }
}
