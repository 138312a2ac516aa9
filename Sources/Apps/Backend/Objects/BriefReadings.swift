import Synchronization

/// The brief readings of each app that are under way, and how many of its readings are not tried so after one that took
/// long.
final class BriefReadings: Sendable {
  private struct OfApp {
    var underWay = 0
    var left = 0

    var isIdle: Bool { underWay == 0 && left == 0 }
  }
  private let apps = Mutex<[Int: OfApp]>([:])

  /// - Returns: true if one begins, which ends with `leave`.
  func enter(_ app: Int) -> Bool {
    apps.withLock { apps in
      var one = apps[app] ?? OfApp()
      defer { apps[app] = one.isIdle ? nil : one }
      if one.left > 0 {
        one.left -= 1
        return false
      }
      guard one.underWay < AppsLimits.brieflyAtOnce else { return false }
      one.underWay += 1
      return true
    }
  }

  func leave(_ app: Int, tookLong: Bool) {
    apps.withLock { apps in
      var one = apps[app] ?? OfApp()
      one.underWay -= 1
      if tookLong { one.left = AppsLimits.notBriefly }
      apps[app] = one.isIdle ? nil : one
    }
  }
}
