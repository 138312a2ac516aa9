import Objects
import Store

/// Removing an app with all it has, so much at a time that nobody waits for it.
extension Database {
  /// Removes an app, or the next part of what it has: at most `AppsLimits.removedPerCommit` objects and
  /// `AppsLimits.filesPerCommit` files.
  /// - Returns: true if there is more; the app is gone otherwise.
  func removeSome(ofApp app: Int, _ cache: ClassCache) throws(StoreError) -> Bool {
    var left = AppsLimits.removedPerCommit
    for stored in try storedClasses(of: app, cache) {
      left -= try removeSome(of: stored, atMost: left).count
      guard left > 0 else { return true }
      try remove(stored)
    }
    if try removeSomeFiles(of: app) { return true }
    try remove(app: app)
    return false
  }
}
