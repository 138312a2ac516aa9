import EventLoop
import Glibc
import Hub
import Lifecycle
import Observe
import Realtime
import Server
import Store
import Synchronization
import Terminal

/// Handles signals: the hub ends, at once while it is starting, else in good order; or it loads its certificate again.
/// Confined to the first loop.
final class Lifetime: @unchecked Sendable {
  let loops: [EventLoop]
  let log: Log
  let notice: ServiceNotice
  var running: (server: HTTPServer, hub: Hub, plan: ServePlan)?
  /// True once the hub was told to stop.
  private var isEnding = false
  private var watcher: SignalWatcher?
  private var knocks: KnockWatcher?
  /// The uptime at which more time for the start was asked for.
  private let askedAt = Mutex(-Double.infinity)

  /// Seconds of a stop without a drain: `ServerLimits.closeSeconds`, then as many for tasks, and some to spare.
  private static let stopSeconds = 2 * ServerLimits.closeSeconds + 5

  /// Seconds for which more time for the start is asked, as the unit gives, and between two times of asking. The
  /// largest blob is read within the former, and only then is there progress.
  private static let startSeconds = 1800.0
  private static let askSeconds = 60.0

  /// Stop (SIGTERM, SIGINT), and load the certificate again (SIGHUP).
  static let signals = [SIGTERM, SIGINT, SIGHUP]

  /// The loop that watches for signals, and on which everything starts.
  var loop: EventLoop { loops[0] }

  init(loops: [EventLoop], log: Log, notice: ServiceNotice) {
    self.loops = loops
    self.log = log
    self.notice = notice
  }

  func watch() {
    watcher = SignalWatcher(Self.signals, on: loop) { [unowned self] signal in
      if signal == SIGHUP { reload() } else { end(signal) }
    }
  }

  /// Has systemd wait on, since the start gets on: a backup and a migration of many pictures can take hours, and would
  /// be cut off and begun anew for ever. May be called from any thread.
  func startGetsOn() {
    let now = loop.time.uptime
    let isDue = askedAt.withLock { askedAt in
      guard now - askedAt >= Self.askSeconds else { return false }
      askedAt = now
      return true
    }
    if isDue { notice.extend(by: Self.startSeconds) }
  }

  /// Tells the hub when a command beside it has changed something.
  func listen(for folder: DataFolder, _ hub: Hub) {
    knocks = KnockWatcher(folder, on: loop) { hub.commandEnded() }
    if knocks == nil { log.warning("what commands change is found within a minute, since the folder is not watched") }
  }

  /// An unusable certificate changes nothing: the old one stays in use.
  private func reload() {
    guard let (server, hub, plan) = running else { return }
    do throws(CommandError) {
      guard let tls = try plan.tlsContext() else { return log.info("there is no certificate to read again") }
      server.use(tls)
      for room in hub.rooms { room.certificateRenewed() }
      log.info("the certificate was read again")
    } catch {
      log.error("the old certificate stays", ["reason": error.message])
    }
  }

  private func end(_ signal: Int32) {
    // Nothing is served yet, or the signal was sent twice.
    guard let (server, hub, plan) = running, !isEnding else { exit(128 + signal) }
    isEnding = true
    log.info("the hub is stopping", ["signal": "\(signal)"])
    notice.stopping()
    // Who stops it by hand (SIGINT) does not want to wait.
    guard signal == SIGTERM, plan.drain > 0, hub.hasOthers else { return close(server, hub) }
    notice.extend(by: plan.drain + Self.stopSeconds)
    // Nothing waits for it: it ends the program.
    Task(executorPreference: loop) { [self] in
      await hub.drain(server, over: plan.drain)
      close(server, hub)
    }
  }

  private func close(_ server: HTTPServer, _ hub: Hub) {
    hub.channels.close()
    for room in hub.rooms { room.hubEnds() }
    server.close { [loops] in
      Task {
        await hub.end()
        await hub.store.close()
        for loop in loops { loop.stop() }
      }
    }
  }
}
