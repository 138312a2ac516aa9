import AnchorWatch
import Store

/// An event of the record.
struct TrackEvent: Equatable, Sendable {
  var at: Double
  var kind: String
  var distance: Double
  /// The time by which its device told it, and tells it again if it has heard no answer; nil for one of the hub's own.
  var told: Double?
}

/// Tracks: positions and events.
extension Database {
  /// - Returns: false if there was a fix at this time.
  @discardableResult
  func add(_ fix: Fix, source: Int, toTrack track: Int = 0) throws(StoreError) -> Bool {
    try first(
      """
      INSERT INTO anchor_fixes (track, at, lat, lon, accuracy, hdop, source, heading) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING RETURNING 1
      """, .int(track), .double(fix.time), .double(fix.position.latitude), .double(fix.position.longitude),
      Value(fix.accuracy), Value(fix.hdop), .int(source), Value(fix.heading), read: { _ in true }) ?? false
  }

  /// A track's fixes between two times, the oldest first.
  /// - Parameter every: seconds of which only one fix is told; 0 for all.
  func fixes(
    ofTrack track: Int, from: Double, to: Double, every: Double = 0, limit: Int
  ) throws(StoreError) -> [(source: Int, fix: Fix)] {
    var last = -Double.infinity
    var fixes: [(source: Int, fix: Fix)] = []
    _ = try rows(
      """
      SELECT at, lat, lon, accuracy, hdop, source, heading FROM anchor_fixes WHERE track = ? AND at >= ? AND at <= ?
      ORDER BY at
      """, .int(track), .double(from), .double(to)
    ) { row in
      let at = row.double(0)
      guard at - last >= every, fixes.count < limit,
        let position = Position(latitude: row.double(1), longitude: row.double(2))
      else { return }
      last = at
      let fix = Fix(
        time: at, position: position, accuracy: row.isNull(3) ? nil : row.double(3),
        hdop: row.isNull(4) ? nil : row.double(4), heading: row.isNull(6) ? nil : row.double(6))
      fixes.append((row.int(5), fix))
    }
    return fixes
  }

  /// The seconds of which one fix is told so that a track between two times has no more than `limit`, from its
  /// beginning to its end; 0 if all of them fit.
  func pace(ofTrack track: Int, from: Double, to: Double, limit: Int) throws(StoreError) -> Double {
    try first(
      "SELECT count(*), min(at), max(at) FROM anchor_fixes WHERE track = ? AND at >= ? AND at <= ?", .int(track),
      .double(from), .double(to)
    ) { $0.int(0) > limit ? ($0.double(2) - $0.double(1)) / Double(limit - 1) : 0 } ?? 0
  }

  func add(_ event: TrackEvent) throws(StoreError) {
    try run(
      "INSERT INTO anchor_events (track, at, kind, distance, told_at) VALUES (0, ?, ?, ?, ?)", .double(event.at),
      .text(event.kind), .double(event.distance), Value(event.told))
  }

  /// True if a device has told it before, whatever the error of its clock was thought to be then.
  func has(_ event: TrackEvent) throws(StoreError) -> Bool {
    guard let told = event.told else { return false }
    return try first(
      "SELECT 1 FROM anchor_events WHERE told_at = ? AND kind = ?", .double(told), .text(event.kind),
      read: { _ in true }) ?? false
  }

  func trackEvents(ofTrack track: Int, from: Double, to: Double) throws(StoreError) -> [TrackEvent] {
    try rows(
      """
      SELECT at, kind, distance FROM anchor_events WHERE track = ? AND at >= ? AND at <= ? ORDER BY at, id LIMIT ?
      """, .int(track), .double(from), .double(to), .int(WatchLimits.eventsKept),
      read: { TrackEvent(at: $0.double(0), kind: $0.text(1), distance: $0.double(2)) })
  }

  /// Removes what is too old or too much, at most `WatchLimits.removedPerCommit` rows.
  /// - Returns: true if there may be more.
  func tidyTracks(now: Double) throws(StoreError) -> Bool {
    let limit = Value.int(WatchLimits.removedPerCommit)
    let old = now - WatchLimits.keptDays * 86_400
    let surplus = try first(
      "SELECT at FROM anchor_fixes WHERE track = 0 ORDER BY at DESC LIMIT 1 OFFSET ?", .int(WatchLimits.kept),
      read: { $0.double(0) })
    let gone = try rows(
      """
      DELETE FROM anchor_fixes WHERE track = 0 AND at IN (
        SELECT at FROM anchor_fixes f WHERE track = 0 AND (at < ? OR at <= ? OR (at < ? AND NOT EXISTS (
          SELECT 1 FROM anchor_anchorages a WHERE a.imported = 0 AND f.at >= a.from_at
            AND f.at <= coalesce(a.to_at, f.at))))
        ORDER BY at LIMIT ?)
      RETURNING 1
      """, .double(old), .double(surplus ?? -1), .double(now - WatchLimits.idleTrack), limit, read: { _ in true })
    try run("DELETE FROM anchor_events WHERE at < ?", .double(old))
    try run(
      """
      DELETE FROM anchor_anchorages WHERE to_at IS NOT NULL AND id NOT IN (
        SELECT id FROM anchor_anchorages ORDER BY from_at DESC LIMIT ?)
      """, .int(WatchLimits.anchorages))
    try run(
      """
      DELETE FROM anchor_fixes WHERE track > 0 AND track NOT IN (SELECT id FROM anchor_anchorages WHERE imported = 1)
      """)
    return gone.count == WatchLimits.removedPerCommit
  }
}
