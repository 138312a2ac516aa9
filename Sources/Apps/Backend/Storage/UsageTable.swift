import Store

/// The hours in which apps were used.
extension Database {
  /// Adds to the hours of apps; those of an app that is gone are dropped.
  func add(_ hours: [(app: Int, hour: AppHour)]) throws(StoreError) {
    for (app, hour) in hours {
      try run(
        """
        INSERT INTO apps_usage (app, hour, messages, connections)
        SELECT id, ?, ?, ? FROM apps_apps WHERE id = ?
        ON CONFLICT (app, hour) DO UPDATE SET messages = apps_usage.messages + excluded.messages,
          connections = CASE WHEN excluded.connections > apps_usage.connections THEN excluded.connections
            ELSE apps_usage.connections END
        """, .int(hour.hour), .int(hour.messages), .int(hour.connections), .int(app))
    }
  }

  /// An app's hours from one on.
  func hours(ofApp app: Int, from hour: Int) throws(StoreError) -> [AppHour] {
    try rows(
      "SELECT hour, messages, connections FROM apps_usage WHERE app = ? AND hour >= ?", .int(app), .int(hour)
    ) { AppHour(hour: $0.int(0), messages: $0.int(1), connections: $0.int(2)) }
  }

  /// The messages of each app since an hour, by the apps' ids.
  func messages(from hour: Int) throws(StoreError) -> [Int: Int] {
    Dictionary(
      try rows("SELECT app, SUM(messages) FROM apps_usage WHERE hour >= ? GROUP BY app", .int(hour)) {
        ($0.int(0), $0.int(1))
      }
    ) { first, _ in first }
  }

  /// Removes hours that are too old, at most `AppsLimits.removedPerCommit`.
  func removeUsage(before hour: Int) throws(StoreError) {
    try run(
      """
      DELETE FROM apps_usage WHERE (app, hour) IN (SELECT app, hour FROM apps_usage WHERE hour < ? LIMIT ?)
      """, .int(hour), .int(AppsLimits.removedPerCommit))
  }
}
