import EventLoop
import Glibc
import Hub
import Observe
import Realtime
import Server
import Store
import Terminal

/// Handles signals: the hub ends, at once while it is starting, else in good order; or it loads its certificate again.
/// Confined to the first loop.
final class Lifetime: @unchecked Sendable {
  let loops: [EventLoop]
  let log: Log
  let notice: ServiceNotice
  var running: (server: HTTPServer, hub: Hub, plan: ServePlan)?
  private var watcher: SignalWatcher?
  private var knocks: KnockWatcher?

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
    guard let (server, hub, _) = running, !server.isClosing else { exit(128 + signal) }
    log.info("the hub is stopping", ["signal": "\(signal)"])
    notice.stopping()
    hub.channels.close()
    for room in hub.rooms { room.hubEnds() }
    server.close { [loops] in
      // Nothing waits for it: it ends the program.
      Task {
        await hub.end()
        await hub.store.close()
        for loop in loops { loop.stop() }
      }
    }
  }
}
