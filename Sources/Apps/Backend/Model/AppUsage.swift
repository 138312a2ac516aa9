import Hub
import Wire

/// The use of an app in one hour.
struct AppHour: Equatable, Sendable {
  /// Hours since 1970.
  var hour: Int
  var messages: Int
  /// The most connections at a time.
  var connections: Int
}

/// An app's use, as pictures show it: by the hour and by the day, in UTC.
struct AppUsage {
  /// The hours in which it was used.
  private var rows: [AppHour]
  /// The present hour.
  var now: Int

  /// - Parameter unwritten: what comes to the hours that are written, or is of others.
  init(written: [AppHour], unwritten: [AppHour], now: Int) {
    let hours = Dictionary((written + unwritten).map { ($0.hour, $0) }) { one, other in
      AppHour(
        hour: one.hour, messages: one.messages + other.messages, connections: max(one.connections, other.connections))
    }
    rows = Array(hours.values)
    self.now = now
  }

  static let hours = 24
  static let days = 30

  var json: JSON {
    let hours = (now - Self.hours + 1...now).map { hour in
      Self.json(hour * 3600, rows.filter { $0.hour == hour })
    }
    let byDay = Dictionary(grouping: rows) { $0.hour / 24 }
    let days = (now / 24 - Self.days + 1...now / 24).map { day in Self.json(day * 86_400, byDay[day] ?? []) }
    return ["hours": .array(hours), "days": .array(days)]
  }

  private static func json(_ from: Int, _ rows: [AppHour]) -> JSON {
    [
      "from": JSON(instant: Double(from)), "messages": .int(rows.reduce(0) { $0 + $1.messages }),
      "connections": .int(rows.map(\.connections).max() ?? 0),
    ]
  }
}
