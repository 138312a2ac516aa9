import Lifecycle
import Synchronization

/// Counts what apps use: in memory, since a message must not wait for the disk, and taken out each minute to be
/// written.
final class Meter: Sendable {
  private struct Count {
    /// Messages by hour, for hours that are not written yet.
    var messages: [Int: Int] = [:]
    /// The most connections of the present hour, and the hour.
    var peak = (hour: 0, connections: 0, isWritten: true)
    /// The messages of a day (since 1970, in UTC), written or not.
    var day = 0
    var today = 0
    /// The most of them; 0: no limit.
    var limit = 0
  }
  private let counts = Mutex<[Int: Count]>([:])
  private let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  private var hour: Int { Int(time.now / 3600) }

  /// The hour with which the present day began.
  var dayBegan: Int { hour / 24 * 24 }

  /// - Returns: true if the app is over its limit by this.
  func add(_ messages: Int, to app: Int) -> Bool {
    let hour = hour
    return counts.withLock { counts in
      var count = counts[app] ?? Count()
      let before = Self.isOver(count, day: hour / 24)
      if count.day != hour / 24 { (count.day, count.today) = (hour / 24, 0) }
      count.today += messages
      count.messages[hour, default: 0] += messages
      counts[app] = count
      return !before && Self.isOver(count, day: hour / 24)
    }
  }

  func note(connections: Int, of app: Int) {
    guard connections > 0 else { return }
    let hour = hour
    counts.withLock { counts in
      let peak = counts[app]?.peak ?? (hour: 0, connections: 0, isWritten: true)
      guard peak.hour != hour || connections > peak.connections else { return }
      counts[app, default: Count()].peak = (hour, connections, false)
    }
  }

  /// - Parameter messages: those of today that are written.
  func begin(_ app: Int, messages: Int) {
    let day = hour / 24
    counts.withLock { counts in
      var count = counts[app] ?? Count()
      (count.day, count.today) = (day, messages + count.messages.values.reduce(0, +))
      counts[app] = count
    }
  }

  func limit(_ app: Int, to messages: Int) {
    counts.withLock { counts in
      if messages == 0, counts[app] == nil { return }
      counts[app, default: Count()].limit = messages
    }
  }

  func today(of app: Int) -> Int {
    let day = hour / 24
    return counts.withLock { counts in counts[app].map { $0.day == day ? $0.today : 0 } ?? 0 }
  }

  func isOver(_ app: Int) -> Bool {
    let day = hour / 24
    return counts.withLock { counts in counts[app].map { Self.isOver($0, day: day) } ?? false }
  }

  private static func isOver(_ count: Count, day: Int) -> Bool {
    count.limit > 0 && count.day == day && count.today >= count.limit
  }

  func forget(_ app: Int) { counts.withLock { $0[app] = nil } }

  /// An app's use that is not written yet.
  func unwritten(of app: Int) -> [AppHour] { counts.withLock { $0[app].map(Self.hours) ?? [] } }

  /// Takes out what is not written yet.
  func drain() -> [(app: Int, hour: AppHour)] {
    counts.withLock { counts in
      var all: [(app: Int, hour: AppHour)] = []
      for (app, count) in counts {
        let hours = Self.hours(count)
        if hours.isEmpty { continue }
        all += hours.map { (app, $0) }
        counts[app]?.messages = [:]
        counts[app]?.peak.isWritten = true
      }
      return all
    }
  }

  /// Takes back what could not be written.
  func putBack(_ hours: [(app: Int, hour: AppHour)]) {
    counts.withLock { counts in
      for (app, hour) in hours where counts[app] != nil {
        counts[app]?.messages[hour.hour, default: 0] += hour.messages
        if counts[app]?.peak.hour == hour.hour { counts[app]?.peak.isWritten = false }
      }
    }
  }

  private static func hours(_ count: Count) -> [AppHour] {
    var hours = count.messages.map { AppHour(hour: $0, messages: $1, connections: 0) }
    let peak = count.peak
    guard !peak.isWritten else { return hours }
    if let index = hours.firstIndex(where: { $0.hour == peak.hour }) {
      hours[index].connections = peak.connections
    } else {
      hours.append(AppHour(hour: peak.hour, messages: 0, connections: peak.connections))
    }
    return hours
  }
}
