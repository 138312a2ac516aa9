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
  /// Does nothing if there was a fix at this time.
  func add(_ fix: Fix, source: Int, toTrack track: Int = 0) throws(StoreError) {
    try run(
      """
      INSERT INTO anchor_fixes (track, at, lat, lon, accuracy, hdop, source, heading) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      ON CONFLICT DO NOTHING
      """, .int(track), .double(fix.time), .double(fix.position.latitude), .double(fix.position.longitude),
      Value(fix.accuracy), Value(fix.hdop), .int(source), Value(fix.heading))
  }

  /// A track's fixes between two times, the oldest first.
  /// - Parameter every: seconds of which only one fix is told; 0 for all.
  func fixes(
    ofTrack track: Int, from: Double, to: Double, every: Double = 0, limit: Int
  ) throws(StoreError) -> [(source: Int, fix: Fix)] {
    var last = -Double.infinity
    var fixes: [(source: Int, fix: Fix)] = []
    // As a statement that is made at run time a server sends some rows at a time: all may be a million.
    try scan(
      """
      SELECT at, lat, lon, accuracy, hdop, source, heading FROM anchor_fixes WHERE track = ? AND at >= ? AND at <= ?
      ORDER BY at
      """, [.int(track), .double(from), .double(to)], isMade: true
    ) { row in
      let at = row.double(0)
      guard at - last >= every, fixes.count < limit,
        let position = Position(latitude: row.double(1), longitude: row.double(2))
      else { return false }
      last = at
      let fix = Fix(
        time: at, position: position, accuracy: row.optionalDouble(3), hdop: row.optionalDouble(4),
        heading: row.optionalDouble(6))
      fixes.append((row.int(5), fix))
      return fixes.count >= limit
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
    return try hasRow("SELECT 1 FROM anchor_events WHERE told_at = ? AND kind = ?", .double(told), .text(event.kind))
  }

  func trackEvents(ofTrack track: Int, from: Double, to: Double) throws(StoreError) -> [TrackEvent] {
    try rows(
      """
      SELECT at, kind, distance FROM anchor_events WHERE track = ? AND at >= ? AND at <= ? ORDER BY at, id LIMIT ?
      """, .int(track), .double(from), .double(to), .int(WatchLimits.eventsKept),
      read: { TrackEvent(at: $0.double(0), kind: $0.text(1), distance: $0.double(2)) })
  }

  /// When the boat's standing has changed last since a time, though no alarm is open.
  func lastChange(since time: Double) throws(StoreError) -> Double? {
    try first(
      """
      SELECT at FROM anchor_events WHERE track = 0 AND at >= ?
        AND kind IN ('warning', 'clear', 'position back', 'boat back') ORDER BY at DESC LIMIT 1
      """, .double(time), read: { $0.double(0) })
  }

  /// The parts of tracks that have no use any more: what is too old, too much, or of no time at anchor. It looks at all
  /// fixes and all times at anchor, and is read before a write for that reason.
  func uselessFixes(now: Double) throws(StoreError) -> [(track: Int, times: Range<Double>)] {
    let surplus = try first(
      "SELECT at FROM anchor_fixes WHERE track = 0 ORDER BY at DESC LIMIT 1 OFFSET ?", .int(WatchLimits.kept),
      read: { $0.double(0) })
    let old = now - WatchLimits.keptDays * 86_400
    let idle = now - WatchLimits.idleTrack
    var from = max(old, surplus?.nextUp ?? old)
    var times = [-Double.greatestFiniteMagnitude..<from]
    let stays = try rows("SELECT from_at, to_at FROM anchor_anchorages WHERE imported = 0 ORDER BY from_at") {
      (from: $0.double(0), to: $0.isNull(1) ? Double.infinity : $0.double(1))
    }
    for stay in stays + [(from: idle, to: idle)] {
      let end = min(stay.from, idle)
      if from < end { times.append(from..<end) }
      from = max(from, stay.to.nextUp)
    }
    var useless: [(track: Int, times: Range<Double>)] = []
    for part in times {
      let isThere = try hasRow(
        "SELECT 1 FROM anchor_fixes WHERE track = 0 AND at >= ? AND at < ? LIMIT 1", .double(part.lowerBound),
        .double(part.upperBound))
      if isThere { useless.append((track: 0, times: part)) }
    }
    let tracks = try rows(
      """
      SELECT DISTINCT track FROM anchor_fixes
      WHERE track > 0 AND track NOT IN (SELECT id FROM anchor_anchorages WHERE imported = 1)
      """
    ) { $0.int(0) }
    let always = -Double.greatestFiniteMagnitude..<Double.greatestFiniteMagnitude
    return useless + tracks.map { (track: $0, times: always) }
  }

  /// Removes some fixes of a track, at most `WatchLimits.removedPerCommit`.
  /// - Returns: true if there may be more.
  func removeFixes(ofTrack track: Int, _ times: Range<Double>) throws(StoreError) -> Bool {
    let gone = try rows(
      """
      DELETE FROM anchor_fixes WHERE track = ? AND at IN (
        SELECT at FROM anchor_fixes WHERE track = ? AND at >= ? AND at < ? ORDER BY at LIMIT ?)
      RETURNING 1
      """, .int(track), .int(track), .double(times.lowerBound), .double(times.upperBound),
      .int(WatchLimits.removedPerCommit), read: { _ in true })
    return gone.count == WatchLimits.removedPerCommit
  }

  /// Removes events that are too old, and times at anchor that are too many.
  func tidyAnchorages(now: Double) throws(StoreError) {
    try run("DELETE FROM anchor_events WHERE at < ?", .double(now - WatchLimits.keptDays * 86_400))
    try run(
      """
      DELETE FROM anchor_anchorages WHERE to_at IS NOT NULL AND id NOT IN (
        SELECT id FROM anchor_anchorages ORDER BY from_at DESC LIMIT ?)
      """, .int(WatchLimits.anchorages))
  }
}
