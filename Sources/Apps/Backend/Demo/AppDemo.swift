import Hub
import Store

/// A word game that nobody plays yet, with the use of a day.
enum AppDemo {
  static let name = "Word game"

  /// Does nothing if there are apps already.
  static func fill(_ hub: Hub) async throws {
    try await hub.commit(as: .room(BackendRoom.id)) { change in
      let database = change.database
      guard try database.appCount() == 0 else { return }
      var (app, _) = try AppChange.make(name, in: change)
      app.options.subscriptionCount = true
      app.options.connections = 500
      try database.save(app)
      let now = Int(change.now / 3600)
      // The same each time, so that pictures of it stay comparable: a quiet night and a lively evening.
      let hours = (1...AppUsage.days * 24).map { ago in
        let wave = max(0, 12 - abs((now - ago) % 24 - 20)) * 37 + ago % 7 * 11
        return (app: app.id, hour: AppHour(hour: now - ago, messages: wave * wave / 40, connections: wave / 6))
      }
      try database.add(hours)
    }
  }
}
