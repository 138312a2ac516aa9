import EventLoop
import Lifecycle
import Observe
public import Server
import Synchronization

/// The plan by which a hub that leaves tells its listeners to go to another one: nobody at first, while web servers in
/// front of the hubs learn of it, then as evenly as possible, so that the others are not asked by all of them at once.
package struct Drain {
  /// Seconds until the last is told.
  let seconds: Double

  /// Seconds between two steps.
  static let step = 0.1
  /// The part of the time in which nobody is told yet.
  static let quiet = 1.0 / 6

  package init(seconds: Double) { self.seconds = seconds }

  /// Seconds from the beginning until the first is told.
  package var begin: Double { seconds * Self.quiet }

  /// The share of those still there who are told now.
  /// - Parameters:
  ///   - before: the moment of the last step, in seconds from the beginning.
  ///   - now: that of this one.
  package func share(from before: Double, to now: Double) -> Double {
    let since = max(before, begin)
    if now >= seconds { return 1 }
    return now > since ? (now - since) / (seconds - since) : 0
  }
}

extension Hub {
  /// True if there are other hubs to which listeners can go.
  public var hasOthers: Bool { cluster?.leases.others.isEmpty == false }

  /// Leaves the other hubs while it is still reached: others go on with its work, web servers in front hear that it is
  /// not well (`/healthz`), and who listens is told to connect again, one after the other. Ends early when nobody does.
  /// - Parameter seconds: the longest time.
  public func drain(_ server: HTTPServer, over seconds: Double) async {
    guard let cluster else { return }
    isLeaving.store(true, ordering: .relaxed)
    log.info("who listens is told to go to the other hubs", ["seconds": "\(Int(seconds))"])
    supervisor.once("hub.leave") { await cluster.leases.leave() }
    let (drain, began) = (Drain(seconds: seconds), time.uptime)
    var (before, left) = (0.0, 1)
    while before < seconds, left > 0 || before < drain.begin {
      do { try await loop.pause(for: Drain.step) } catch { return }
      let now = time.uptime - began
      left = await server.sendAway(drain.share(from: before, to: now))
      before = now
    }
  }
}
