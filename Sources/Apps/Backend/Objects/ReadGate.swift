import Synchronization

/// Lets few requests of an app read at a time, so that its slow queries leave readers to everybody else.
final class ReadGate: Sendable {
  private struct OfApp {
    var reads = 0
    var waiting: [UnsafeContinuation<Bool, Never>] = []
  }
  private let apps = Mutex<[Int: OfApp]>([:])

  /// Waits for a turn, which ends with `leave`.
  /// - Returns: false if too many wait already; there is no turn then.
  func enter(_ app: Int) async -> Bool {
    await withUnsafeContinuation { continuation in
      let answer = apps.withLock { apps -> Bool? in
        if apps[app]?.reads ?? 0 < AppsLimits.reads {
          apps[app, default: OfApp()].reads += 1
          return true
        }
        guard apps[app]?.waiting.count ?? 0 < AppsLimits.readsWaiting else { return false }
        apps[app]?.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  func leave(_ app: Int) {
    let next = apps.withLock { apps -> UnsafeContinuation<Bool, Never>? in
      if apps[app]?.waiting.isEmpty == false { return apps[app]?.waiting.removeFirst() }
      apps[app]?.reads -= 1
      if apps[app]?.reads == 0 { apps[app] = nil }
      return nil
    }
    next?.resume(returning: true)
  }

  /// The number of those that wait.
  func waiting(of app: Int) -> Int { apps.withLock { $0[app]?.waiting.count ?? 0 } }
}
