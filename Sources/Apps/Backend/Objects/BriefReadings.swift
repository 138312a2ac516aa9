import Synchronization

/// The brief readings of each app that are under way, and for each class how many of its readings are not tried so
/// after one that took long.
final class BriefReadings: Sendable {
  private struct OfApp {
    var underWay = 0
    var left: [String: Int] = [:]

    var isIdle: Bool { underWay == 0 && left.isEmpty }
  }
  private let apps = Mutex<[Int: OfApp]>([:])

  /// - Returns: true if one begins, which ends with `leave`.
  func enter(_ app: Int, _ className: String) -> Bool {
    apps.withLock { apps in
      var one = apps[app] ?? OfApp()
      defer { apps[app] = one.isIdle ? nil : one }
      if let left = one.left[className] {
        one.left[className] = left > 1 ? left - 1 : nil
        return false
      }
      guard one.underWay < AppsLimits.brieflyAtOnce else { return false }
      one.underWay += 1
      return true
    }
  }

  func leave(_ app: Int, _ className: String, tookLong: Bool) {
    apps.withLock { apps in
      var one = apps[app] ?? OfApp()
      one.underWay -= 1
      if tookLong { one.left[className] = AppsLimits.notBriefly }
      apps[app] = one.isIdle ? nil : one
    }
  }
}
