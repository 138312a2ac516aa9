import Synchronization

/// Lets so many requests of an app do something at a time, so that its slow or many ones leave room to everybody else.
final class AppGate: Sendable {
  private struct OfApp {
    var inside = 0
    var waiting: [UnsafeContinuation<Bool, Never>] = []
  }
  private let apps = Mutex<[Int: OfApp]>([:])
  private let most: Int
  private let mostWaiting: Int

  init(_ most: Int, waiting: Int) { (self.most, mostWaiting) = (most, waiting) }

  /// Waits for a turn, which ends with `leave`.
  /// - Returns: false if too many wait already; there is no turn then.
  func enter(_ app: Int) async -> Bool {
    if apps.withLock({ enter(app, &$0) }) { return true }
    return await withUnsafeContinuation { continuation in
      let answer = apps.withLock { apps -> Bool? in
        if enter(app, &apps) { return true }
        guard apps[app]?.waiting.count ?? 0 < mostWaiting else { return false }
        apps[app]?.waiting.append(continuation)
        return nil
      }
      if let answer { continuation.resume(returning: answer) }
    }
  }

  private func enter(_ app: Int, _ apps: inout [Int: OfApp]) -> Bool {
    guard apps[app]?.inside ?? 0 < most else { return false }
    apps[app, default: OfApp()].inside += 1
    return true
  }

  func leave(_ app: Int) {
    let next = apps.withLock { apps -> UnsafeContinuation<Bool, Never>? in
      if apps[app]?.waiting.isEmpty == false { return apps[app]?.waiting.removeFirst() }
      apps[app]?.inside -= 1
      if apps[app]?.inside == 0 { apps[app] = nil }
      return nil
    }
    next?.resume(returning: true)
  }

  /// The number of those that wait.
  func waiting(of app: Int) -> Int { apps.withLock { $0[app]?.waiting.count ?? 0 } }
}
