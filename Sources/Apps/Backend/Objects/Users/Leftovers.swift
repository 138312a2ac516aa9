import EventLoop
import Hub
import Lifecycle
import Objects
import Server
import Store
import Synchronization

/// Removes what has come to its end by itself: sessions after a year, files that nothing points to, and what apps had
/// that were removed.
final class Leftovers: Sendable {
  private let objects: AppObjects
  private let register: AppRegister
  private let poller: Poller
  /// The uptime of the last look for files.
  private let sweptAt = Mutex(-Double.infinity)

  init(_ objects: AppObjects, _ register: AppRegister) {
    (self.objects, self.register) = (objects, register)
    poller = Poller(objects.hub.loop)
  }

  /// To be called when an app was removed.
  func wake() { poller.wake() }

  func run() async throws {
    try await poller.run { [self] in
      while try await removeSome() { try Task.checkCancellation() }
      while try await endSessions() { try Task.checkCancellation() }
      // A session ends at its time, so that live queries of it end with it, and not at the next look for files, which
      // goes through all of them.
      let time = objects.hub.time
      if time.uptime - sweptAt.withLock({ $0 }) >= AppsLimits.fileSweepSeconds {
        try await sweepFiles()
        sweptAt.withLock { $0 = time.uptime }
      }
      let next = try await objects.hub.store.read { database throws(StoreError) in try database.nextSessionEnd() }
      let seconds = next.map { Double($0) / 1_000 - time.now } ?? .infinity
      return max(0.1, min(sweptAt.withLock { $0 } + AppsLimits.fileSweepSeconds - time.uptime, seconds))
    }
  }

  private func removeSome() async throws(StoreError) -> Bool {
    let cache = objects.cache
    return try await objects.hub.store.write { database throws(StoreError) in
      guard let app = try database.hiddenApp() else { return false }
      _ = try database.removeSome(ofApp: app, cache)
      return true
    }
  }

  /// Notes since when files are not used, or that they are used again, and removes those that nobody has used for long.
  private func sweepFiles() async throws(StoreError) {
    let (store, now) = (objects.hub.store, objects.hub.time.now)
    let apps = try await store.read { database throws(StoreError) in try database.appsWithFiles() }
    for app in apps {
      let look = try await store.read { database throws(StoreError) in try database.lookAtFiles(of: app, now: now) }
      for (finding, files) in look.found {
        for start in stride(from: 0, to: files.count, by: AppsLimits.filesPerCommit) {
          let some = Array(files[start..<min(start + AppsLimits.filesPerCommit, files.count)])
          try await store.write { database throws(StoreError) in
            try database.note(finding, some, of: look, now: now)
          }
        }
      }
    }
  }

  /// - Returns: true if there may be more.
  private func endSessions() async throws -> Bool {
    let now = Int(objects.hub.time.now * 1_000)
    let ended = try await objects.hub.store.read { database throws(StoreError) in
      try database.endedSessions(at: now, limit: AppsLimits.filesPerCommit)
    }
    try await end(ended)
    return ended.count == AppsLimits.filesPerCommit
  }

  /// Removes sessions that have ended.
  func end(_ ended: [(app: Int, id: String)]) async throws {
    for (id, sessions) in Dictionary(grouping: ended, by: \.app) {
      guard let app = register.app(id) else { continue }
      try await objects.write(app, as: .master) { writer in
        for session in sessions {
          do {
            _ = try writer.delete("_Session", session.id)
          } catch let refusal as ObjectError where refusal == .notFound {
            // Whoever has signed out since they were read has ended it already; the others go all the same.
            continue
          }
        }
      }
    }
  }
}
