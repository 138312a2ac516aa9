import Objects
import Wire

/// The changes that wait to be told to those who follow them, each app's in the order of the commits. There is one
/// bound for all apps; past it the app of which most waits loses its own, so that one app does not cost others theirs.
struct WaitingChanges {
  struct Told {
    var change: ObjectChange
    var commit: Int
    var bytes: Int

    init(_ change: ObjectChange, commit: Int) {
      (self.change, self.commit) = (change, commit)
      bytes = [change.before, change.after].reduce(0) { $0 + ($1.map { Self.bytes(of: .object($0.fields)) } ?? 0) }
    }

    /// Bytes that a value takes in memory, give or take some.
    private static func bytes(of value: JSON) -> Int {
      let own = MemoryLayout<JSON.Member>.size
      return switch value {
      case .string(let text): own + text.utf8.count
      case .array(let values): values.reduce(own) { $0 + bytes(of: $1) }
      case .object(let members): members.reduce(own) { $0 + $1.name.utf8.count + bytes(of: $1.value) }
      default: own
      }
    }
  }
  private struct OfApp {
    var changes: [Told] = []
    var bytes = 0

    /// Its part of what may wait at all, from 0 to 1.
    var share: Double {
      max(
        Double(changes.count) / Double(AppsLimits.waitingChanges),
        Double(bytes) / Double(AppsLimits.waitingChangeBytes))
    }
  }
  private var queues: [Int: OfApp] = [:]
  private var count = 0
  private var bytes = 0

  /// The apps of which something waits.
  var apps: some Collection<Int> { queues.keys }

  /// - Returns: the apps that have lost theirs.
  mutating func append(_ told: Told) -> [Int] {
    let app = told.change.app
    queues[app, default: OfApp()].changes.append(told)
    queues[app]?.bytes += told.bytes
    (count, bytes) = (count + 1, bytes + told.bytes)
    var lost: [Int] = []
    while count > AppsLimits.waitingChanges || bytes > AppsLimits.waitingChangeBytes,
      let most = queues.max(by: { $0.value.share < $1.value.share })?.key
    {
      drop(most)
      lost.append(most)
    }
    return lost
  }

  /// Takes the next ones of an app, at most `AppsLimits.changesAtOnce`.
  mutating func take(of app: Int) -> [Told] {
    guard var queue = queues[app] else { return [] }
    let next = Array(queue.changes.prefix(AppsLimits.changesAtOnce))
    let taken = next.reduce(0) { $0 + $1.bytes }
    queue.changes.removeFirst(next.count)
    queue.bytes -= taken
    queues[app] = queue.changes.isEmpty ? nil : queue
    (count, bytes) = (count - next.count, bytes - taken)
    return next
  }

  /// Forgets what an app's clients were to be told.
  mutating func drop(_ app: Int) {
    guard let queue = queues.removeValue(forKey: app) else { return }
    (count, bytes) = (count - queue.changes.count, bytes - queue.bytes)
  }
}
