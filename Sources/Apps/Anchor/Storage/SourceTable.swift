import AnchorWatch
import Store

/// Devices that tell positions, and their batteries.
extension Database {
  func anchorSources() throws(StoreError) -> [Source] {
    try rows("\(Self.selectSources) ORDER BY id", read: Self.source).compactMap { $0 }
  }

  func anchorSource(_ kind: Source.Kind, named name: String) throws(StoreError) -> Source? {
    try first("\(Self.selectSources) WHERE kind = ? AND name = ?", .text(kind.rawValue), .text(name), read: Self.source)
      ?? nil
  }

  /// Adds a source; if there are as many as may be, the one that was silent longest goes.
  func add(_ source: Source) throws(StoreError) -> Int {
    try run(
      "DELETE FROM anchor_sources WHERE id NOT IN (SELECT id FROM anchor_sources ORDER BY last DESC LIMIT ?)",
      .int(WatchLimits.sources - 1))
    return try inserted(
      """
      INSERT INTO anchor_sources (name, kind, device, person, last, interval, told, skew, skew_trials)
      VALUES (?, ?, ?, ?, ?, ?, 0, 0, 0) RETURNING id
      """, .text(source.name), .text(source.kind.rawValue), Value(source.device), Value(source.person),
      .double(source.last), .double(source.interval))
  }

  func save(_ source: Source) throws(StoreError) {
    try run(
      """
      UPDATE anchor_sources SET device = ?, person = ?, last = ?, interval = ?, battery = ?, charging = ?, state = ?,
        fix_at = ?, lat = ?, lon = ?, accuracy = ?, hdop = ?, told = ?, skew = ?, skew_trials = ?, heading = ?,
        tells = ?
      WHERE id = ?
      """, Value(source.device), Value(source.person), .double(source.last), .double(source.interval),
      Value(source.battery), Value(source.isCharging), Value(source.state), Value(source.fix?.time),
      Value(source.fix?.position.latitude), Value(source.fix?.position.longitude), Value(source.fix?.accuracy),
      Value(source.fix?.hdop), .int(source.told.rawValue), .double(source.skew), .int(source.skewTrials),
      Value(source.fix?.heading), Value(source.tells?.joined(separator: " ")), .int(source.id))
  }

  func removeAnchorSource(_ id: Int) throws(StoreError) {
    try run("DELETE FROM anchor_sources WHERE id = ?", .int(id))
  }

  // MARK: Batteries

  /// Notes a battery's charge, at most once in `WatchLimits.slopeStep` seconds.
  /// - Returns: its history.
  func note(_ charge: Charge, of source: Int) throws(StoreError) -> [Charge] {
    try run(
      "DELETE FROM anchor_charges WHERE source = ? AND (at < ? OR at > ?)", .int(source),
      .double(charge.at - WatchLimits.slopeHistory), .double(charge.at))
    var history = try charges(of: source)
    if charge.at - (history.last?.at ?? -.infinity) >= WatchLimits.slopeStep {
      try run(
        "INSERT INTO anchor_charges (source, at, share) VALUES (?, ?, ?) ON CONFLICT DO NOTHING", .int(source),
        .double(charge.at), .double(charge.share))
      history.append(charge)
    }
    return history
  }

  func charges(of source: Int) throws(StoreError) -> [Charge] {
    try rows(
      "SELECT at, share FROM anchor_charges WHERE source = ? ORDER BY at", .int(source),
      read: { Charge(at: $0.double(0), share: $0.double(1)) })
  }

  /// A charging battery has no slope.
  func forgetCharges(of source: Int) throws(StoreError) {
    try run("DELETE FROM anchor_charges WHERE source = ?", .int(source))
  }

  private static let selectSources = """
    SELECT id, name, kind, device, person, last, interval, battery, charging, state, fix_at, lat, lon, accuracy, hdop,
      told, skew, skew_trials, heading, tells FROM anchor_sources
    """

  private static func source(_ row: Row) -> Source? {
    guard let kind = Source.Kind(rawValue: row.text(2)) else { return nil }
    var source = Source(
      id: row.int(0), name: row.text(1), kind: kind, device: row.optionalInt(3), person: row.optionalInt(4),
      last: row.double(5), interval: row.double(6), battery: row.optionalDouble(7),
      isCharging: row.optionalBool(8), state: row.optionalText(9), told: .init(rawValue: row.int(15)),
      skew: row.double(16), skewTrials: row.int(17))
    source.tells = row.optionalText(19)?.split(separator: " ").map(String.init)
    if let at = row.optionalDouble(10), let latitude = row.optionalDouble(11), let longitude = row.optionalDouble(12),
      let position = Position(latitude: latitude, longitude: longitude)
    {
      source.fix = Fix(
        time: at, position: position, accuracy: row.optionalDouble(13), hdop: row.optionalDouble(14),
        heading: row.optionalDouble(18))
    }
    return source
  }
}

extension Database {
  /// Somebody has left: their devices are nobody's, and what they armed goes on.
  func forget(person id: Int) throws(StoreError) {
    try run("UPDATE anchor_sources SET person = NULL WHERE person = ?", .int(id))
    try run("UPDATE anchor_anchorages SET person = NULL WHERE person = ?", .int(id))
  }
}
