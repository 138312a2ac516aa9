import CivilTime

/// The check of what a running hub has found of its database server.
package enum LostChangesCheck {
  /// - Parameter time: when the hub noticed that changes are missing which were acknowledged, in seconds since 1970;
  ///   nil for never.
  package static func findings(noticedAt time: Double?) -> [Finding] {
    guard let time else { return [] }
    let at = timestamp(EpochSeconds(time), in: .utc)
    return [
      .problem(
        "changes", "another database server has taken over and lacks the last changes: noticed at \(at)",
        remedy: "Look through what was done just before. Let PostgreSQL wait for its replica "
          + "(`synchronous_standby_names`). This is told until the hub is started again.")
    ]
  }
}
