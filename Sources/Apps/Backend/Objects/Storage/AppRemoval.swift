import Objects
import Store

/// Removing an app with all it has, so much at a time that nobody waits for it.
extension Database {
  /// Removes an app, or the next part of what it has: at most `AppsLimits.objectsPerCommit` objects, some
  /// `AppsLimits.bytesPerCommit` of them, and `AppsLimits.filesPerCommit` files.
  /// - Returns: true if there is more; the app is gone otherwise.
  func removeSome(ofApp app: Int, _ cache: ClassCache) throws(StoreError) -> Bool {
    var (left, bytes) = (AppsLimits.objectsPerCommit, AppsLimits.bytesPerCommit)
    for stored in try storedClasses(of: app, cache) {
      let (removed, hasMore) = try removeSome(of: stored, atMost: left, bytes)
      if hasMore { return true }
      left -= removed.count
      bytes -= removed.reduce(0) { $0 + $1.bytes }
      try remove(stored)
    }
    if try removeSomeFiles(of: app) { return true }
    try remove(app: app)
    return false
  }
}
